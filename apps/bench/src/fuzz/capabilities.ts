import {
  type ArcPair,
  arcIndex,
  checkTree,
  type Decoder,
  isProjective,
  PART_KINDS,
  type ParsingProblem,
  type Random,
  scoreTree,
  type TreeConstraint,
  type TreeScorer,
} from "@arcwise/core";
import { ad3Decoder } from "@arcwise/decode-ad3";
import { hillclimbDecoder } from "@arcwise/decode-hillclimb";
import { eisnerDecoder, mbrDecoder, mstDecoder, projectiveDecoder } from "@arcwise/decode-mst";
import { keepsConstraint, rankedTrees, type TreeFamily, treeDistribution } from "@arcwise/decoder-laws";
import { type Area, Fault, type Fuzzer, type Outcome, pick } from "./area.ts";
import { describeProblem, MAX_ENUMERATED, randomProblem, toleranceOf } from "./problems.ts";

const MAX_WORDS = 14;
/** Number of trees of a ranking, and of samples, that are checked. */
const MAX_TREES = 12;

/** A decoder and its claims. */
interface Entry {
  readonly make: () => Decoder;
  readonly exact: boolean;
}

const EXACT: readonly ((options: { readonly singleRoot: boolean }) => Decoder)[] = [
  mstDecoder,
  eisnerDecoder,
  projectiveDecoder,
  mbrDecoder,
];

/** All decoders with capabilities or whole-tree scores, with a single root and with several. */
const ENTRIES: readonly Entry[] = [true, false].flatMap((singleRoot) => [
  ...EXACT.map((make) => ({ make: () => make({ singleRoot }), exact: true })),
  { make: () => ad3Decoder({ singleRoot }), exact: false },
  { make: () => hillclimbDecoder({ singleRoot, restarts: 10 }), exact: false },
]);

/** Checks every capability of every decoder, with one root and several, and scores of whole trees. */
export const capabilities: Area = {
  name: "capabilities",
  description: "rankings, sums, samples, risk, constraints, whole-tree scores: one root and several",
  share: 2,
  prepare: async () => new CapabilityFuzzer(),
};

class CapabilityFuzzer implements Fuzzer {
  readonly #subjects = ENTRIES.map(({ make, exact }) => ({ decoder: make(), exact }));

  try(stream: Random): Outcome {
    const { decoder, exact } = pick(stream, this.#subjects);
    const kinds = PART_KINDS.filter((kind) => decoder.handles.has(kind));
    const scored = randomProblem(stream, kinds, MAX_WORDS);
    const isGlobal = decoder.handles.has("global") && stream.int(2) === 0;
    const problem = isGlobal ? { ...scored, global: valencyScorer(stream) } : scored;
    const trial: Trial = {
      decoder,
      exact,
      problem,
      stream,
      family: { singleRoot: decoder.singleRoot, projective: decoder.trees === "projective" },
      slack: toleranceOf(problem),
    };
    const checks = CHECKS.filter(([name]) => name === "decode" || decoder[name] !== undefined);
    const [name, check] = pick(stream, checks);
    return outcomeOf(trial, name, check);
  }
}

/** A decoder and a problem for it. */
export interface Trial {
  readonly decoder: Decoder;
  readonly exact: boolean;
  readonly problem: ParsingProblem;
  readonly stream: Random;
  readonly family: TreeFamily;
  readonly slack: number;
}

/** Returns a global scorer of the number of modifiers of each word. */
function valencyScorer(stream: Random): TreeScorer {
  const scores = Float64Array.from({ length: 4 }, () => (stream.int(8) === 0 ? -Infinity : stream.normal()));
  scores[0] = 0;
  return {
    name: "valencies",
    score(heads) {
      const count = new Int32Array(heads.length);
      for (let m = 1; m < heads.length; m++) count[heads[m]!]!++;
      return count.reduce((sum, valency) => sum + scores[Math.min(3, valency)]!, 0);
    },
  };
}

/** Runs a check. @throws Fault */
export function outcomeOf(trial: Trial, name: string, check: (trial: Trial) => void): Outcome {
  try {
    check(trial);
    return "survived";
  } catch (error) {
    return noTree(trial, name, error);
  }
}

/** Accepts NoTree if no tree exists, if trees are not enumerated, and from searches, which may miss a tree. */
function noTree({ problem, family, exact, decoder }: Trial, name: string, error: unknown): Outcome {
  const fault = (what: string) =>
    new Fault(
      `${decoder.name} (single root: ${decoder.singleRoot}) ${name}: ${what}; ${describeProblem(problem)}`,
    );
  if (error instanceof Fault) throw fault(error.message);
  if (!(error instanceof Error && error.name === "NoTree")) throw fault(String(error));
  const isEnumerated = problem.arcs.n <= MAX_ENUMERATED && name !== "decodeConstrained";
  if (exact && isEnumerated && rankedTrees(problem, family).length > 0) throw fault("found no tree of some");
  return "refused";
}

type CheckName = "decode" | "kBest" | "marginals" | "sample" | "minimumBayesRisk" | "decodeConstrained";

const CHECKS: readonly (readonly [CheckName, (trial: Trial) => void])[] = [
  ["decode", checkDecoding],
  ["kBest", checkRanking],
  ["marginals", checkMarginals],
  ["sample", checkSamples],
  ["minimumBayesRisk", checkRisk],
  ["decodeConstrained", checkConstrained],
];

/** @throws Fault unless the heads are a tree of the decoder over arcs that are not pruned */
function expectTree({ problem, family }: Trial, heads: Int32Array): void {
  const wrong = checkTree(heads, { singleRoot: family.singleRoot === true });
  if (wrong !== undefined) throw new Fault(`no tree: ${heads.join(" ")}: ${wrong}`);
  if (family.projective === true && !isProjective(heads)) throw new Fault(`crossing: ${heads.join(" ")}`);
  if (scoreTree(problem, heads) === -Infinity) throw new Fault(`a pruned part: ${heads.join(" ")}`);
}

function expectNear(found: number, expected: number, slack: number, what: string): void {
  if (found === expected || Math.abs(found - expected) <= slack) return;
  throw new Fault(`${what} is ${found}, expected ${expected}`);
}

const isShort = ({ problem }: Trial) => problem.arcs.n <= MAX_ENUMERATED;

/** Checks the tree of a decoder, its score and its bound, against all trees of short sentences. @throws Fault */
export function checkDecoding(trial: Trial): void {
  const { decoder, problem, family, slack, exact } = trial;
  const { heads, score, bound } = decoder.decode(problem);
  expectTree(trial, heads);
  expectNear(score, scoreTree(problem, heads), slack, "the score");
  if (!(bound >= score - slack)) throw new Fault(`the bound ${bound} is below the score ${score}`);
  if (!isShort(trial)) return;
  const best = rankedTrees(problem, family)[0]!.score;
  if (!(bound >= best - slack)) throw new Fault(`the bound ${bound} is below the best score ${best}`);
  if (exact && decoder.name.indexOf("mbr") < 0) expectNear(score, best, slack, "the best score");
}

function checkRanking(trial: Trial): void {
  const { decoder, problem, family, slack } = trial;
  const expected = isShort(trial) ? rankedTrees(problem, family) : undefined;
  const seen = new Set<string>();
  let last = Infinity;
  for (const { heads, score } of decoder.kBest!(problem)) {
    expectTree(trial, heads);
    expectNear(score, scoreTree(problem, heads), slack, "the score");
    if (score > last + slack) throw new Fault(`${score} comes after ${last}`);
    if (expected !== undefined)
      expectNear(score, expected[seen.size]?.score ?? NaN, slack, `rank ${seen.size}`);
    if (seen.size === seen.add(heads.join()).size) throw new Fault(`twice: ${heads.join(" ")}`);
    last = score;
    if (seen.size === MAX_TREES) return;
  }
  if (expected !== undefined && expected.length !== seen.size) {
    throw new Fault(`ranked ${seen.size} of ${expected.length} trees`);
  }
}

/** Maximal rounding error of scores for which probabilities are checked. */
const MAX_SCORE_SLACK = 1e-3;

const isNoNumber = (p: number) => !Number.isFinite(p);
const isNoProbability = (p: number) => !(p >= -1e-6 && p <= 1 + 1e-6);

function checkMarginals(trial: Trial): void {
  const { decoder, problem, family, slack } = trial;
  const { arcs } = problem;
  const found = decoder.marginals!(problem);
  if (!Number.isFinite(found.logPartition))
    throw new Fault(`the partition function is ${found.logPartition}`);
  const wrong = slack > MAX_SCORE_SLACK ? isNoNumber : isNoProbability;
  for (const p of [found.arcs, ...found.parts].flatMap((ps) => [...ps])) {
    if (wrong(p)) throw new Fault(`a probability is ${p}`);
  }
  if (slack > MAX_SCORE_SLACK) return;
  for (let m = 1; m <= arcs.n; m++) {
    const own = found.arcs.subarray(arcs.start[m]!, arcs.start[m + 1]!);
    expectNear(
      own.reduce((sum, p) => sum + p, 0),
      1,
      1e-6,
      `the sum of word ${m}`,
    );
  }
  if (!isShort(trial) || rankedTrees(problem, family).length === 0) return;
  const expected = treeDistribution(problem, family);
  expectNear(found.logPartition, expected.logPartition, slack + 1e-9, "the partition function");
  for (const [a, p] of expected.arcs.entries()) expectNear(found.arcs[a]!, p, 10 * slack + 1e-6, `arc ${a}`);
}

function checkSamples(trial: Trial): void {
  const { decoder, problem, stream } = trial;
  let count = 0;
  for (const heads of decoder.sample!(problem, stream)) {
    expectTree(trial, heads);
    if (++count === MAX_TREES) return;
  }
  throw new Fault(`drew ${count} trees and no more`);
}

function checkRisk(trial: Trial): void {
  const { decoder, problem, family, slack } = trial;
  const { heads, confidence, expectedCorrect, score, bound } = decoder.minimumBayesRisk!(problem);
  expectTree(trial, heads);
  expectNear(
    confidence.reduce((sum, p) => sum + p, 0),
    expectedCorrect,
    1e-6,
    "the expected number",
  );
  if (!(bound >= score - slack)) throw new Fault(`the bound ${bound} is below the score ${score}`);
  if (!isShort(trial) || slack > MAX_SCORE_SLACK) return;
  const { trees, arcs } = treeDistribution(problem, family);
  const expected = trees.map((tree) =>
    tree.heads.reduce((sum, h, m) => sum + (m === 0 ? 0 : arcs[arcIndex(problem.arcs, h, m)]!), 0),
  );
  expectNear(expectedCorrect, Math.max(...expected), 20 * slack + 1e-5, "the best expected number");
}

function checkConstrained(trial: Trial): void {
  const { decoder, problem, family, slack } = trial;
  const constraints = randomConstraints(trial);
  const { heads, score } = decoder.decodeConstrained!(problem, constraints);
  expectTree(trial, heads);
  expectNear(score, scoreTree(problem, heads), slack, "the score");
  const broken = constraints.find((one) => !keepsConstraint(heads, one));
  if (broken !== undefined) throw new Fault(`breaks ${JSON.stringify(broken)}: ${heads.join(" ")}`);
  if (!isShort(trial)) return;
  const kept = rankedTrees(problem, family).filter((tree) =>
    constraints.every((one) => keepsConstraint(tree.heads, one)),
  );
  if (!(score <= kept[0]!.score + slack)) throw new Fault(`${score} is above the best, ${kept[0]!.score}`);
}

function randomConstraints({ problem: { arcs }, stream }: Trial): readonly TreeConstraint[] {
  const arc = (): ArcPair => {
    const a = stream.int(arcs.head.length);
    return [arcs.head[a]!, arcs.modifier[a]!];
  };
  if (arcs.head.length === 0) return [];
  const some = () => Array.from({ length: 1 + stream.int(3) }, arc);
  return Array.from({ length: 1 + stream.int(2) }, (): TreeConstraint => {
    const rule = pick(stream, ["atMostOne", "exactlyOne", "atLeastOne", "implies", "uncrossed"] as const);
    if (rule === "implies") return { rule, premises: some(), conclusion: arc() };
    return rule === "uncrossed" ? { rule, arc: arc() } : { rule, arcs: some() };
  });
}
