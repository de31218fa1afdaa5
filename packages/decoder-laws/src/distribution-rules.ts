import {
  arcIndex,
  type DecoderWith,
  type ParsingProblem,
  type RankedTree,
  type RiskDecoding,
  random,
  requireCapability,
  scoreTree,
} from "@arcwise/core";
import { power } from "@arcwise/core/arithmetic";
import { rankedTrees, type TreeDistribution, treeDistribution } from "./oracle.ts";
import { type ProblemOptions, plantedProblem } from "./problems.ts";
import {
  expectClose,
  expectThat,
  faultOf,
  forProblems,
  measure,
  type Rule,
  type Subject,
  slack,
} from "./subject.ts";
import { copyProblem, scaleScores } from "./transform.ts";

/** Number of trees drawn for a comparison of frequencies. */
const DRAWS = 2000;
/** Number of problems whose frequencies are compared. */
const DRAWN_PROBLEMS = 8;
/** Quantile of the normal distribution: a correct sampler is rejected with probability 10^-8. */
const REJECTION = 5.6;

/** Checks problems, half of them with scores scaled down, so that peaked and flat distributions occur. */
function forDistributions(
  subject: Subject,
  options: ProblemOptions,
  check: (problem: ParsingProblem, extra: number) => void,
): void {
  forProblems(subject, { scores: "exact", ...options }, (problem, extra) =>
    check(extra % 2 === 0 ? problem : scaleScores(problem, 1 / 64), extra),
  );
}

/** Returns the tolerance of a probability. */
function doubt(subject: Subject, problem: ParsingProblem): number {
  return slack(subject, problem) + 10 * subject.tolerance;
}

const ranking: Rule = {
  name: "ranking",
  says: "kBest yields distinct valid trees with their scores, in non-increasing order",
  needs: ["kBest"],
  check(subject) {
    const check = (problem: ParsingProblem) => {
      const decoder = requireCapability(subject.make(), "kBest");
      const seen = new Set<string>();
      let before = Infinity;
      for (const found of take(decoder.kBest(copyProblem(problem)), 100)) {
        const text = expectRanked(subject, problem, found);
        expectThat(!seen.has(text), () => `${text} comes twice`);
        seen.add(text);
        expectThat(
          found.score <= before + slack(subject, problem),
          () => `${text} scores ${found.score}, the tree before it ${before}`,
        );
        before = found.score;
      }
    };
    forProblems(subject, { fewest: 0 }, check);
    check(plantedProblem(subject.large, subject.seed, subject.kinds, subject).problem);
  },
};

/** Returns the heads of a ranked tree as text. */
function expectRanked(subject: Subject, problem: ParsingProblem, { heads, score }: RankedTree): string {
  const text = heads.join(" ");
  const expected = measure(subject, problem, heads);
  if (expected === undefined) throw new Error(`heads ${text}: ${faultOf(subject, heads) ?? "a pruned arc"}`);
  expectClose(score, expected, slack(subject, problem), `score of ${text}`);
  return text;
}

/** Yields the first trees; closes the iterator when there are more. */
export function* take<T>(trees: Iterable<T>, count: number): Generator<T> {
  let taken = 0;
  for (const tree of trees) {
    yield tree;
    if (++taken === count) return;
  }
}

const kBest: Rule = {
  name: "k-best",
  says: "kBest ranks all trees like an enumeration",
  needs: ["kBest"],
  check(subject) {
    const check = (problem: ParsingProblem) => {
      const decoder = requireCapability(subject.make(), "kBest");
      const expected = rankedTrees(problem, subject);
      const found = [...take(decoder.kBest(copyProblem(problem)), expected.length + 1)];
      for (const [i, { heads, score }] of expected.entries()) {
        const tree = found[i];
        const what = `tree ${i + 1} of ${expected.length}`;
        if (tree === undefined) throw new Error(`${what} is missing: ${heads.join(" ")}, score ${score}`);
        const measured = measure(subject, problem, tree.heads);
        // Invalid trees are reported by the law ranking.
        if (measured !== undefined) expectClose(measured, score, slack(subject, problem), `score of ${what}`);
      }
      const extra = found[expected.length]?.heads.join(" ");
      expectThat(extra === undefined, () => `there are ${expected.length} trees, but ${extra} follows`);
    };
    forProblems(subject, { fewest: 0, most: Math.min(subject.words, 4) }, check);
    forProblems({ ...subject, runs: Math.ceil(subject.runs / 5) }, {}, check);
    forProblems(subject, { forbidden: true, most: Math.min(subject.words, 4) }, check);
  },
};

const partition: Rule = {
  name: "partition",
  says: "logPartition is the logarithm of the sum over all trees of exp(score)",
  needs: ["marginals"],
  check(subject) {
    const check = (problem: ParsingProblem) => {
      const { logPartition } = requireCapability(subject.make(), "marginals").marginals(copyProblem(problem));
      const expected = treeDistribution(problem, subject);
      expectClose(logPartition, expected.logPartition, doubt(subject, problem), "logPartition");
    };
    forDistributions(subject, { fewest: 0 }, check);
    forDistributions(subject, { forbidden: true }, check);
  },
};

const marginals: Rule = {
  name: "marginals",
  says: "marginals of arcs and parts equal the marginals of an enumeration; the arcs of a word sum to 1",
  needs: ["marginals"],
  check(subject) {
    const check = (problem: ParsingProblem) => {
      const found = requireCapability(subject.make(), "marginals").marginals(copyProblem(problem));
      const expected = treeDistribution(problem, subject);
      const within = doubt(subject, problem);
      expectProbabilities(found.arcs, expected.arcs, within, "arcs");
      const { length } = found.parts;
      const tables = problem.parts.length;
      expectThat(length === tables, () => `expected marginals of ${tables} tables of parts, got ${length}`);
      problem.parts.forEach(({ kind }, i) => {
        expectProbabilities(found.parts[i], expected.parts[i], within, kind);
      });
    };
    forDistributions(subject, {}, check);
    forDistributions(subject, { forbidden: true }, check);
    const { problem } = plantedProblem(subject.large, subject.seed, subject.kinds, subject);
    const flat = scaleScores(problem, 1 / 2 ** 10);
    const { arcs } = requireCapability(subject.make(), "marginals").marginals(flat);
    expectSums(flat, arcs, 1e-6);
  },
};

function expectProbabilities(
  found: Float64Array,
  expected: Float64Array,
  within: number,
  what: string,
): void {
  expectThat(
    found.length === expected.length,
    () => `marginals of ${what}: expected ${expected.length} entries, got ${found.length}`,
  );
  for (const [i, p] of expected.entries()) expectClose(found[i], p, within, `marginal ${i} of ${what}`);
}

const extremeMarginals: Rule = {
  name: "extreme-marginals",
  says: "marginals of the greatest and smallest scores are probabilities, and marginals of the arcs of a word sum to 1",
  needs: ["marginals"],
  check(subject) {
    forProblems(subject, { scores: "extreme" }, (problem) => {
      const found = requireCapability(subject.make(), "marginals").marginals(copyProblem(problem));
      for (const [i, p] of found.arcs.entries())
        expectThat(p >= 0 && p <= 1 + 1e-6, () => `marginal ${i} of arcs: expected a probability, got ${p}`);
      expectSums(problem, found.arcs, 1e-6);
    });
  },
};

function expectSums({ arcs }: ParsingProblem, marginalsOf: Float64Array, within: number): void {
  for (let m = 1; m <= arcs.n; m++) {
    let sum = 0;
    for (let a = arcs.start[m]; a < arcs.start[m + 1]; a++) sum += marginalsOf[a];
    expectClose(sum, 1, within, `marginals of the ${arcs.n} words: sum at word ${m}`);
  }
}

const minimumRisk: Rule = {
  name: "minimum-risk",
  says: "minimumBayesRisk returns the maximal expected number of right heads, and a tree that has it",
  needs: ["minimumBayesRisk"],
  check(subject) {
    forDistributions(subject, { fewest: 0 }, (problem) => {
      const decoder = requireCapability(subject.make(), "minimumBayesRisk");
      expectLeastRisk(subject, problem, decoder.minimumBayesRisk(copyProblem(problem)));
    });
  },
};

function expectLeastRisk(subject: Subject, problem: ParsingProblem, found: RiskDecoding): void {
  const { heads } = found;
  const text = heads.join(" ");
  const fault = faultOf(subject, heads);
  expectThat(fault === undefined, () => `heads ${text}: ${fault}`);
  const expected = treeDistribution(problem, subject);
  const confidence = confidenceOf(problem, expected, heads);
  const within = (1 + problem.arcs.n) * doubt(subject, problem);
  expectProbabilities(found.confidence, confidence, within, `the heads ${text}`);
  const right = total(confidence);
  expectClose(found.expectedCorrect, right, within, `expected number of right heads of ${text}`);
  for (const tree of expected.trees) {
    const other = total(confidenceOf(problem, expected, tree.heads));
    expectThat(
      right >= other - within,
      () => `${text} has ${right} right heads on average, but ${tree.heads.join(" ")} has ${other}`,
    );
  }
  expectClose(found.logPartition, expected.logPartition, within, "logPartition");
  expectClose(found.score, scoreTree(problem, heads), slack(subject, problem), `score of ${text}`);
  const best = expected.trees[0].score;
  expectThat(found.bound >= best - within, () => `expected a bound of at least ${best}, got ${found.bound}`);
}

/** Returns the probability of each head of a tree: n + 1 entries. */
function confidenceOf({ arcs }: ParsingProblem, expected: TreeDistribution, heads: Int32Array): Float64Array {
  return Float64Array.from(heads, (h, m) => (m === 0 ? 0 : (expected.arcs[arcIndex(arcs, h, m)] ?? 0)));
}

const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

const sampled: Rule = {
  name: "sampled-tree",
  says: "sample draws valid trees, with a single root and projective where required",
  needs: ["sample"],
  check(subject) {
    forDistributions(subject, { fewest: 0 }, (problem, extra) => {
      for (const heads of draw(requireCapability(subject.make(), "sample"), problem, extra, 20)) {
        const text = heads.join(" ");
        const possible = measure(subject, problem, heads) !== undefined;
        expectThat(possible, () => `heads ${text}: ${faultOf(subject, heads) ?? "a pruned arc"}`);
      }
    });
  },
};

function draw(
  decoder: DecoderWith<"sample">,
  problem: ParsingProblem,
  seed: number,
  count: number,
): Int32Array[] {
  return [...take(decoder.sample(copyProblem(problem), random(seed)), count)];
}

const seeded: Rule = {
  name: "sample-seed",
  says: "the trees that sample draws depend only on the random numbers given",
  needs: ["sample"],
  check(subject) {
    forDistributions(subject, {}, (problem, extra) => {
      const drawn = () =>
        draw(requireCapability(subject.make(), "sample"), problem, extra, 10)
          .map((heads) => heads.join(" "))
          .join("; ");
      const first = drawn();
      const second = drawn();
      expectThat(first === second, () => `the same seed gave ${first}; then ${second}`);
    });
  },
};

const frequency: Rule = {
  name: "sample-frequency",
  says: "sample draws trees with their probabilities, by a chi-square test at 10^-8",
  needs: ["sample"],
  check(subject) {
    const few = { ...subject, runs: Math.min(subject.runs, DRAWN_PROBLEMS) };
    forProblems(few, { fewest: 2, most: Math.min(subject.words, 3), scores: "exact" }, (problem, extra) => {
      const flat = scaleScores(problem, 1 / 64);
      const decoder = requireCapability(subject.make(), "sample");
      expectFrequencies(treeDistribution(flat, subject), draw(decoder, flat, extra, DRAWS));
    });
  },
};

/** Compares frequencies by Pearson's chi-square test; trees with expected counts below 5 are pooled. */
function expectFrequencies({ trees, probabilities }: TreeDistribution, drawn: readonly Int32Array[]): void {
  const counts = new Map<string, number>();
  for (const heads of drawn) counts.set(heads.join(" "), (counts.get(heads.join(" ")) ?? 0) + 1);
  const cells: { expected: number; found: number }[] = [];
  const rest = { expected: 0, found: 0 };
  trees.forEach(({ heads }, i) => {
    const expected = probabilities[i] * drawn.length;
    const found = counts.get(heads.join(" ")) ?? 0;
    if (expected >= 5) cells.push({ expected, found });
    else {
      rest.expected += expected;
      rest.found += found;
    }
  });
  if (rest.expected >= 5) cells.push(rest);
  const statistic = cells.reduce(
    (sum, { expected, found }) => sum + power(found - expected, 2) / expected,
    0,
  );
  const limit = chiSquareLimit(cells.length - 1);
  expectThat(
    statistic <= limit,
    () =>
      `chi-square of ${drawn.length} trees is ${statistic}, above ${limit}; cells ${JSON.stringify(cells)}`,
  );
}

/** Returns the quantile of chi-square by the approximation of Wilson and Hilferty (1931). */
function chiSquareLimit(freedom: number): number {
  if (freedom < 1) return Infinity;
  const variance = 2 / (9 * freedom);
  return freedom * power(1 - variance + REJECTION * Math.sqrt(variance), 3);
}

/** Laws of rankings, sums over trees and samples. */
export const DISTRIBUTION_RULES: readonly Rule[] = [
  ranking,
  kBest,
  partition,
  marginals,
  extremeMarginals,
  minimumRisk,
  sampled,
  seeded,
  frequency,
];
