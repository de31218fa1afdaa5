import { checkTree, type Random, type TreeScorer } from "@arcwise/core";
import { allTrees } from "@arcwise/decoder-laws";

/** A gold tree and the trees among which a score must satisfy the condition of docs/explanation/hill-climbing.md. */
export interface Setting {
  readonly gold: Int32Array;
  /** Trees with more words that hang off the root are free of the condition. */
  readonly maxRoots: number;
}

/** Scores of all trees of n words, by `codeOf`. */
export type ScoreOfTrees = Float64Array;

/** Distinct for distinct trees of the same length. */
export function codeOf(heads: Int32Array): number {
  let code = 0;
  for (let m = 1; m < heads.length; m++) code = code * heads.length + heads[m];
  return code;
}

export function rootsOf(heads: Int32Array): number {
  return heads.reduce((count, head) => count + (head === 0 ? 1 : 0), 0);
}

export function wrongHeads(heads: Int32Array, gold: Int32Array): number {
  return heads.reduce((count, head, m) => count + (head === gold[m] ? 0 : 1), 0);
}

/** All trees that one corrected head makes of this one, of those that the condition is about. */
export function corrections(heads: Int32Array, { gold, maxRoots }: Setting): Int32Array[] {
  const found: Int32Array[] = [];
  for (let m = 1; m < heads.length; m++) {
    if (heads[m] === gold[m]) continue;
    const corrected = heads.slice();
    corrected[m] = gold[m];
    if (checkTree(corrected, { singleRoot: false }) === undefined && rootsOf(corrected) <= maxRoots)
      found.push(corrected);
  }
  return found;
}

/** How far a tree's score is beyond what the condition asks for. */
type Slack = (rng: Random) => number;

const none: Slack = () => 0;
const rareAndLarge: Slack = (rng) => (rng.int(2) === 0 ? 0 : rng.int(1000));

const TREES = new Map<number, readonly Int32Array[]>();

/** All trees of n words with any number of roots. */
function treesOf(n: number): readonly Int32Array[] {
  const known = TREES.get(n) ?? allTrees(n, { singleRoot: false });
  TREES.set(n, known);
  return known;
}

/** The trees, those with most wrong heads first, so that every tree comes before its corrections. */
function worstFirst(gold: Int32Array): Int32Array[] {
  return treesOf(gold.length - 1).toSorted((a, b) => wrongHeads(b, gold) - wrongHeads(a, gold));
}

function freeScores(rng: Random, n: number): ScoreOfTrees {
  return Float64Array.from({ length: (n + 1) ** n }, () => rng.int(100_000) - 50_000);
}

/** Each tree scores as little as the trees that it corrects allow, and its slack. */
function fromBelow(rng: Random, setting: Setting, slack: Slack): ScoreOfTrees {
  const scores = freeScores(rng, setting.gold.length - 1);
  const least = new Float64Array(scores.length).fill(-Infinity);
  for (const tree of worstFirst(setting.gold)) {
    if (rootsOf(tree) > setting.maxRoots) continue;
    const code = codeOf(tree);
    const score = (least[code] === -Infinity ? 0 : least[code]) + slack(rng);
    scores[code] = score;
    for (const corrected of corrections(tree, setting)) {
      const at = codeOf(corrected);
      least[at] = Math.max(least[at], score + 1);
    }
  }
  return scores;
}

/** Each tree scores as much as its corrections allow, less its slack. */
function fromAbove(rng: Random, setting: Setting, slack: Slack): ScoreOfTrees {
  const scores = freeScores(rng, setting.gold.length - 1);
  for (const tree of worstFirst(setting.gold).reverse()) {
    if (rootsOf(tree) > setting.maxRoots) continue;
    let most = Infinity;
    for (const corrected of corrections(tree, setting)) most = Math.min(most, scores[codeOf(corrected)]);
    scores[codeOf(tree)] = (most === Infinity ? 0 : most - 1) - slack(rng);
  }
  return scores;
}

/** A trap: the start scores more than every tree but those that a series of corrections makes of it. */
export function trapAt(rng: Random, setting: Setting, start: Int32Array): ScoreOfTrees {
  const { gold } = setting;
  const scores = freeScores(rng, gold.length - 1);
  const above = new Set<number>([codeOf(start)]);
  for (const tree of worstFirst(gold)) {
    if (rootsOf(tree) > setting.maxRoots) continue;
    const code = codeOf(tree);
    scores[code] = (above.has(code) ? 1000 : 0) - wrongHeads(tree, gold);
    if (above.has(code)) for (const corrected of corrections(tree, setting)) above.add(codeOf(corrected));
  }
  return scores;
}

/** Ways to choose scores that satisfy the condition, and little more. */
export const ADVERSARIES: readonly {
  readonly name: string;
  readonly scores: (rng: Random, setting: Setting) => ScoreOfTrees;
}[] = [
  { name: "as flat as can be", scores: (rng, setting) => fromBelow(rng, setting, none) },
  { name: "chosen from below", scores: (rng, setting) => fromBelow(rng, setting, rareAndLarge) },
  { name: "chosen from above", scores: (rng, setting) => fromAbove(rng, setting, rareAndLarge) },
];

/** The first tree where correcting a head raises the score by less than 1, or undefined. */
export function violation(scores: ScoreOfTrees, setting: Setting): Int32Array | undefined {
  return treesOf(setting.gold.length - 1).find(
    (tree) =>
      rootsOf(tree) <= setting.maxRoots &&
      corrections(tree, setting).some((corrected) => scores[codeOf(corrected)] < scores[codeOf(tree)] + 1),
  );
}

export function scorerOf(scores: ScoreOfTrees): TreeScorer {
  return { name: "table of trees", score: (heads) => scores[codeOf(heads)] };
}
