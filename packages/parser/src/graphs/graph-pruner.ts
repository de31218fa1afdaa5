import type { Arcs } from "@arcwise/core";
import { type ArcFeatures, arcFeatures, type EncodedSentence, lineLength } from "@arcwise/core/features";

/** The features of a pruner. Plain data. */
export interface GraphPrunerConfiguration {
  readonly templates: readonly string[];
  readonly bits: number;
  /** Whether the root is a head. */
  readonly root: boolean;
}

/** Length of a line of weights. */
export const LINE = lineLength(0);
/** Index of the bucket of each distance in a line of weights. */
const BUCKETS = Uint8Array.from({ length: 32 }, (_, d) =>
  d <= 3 ? d : d <= 5 ? 4 : d <= 9 ? 5 : d <= 19 ? 6 : 7,
);

/**
 * Scores every pair of words by a logistic model with few features. The arcs of a graph are independent here,
 * since a word may have any number of heads.
 */
export class GraphPruner {
  readonly weights: Float32Array | Int8Array;
  readonly scale: number;
  /** Log-odds of the arcs of the last scored sentence: h -> m at `h (n + 1) + m`. */
  scores = new Float64Array(0);
  readonly #features: ArcFeatures;
  readonly #root: boolean;
  #lines = new Int32Array(1024);
  /**
   * Sums of weights that depend on one word: word w in role r (head or modifier, left or right) at
   * `(4 w + r) LINE`.
   */
  #alone = new Float64Array(0);

  constructor(
    weights: Float32Array | Int8Array,
    scale: number,
    { templates, bits, root }: GraphPrunerConfiguration,
  ) {
    this.weights = weights;
    this.scale = scale;
    this.#features = arcFeatures(templates, bits, LINE);
    this.#root = root;
  }

  /** Fills `scores`. O(n² templates). */
  score(sentence: EncodedSentence): void {
    const { n } = sentence;
    this.#prepare(sentence);
    const { weights, scale } = this;
    const lines = this.#lines;
    const alone = this.#alone;
    for (let h = this.#root ? 0 : 1; h <= n; h++) {
      for (let m = 1; m <= n; m++) {
        if (m === h) continue;
        const bucket = bucketOf(h, m);
        const right = h < m ? 1 : 0;
        const head = (4 * h + right) * LINE;
        const modifier = (4 * m + 2 + right) * LINE;
        let sum = alone[head]! + alone[head + bucket]! + alone[modifier]! + alone[modifier + bucket]!;
        const count = this.#features.arc(h, m, lines);
        for (let k = 0; k < count; k++) sum += weights[lines[k]!]! + weights[lines[k]! + bucket]!;
        this.scores[h * (n + 1) + m] = scale * sum;
      }
    }
  }

  #prepare(sentence: EncodedSentence): void {
    const { n } = sentence;
    this.#features.prepare(sentence);
    if (this.#lines.length < 3 * this.#features.capacity)
      this.#lines = new Int32Array(6 * this.#features.capacity);
    const pairs = (n + 1) * (n + 1);
    if (this.scores.length < pairs) this.scores = new Float64Array(2 * pairs);
    if (this.#alone.length < 4 * (n + 1) * LINE) this.#alone = new Float64Array(8 * (n + 1) * LINE);
    const lines = this.#lines;
    for (let role = 0; role < 4 * (n + 1); role++) {
      const [word, right] = [role >> 2, (role & 1) === 1];
      const count =
        (role & 2) === 0
          ? this.#features.head(word, right, lines)
          : this.#features.modifier(word, right, lines);
      this.#alone.fill(0, role * LINE, (role + 1) * LINE);
      for (let k = 0; k < count; k++) {
        for (let place = 0; place < LINE; place++) {
          this.#alone[role * LINE + place]! += this.weights[lines[k]! + place]!;
        }
      }
    }
  }

  /** Whether the root is a head of candidates. */
  get root(): boolean {
    return this.#root;
  }

  /** Visits the weights of an arc of the last scored sentence. */
  eachWeight(h: number, m: number, visit: (index: number) => void): void {
    const lines = this.#lines;
    const bucket = bucketOf(h, m);
    const both = (line: number) => {
      visit(line);
      visit(line + bucket);
    };
    for (let k = this.#features.arc(h, m, lines) - 1; k >= 0; k--) both(lines[k]!);
    for (let k = this.#features.head(h, h < m, lines) - 1; k >= 0; k--) both(lines[k]!);
    for (let k = this.#features.modifier(m, h < m, lines) - 1; k >= 0; k--) both(lines[k]!);
  }

  /**
   * Returns the arcs whose log-odds are at least a threshold, and the arcs of a gold graph or of suggestions if
   * given. O(n² templates).
   */
  prune(sentence: EncodedSentence, threshold: number, also: readonly Pairs[] = []): Arcs {
    const { n } = sentence;
    this.score(sentence);
    const keep = new Uint8Array((n + 1) * (n + 1));
    for (const { head, modifier } of also) {
      for (let e = 0; e < head.length; e++) keep[head[e]! * (n + 1) + modifier[e]!] = 1;
    }
    const start = new Int32Array(n + 2);
    const heads: number[] = [];
    const modifiers: number[] = [];
    for (let m = 1; m <= n; m++) {
      for (let h = 0; h <= n; h++) {
        const at = h * (n + 1) + m;
        const likely = h !== m && (h > 0 || this.#root) && this.scores[at]! >= threshold;
        if (!likely && keep[at] === 0) continue;
        heads.push(h);
        modifiers.push(m);
      }
      start[m + 1] = heads.length;
    }
    return { n, start, head: Int32Array.from(heads), modifier: Int32Array.from(modifiers) };
  }
}

/** Pairs of head and modifier, as columns. */
export interface Pairs {
  readonly head: ArrayLike<number>;
  readonly modifier: ArrayLike<number>;
}

/** The pairs of words of edges, as columns. */
export function pairsOfEdges(edges: readonly { readonly head: number; readonly modifier: number }[]) {
  return { head: edges.map(({ head }) => head), modifier: edges.map(({ modifier }) => modifier) };
}

function bucketOf(h: number, m: number): number {
  const distance = Math.abs(h - m);
  return distance < 32 ? BUCKETS[distance]! : 7;
}
