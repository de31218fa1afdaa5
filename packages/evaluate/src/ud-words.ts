import type { Alignment } from "./ud-alignment.ts";
import type { Words } from "./ud-text.ts";

/** Metrics over words: all of them, or content words for the last three. */
export const WORD_METRICS = [
  "Words",
  "UPOS",
  "XPOS",
  "UFeats",
  "AllTags",
  "Lemmas",
  "UAS",
  "LAS",
  "CLAS",
  "MLAS",
  "BLEX",
] as const;
/** A metric of `WORD_METRICS`. */
export type WordMetric = (typeof WORD_METRICS)[number];

/** Returns whether a metric counts content words alone. */
export function countsContent(metric: WordMetric): boolean {
  return metric === "CLAS" || metric === "MLAS" || metric === "BLEX";
}

/** For each metric, 1 for each gold word that the system has right. */
export type RightWords = Readonly<Record<WordMetric, Uint8Array>>;

/** Compares the aligned words of two texts. @param noLemma the number of the lemma `_`, which matches any */
export function rightWords(gold: Words, system: Words, alignment: Alignment, noLemma: number): RightWords {
  const right = Object.fromEntries(
    WORD_METRICS.map((metric) => [metric, new Uint8Array(gold.count)]),
  ) as unknown as RightWords;
  for (let g = 0; g < gold.count; g++) {
    const s = alignment.systemOf[g]!;
    if (s >= 0) judgeWord(right, g, s, { gold, system, alignment, noLemma });
  }
  return right;
}

interface Compared {
  readonly gold: Words;
  readonly system: Words;
  readonly alignment: Alignment;
  readonly noLemma: number;
}

function judgeWord(right: RightWords, g: number, s: number, compared: Compared): void {
  const { gold, system, alignment, noLemma } = compared;
  const upos = gold.upos[g] === system.upos[s];
  const xpos = gold.xpos[g] === system.xpos[s];
  const feats = gold.feats[g] === system.feats[s];
  const lemma = gold.lemma[g] === noLemma || gold.lemma[g] === system.lemma[s];
  right.Words[g] = 1;
  if (upos) right.UPOS[g] = 1;
  if (xpos) right.XPOS[g] = 1;
  if (feats) right.UFeats[g] = 1;
  if (upos && xpos && feats) right.AllTags[g] = 1;
  if (lemma) right.Lemmas[g] = 1;
  if (!sameHead(gold.parent[g]!, system.parent[s]!, alignment)) return;
  right.UAS[g] = 1;
  if (gold.relation[g] !== system.relation[s]) return;
  right.LAS[g] = 1;
  if (gold.content[g] === 0) return;
  right.CLAS[g] = 1;
  if (lemma) right.BLEX[g] = 1;
  if (upos && feats && sameFunctionWords(gold, g, system, s, alignment.systemOf)) right.MLAS[g] = 1;
}

/** Returns whether two heads are both the root or are aligned with each other. */
function sameHead(goldHead: number, systemHead: number, { systemOf }: Alignment): boolean {
  return goldHead < 0 ? goldHead === systemHead : systemHead >= 0 && systemOf[goldHead] === systemHead;
}

/**
 * Returns whether the function words that depend on two words are aligned one to one, with the same
 * relations, tags and features.
 */
function sameFunctionWords(gold: Words, g: number, system: Words, s: number, systemOf: Int32Array): boolean {
  const first = gold.functionalStart[g]!;
  const count = gold.functionalStart[g + 1]! - first;
  const systemFirst = system.functionalStart[s]!;
  if (system.functionalStart[s + 1]! - systemFirst !== count) return false;
  for (let k = 0; k < count; k++) {
    const a = gold.functional[first + k]!;
    const b = system.functional[systemFirst + k]!;
    if (systemOf[a] !== b || gold.relation[a] !== system.relation[b]) return false;
    if (gold.upos[a] !== system.upos[b] || gold.feats[a] !== system.feats[b]) return false;
  }
  return true;
}
