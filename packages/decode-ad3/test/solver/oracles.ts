import type { LocalMaximizer } from "@arcwise/decode-ad3";
import loadHighs from "highs";
import type { DefinedGraph } from "./graphs.ts";
import { assignments, type Point } from "./truth-tables.ts";

/** Longer versions of the tests, for ARCWISE_THOROUGH=1. */
export const THOROUGH = process.env.ARCWISE_THOROUGH !== undefined;

/**
 * Returns all configurations of a maximizer with the score of each, found by maximizing for each assignment
 * with potentials that dominate all scores.
 */
export function configurations(maximizer: LocalMaximizer, additional: Float64Array): Point[] {
  const k = maximizer.variables;
  maximizer.reserve(1);
  return assignments(k).flatMap((on) => {
    const pull = Float64Array.from(on, (value) => (value - 0.5) * 1e6);
    if (maximizer.maximize(pull, additional, 0) === -Infinity) return [];
    const found = new Float64Array(k);
    maximizer.addPosteriors(0, 1, found, new Float64Array(additional.length));
    if (on.some((value, i) => value !== found[i])) return [];
    return [{ on, score: maximizer.evaluate(new Float64Array(k), additional, 0) }];
  });
}

/**
 * Writes the linear programme of a graph's relaxation as an LP file: a weight for each assignment that a
 * factor allows. A knapsack is one inequality. `integer`: the integer programme.
 */
export function linearProgramme({ graph, factors }: DefinedGraph, integer: boolean): string {
  const objective = graph.potentials.map((value, v) => `${signed(value)} x${v}`);
  const rows: string[] = [];
  const weights: string[] = [];
  factors.forEach((factor, f) => {
    if ("limit" in factor) {
      const terms = factor.variables.map((v, i) => `${signed(factor.row[i])} x${v}`);
      rows.push(`${terms.join(" ")} <= ${factor.limit}`);
      return;
    }
    const { variables, points } = factor;
    const names = points.map((_, i) => `w${f}_${i}`);
    weights.push(...names);
    rows.push(`${names.length === 0 ? "0 x0" : names.map((name) => `+ ${name}`).join(" ")} = 1`);
    variables.forEach((v, i) => {
      const on = names.filter((_, p) => points[p].on[i] === 1);
      rows.push(`${on.map((name) => `+ ${name}`).join(" ")} - x${v} = 0`);
    });
    points.forEach(({ score }, i) => {
      if (score !== 0) objective.push(`${signed(score)} ${names[i]}`);
    });
  });
  for (const { first, states } of graph.multiVariables) {
    rows.push(`${Array.from({ length: states }, (_, i) => `+ x${first + i}`).join(" ")} = 1`);
  }
  const binaries = graph.potentials.map((_, v) => `x${v}`);
  const bounds = [...binaries, ...weights].map((name) => `0 <= ${name} <= 1`);
  return [
    `Maximize\n obj: ${objective.join(" ")}`,
    `Subject To\n${rows.map((row, i) => ` r${i}: ${row}`).join("\n")}`,
    `Bounds\n ${bounds.join("\n ")}`,
    integer ? `Binary\n ${binaries.join(" ")}` : "",
    "End\n",
  ].join("\n");
}

const signed = (value: number) => (value < 0 ? `- ${-value}` : `+ ${value}`);

// The types describe the CommonJS build, whose default export is one level deeper.
const highs = await (loadHighs as unknown as typeof loadHighs.default)();

/** Returns the optimum of the relaxation, or over assignments; undefined if all are forbidden. */
export function optimum(graph: DefinedGraph, integer: boolean): number | undefined {
  const { Status, ObjectiveValue } = highs.solve(linearProgramme(graph, integer), { mip_rel_gap: 0 });
  if (Status === "Optimal") return ObjectiveValue;
  if (Status === "Infeasible") return undefined;
  throw new Error(`expected an optimum or none, got ${Status}`);
}
