import { type Arcs, arcsByHead, MEMBERS, type PartTable, partLayout, type SparseVector } from "@arcwise/core";
import {
  type EncodedSentence,
  type FeaturedKind,
  PART_WORDS,
  PartFeatures,
  type Template,
  type WeightTable,
} from "@arcwise/core/features";
import type { FeatureChange, TreePair } from "../tree-pair.ts";
import {
  bucketOf,
  directionsOf,
  endOfRun,
  LAST_IS_HEAD,
  type Neighbourhood,
  neighbourhood,
  ORDER,
  VARYING,
} from "./part-words.ts";

/** For each kind of parts of a model, its feature templates. */
export type PartTemplates = Readonly<Partial<Record<FeaturedKind, readonly Template[]>>>;

/** A table of parts, and an amount for each of them. */
export interface PartAmounts {
  readonly table: PartTable;
  readonly amounts: Float64Array;
}

/** Scores the parts of the kinds of a model over the candidate arcs of a sentence. */
export class PartScorer {
  readonly kinds: readonly FeaturedKind[];
  readonly #features: readonly PartFeatures[];
  readonly #words = new Int32Array(5);
  readonly #otherWords = new Int32Array(5);
  readonly #lines: Int32Array;
  /** The sentence that the features are prepared for. */
  #sentence: EncodedSentence | undefined;

  /** @param lineBits the table has 2^lineBits lines of `PART_LINE` weights */
  constructor(templates: PartTemplates, lineBits: number) {
    this.kinds = Object.keys(templates) as FeaturedKind[];
    this.#features = this.kinds.map((kind) => new PartFeatures(kind, templates[kind]!, lineBits));
    this.#lines = new Int32Array(Math.max(0, ...this.#features.map(({ width }) => width)));
  }

  /** Returns the complete tables of some kinds of the model, by default all. O(parts · templates). */
  score(sentence: EncodedSentence, arcs: Arcs, weights: WeightTable, kinds = this.kinds): PartTable[] {
    if (kinds.length === 0) return [];
    this.#use(sentence);
    const byHead = arcsByHead(arcs);
    const chosen = this.#features.filter(({ kind }) => kinds.includes(kind));
    return chosen.map((features) => {
      const table = partLayout(features.kind, arcs, byHead);
      for (let arc = 0; arc < arcs.head.length; arc++) this.#scoreOwner(features, table, arcs, arc, weights);
      return table;
    });
  }

  /** Prepares the features for a sentence, unless they are. */
  #use(sentence: EncodedSentence): void {
    if (this.#sentence === sentence) return;
    this.#sentence = sentence;
    for (const features of this.#features) features.prepare(sentence);
  }

  /**
   * Scores the parts that an arc owns, run by run: a run is a stretch of the table in which all words but one
   * are the same, so that their codes are joined once.
   */
  #scoreOwner(
    features: PartFeatures,
    { start, members, scores }: PartTable,
    arcs: Arcs,
    arc: number,
    { values, first, scale }: WeightTable,
  ): void {
    const { kind } = features;
    const width = MEMBERS[kind];
    const varying = VARYING[kind];
    const words = this.#words;
    const ends = LAST_IS_HEAD.has(kind) ? arcs.head : arcs.modifier;
    const bucketVaries = kind === "nextSibling" || kind === "sibling";
    const absent = arcs.n + 1;
    const end = start[arc + 1]!;
    for (let part = start[arc]!; part < end; ) {
      this.#placeMembers(kind, arcs, arc, members, part * width);
      features.fix(words, varying);
      let directions = directionsOf(kind, words);
      let bucket = bucketOf(kind, words, absent);
      const runEnd = endOfRun(members, width, part, end);
      for (; part < runEnd; part++) {
        if (width > 0) {
          const member = members[part * width + width - 1]!;
          words[varying] = member < 0 ? absent : ends[member]!;
          if (varying === 0) directions = directionsOf(kind, words);
          else if (bucketVaries) bucket = bucketOf(kind, words, absent);
        }
        scores[part] = scale * features.sum(values, first, words[varying]!, directions, bucket);
      }
    }
  }

  /** Places the words that are the same in a run: those of its arc and of all its members but the last. */
  #placeMembers(
    kind: FeaturedKind,
    { n, head, modifier }: Arcs,
    arc: number,
    members: Int32Array,
    at: number,
  ): void {
    const h = head[arc]!;
    const m = modifier[arc]!;
    const absent = n + 1;
    switch (kind) {
      case "grandparent":
      case "headBigram":
      case "grandSibling":
      case "greatGrandparent":
      case "outerSiblingGrandchild":
      case "innerSiblingGrandchild":
        this.#place(kind, h, m, head[members[at]!]!, absent, absent);
        break;
      case "triSibling":
        this.#place(kind, h, m, modifier[members[at]!]!, absent, absent);
        break;
      case "grandparentSibling":
        this.#place(kind, h, m, head[members[at]!]!, head[members[at + 1]!]!, absent);
        break;
      default:
        this.#place(kind, h, m, absent, absent, absent);
    }
  }

  /**
   * Adds the features of the parts that are on in a tree of a sentence and not in another tree.
   * O(n · templates); arbitrary siblings: O(pairs of modifiers · templates).
   */
  addFeatures(
    sentence: EncodedSentence,
    { heads, than }: TreePair,
    { first, scale }: FeatureChange,
    into: SparseVector,
  ): void {
    if (this.kinds.length === 0) return;
    this.#use(sentence);
    const here = neighbourhood(heads);
    const there = neighbourhood(than);
    for (const features of this.#features) {
      for (let m = 1; m <= sentence.n; m++) {
        if (features.kind === "sibling") {
          const h = heads[m]!;
          for (let s = here.inner[m]!; s >= 0; s = here.inner[s]!) {
            if (than[m] === h && than[s] === h) continue;
            this.#place("sibling", h, m, s, -1, -1);
            this.#addPart(features, first, scale, into);
          }
        } else if (this.#isNew(features.kind, m, here, there)) this.#addPart(features, first, scale, into);
      }
    }
  }

  /**
   * Adds the features of each part of a table times its amount. O(parts), and the templates of those whose
   * amount is not 0.
   */
  addTable(
    sentence: EncodedSentence,
    arcs: Arcs,
    { table: { kind, start, members }, amounts }: PartAmounts,
    first: number,
    into: SparseVector,
  ): void {
    this.#use(sentence);
    const features = this.#features.find((candidate) => candidate.kind === kind);
    if (features === undefined) throw new RangeError(`expected parts of a kind of the model, got "${kind}"`);
    const width = MEMBERS[features.kind];
    const ends = LAST_IS_HEAD.has(features.kind) ? arcs.head : arcs.modifier;
    for (let arc = 0; arc < arcs.head.length; arc++) {
      for (let part = start[arc]!; part < start[arc + 1]!; part++) {
        if (amounts[part] === 0) continue;
        this.#placeMembers(features.kind, arcs, arc, members, part * width);
        if (width > 0) {
          const member = members[part * width + width - 1]!;
          this.#words[VARYING[features.kind]] = member < 0 ? arcs.n + 1 : ends[member]!;
        }
        this.#addPart(features, first, amounts[part]!, into);
      }
    }
  }

  /** Places the part that m's arc owns; whether it is on here and not there. */
  #isNew(
    kind: Exclude<FeaturedKind, "sibling">,
    m: number,
    here: Neighbourhood,
    there: Neighbourhood,
  ): boolean {
    const words = this.#words;
    const before = this.#otherWords;
    if (!this.#placeOf(kind, m, there)) words[0] = -1;
    before.set(words);
    if (!this.#placeOf(kind, m, here)) return false;
    for (let k = 0; k < PART_WORDS[kind].length; k++) if (words[k] !== before[k]) return true;
    return false;
  }

  /** Adds the features of the part that is placed. */
  #addPart(features: PartFeatures, first: number, scale: number, into: SparseVector): void {
    const { kind } = features;
    const words = this.#words;
    const lines = this.#lines;
    const varying = VARYING[kind];
    features.fix(words, varying);
    const bucket = bucketOf(kind, words, this.#sentence!.n + 1);
    const count = features.lines(first, words[varying]!, directionsOf(kind, words), lines);
    for (let k = 0; k < count; k++) {
      into.add(lines[k]!, scale);
      into.add(lines[k]! + bucket, scale);
    }
  }

  /**
   * Sets `#words` to the words of a part in the order of `PART_WORDS`: to h, m and those of the members, in
   * their order.
   */
  #place(kind: FeaturedKind, h: number, m: number, first: number, second: number, third: number): void {
    const words = this.#words;
    const order = ORDER[kind];
    for (let k = 0; k < order.length; k++) {
      const from = order[k]!;
      words[k] = from === 0 ? h : from === 1 ? m : from === 2 ? first : from === 3 ? second : third;
    }
  }

  /** Places the one part of a kind that m's arc owns in a tree; false when there is none. */
  #placeOf(
    kind: Exclude<FeaturedKind, "sibling">,
    m: number,
    { heads, inner, outer }: Neighbourhood,
  ): boolean {
    const absent = heads.length;
    const h = heads[m]!;
    const g = h === 0 ? absent : heads[h]!;
    const hasGreat = h !== 0 && g !== 0;
    const besides = (neighbours: Int32Array, word: number) =>
      neighbours[word]! < 0 ? absent : neighbours[word]!;
    const s = besides(inner, m);
    switch (kind) {
      case "lastSibling":
        this.#place(kind, h, m, absent, absent, absent);
        return outer[m]! < 0;
      case "nextSibling":
        this.#place(kind, h, m, s, absent, absent);
        return true;
      case "grandparent":
      case "grandSibling":
        this.#place(kind, h, m, g, s, absent);
        return h !== 0;
      case "triSibling":
        this.#place(kind, h, m, s, s === absent ? absent : besides(inner, s), absent);
        return s !== absent;
      case "headBigram":
        this.#place(kind, h, m, m === 1 ? absent : heads[m - 1]!, absent, absent);
        return m > 1;
      case "greatGrandparent":
        this.#place(kind, h, m, g, hasGreat ? heads[g]! : absent, absent);
        return hasGreat;
      case "grandparentSibling":
        this.#place(kind, h, m, g, hasGreat ? heads[g]! : absent, hasGreat ? besides(inner, g) : absent);
        return hasGreat;
      case "outerSiblingGrandchild":
      case "innerSiblingGrandchild":
        this.#place(kind, h, m, g, besides(kind === "outerSiblingGrandchild" ? inner : outer, h), absent);
        return h !== 0;
    }
  }
}
