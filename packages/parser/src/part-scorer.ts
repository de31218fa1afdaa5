import {
  type Arcs,
  arcsByHead,
  innerSiblings,
  type PartKind,
  type PartTable,
  partLayout,
  type SparseVector,
} from "@arcwise/core";
import {
  distanceBucket,
  type EncodedSentence,
  PART_WORDS,
  PartFeatures,
  type Template,
} from "@arcwise/core/features";
import type { Weights } from "./arc-scorer.ts";

/** For each kind of parts of a model, its feature templates. */
export type PartTemplates = Readonly<Partial<Record<PartKind, readonly Template[]>>>;

/** Scores the parts of the kinds of a model over the candidate arcs of a sentence. */
export class PartScorer {
  readonly kinds: readonly PartKind[];
  readonly #features: readonly PartFeatures[];
  readonly #words = new Int32Array(4);
  readonly #lines: Int32Array;
  #sentence!: EncodedSentence;

  /** @param lineBits the table has 2^lineBits lines of `PART_LINE` weights */
  constructor(templates: PartTemplates, lineBits: number) {
    this.kinds = Object.keys(templates) as PartKind[];
    this.#features = this.kinds.map((kind) => new PartFeatures(kind, templates[kind]!, lineBits));
    this.#lines = new Int32Array(Math.max(0, ...this.#features.map(({ width }) => width)));
  }

  /**
   * Complete tables of all kinds. O(parts · templates).
   *
   * @param from where the table of the parts begins in `weights`
   * @param scale what a weight is multiplied by
   */
  score(sentence: EncodedSentence, arcs: Arcs, weights: Weights, from: number, scale: number): PartTable[] {
    this.#sentence = sentence;
    if (this.kinds.length === 0) return [];
    const byHead = arcsByHead(arcs);
    return this.#features.map((features) => {
      features.prepare(sentence);
      const table = partLayout(features.kind, arcs, byHead);
      for (let arc = 0; arc < arcs.head.length; arc++)
        this.#scoreOwner(features, table, arcs, arc, weights, from, scale);
      return table;
    });
  }

  /** Scores the parts that an arc owns. */
  #scoreOwner(
    features: PartFeatures,
    { start, members, scores }: PartTable,
    arcs: Arcs,
    arc: number,
    weights: Weights,
    from: number,
    scale: number,
  ): void {
    const { kind } = features;
    const { head, modifier } = arcs;
    const width = PART_WORDS[kind].length - 2;
    const varying = VARYING[kind];
    const absent = arcs.n + 1;
    let fixed = -2;
    for (let part = start[arc]!; part < start[arc + 1]!; part++) {
      const first = width > 0 ? members[part * width]! : -1;
      const second = width > 1 ? members[part * width + 1]! : -1;
      const other =
        first < 0
          ? absent
          : kind === "grandparent" || kind === "grandSibling" || kind === "headBigram"
            ? head[first]!
            : modifier[first]!;
      const another = second < 0 ? absent : modifier[second]!;
      this.#place(kind, head[arc]!, modifier[arc]!, other, another);
      const key = width > 1 ? first : -1;
      if (key !== fixed) {
        features.fix(this.#words, varying);
        fixed = key;
      }
      const word = this.#words[varying]!;
      scores[part] =
        scale *
        features.sum(
          weights,
          from,
          word,
          directionsOf(kind, this.#words),
          bucketOf(kind, this.#words, absent),
        );
    }
  }

  /**
   * Adds `scale` times the features of the parts that are on in a tree of the sentence scored last and not in
   * another tree.
   */
  addFeatures(heads: Int32Array, than: Int32Array, from: number, scale: number, into: SparseVector): void {
    if (this.kinds.length === 0) return;
    const here = neighbourhood(heads);
    const there = neighbourhood(than);
    for (const features of this.#features) {
      const varying = VARYING[features.kind];
      for (let m = 1; m <= this.#sentence.n; m++) {
        if (!this.#placeOf(features.kind, m, there)) this.#words[0] = -1;
        const inOther = this.#words.slice(0, PART_WORDS[features.kind].length);
        if (!this.#placeOf(features.kind, m, here)) continue;
        if (inOther.every((word, index) => word === this.#words[index])) continue;
        features.fix(this.#words, varying);
        const bucket = bucketOf(features.kind, this.#words, this.#sentence.n + 1);
        const count = features.lines(
          from,
          this.#words[varying]!,
          directionsOf(features.kind, this.#words),
          this.#lines,
        );
        for (let k = 0; k < count; k++) {
          into.add(this.#lines[k]!, scale);
          into.add(this.#lines[k]! + bucket, scale);
        }
      }
    }
  }

  /** Sets `#words` to the words of a part in the order of `PART_WORDS`. */
  #place(kind: PartKind, h: number, m: number, other: number, another: number): void {
    const words = this.#words;
    switch (kind) {
      case "lastSibling":
        words[0] = h;
        words[1] = m;
        break;
      case "nextSibling":
      case "sibling":
        words[0] = h;
        words[1] = other;
        words[2] = m;
        break;
      case "grandparent":
      case "headBigram":
        words[0] = other;
        words[1] = h;
        words[2] = m;
        break;
      case "grandSibling":
        words[0] = other;
        words[1] = h;
        words[2] = another;
        words[3] = m;
        break;
      case "triSibling":
        words[0] = h;
        words[1] = another;
        words[2] = other;
        words[3] = m;
        break;
    }
  }

  /** Places the part of a kind that m's arc owns in a tree; false when there is none. */
  #placeOf(kind: PartKind, m: number, { heads, inner, outermost }: Neighbourhood): boolean {
    const absent = heads.length;
    const h = heads[m]!;
    const s = inner[m]! < 0 ? absent : inner[m]!;
    switch (kind) {
      case "lastSibling":
        this.#place(kind, h, m, absent, absent);
        return outermost[m] === 1;
      case "nextSibling":
        this.#place(kind, h, m, s, absent);
        return true;
      case "grandparent":
      case "grandSibling":
        this.#place(kind, h, m, h === 0 ? absent : heads[h]!, s);
        return h !== 0;
      case "triSibling":
        this.#place(kind, h, m, s, s === absent || inner[s]! < 0 ? absent : inner[s]!);
        return s !== absent;
      case "headBigram":
        this.#place(kind, h, m, m === 1 ? absent : heads[m - 1]!, absent);
        return m > 1;
      case "sibling":
        throw new RangeError("an arc owns several arbitrary siblings");
    }
  }
}

interface Neighbourhood {
  readonly heads: Int32Array;
  readonly inner: Int32Array;
  readonly outermost: Uint8Array;
}

function neighbourhood(heads: Int32Array): Neighbourhood {
  const inner = innerSiblings(heads);
  const outermost = new Uint8Array(heads.length).fill(1);
  for (let m = 1; m < heads.length; m++) if (inner[m]! >= 0) outermost[inner[m]!] = 0;
  return { heads, inner, outermost };
}

/** Which word varies fastest in the layout of the table: all others stay fixed meanwhile. */
const VARYING: Readonly<Record<PartKind, number>> = {
  grandparent: 0,
  nextSibling: 1,
  lastSibling: 1,
  sibling: 1,
  grandSibling: 2,
  triSibling: 1,
  headBigram: 0,
};

/** Number of the pattern of directions of a part's words in the order of `PART_WORDS`. */
function directionsOf(kind: PartKind, words: Int32Array): number {
  switch (kind) {
    case "grandparent":
      return (words[0]! < words[1]! ? 1 : 0) + (words[1]! < words[2]! ? 2 : 0);
    case "grandSibling":
      return (words[0]! < words[1]! ? 1 : 0) + (words[1]! < words[3]! ? 2 : 0);
    case "headBigram": {
      const [g, h, m] = words as unknown as [number, number, number];
      return (g < m - 1 ? 1 : 0) + (h < m ? 2 : 0) + (g === h ? 4 : 0);
    }
    case "lastSibling":
      return words[0]! < words[1]! ? 1 : 0;
    case "nextSibling":
    case "sibling":
      return words[0]! < words[2]! ? 1 : 0;
    case "triSibling":
      return words[0]! < words[3]! ? 1 : 0;
  }
}

/** The distance that a part's features are joined with: between siblings, else between head and modifier. */
function bucketOf(kind: PartKind, words: Int32Array, absent: number): number {
  switch (kind) {
    case "lastSibling":
      return distanceBucket(Math.abs(words[0]! - words[1]!));
    case "grandparent":
    case "headBigram":
      return distanceBucket(Math.abs(words[1]! - words[2]!));
    case "grandSibling":
      return distanceBucket(Math.abs(words[1]! - words[3]!));
    case "nextSibling":
    case "sibling":
      return distanceBucket(Math.abs(words[2]! - (words[1] === absent ? words[0]! : words[1]!)));
    case "triSibling":
      return distanceBucket(Math.abs(words[3]! - words[2]!));
  }
}
