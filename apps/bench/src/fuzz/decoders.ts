import { isProjective, isTree, type ParsingProblem, type Random, scoreTree } from "@arcwise/core";
import { bestTree } from "@arcwise/decoder-laws";
import { DECODERS, type DecoderEntry } from "../registry/decoders.ts";
import { type Area, Fault, type Fuzzer, type Outcome, pick } from "./area.ts";
import { describeProblem, MAX_ENUMERATED, randomProblem, toleranceOf } from "./problems.ts";

const MAX_WORDS = 24;

/**
 * Decodes random problems with the decoders of the registry and compares scores with bounds, each other and
 * all trees.
 */
export const decoders: Area = {
  name: "decoders",
  description: "random problems through all decoders, against their bounds and against all trees",
  share: 2,
  prepare: async () => new DecoderFuzzer(),
};

class DecoderFuzzer implements Fuzzer {
  readonly #decoders = DECODERS.map((entry) => ({ entry, decoder: entry.make() }));

  try(stream: Random): Outcome {
    const { entry, decoder } = pick(stream, this.#decoders);
    const problem = randomProblem(stream, entry.kinds, MAX_WORDS);
    return check(problem, entry, () => decoder.decode(problem));
  }
}

type Found = { readonly heads: Int32Array; readonly score: number; readonly bound: number };

function check(problem: ParsingProblem, entry: DecoderEntry, decode: () => Found): Outcome {
  const best =
    problem.arcs.n <= MAX_ENUMERATED ? bestTree(problem, { projective: entry.projective }) : undefined;
  const fault = (what: string) => new Fault(`${entry.name}: ${what}; ${describeProblem(problem)}`);
  let found: Found;
  try {
    found = decode();
  } catch (error) {
    if (!(error instanceof Error && error.name === "NoTree")) throw fault(String(error));
    if (best !== undefined) throw fault(`found no tree, but there is ${best.heads.join(" ")}`);
    return "refused";
  }
  const { heads, score, bound } = found;
  if (!isTree(heads) || (entry.projective && !isProjective(heads)))
    throw fault(`no tree: ${heads.join(" ")}`);
  const slack = toleranceOf(problem);
  if (!(Math.abs(scoreTree(problem, heads) - score) <= slack)) {
    throw fault(`says ${score} of a tree of ${scoreTree(problem, heads)}`);
  }
  if (!(bound >= score - slack)) throw fault(`has the bound ${bound} below its score ${score}`);
  if (problem.arcs.n > MAX_ENUMERATED) return "survived";
  if (best === undefined) throw fault("found a tree, but none exists");
  if (!(score <= best.score + slack)) throw fault(`has ${score}, above the best score ${best.score}`);
  if (!(bound >= best.score - slack))
    throw fault(`has the bound ${bound} below the best score ${best.score}`);
  if (entry.exact && !(score >= best.score - slack)) throw fault(`has ${score}, not the best ${best.score}`);
  return "survived";
}
