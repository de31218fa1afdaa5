import { arcsByHead, MEMBERS, type ParsingProblem } from "@arcwise/core";

/**
 * Writes a parsing problem as an integer linear programme in the CPLEX format: one variable per arc, one per
 * part, and a flow that reaches every word from the root over arcs of the tree. A part is on when its arcs
 * are and the arcs between them are not, which is expressed by inequalities. Variables are x0, x1, ... for
 * arcs, in their order.
 */
export function integerProgramme(problem: ParsingProblem, singleRoot: boolean): string {
  const { arcs, arcScores, parts } = problem;
  const { n, head, modifier, start } = arcs;
  const byHead = arcsByHead(arcs);
  const objective: string[] = [];
  const rules: string[] = [];
  const bounds: string[] = [];
  const all = Array.from(head, (_, arc) => arc);
  const plus = (terms: readonly string[]): string => terms.join(" + ");

  for (const arc of all) {
    if (arcScores[arc] === -Infinity) rules.push(`x${arc} = 0`);
    else objective.push(`${signed(arcScores[arc])} x${arc}`);
    rules.push(`f${arc} - ${n} x${arc} <= 0`);
  }
  for (let m = 1; m <= n; m++) {
    const into = all.slice(start[m], start[m + 1]);
    const out = all.filter((arc) => head[arc] === m);
    rules.push(`${plus(into.map((arc) => `x${arc}`))} = 1`);
    const flow = [...into.map((arc) => `+ f${arc}`), ...out.map((arc) => `- f${arc}`)];
    rules.push(`${flow.join(" ")} = 1`);
  }
  const roots = all.filter((arc) => head[arc] === 0);
  if (singleRoot) rules.push(`${plus(roots.map((arc) => `x${arc}`))} = 1`);

  /**
   * Arcs of the same head and side whose modifiers are between the modifiers of the two arcs; -1 is the head itself.
   */
  const between = (inner: number, outer: number): number[] => {
    const from = byHead.start[2 * head[outer] + (modifier[outer] > head[outer] ? 1 : 0)];
    const first = inner < 0 ? 0 : byHead.rank[inner] + 1;
    return [...byHead.arcs.slice(from + first, from + byHead.rank[outer])];
  };
  const beyond = (arc: number): number[] => {
    const group = 2 * head[arc] + (modifier[arc] > head[arc] ? 1 : 0);
    const from = byHead.start[group];
    return [...byHead.arcs.slice(from + byHead.rank[arc] + 1, byHead.start[group + 1])];
  };

  let count = 0;
  for (const { kind, start: owned, members, scores } of parts) {
    for (const owner of all) {
      for (let part = owned[owner]; part < owned[owner + 1]; part++) {
        if (scores[part] === 0) continue;
        const others = [...members.slice(part * MEMBERS[kind], (part + 1) * MEMBERS[kind])];
        const [first = -1, second = -1] = others;
        const off =
          kind === "nextSibling"
            ? between(first, owner)
            : kind === "grandSibling"
              ? between(second, owner)
              : kind === "triSibling"
                ? [...between(first, owner), ...between(second, first)]
                : kind === "lastSibling"
                  ? beyond(owner)
                  : [];
        const on = [owner, ...others.filter((arc) => arc >= 0)];
        const name = `p${count++}`;
        const conditions = [...on.map((arc) => `- x${arc}`), ...off.map((arc) => `+ x${arc}`)].join(" ");
        if (scores[part] === -Infinity) {
          rules.push(`0 ${name} ${conditions} >= ${1 - on.length}`);
          continue;
        }
        objective.push(`${signed(scores[part])} ${name}`);
        bounds.push(`0 <= ${name} <= 1`);
        for (const arc of on) rules.push(`${name} - x${arc} <= 0`);
        for (const arc of off) rules.push(`${name} + x${arc} <= 1`);
        rules.push(`${name} ${conditions} >= ${1 - on.length}`);
      }
    }
  }
  return [
    "Maximize",
    ` obj: ${objective.join(" ")}`,
    "Subject To",
    ...rules.map((rule, i) => ` c${i}: ${rule}`),
    "Bounds",
    ...bounds.map((bound) => ` ${bound}`),
    "Binary",
    ` ${all.map((arc) => `x${arc}`).join(" ")}`,
    "End",
  ].join("\n");
}

function signed(value: number): string {
  return value < 0 ? `- ${-value}` : `+ ${value}`;
}
