import {
  type Arcs,
  arcsByHead,
  type PartKind,
  type PartTable,
  partLayout,
  type SparseVector,
} from "@arcwise/core";
import {
  type EncodedSentence,
  PartFeatures,
  type PartRun,
  type Template,
  type WeightTable,
} from "@arcwise/core/features";
import type { FeatureChange, TreePair } from "../tree-pair.ts";
import {
  bucketOf,
  endOfRun,
  findPart,
  type Neighbourhood,
  neighbourhood,
  type PartWords,
  partWords,
} from "./part-words.ts";

/** For each kind of parts of a model, its feature templates. */
export type PartTemplates = Readonly<Partial<Record<PartKind, readonly Template[]>>>;

/** The features of the parts of one kind, and the indices of their words. */
interface ScoredKind {
  readonly features: PartFeatures;
  readonly at: PartWords;
}

/** Maximum number of words of a part, and of its arcs. */
const MAX_WORDS = 5;

/** The parts of a run; its arrays may be longer than it is. */
interface Run extends PartRun {
  size: number;
}

function emptyRun(capacity: number): Run {
  const words = new Int32Array(capacity);
  return { size: 0, words, directions: new Int32Array(capacity), buckets: new Int32Array(capacity) };
}

/** Scores the parts of the kinds of a model over the candidate arcs of a sentence. */
export class PartScorer {
  readonly kinds: readonly PartKind[];
  readonly #scored: readonly ScoredKind[];
  /** The words of the current part, and of another one. */
  readonly #words = new Int32Array(MAX_WORDS);
  readonly #otherWords = new Int32Array(MAX_WORDS);
  readonly #arcs = new Int32Array(MAX_WORDS);
  #run = emptyRun(64);
  readonly #lines: Int32Array;
  /** The sentence that the features are prepared for. */
  #sentence: EncodedSentence | undefined;

  /** @param lineBits the table has 2^lineBits lines of `PART_LINE` weights */
  constructor(templates: PartTemplates, lineBits: number) {
    this.kinds = Object.keys(templates) as PartKind[];
    this.#scored = this.kinds.map((kind) => ({
      features: new PartFeatures(kind, templates[kind]!, lineBits),
      at: partWords(kind),
    }));
    this.#lines = new Int32Array(Math.max(0, ...this.#scored.map(({ features }) => features.width)));
  }

  /** Returns the complete tables of some kinds of the model, by default all. O(parts · templates). */
  score(sentence: EncodedSentence, arcs: Arcs, weights: WeightTable, kinds = this.kinds): PartTable[] {
    if (kinds.length === 0) return [];
    this.#use(sentence);
    const byHead = arcsByHead(arcs);
    const chosen = this.#scored.filter(({ at }) => kinds.includes(at.kind));
    return chosen.map((kind) => {
      const table = partLayout(kind.at.kind, arcs, byHead);
      for (let arc = 0; arc < arcs.head.length; arc++) this.#scoreOwner(kind, table, arcs, arc, weights);
      return table;
    });
  }

  /** Prepares the features for a sentence, unless it is the current one. */
  #use(sentence: EncodedSentence): void {
    if (this.#sentence === sentence) return;
    this.#sentence = sentence;
    for (const { features } of this.#scored) features.prepare(sentence);
  }

  /**
   * Scores the parts that an arc owns, run by run: in a run all words except one are the same, so that their
   * codes are joined once.
   */
  #scoreOwner(
    { features, at }: ScoredKind,
    { start, members, scores }: PartTable,
    arcs: Arcs,
    arc: number,
    weights: WeightTable,
  ): void {
    const width = at.members.length;
    const end = start[arc + 1];
    for (let part = start[arc]; part < end; ) {
      this.#placeFixed(at, arcs, arc, members, part * width);
      features.fix(this.#words, at.varying);
      const size = endOfRun(members, width, part, end) - part;
      this.#fillRun(at, arcs, members, part, size);
      features.scoreRun(weights, this.#run, scores, part);
      part += size;
    }
  }

  /** Fills `#run` with the varying word of each of `size` parts from `part` on, and what follows from it. */
  #fillRun(at: PartWords, arcs: Arcs, members: Int32Array, part: number, size: number): void {
    const { varying, directions } = at;
    const width = at.members.length;
    if (this.#run.words.length < size) this.#run = emptyRun(2 * size);
    const run = this.#run;
    run.size = size;
    const words = this.#words;
    const absent = arcs.n + 1;
    const ends = at.addsHead[width - 1] ? arcs.head : arcs.modifier;
    const bucketVaries = at.distant === varying;
    let pattern = directions(words);
    let bucket = bucketOf(at, words, absent);
    for (let k = 0; k < size; k++) {
      if (width > 0) {
        const member = members[(part + k + 1) * width - 1];
        words[varying] = member < 0 ? absent : ends[member];
        if (varying === 0) pattern = directions(words);
        else if (bucketVaries) bucket = bucketOf(at, words, absent);
      }
      run.words[k] = words[varying];
      run.directions[k] = pattern;
      run.buckets[k] = bucket;
    }
  }

  /**
   * Places the words that are the same in a run: the words of its arc and of all its members but the last, whose
   * word is left absent.
   */
  #placeFixed(
    at: PartWords,
    { n, head, modifier }: Arcs,
    arc: number,
    members: Int32Array,
    from: number,
  ): void {
    const words = this.#words;
    const last = at.members.length - 1;
    for (let k = 0; k < last; k++) {
      const member = members[from + k];
      words[at.memberIndex[k]] = at.addsHead[k] ? head[member] : modifier[member];
    }
    if (last >= 0) words[at.varying] = n + 1;
    words[at.head] = head[arc];
    words[at.modifier] = modifier[arc];
  }

  /**
   * Adds the features of the parts that are on in a tree of a sentence and not in another tree.
   * O(n · templates); arbitrary siblings: O(pairs of modifiers · templates).
   */
  addFeatures(
    sentence: EncodedSentence,
    { heads, than }: TreePair,
    change: FeatureChange,
    into: SparseVector,
  ): void {
    if (this.kinds.length === 0) return;
    const { first, scale } = change;
    this.#use(sentence);
    const here = neighbourhood(heads);
    const there = neighbourhood(than);
    for (const kind of this.#scored) {
      for (let m = 1; m <= sentence.n; m++) {
        if (kind.at.many) this.#addSiblings(kind, m, { here, than }, change, into);
        else if (this.#isNew(kind.at, m, here, there)) this.#addPart(kind, first, scale, into);
      }
    }
  }

  /** Adds the features of m with each sibling nearer to its head, unless another tree has both arcs. */
  #addSiblings(
    kind: ScoredKind,
    m: number,
    { here: { heads, inner }, than }: { readonly here: Neighbourhood; readonly than: Int32Array },
    { first, scale }: FeatureChange,
    into: SparseVector,
  ): void {
    const { at } = kind;
    const words = this.#words;
    const h = heads[m];
    for (let s = inner[m]; s >= 0; s = inner[s]) {
      if (than[m] === h && than[s] === h) continue;
      words[at.head] = h;
      words[at.modifier] = m;
      words[at.varying] = s;
      this.#addPart(kind, first, scale, into);
    }
  }

  /** Places the part that m's arc owns; returns whether it is on here and not there. */
  #isNew(at: PartWords, m: number, here: Neighbourhood, there: Neighbourhood): boolean {
    const words = this.#words;
    const before = this.#otherWords;
    const wasOn = findPart(at, m, there, before, this.#arcs);
    if (!findPart(at, m, here, words, this.#arcs)) return false;
    if (!wasOn) return true;
    for (let k = 0; k < at.count; k++) if (words[k] !== before[k]) return true;
    return false;
  }

  /** Adds the features of the part that is placed. */
  #addPart({ features, at }: ScoredKind, first: number, scale: number, into: SparseVector): void {
    const words = this.#words;
    const lines = this.#lines;
    features.fix(words, at.varying);
    const bucket = bucketOf(at, words, this.#sentence!.n + 1);
    const count = features.lines(first, words[at.varying], at.directions(words), lines);
    for (let k = 0; k < count; k++) {
      into.add(lines[k], scale);
      into.add(lines[k] + bucket, scale);
    }
  }
}
