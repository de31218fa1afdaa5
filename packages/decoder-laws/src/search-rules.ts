import {
  type ArcPair,
  type DecoderWith,
  type Decoding,
  type DecodingStep,
  NoTree,
  type ParsingProblem,
  type RelaxedDecoding,
  random,
  requireCapability,
  type TreeConstraint,
} from "@arcwise/core";
import { type BestTree, keepsConstraint, rankedTrees, treeDistribution } from "./oracle.ts";
import { expectAnswerOfDecode, sharedResultRules } from "./shared-rules.ts";
import {
  expectClose,
  expectThat,
  forProblems,
  measure,
  type Rule,
  type Subject,
  slack,
  TREES,
  thrownBy,
} from "./subject.ts";

const { report } = sharedResultRules(TREES);

const constraints: Rule = {
  name: "constraints",
  says: "decodeConstrained obeys the laws of decode over the trees that satisfy the constraints",
  needs: ["decodeConstrained"],
  check(subject) {
    forProblems(subject, { scores: "exact" }, (problem, extra) => {
      expectConstrained(subject, problem, []);
      expectConstrained(subject, problem, drawConstraints(problem, extra));
    });
    forProblems(subject, { fewest: 1, most: 3 }, expectChecked(subject));
  },
};

function expectConstrained(
  subject: Subject,
  problem: ParsingProblem,
  rules: readonly TreeConstraint[],
): void {
  const decoder = requireCapability(subject.make(), "decodeConstrained");
  const best = rankedTrees(problem, subject).find(({ heads }) =>
    rules.every((rule) => keepsConstraint(heads, rule)),
  );
  const what = JSON.stringify(rules);
  let found: Decoding;
  try {
    found = decoder.decodeConstrained(problem, rules);
  } catch (error) {
    expectThat(error instanceof NoTree, () => `${what}: expected NoTree, got ${error}`);
    const excused = best === undefined || (!subject.exact && rules.length > 0);
    expectThat(excused, () => `${what}: threw ${error}, but ${best?.heads.join(" ")} satisfies them`);
    return;
  }
  expectBestOf(subject, problem, found, best, what);
  for (const rule of rules) {
    const isKept = keepsConstraint(found.heads, rule);
    expectThat(isKept, () => `${found.heads.join(" ")} does not satisfy ${JSON.stringify(rule)}`);
  }
}

function expectBestOf(
  subject: Subject,
  problem: ParsingProblem,
  { heads, score, bound }: Decoding,
  best: BestTree | undefined,
  what: string,
): void {
  const text = `${what}: ${heads.join(" ")}`;
  const measured = measure(subject, problem, heads);
  const within = slack(subject, problem);
  if (measured === undefined) throw new Error(`${text} is not a valid tree`);
  expectClose(score, measured, within, `${text}: score`);
  expectThat(best !== undefined, () => `${text}, but no tree satisfies the constraints`);
  expectThat(bound >= best!.score - within, () => `${text}: bound ${bound}, but the best is ${best!.score}`);
  if (subject.exact) expectClose(score, best!.score, within, `${text}: score of an exact decoder`);
}

/** Draws up to three constraints on arcs of the sentence, candidates or not. */
function drawConstraints({ arcs }: ParsingProblem, seed: number): TreeConstraint[] {
  const rng = random(seed);
  const pair = (): ArcPair => {
    const m = 1 + rng.int(arcs.n);
    const h = rng.int(arcs.n);
    return [h >= m ? h + 1 : h, m];
  };
  const pairs = (): ArcPair[] => Array.from({ length: 1 + rng.int(3) }, pair);
  return Array.from({ length: 1 + rng.int(3) }, (): TreeConstraint => {
    const kind = rng.int(5);
    if (kind === 0) return { rule: "implies", premises: pairs(), conclusion: pair() };
    if (kind === 1) return { rule: "uncrossed", arc: pair() };
    return { rule: (["atMostOne", "exactlyOne", "atLeastOne"] as const)[kind - 2], arcs: pairs() };
  });
}

const expectChecked = (subject: Subject) => (problem: ParsingProblem) => {
  const strange: readonly [string, TreeConstraint][] = [
    ["a modifier that is not a word", { rule: "atMostOne", arcs: [[0, problem.arcs.n + 1]] }],
    ["a word as its own head", { rule: "uncrossed", arc: [1, 1] }],
    ["an unknown rule", { rule: "most", arcs: [] } as never],
  ];
  for (const [what, rule] of strange) {
    const decoder = requireCapability(subject.make(), "decodeConstrained");
    const thrown = thrownBy(() => decoder.decodeConstrained(problem, [rule]));
    expectThat(thrown instanceof RangeError, () => `expected a RangeError for ${what}, got ${thrown}`);
  }
};

const relaxation: Rule = {
  name: "relaxation",
  says: "decodeRelaxed returns the tree of decode; posteriors are in [0, 1], its indicators if optimal",
  needs: ["decodeRelaxed"],
  check(subject) {
    forProblems(subject, {}, (problem) => {
      const relaxed = requireCapability(subject.make(), "decodeRelaxed").decodeRelaxed(problem);
      expectAnswerOfDecode(TREES, subject, problem, relaxed);
      expectPosteriors(problem, relaxed);
    });
  },
};

function expectPosteriors(problem: ParsingProblem, relaxed: RelaxedDecoding): void {
  const tree = indicators(problem, relaxed.heads);
  const tables: readonly (readonly [string, Float64Array | undefined, Float64Array])[] = [
    ["arc", relaxed.posteriors, tree.arcs],
    ...problem.parts.map(({ kind }, i) => [kind, relaxed.partPosteriors[i], tree.parts[i]] as const),
  ];
  for (const [what, found, treeShares] of tables) {
    const length = found?.length ?? 0;
    expectThat(
      length === treeShares.length,
      () => `posteriors of ${what}: expected ${treeShares.length}, got ${length}`,
    );
    found?.forEach((share, i) => {
      const isSound =
        relaxed.status === "optimal" ? share === treeShares[i] : share >= -1e-9 && share <= 1 + 1e-9;
      expectThat(isSound, () => `posterior ${i} of ${what} is ${share}, status ${relaxed.status}`);
    });
  }
  problem.arcScores.forEach((score, a) => {
    const share = relaxed.posteriors[a];
    expectThat(score > -Infinity || share === 0, () => `posterior ${a} of a pruned arc is ${share}`);
  });
}

/** Returns 1 for each arc and part of a tree, 0 for the others. */
function indicators(problem: ParsingProblem, heads: Int32Array) {
  const { arcs } = problem;
  const arcScores = Float64Array.from(arcs.head, (h, a) => (heads[arcs.modifier[a]] === h ? 0 : -Infinity));
  const parts = problem.parts.map((table) => ({ ...table, scores: new Float64Array(table.scores.length) }));
  return treeDistribution({ arcs, arcScores, parts }, { singleRoot: false });
}

const steps: Rule = {
  name: "steps",
  says: "the steps of decodeWithSteps end in the tree of decode; their trees have their scores, no bound is below a tree",
  needs: ["decodeWithSteps"],
  check(subject) {
    forProblems(subject, { fewest: 0 }, (problem) => {
      const [reported, found] = watch(requireCapability(subject.make(), "decodeWithSteps"), problem);
      expectAnswerOfDecode(TREES, subject, problem, found);
      const last = reported.at(-1);
      const isResult = last?.kind === "tree" && last.heads.join(" ") === found.heads.join(" ");
      expectThat(
        isResult,
        () => `the last step is ${JSON.stringify(last)}, the result ${found.heads.join(" ")}`,
      );
      for (const step of reported) expectStep(subject, problem, step, found);
    });
  },
};

/** Returns the steps of a decoding and its result. */
export function watch(
  decoder: DecoderWith<"decodeWithSteps">,
  problem: ParsingProblem,
): readonly [DecodingStep[], Decoding] {
  const steps: DecodingStep[] = [];
  return [steps, decoder.decodeWithSteps(problem, (step) => steps.push(step))];
}

function expectStep(
  subject: Subject,
  problem: ParsingProblem,
  step: DecodingStep,
  { score }: Decoding,
): void {
  const within = slack(subject, problem);
  const text = JSON.stringify(step);
  if (step.kind === "bound") {
    expectThat(step.bound >= score - within, () => `${text}, but the result scores ${score}`);
    expectThat(step.bound >= step.score, () => `${text}: the bound is below the score`);
  } else if (step.kind === "tree") {
    const measured = measure(subject, problem, step.heads);
    if (measured === undefined) throw new Error(`${text} is not a valid tree`);
    expectClose(step.score, measured, within, `${text}: score`);
    expectThat(step.score <= score + within, () => `${text} is better than the result, ${score}`);
  }
}

/** Laws of decoding with constraints, with reports, of relaxations and of steps. */
export const SEARCH_RULES: readonly Rule[] = [constraints, report, relaxation, steps];
