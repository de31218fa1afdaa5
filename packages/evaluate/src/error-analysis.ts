import { depths, isProjective, nonProjectiveArcs, type Sentence } from "@arcwise/core";
import { checkOptions } from "@arcwise/core/options";
import { Bins } from "./bins.ts";
import { type Confusion, ConfusionTally, compareText } from "./confusions.ts";
import { checkPair, requirePairs, type TreePair } from "./pairs.ts";
import { type Judgement, judge, SCORING, type Scoring, type ScoringOptions } from "./scoring.ts";
import { type ClassRow, ClassTally, Names, type ScoreRow, ScoreTally } from "./tallies.ts";

/** Scores of a parser by classes of sentences, words and arcs. Classes without words are left out. */
export interface ErrorAnalysis {
  /** By number of words of the sentence, punctuation included. */
  readonly sentenceLength: readonly ScoreRow[];
  /** `projective` and `non-projective`: by the gold tree of the sentence. */
  readonly treeProjectivity: readonly ScoreRow[];
  /** By gold tag (UPOS) of the word, the most frequent first; `_` = no tag. */
  readonly tag: readonly ScoreRow[];
  /** By distance of head and modifier in positions; `root` = arcs from the root. */
  readonly arcLength: readonly ClassRow[];
  /** By number of arcs from the root down to the word: 1 = root words. */
  readonly depth: readonly ClassRow[];
  /** `root`; `left` = the head is to the right of the word, `right` = to its left. */
  readonly direction: readonly ClassRow[];
  /** `projective` and `non-projective`: arcs over a word that does not depend on their head. */
  readonly projectivity: readonly ClassRow[];
  /** By label, the most frequent in gold first. */
  readonly label: readonly ClassRow[];
  /** Pairs of gold and predicted labels, equal ones included, the most frequent first. */
  readonly confusions: readonly Confusion[];
  /**
   * Pairs of the tags (UPOS) of gold and predicted head: `root` = the root, `_` = no tag. Tags of both heads are
   * gold tags. Where the two are equal, `words - rightHeads` words have another head of the same tag.
   */
  readonly headConfusions: readonly Confusion[];
  /** Pairs of gold and predicted tags (UPOS) of words, of the pairs that have predicted words. */
  readonly tagConfusions: readonly Confusion[];
}

/** Bins of sentences by words, of arcs by positions from head to modifier, and of words by arcs from the root. */
const SENTENCE_LENGTHS = new Bins([5, 10, 20, 30, 40, 50]);
const ARC_LENGTHS = new Bins([1, 2, 3, 4, 5, 10, 15, 20, 30]);
const DEPTHS = new Bins([1, 2, 3, 4, 5, 6, 7, 10]);
const PROJECTIVITY = ["projective", "non-projective"];
const DIRECTIONS = ["root", "left", "right"];

/**
 * Computes attachment scores by properties of sentences, words and arcs. For properties of arcs, which are
 * predicted, these are precision (over predicted arcs of a class) and recall (over gold arcs).
 *
 * Cost: O(n log n) a sentence of n words.
 *
 * @throws ArcwiseError `invalid-argument` when the trees of a pair do not fit its words or are not trees (several roots are
 * allowed); `unknown-option`, `invalid-option`
 *
 * McDonald and Nivre 2007, Characterizing the Errors of Data-Driven Dependency Parsing Models.
 *
 * @example
 * import { parseConllu } from "@arcwise/conllu";
 * import { errorAnalysis, pairedBootstrap, sentenceCounts, treePairs } from "@arcwise/evaluate";
 *
 * const read = (arcs: string) => parseConllu(`${arcs.replaceAll("/", "\n").replaceAll(" ", "\t")}\n\n`);
 * const gold = read("1 Birds _ NOUN _ _ 2 nsubj _ _/2 sing _ VERB _ _ 0 root _ _/3 now _ ADV _ _ 2 advmod _ _");
 * const parsed = read("1 Birds _ NOUN _ _ 2 obj _ _/2 sing _ VERB _ _ 0 root _ _/3 now _ ADV _ _ 1 advmod _ _");
 * const pairs = treePairs(gold, parsed);
 * const { confusions, arcLength } = errorAnalysis(pairs);
 * const mistakes = confusions.filter((cell) => cell.gold !== cell.predicted);
 * console.log(mistakes.map((cell) => `${cell.gold} -> ${cell.predicted}`).join()); // nsubj -> obj
 * console.log(arcLength.map((row) => `${row.key}: ${row.gold} ${row.predicted}`).join(", ")); // root: 1 1, 1: 2 1, 2: 0 1
 *
 * // Is a second system better? A paired bootstrap test over sentences.
 * const [a, b] = [sentenceCounts(pairs, "las"), sentenceCounts(treePairs(gold, gold), "las")];
 * console.log(pairedBootstrap({ a, b }, { seed: 1, samples: 1000 }).difference.toFixed(2)); // 0.67
 */
export function errorAnalysis(pairs: readonly TreePair[], options?: ScoringOptions): ErrorAnalysis {
  requirePairs(pairs, "errorAnalysis");
  const analysis = new Analysis(checkOptions(SCORING, options, "errorAnalysis"));
  pairs.forEach((pair, index) => {
    checkPair(pair, index);
    analysis.add(pair);
  });
  return analysis.result();
}

class Analysis {
  readonly #scoring: Scoring;
  readonly #tags = new Names();
  readonly #labels = new Names();
  readonly #bySentenceLength = new ScoreTally();
  readonly #byTreeProjectivity = new ScoreTally();
  readonly #byTag = new ScoreTally();
  readonly #byArcLength = new ClassTally();
  readonly #byDepth = new ClassTally();
  readonly #byDirection = new ClassTally();
  readonly #byProjectivity = new ClassTally();
  readonly #byLabel = new ClassTally();
  readonly #confusions = new ConfusionTally();
  readonly #headConfusions = new ConfusionTally();
  readonly #tagConfusions = new ConfusionTally();

  constructor(scoring: Scoring) {
    this.#scoring = scoring;
  }

  add(pair: TreePair): void {
    const judgement = judge(pair, this.#scoring);
    this.#addWords(pair, judgement);
    this.#addArcs(pair, judgement);
    this.#addConfusions(pair, judgement);
  }

  #addConfusions({ words, gold, predicted, predictedWords }: TreePair, judgement: Judgement): void {
    const tags = tagsOf(words);
    const headTags = (heads: Int32Array) => Array.from(heads, (head) => tags[Math.max(head, 0)]!);
    this.#confusions.add(judgement, judgement.goldLabels, judgement.predictedLabels);
    this.#headConfusions.add(judgement, headTags(gold.heads), headTags(predicted.heads));
    if (predictedWords !== undefined) this.#tagConfusions.add(judgement, tags, tagsOf(predictedWords));
  }

  #addWords({ words, gold }: TreePair, judgement: Judgement): void {
    this.#bySentenceLength.add(SENTENCE_LENGTHS.of(words.length), judgement);
    this.#byTreeProjectivity.add(isProjective(gold.heads) ? 0 : 1, judgement);
    const tags = tagsOf(words);
    this.#byTag.add(
      Int32Array.from(tags, (tag, m) => (m === 0 ? 0 : this.#tags.of(tag))),
      judgement,
    );
  }

  #addArcs(pair: TreePair, judgement: Judgement): void {
    const gold = pair.gold.heads;
    const predicted = pair.predicted.heads;
    const depth = (heads: Int32Array) => depths(heads).map((d) => DEPTHS.of(d));
    const projectivity = (heads: Int32Array) => Int32Array.from(nonProjectiveArcs(heads));
    const labels = (names: readonly string[]) => Int32Array.from(names, (name) => this.#labels.of(name));
    this.#byArcLength.add(arcLengths(gold), arcLengths(predicted), judgement);
    this.#byDepth.add(depth(gold), depth(predicted), judgement);
    this.#byDirection.add(directions(gold), directions(predicted), judgement);
    this.#byProjectivity.add(projectivity(gold), projectivity(predicted), judgement);
    this.#byLabel.add(labels(judgement.goldLabels), labels(judgement.predictedLabels), judgement);
  }

  result(): ErrorAnalysis {
    return {
      sentenceLength: this.#bySentenceLength.rows(SENTENCE_LENGTHS.names),
      treeProjectivity: this.#byTreeProjectivity.rows(PROJECTIVITY),
      tag: this.#byTag.rows(this.#tags.names).sort((x, y) => y.words - x.words || compareText(x.key, y.key)),
      arcLength: this.#byArcLength.rows(["root", ...ARC_LENGTHS.names]),
      depth: this.#byDepth.rows(DEPTHS.names),
      direction: this.#byDirection.rows(DIRECTIONS),
      projectivity: this.#byProjectivity.rows(PROJECTIVITY),
      label: this.#byLabel
        .rows(this.#labels.names)
        .sort((x, y) => y.gold - x.gold || compareText(x.key, y.key)),
      confusions: this.#confusions.confusions(),
      headConfusions: this.#headConfusions.confusions(),
      tagConfusions: this.#tagConfusions.confusions(),
    };
  }
}

/** Returns the tag at each position; at position 0 it is `root`. */
function tagsOf(words: Sentence): string[] {
  return ["root", ...words.map(({ upos }) => upos || "_")];
}

/** Returns the class of each arc by length: 0 for arcs from the root, 1 + bin for the others. */
function arcLengths(heads: Int32Array): Int32Array {
  return heads.map((h, m) => (h <= 0 ? 0 : 1 + ARC_LENGTHS.of(Math.abs(h - m))));
}

/** Returns the direction of each arc, an index into `DIRECTIONS`. */
function directions(heads: Int32Array): Int32Array {
  return heads.map((h, m) => (h <= 0 ? 0 : h > m ? 1 : 2));
}
