import { arcIndex, NoTree, type ParsingProblem, scoreTree } from "@arcwise/core";
import { bestTree } from "./oracle.ts";
import { plantedProblem } from "./problems.ts";
import { sharedResultRules } from "./shared-rules.ts";
import {
  answer,
  expectClose,
  expectThat,
  faultOf,
  forProblems,
  isAnyTree,
  measure,
  type Rule,
  type Subject,
  slack,
  TREES,
} from "./subject.ts";

const { score, bound, certificate, optimal, extreme } = sharedResultRules(TREES);

const tree: Rule = {
  name: "tree",
  says: "the heads are a tree over n words, with a single root and projective where required",
  check(subject) {
    forProblems(subject, {}, (problem) => {
      const { heads } = subject.make().decode(problem);
      expectThat(heads instanceof Int32Array, () => `expected heads in an Int32Array, got ${typeof heads}`);
      const length = problem.arcs.n + 1;
      expectThat(heads.length === length, () => `expected ${length} heads, got ${heads.length}`);
      const fault = faultOf(subject, heads);
      expectThat(fault === undefined, () => `heads ${heads.join(" ")}: ${fault}`);
    });
  },
};

const pruned: Rule = {
  name: "pruned",
  says: "every arc used is a candidate and not pruned",
  check(subject) {
    forProblems(subject, {}, (problem) => {
      const { heads } = answer(subject.make(), problem);
      if (!isAnyTree(problem, heads)) return;
      for (let m = 1; m < heads.length; m++) {
        const arc = arcIndex(problem.arcs, heads[m], m);
        expectThat(arc >= 0, () => `${heads[m]} -> ${m} is not a candidate`);
        expectThat(problem.arcScores[arc] !== -Infinity, () => `${heads[m]} -> ${m} is pruned`);
      }
    });
  },
};

const noTree: Rule = {
  name: "no-tree",
  says: "NoTree is thrown if and only if the arcs that are not pruned contain no tree",
  check(subject) {
    forProblems(subject, { solvable: false }, (problem) => expectNoTree(subject, problem));
    forProblems(subject, { solvable: false, most: 2 }, (problem) => expectNoTree(subject, problem));
    forProblems(subject, {}, (problem, extra) => {
      for (const starved of starvedProblems(problem, extra)) expectNoTree(subject, starved);
    });
  },
};

/** Returns problems without a tree: a word without heads; no root; two words that only the root can head. */
function starvedProblems(problem: ParsingProblem, extra: number): ParsingProblem[] {
  const { n, head, modifier } = problem.arcs;
  const word = 1 + (extra % n);
  const other = 1 + ((word + (extra % 7)) % n);
  const prunes: ((h: number, m: number) => boolean)[] = [
    (_, m) => m === word,
    (h) => h === 0,
    (h, m) => h > 0 && (m === word || m === other),
  ];
  return prunes.map((prune) => {
    const arcScores = problem.arcScores.map((score, a) => (prune(head[a], modifier[a]) ? -Infinity : score));
    return { ...problem, arcScores };
  });
}

function expectNoTree(subject: Subject, problem: ParsingProblem): void {
  const decoder = subject.make();
  const possible = bestTree(problem, subject);
  let thrown: unknown;
  let heads: Int32Array | undefined;
  try {
    heads = answer(decoder, problem).heads;
  } catch (error) {
    thrown = error;
  }
  if (possible !== undefined) {
    expectThat(heads !== undefined, () => `threw ${thrown}, but ${possible.heads.join(" ")} is a valid tree`);
    return;
  }
  expectThat(heads === undefined, () => `there is no tree, but ${heads?.join(" ")} was returned`);
  expectThat(thrown instanceof NoTree, () => `expected NoTree, got ${thrown}`);
  const { decoder: name } = thrown as NoTree;
  expectThat(name === decoder.name, () => `NoTree names "${name}" instead of "${decoder.name}"`);
}

const forbidden: Rule = {
  name: "forbidden",
  says: "no part of score -Infinity is used; NoTree where every tree has one (or a search finds no other)",
  check(subject) {
    forProblems(subject, { forbidden: true }, (problem) => expectAllowed(subject, problem));
    forProblems(subject, { forbidden: true, solvable: false }, (problem) => expectAllowed(subject, problem));
  },
};

function expectAllowed(subject: Subject, problem: ParsingProblem): void {
  const { arcs, arcScores } = problem;
  // Problems whose arcs allow no tree are checked by the law no-tree.
  if (bestTree({ arcs, arcScores, parts: [] }, subject) === undefined) return;
  const best = bestTree(problem, subject);
  let heads: Int32Array;
  try {
    heads = answer(subject.make(), problem).heads;
  } catch (error) {
    expectThat(error instanceof NoTree, () => `expected NoTree, got ${error}`);
    const excused = best === undefined || !subject.exact;
    expectThat(excused, () => `threw ${error}, but ${best?.heads.join(" ")} has no such part`);
    return;
  }
  if (measure(subject, { arcs, arcScores, parts: [] }, heads) === undefined) return;
  const isAllowed = scoreTree(problem, heads) > -Infinity;
  expectThat(isAllowed, () => `${heads.join(" ")} has a part of score -Infinity`);
}

const tiny: Rule = {
  name: "tiny",
  says: "a sentence without words has the tree [-1] of score 0",
  check(subject) {
    forProblems(subject, { fewest: 0, most: 0, global: false }, (problem) => {
      const found = answer(subject.make(), problem);
      expectThat(found.heads.join() === "-1", () => `expected heads -1, got "${found.heads.join()}"`);
      expectThat(found.score === 0, () => `expected the score 0, got ${found.score}`);
      expectThat(found.bound >= 0, () => `expected a bound of at least 0, got ${found.bound}`);
    });
  },
};

const large: Rule = {
  name: "large",
  says:
    "longer sentences, with candidates pruned, are decoded by the same rules; an exact decoder finds " +
    "the planted tree",
  check(subject) {
    for (let i = 0; i < 3; i++) {
      const planted = plantedProblem(subject.large, subject.seed + i, subject.kinds, subject);
      const { problem } = planted;
      const found = answer(subject.make(), problem);
      const best = scoreTree(problem, planted.heads);
      const score = measure(subject, problem, found.heads);
      const where = `at ${subject.large} words, seed ${subject.seed + i}`;
      if (score === undefined)
        throw new Error(`${where}: ${found.heads.join(" ")} is not a tree of candidates`);
      if (subject.exact)
        expectClose(score, best, slack(subject, problem), `${where}: the planted tree is the best`);
    }
  },
};

/** Laws of a single result. */
export const RESULT_RULES: readonly Rule[] = [
  tree,
  pruned,
  score,
  bound,
  certificate,
  optimal,
  noTree,
  forbidden,
  tiny,
  extreme,
  large,
];
