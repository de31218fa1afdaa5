import type { ConlluSentence } from "@arcwise/conllu";
import { checkOptions, defineOptions, flag, type OptionsOf } from "@arcwise/core/options";
import type { SentenceCounts } from "./attachment.ts";
import { type Place, TextMismatch } from "./errors.ts";
import { requireTreebanks } from "./pairs.ts";
import { ratio } from "./scoring.ts";
import { type Alignment, alignWords } from "./ud-alignment.ts";
import { Numbering, placeOf, readText, type Spans, type UdText, type Words } from "./ud-text.ts";
import { countsContent, rightWords, WORD_METRICS, type WordMetric } from "./ud-words.ts";

/** The metrics of `evaluateConllu`, in the order in which the shared tasks print them. */
export const UD_METRICS = ["Tokens", "Sentences", ...WORD_METRICS, "ELAS", "EULAS"] as const;

/** The name of a metric of the CoNLL 2018 shared task. */
export type UdMetric = (typeof UD_METRICS)[number];

/** Counts of one metric and their ratios, from 0 to 1; 0 when the denominator is 0. */
export interface MetricScore {
  readonly correct: number;
  readonly gold: number;
  readonly system: number;
  /** Aligned items; absent in metrics that are not over aligned words (Tokens, Sentences, ELAS, EULAS). */
  readonly aligned?: number | undefined;
  /** `correct / system`. */
  readonly precision: number;
  /** `correct / gold`. */
  readonly recall: number;
  /** Harmonic mean of precision and recall. */
  readonly f1: number;
  /** `correct / aligned`; absent with `aligned`. */
  readonly alignedAccuracy?: number | undefined;
}

/** The metrics of the CoNLL 2018 shared task, by name. */
export interface UdEvaluation {
  readonly metrics: Readonly<Record<UdMetric, MetricScore>>;
}

const UD_OPTIONS = defineOptions({
  singleRoot: {
    check: flag,
    help: "whether a sentence with several roots is an error, as in the shared task, or is evaluated",
    default: true,
  },
});

type UdOptions = OptionsOf<typeof UD_OPTIONS>;

/**
 * Computes the metrics of the CoNLL 2018 shared task for two analyses of one text, whose tokens and sentences
 * may differ. The README defines each metric. Subtypes of relations are ignored; punctuation counts. ELAS and
 * EULAS compare the DEPS columns as the IWPT 2020 shared task does, without edges from empty nodes and with
 * each edge matched at most once.
 *
 * Cost: O(words); O(g s) for g gold and s system words in a chain of overlapping multiword tokens. Memory:
 * O(text).
 *
 * @throws TextMismatch when the two have different characters, spaces not counted
 * @throws InvalidSentence when the words of a sentence form no tree with (by default) a single root
 *
 * Zeman et al. 2018, CoNLL 2018 Shared Task: Multilingual Parsing from Raw Text to Universal Dependencies.
 */
export function evaluateConllu(
  gold: readonly ConlluSentence[],
  system: readonly ConlluSentence[],
  options: UdOptions = {},
): UdEvaluation {
  const { goldText, systemText, alignment, noLemma } = alignedTexts(gold, system, options, "evaluateConllu");
  return {
    metrics: {
      Tokens: spanScore(goldText.tokens, systemText.tokens),
      Sentences: spanScore(goldText.sentences, systemText.sentences),
      ...wordScores(goldText.words, systemText.words, alignment, noLemma),
      ELAS: enhancedScore(goldText.words, systemText.words, alignment, "relation"),
      EULAS: enhancedScore(goldText.words, systemText.words, alignment, "universal"),
    },
  };
}

interface AlignedTexts {
  readonly goldText: UdText;
  readonly systemText: UdText;
  readonly alignment: Alignment;
  /** The number of the lemma `_`. */
  readonly noLemma: number;
}

function alignedTexts(
  gold: readonly ConlluSentence[],
  system: readonly ConlluSentence[],
  options: UdOptions,
  where: string,
): AlignedTexts {
  requireTreebanks(gold, system, where);
  const { singleRoot } = checkOptions(UD_OPTIONS, options, where);
  const numbering = new Numbering();
  const goldText = readText(gold, numbering, { side: "gold", singleRoot });
  const systemText = readText(system, numbering, { side: "system", singleRoot });
  if (goldText.characters !== systemText.characters) throw mismatch(gold, goldText, system, systemText);
  return { goldText, systemText, alignment: alignWords(goldText, systemText), noLemma: numbering.of("_") };
}

/**
 * Returns counts per gold sentence from which `pairedBootstrap` draws, for the metrics over words: twice the right
 * words, of gold and system words together, so that the ratio of the sums is F1. A system word belongs to the gold
 * sentence of its aligned word, or else to the sentence in which it begins. Systems may differ in tokens and sentences.
 *
 * Cost and errors as `evaluateConllu`.
 *
 * @example pairedBootstrap({ a: sentenceMetrics(gold, a).LAS, b: sentenceMetrics(gold, b).LAS }).pValue;
 */
export function sentenceMetrics(
  gold: readonly ConlluSentence[],
  system: readonly ConlluSentence[],
  options: UdOptions = {},
): Readonly<Record<WordMetric, SentenceCounts>> {
  const { goldText, systemText, alignment, noLemma } = alignedTexts(gold, system, options, "sentenceMetrics");
  const right = rightWords(goldText.words, systemText.words, alignment, noLemma);
  const ends = goldText.sentences.end;
  const inGold = sentencesOf(goldText.words, ends);
  const inSystem = sentencesOf(systemText.words, ends);
  // Words of multiword tokens may be aligned with words that begin elsewhere.
  alignment.systemOf.forEach((s, g) => {
    if (s >= 0) inSystem[s] = inGold[g]!;
  });
  const counts = WORD_METRICS.map((metric) => {
    const correct = new Float64Array(ends.length);
    const all = new Float64Array(ends.length);
    const counted = (words: Words, w: number) => (countsContent(metric) ? words.content[w]! : 1);
    for (let g = 0; g < inGold.length; g++) {
      correct[inGold[g]!]! += 2 * right[metric][g]!;
      all[inGold[g]!]! += counted(goldText.words, g);
    }
    for (let s = 0; s < inSystem.length; s++) all[inSystem[s]!]! += counted(systemText.words, s);
    return [metric, { correct, total: all }];
  });
  return Object.fromEntries(counts) as Record<WordMetric, SentenceCounts>;
}

/** Returns the sentence of each word, by the ends of sentences in characters. */
function sentencesOf({ start, count }: Words, ends: Int32Array): Int32Array {
  const sentences = new Int32Array(count);
  let sentence = 0;
  for (let w = 0; w < count; w++) {
    while (sentence < ends.length - 1 && start[w]! >= ends[sentence]!) sentence++;
    sentences[w] = sentence;
  }
  return sentences;
}

function score(correct: number, gold: number, system: number, aligned?: number): MetricScore {
  const scores = {
    correct,
    gold,
    system,
    precision: ratio(correct, system),
    recall: ratio(correct, gold),
    f1: ratio(2 * correct, gold + system),
  };
  return aligned === undefined ? scores : { ...scores, aligned, alignedAccuracy: ratio(correct, aligned) };
}

/** Returns the score of spans, which are correct when start and end are equal. */
function spanScore(gold: Spans, system: Spans): MetricScore {
  const goldCount = gold.start.length;
  const systemCount = system.start.length;
  let correct = 0;
  let g = 0;
  let s = 0;
  while (g < goldCount && s < systemCount) {
    const goldStart = gold.start[g]!;
    const systemStart = system.start[s]!;
    if (goldStart === systemStart && gold.end[g] === system.end[s]) correct++;
    if (goldStart <= systemStart) g++;
    if (systemStart <= goldStart) s++;
  }
  return score(correct, goldCount, systemCount);
}

function wordScores(
  gold: Words,
  system: Words,
  alignment: Alignment,
  noLemma: number,
): Record<WordMetric, MetricScore> {
  const right = rightWords(gold, system, alignment, noLemma);
  let content = 0;
  for (let g = 0; g < gold.count; g++) if (alignment.systemOf[g]! >= 0) content += gold.content[g]!;
  const scores = WORD_METRICS.map((metric) => {
    const correct = total(right[metric]);
    return countsContent(metric)
      ? [metric, score(correct, total(gold.content), total(system.content), content)]
      : [metric, score(correct, gold.count, system.count, alignment.pairs)];
  });
  return Object.fromEntries(scores) as Record<WordMetric, MetricScore>;
}

function total(flags: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < flags.length; i++) sum += flags[i]!;
  return sum;
}

/**
 * Returns the score of enhanced edges between aligned words with the same relation. Each edge is matched at
 * most once.
 */
function enhancedScore(
  gold: Words,
  system: Words,
  alignment: Alignment,
  column: "relation" | "universal",
): MetricScore {
  const goldEdges = gold.enhanced;
  const systemEdges = system.enhanced;
  let correct = 0;
  for (let g = 0; g < gold.count; g++) {
    const s = alignment.systemOf[g]!;
    if (s < 0) continue;
    const left = new Map<number, number>();
    for (let f = systemEdges.start[s]!; f < systemEdges.start[s + 1]!; f++) {
      const key = edgeKey(systemEdges.head[f]!, systemEdges[column][f]!);
      left.set(key, (left.get(key) ?? 0) + 1);
    }
    for (let e = goldEdges.start[g]!; e < goldEdges.start[g + 1]!; e++) {
      const head = goldEdges.head[e]!;
      const aligned = head < 0 ? head : alignment.systemOf[head]!;
      if (head < -1 || (head >= 0 && aligned < 0)) continue;
      const key = edgeKey(aligned, goldEdges[column][e]!);
      const count = left.get(key) ?? 0;
      if (count === 0) continue;
      left.set(key, count - 1);
      correct++;
    }
  }
  return score(correct, goldEdges.head.length, systemEdges.head.length);
}

/** Relations are numbered from 0; no file has as many. */
const RELATIONS = 2 ** 26;

/** Returns a number for an edge by its head, -2 or more, and its relation. */
function edgeKey(head: number, relation: number): number {
  return (head + 2) * RELATIONS + relation;
}

/** Number of characters of the text in an error message. */
const EXCERPT = 20;

function mismatch(
  gold: readonly ConlluSentence[],
  goldText: UdText,
  system: readonly ConlluSentence[],
  systemText: UdText,
): TextMismatch {
  const a = goldText.characters;
  const b = systemText.characters;
  let offset = 0;
  while (offset < a.length && a.charCodeAt(offset) === b.charCodeAt(offset)) offset++;
  // Do not start in the middle of a surrogate pair.
  if (offset > 0 && /[\uDC00-\uDFFF]/.test(a.charAt(offset) || b.charAt(offset))) offset--;
  return new TextMismatch(offset, placeAt(gold, goldText, offset), placeAt(system, systemText, offset));
}

/** Returns the sentence, row and token that contain the character at an offset. */
function placeAt(sentences: readonly ConlluSentence[], text: UdText, offset: number): Place {
  if (offset >= text.characters.length) return { sentence: 0, line: 0, token: "", text: "" };
  const s = text.sentences.end.findIndex((end) => end > offset);
  let token = text.tokens.start.findIndex((start) => start >= text.sentences.start[s]!);
  let covered = 0;
  const row = sentences[s]!.rows.findIndex((candidate) => {
    if (candidate.kind === "empty" || (candidate.kind === "word" && candidate.id <= covered)) return false;
    if (candidate.kind === "range") covered = candidate.last;
    return text.tokens.end[token++]! > offset;
  });
  return {
    ...placeOf(sentences, s, row),
    token: sentences[s]!.rows[row]!.form,
    text: [...text.characters.slice(offset, offset + 2 * EXCERPT)].slice(0, EXCERPT).join(""),
  };
}
