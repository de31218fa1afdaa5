import type { Arcs } from "@arcwise/core";
import type { ArcFeatures, EncodedSentence, Weights } from "@arcwise/core/features";
import { DISTANCES, distanceBucket } from "@arcwise/core/features";

/** Offset of the label weights in a line. */
export const FIRST_LABEL = 1 + DISTANCES;

const BUCKETS = Uint8Array.from({ length: 64 }, (_, distance) => distanceBucket(distance));

/** Bucket of the distance between two words. */
export function bucketOf(h: number, m: number): number {
  const distance = h < m ? m - h : h - m;
  return BUCKETS[distance < 63 ? distance : 63];
}

/**
 * Finds the lines of weights of the features of arcs. Lines that depend on one word are found once a
 * sentence, for the words that are heads or modifiers of candidate arcs.
 */
export class ArcLines {
  /** Offsets of the lines that were found last. */
  lines: Int32Array = new Int32Array(1024);
  readonly #features: ArcFeatures;
  readonly #isLabelled: boolean;
  /** The sentence that the features are prepared for. */
  #sentence: EncodedSentence | undefined;
  /** Whether each word is a head (`4 word + right`) and a modifier (`4 word + 2 + right`) of arcs. */
  #used = new Uint8Array(0);
  /** In an unlabelled model, sums of the lines of each word alone, entry by entry. */
  #sums = new Float64Array(0);
  /**
   * In a labelled model, the lines of each word alone: `#alone[#aloneStart[i]] ..`. Sums for every label
   * would take too much memory.
   */
  #alone = new Int32Array(0);
  #aloneStart = new Int32Array(0);

  constructor(features: ArcFeatures, isLabelled: boolean) {
    this.#features = features;
    this.#isLabelled = isLabelled;
  }

  /** Calls `visit` with each line of an arc of the sentence in use. */
  eachLine(h: number, m: number, visit: (line: number) => void): void {
    const lines = this.lines;
    for (let k = this.#features.arc(h, m, lines) - 1; k >= 0; k--) visit(lines[k]);
    for (let k = this.#features.head(h, h < m, lines) - 1; k >= 0; k--) visit(lines[k]);
    for (let k = this.#features.modifier(m, h < m, lines) - 1; k >= 0; k--) visit(lines[k]);
  }

  /** Prepares the features for a sentence, unless it is the current one. */
  use(sentence: EncodedSentence): void {
    if (this.#sentence === sentence) return;
    this.#sentence = sentence;
    this.#features.prepare(sentence);
    if (this.lines.length < this.capacity) this.lines = new Int32Array(2 * this.capacity);
  }

  /** Maximum number of lines of an arc of the sentence in use. */
  get capacity(): number {
    return 3 * this.#features.capacity;
  }

  /** Finds the lines that depend on one word of each arc. */
  prepareArcs(sentence: EncodedSentence, arcs: Arcs, weights: Weights): void {
    this.use(sentence);
    const roles = 4 * (sentence.n + 1);
    if (this.#used.length < roles) {
      this.#used = new Uint8Array(2 * roles);
      this.#aloneStart = new Int32Array(2 * roles + 1);
    }
    this.#markUsed(arcs);
    this.#prepareWords(sentence.n, weights);
  }

  /**
   * Sums or stores the lines of every word alone, as a head and as a modifier, for both directions of the
   * arc.
   */
  #prepareWords(n: number, weights: Weights): void {
    const lines = this.lines;
    const features = this.#features;
    const roles = 4 * (n + 1);
    const isLabelled = this.#isLabelled;
    if (!isLabelled && this.#sums.length < roles * FIRST_LABEL) {
      this.#sums = new Float64Array(2 * roles * FIRST_LABEL);
    }
    for (let role = 0; role < roles; role++) {
      if (isLabelled) this.#aloneStart[role + 1] = this.#aloneStart[role];
      if (this.#used[role] === 0) continue;
      const word = role >> 2;
      const right = (role & 1) === 1;
      const count =
        (role & 2) === 0 ? features.head(word, right, lines) : features.modifier(word, right, lines);
      if (isLabelled) this.#keepAlone(role, count);
      else sumInto(this.#sums, role * FIRST_LABEL, weights, lines, count);
    }
  }

  #keepAlone(role: number, count: number): void {
    const lines = this.lines;
    const from = this.#aloneStart[role];
    if (this.#alone.length < from + count) {
      const grown = new Int32Array(2 * (from + count));
      grown.set(this.#alone);
      this.#alone = grown;
    }
    const alone = this.#alone;
    for (let k = 0; k < count; k++) alone[from + k] = lines[k];
    this.#aloneStart[role + 1] = from + count;
  }

  /** In a labelled model, writes the lines of h -> m and of each word alone; returns their number. */
  linesOf(h: number, m: number): number {
    const lines = this.lines;
    let count = this.#features.arc(h, m, lines);
    const alone = this.#alone;
    const start = this.#aloneStart;
    const right = h < m ? 1 : 0;
    const head = 4 * h + right;
    const modifier = 4 * m + 2 + right;
    for (let k = start[head]; k < start[head + 1]; k++) lines[count++] = alone[k];
    for (let k = start[modifier]; k < start[modifier + 1]; k++) lines[count++] = alone[k];
    return count;
  }

  /**
   * Marks the words that occur as heads (`4 word + right`) and as modifiers (`4 word + 2 + right`) of arcs.
   */
  #markUsed({ head, modifier }: Arcs): void {
    const used = this.#used;
    used.fill(0);
    for (let a = 0; a < head.length; a++) {
      const h = head[a];
      const m = modifier[a];
      const right = h < m ? 1 : 0;
      used[4 * h + right] = 1;
      used[4 * m + 2 + right] = 1;
    }
  }

  /** The sum of the weights of `count` lines, just written for h -> m, at its distance. */
  sumLines(weights: Weights, count: number, h: number, m: number): number {
    const lines = this.lines;
    const bucket = bucketOf(h, m);
    let sum = 0;
    for (let k = 0; k < count; k++) {
      const line = lines[k];
      sum += weights[line] + weights[line + bucket];
    }
    return sum;
  }

  /** In an unlabelled model, the sum of the weights of all features of h -> m at its distance. */
  sumUnlabelled(weights: Weights, h: number, m: number): number {
    const bucket = bucketOf(h, m);
    const sum = this.#features.sumArc(h, m, weights, bucket, this.lines);
    const sums = this.#sums;
    const right = h < m ? 1 : 0;
    const head = (4 * h + right) * FIRST_LABEL;
    const modifier = (4 * m + 2 + right) * FIRST_LABEL;
    return sum + sums[head] + sums[head + bucket] + sums[modifier] + sums[modifier + bucket];
  }
}

/** Sums `count` lines of an unlabelled model, entry by entry. */
function sumInto(sums: Float64Array, at: number, weights: Weights, lines: Int32Array, count: number): void {
  let own = 0;
  let d1 = 0;
  let d2 = 0;
  let d3 = 0;
  let d4 = 0;
  let d5 = 0;
  let d6 = 0;
  let d7 = 0;
  for (let k = 0; k < count; k++) {
    const line = lines[k];
    own += weights[line];
    d1 += weights[line + 1];
    d2 += weights[line + 2];
    d3 += weights[line + 3];
    d4 += weights[line + 4];
    d5 += weights[line + 5];
    d6 += weights[line + 6];
    d7 += weights[line + 7];
  }
  sums[at] = own;
  sums[at + 1] = d1;
  sums[at + 2] = d2;
  sums[at + 3] = d3;
  sums[at + 4] = d4;
  sums[at + 5] = d5;
  sums[at + 6] = d6;
  sums[at + 7] = d7;
}
