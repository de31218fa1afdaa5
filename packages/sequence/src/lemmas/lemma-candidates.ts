import { emptyHash, extend, hashString, hashWith, mix } from "@arcwise/core/features";
import type { EndEdit } from "./lemma-edit.ts";
import {
  BEGIN,
  END,
  type HashedEdit,
  hashedEdit,
  type LemmaLexicon,
  MIN_STEM,
  type TagLexicon,
} from "./lemma-lexicon.ts";

/** A word whose lemma is looked for. */
export interface LemmaQuery {
  readonly form: string;
  readonly upos: string;
  readonly feats: string;
}

/** A lemma that a word may have. */
export interface LemmaCandidate {
  readonly lemma: string;
  readonly score: number;
  /** Its features, as indices of weights, in lists that candidates share. */
  readonly features: readonly (readonly number[])[];
}

/** Binary logarithm of the number of weights. */
export const LEMMA_BITS = 17;

/** Maximum lengths of what an edit cuts at the beginning and at the end of a form. */
export const MAX_BEGIN = 6;
export const MAX_END = 16;
/** Maximum length of what is cut to reach a lemma of the treebank by an edit that no other word has. */
const MAX_LEXICAL = 7;
/** Maximum lengths of beginnings and ends of forms and lemmas that are features. */
const PREFIX = 6;
const TAGGED_PREFIX = 4;
const SUFFIX = 7;
const FULL_SUFFIX = 4;
const LEMMA_SUFFIX = 4;

/** Kinds of features and of their parts, which seed the hashes of their texts, in addition to the kinds of edits. */
const TAG = 2;
const FORM_PREFIX = 3;
const FEATS = 5;
const FORM_SUFFIX = 6;
const CUT_LENGTH = 9;
const KNOWN = 10;
const KNOWN_END = 11;
const ELSEWHERE = 12;
const LOWER = 13;
const ENDING = 14;
const STEM = 15;

/** Hashes of small numbers, by the number: features have them as texts. */
const hashesOf = (most: number, kind: number) =>
  Int32Array.from({ length: most + 1 }, (_, number) => hashString(String(number), kind));
const MAX_KNOWN = 3;
const MAX_STEM = 4;
const KNOWN_HASHES = hashesOf(MAX_KNOWN, KNOWN);
const KNOWN_END_HASHES = hashesOf(MAX_KNOWN, KNOWN_END);
const STEM_HASHES = hashesOf(MAX_STEM, STEM);
const CUT_LENGTH_HASHES = hashesOf(MAX_END, CUT_LENGTH);

/** Hashes of whether words with another tag have a lemma (2), and of whether words with this tag do (1). */
const ELSEWHERE_HASHES = [false, true].flatMap((elsewhere) =>
  [false, true].map((here) => hashString(`${elsewhere} ${here}`, ELSEWHERE)),
);
/** Hashes of whether the form is in lower case. */
const LOWERED = hashString("true", LOWER);
const AS_WRITTEN = hashString("false", LOWER);

/** Hashes that the features of all candidates of a word share. */
interface WordHashes {
  readonly upos: number;
  readonly feats: number;
  /** Those of the beginnings and ends of the form in lower case, by their lengths less 1. */
  readonly prefixes: readonly number[];
  readonly suffixes: readonly number[];
  /** That of whether the form is in lower case. */
  readonly lowered: number;
}

function hashesOfWord({ form, upos, feats }: LemmaQuery, base: string): WordHashes {
  const lower = base.toLowerCase();
  const { length } = lower;
  const prefixes: number[] = [];
  const suffixes: number[] = [];
  for (let end = 1; end <= Math.min(PREFIX, length); end++)
    prefixes.push(hashString(lower, FORM_PREFIX, 0, end));
  for (let count = 1; count <= Math.min(SUFFIX, length); count++)
    suffixes.push(hashString(lower, FORM_SUFFIX, length - count));
  return {
    upos: hashString(upos, TAG),
    feats: hashString(feats, FEATS),
    prefixes,
    suffixes,
    lowered: base === form ? AS_WRITTEN : LOWERED,
  };
}

/** Maximum number of features of one list. */
const MAX_FEATURES = 32;

/** Features, as indices of weights, in scratch memory. */
class FeatureList {
  readonly #indices = new Int32Array(MAX_FEATURES);
  #size = 0;

  clear(): void {
    this.#size = 0;
  }

  /** Adds a feature by its hash. */
  add(hash: number): void {
    this.#indices[this.#size++] = (Math.imul(hash, 0x9e3779b1) >>> 0) >>> (32 - LEMMA_BITS);
  }

  sum(weights: Float32Array): number {
    let sum = 0;
    for (let k = 0; k < this.#size; k++) sum += weights[this.#indices[k]];
    return sum;
  }

  copy(): number[] {
    const features: number[] = [];
    for (let k = 0; k < this.#size; k++) features.push(this.#indices[k]);
    return features;
  }
}

/** A change of one end of a form, with the sum of the weights of its features. */
interface ScoredEdit {
  readonly edit: HashedEdit;
  readonly score: number;
  /** The features; empty if they are not wanted. */
  readonly features: readonly number[];
}

const NO_FEATURES: readonly number[] = [];
const NO_LISTS: readonly (readonly number[])[] = [];

/** A lemma before its string is made. */
interface UnjoinedLemma {
  /** A form with its beginning changed. */
  readonly rest: string;
  /** Number of code units of `rest` that the lemma begins with. */
  readonly kept: number;
  /** The text that follows them. */
  readonly add: string;
}

function joined({ rest, kept, add }: UnjoinedLemma): string {
  return rest.slice(0, kept) + add;
}

/** Receives candidates. */
interface CandidateSink {
  readonly wantsFeatures: boolean;
  /** @param lemma scratch memory */
  receive(lemma: UnjoinedLemma, score: number, features: LemmaCandidate["features"]): void;
}

/** A form with its beginning changed, and the hashes of what it begins with, by their lengths. */
interface ChangedBeginning {
  readonly rest: string;
  readonly hashes: Int32Array;
}

/**
 * Finds the lemmas that a word may have and scores them by a linear model, as Lemming does (Müller et al.
 * 2015): its features are features of the changes of beginning and end, of the lemma's ending, and whether
 * other words of the treebank have the lemma.
 */
export class LemmaCandidates {
  readonly #lexicon: LemmaLexicon;
  readonly #weights: Float32Array;
  readonly #list = new FeatureList();
  /** Scratch memory: hashes of beginnings. */
  #hashes = new Int32Array(64);

  constructor(lexicon: LemmaLexicon, weights: Float32Array) {
    this.#lexicon = lexicon;
    this.#weights = weights;
  }

  /**
   * Returns the candidates of a word, which always include the form itself. O(edits of its beginning · edits
   * of its end), where what an edit cuts has a maximum length.
   *
   * @param own keys of lemmas that are known from the form itself only: in training they count as unknown
   */
  of(query: LemmaQuery, own?: ReadonlySet<string>): LemmaCandidate[] {
    const found: LemmaCandidate[] = [];
    const receive: CandidateSink["receive"] = (lemma, score, features) => {
      found.push({ lemma: joined(lemma), score, features });
    };
    this.#visit(query, own, { wantsFeatures: true, receive });
    return found;
  }

  /** Returns the lemma of the candidate with the highest score, the first of several. Cost as of `of`. */
  best(query: LemmaQuery): string {
    let best = query.form;
    let most = -Infinity;
    const receive: CandidateSink["receive"] = (lemma, score) => {
      if (score <= most) return;
      most = score;
      best = joined(lemma);
    };
    this.#visit(query, undefined, { wantsFeatures: false, receive });
    return best;
  }

  #visit(query: LemmaQuery, own: ReadonlySet<string> | undefined, sink: CandidateSink): void {
    const { form, upos } = query;
    const tag = this.#lexicon.tag(upos);
    const lower = form.toLowerCase();
    this.#visitBase(query, form, tag, own, sink);
    if (lower !== form) this.#visitBase(query, lower, tag, own, sink);
  }

  /** @param base the form, or the form in lower case */
  #visitBase(
    query: LemmaQuery,
    base: string,
    tag: TagLexicon | undefined,
    own: ReadonlySet<string> | undefined,
    sink: CandidateSink,
  ): void {
    const hashes = hashesOfWord(query, base);
    const list = this.#list;
    const begins = beginEdits(base, tag).map((edit) => this.#scored(edit, BEGIN, hashes, sink));
    const ends = this.#endEdits(base, begins, query, tag, own).map((edit) =>
      this.#scored(edit, END, hashes, sink),
    );
    const { wantsFeatures } = sink;
    const lemma = { rest: "", kept: 0, add: "" };
    for (const begin of begins) {
      const beginning = this.#changed(base, begin.edit);
      lemma.rest = beginning.rest;
      for (const end of ends) {
        const { cut, add } = end.edit;
        const stem = base.length - begin.edit.cut.length - cut.length;
        lemma.kept = begin.edit.add.length + stem;
        lemma.add = add;
        if (stem < 0 || lemma.kept + add.length === 0) continue;
        let hash = beginning.hashes[lemma.kept];
        for (let k = 0; k < add.length; k++) hash = hashWith(hash, add.charCodeAt(k));
        const known = this.#lexicon.mayHave(hash) ? this.#lexicon.forms(joined(lemma), own) : undefined;
        list.clear();
        addLemmaFeatures(list, { lemma, end: end.edit, stem, upos: query.upos, known }, hashes);
        const score = begin.score + end.score + list.sum(this.#weights);
        sink.receive(lemma, score, wantsFeatures ? [begin.features, end.features, list.copy()] : NO_LISTS);
      }
    }
  }

  /** Changes the beginning of a form. The hashes are scratch memory. */
  #changed(base: string, { cut, add }: EndEdit): ChangedBeginning {
    const rest = add + base.slice(cut.length);
    if (this.#hashes.length <= rest.length) this.#hashes = new Int32Array(2 * rest.length + 1);
    const hashes = this.#hashes;
    hashes[0] = emptyHash();
    for (let k = 0; k < rest.length; k++) hashes[k + 1] = hashWith(hashes[k], rest.charCodeAt(k));
    return { rest, hashes };
  }

  /** Returns the changes of the end that words of the treebank have, and those that lead to its lemmas. */
  #endEdits(
    base: string,
    begins: readonly ScoredEdit[],
    { upos }: LemmaQuery,
    tag: TagLexicon | undefined,
    own: ReadonlySet<string> | undefined,
  ): HashedEdit[] {
    const edits = [NO_END];
    if (tag === undefined) return edits;
    let ending = emptyHash();
    for (let cut = 0; cut <= Math.min(MAX_END, base.length); cut++) {
      if (cut > 0) ending = hashWith(ending, base.charCodeAt(base.length - cut));
      if (!tag.ends.mayHave(ending)) continue;
      for (const edit of tag.ends.get(base.slice(base.length - cut)) ?? []) addEdit(edits, edit);
    }
    for (const { edit: begin } of begins) {
      const { rest, hashes } = this.#changed(base, begin);
      const least = Math.max(MIN_STEM, begin.add.length + LOOSE_BEGIN, rest.length - MAX_LEXICAL);
      for (let length = rest.length; length >= least; length--) {
        tag.stems.visit(rest, length, hashes[length], (lemma) => {
          if ((this.#lexicon.forms(lemma, own)?.get(upos) ?? 0) === 0) return;
          addEdit(edits, { cut: rest.slice(length), add: lemma.slice(length) });
        });
      }
    }
    return edits;
  }

  #scored(
    edit: HashedEdit,
    kind: typeof BEGIN | typeof END,
    hashes: WordHashes,
    { wantsFeatures }: CandidateSink,
  ): ScoredEdit {
    const list = this.#list;
    list.clear();
    if (kind === BEGIN) addBeginFeatures(list, edit, hashes);
    else addEndFeatures(list, edit, hashes);
    const features = wantsFeatures ? list.copy() : NO_FEATURES;
    return { edit, score: list.sum(this.#weights), features };
  }
}

const NOTHING: EndEdit = { cut: "", add: "" };
const NO_BEGIN = hashedEdit(NOTHING, BEGIN);
const NO_END = hashedEdit(NOTHING, END);
/** Letters after the changed beginning that a lemma of the treebank must share. */
const LOOSE_BEGIN = 2;

/** Adds an edit of the end of a form to a list that does not have it. Cuts of one length are the same. */
function addEdit(edits: HashedEdit[], edit: EndEdit | HashedEdit): void {
  const { length } = edit.cut;
  for (const { cut, add } of edits) if (cut.length === length && add === edit.add) return;
  edits.push("hash" in edit ? edit : hashedEdit(edit, END));
}

function beginEdits(base: string, tag: TagLexicon | undefined): HashedEdit[] {
  const edits = [NO_BEGIN];
  if (tag === undefined) return edits;
  let beginning = emptyHash();
  for (let cut = 0; cut <= Math.min(MAX_BEGIN, base.length - 1); cut++) {
    if (cut > 0) beginning = hashWith(beginning, base.charCodeAt(cut - 1));
    if (!tag.begins.mayHave(beginning)) continue;
    for (const edit of tag.begins.get(base.slice(0, cut)) ?? []) {
      if (edit.cut !== "" || edit.add !== "") edits.push(edit);
    }
  }
  return edits;
}

function addBeginFeatures(
  list: FeatureList,
  { hash }: HashedEdit,
  { upos: tagHash, prefixes }: WordHashes,
): void {
  const tagged = extend(hash, tagHash);
  list.add(hash);
  list.add(tagged);
  for (let k = 0; k < prefixes.length; k++) {
    list.add(extend(hash, prefixes[k]));
    if (k > 0 && k < TAGGED_PREFIX) list.add(extend(tagged, prefixes[k]));
  }
}

function addEndFeatures(
  list: FeatureList,
  { cut, hash, cutHash, addHash }: HashedEdit,
  { upos: tagHash, feats: featsHash, suffixes }: WordHashes,
): void {
  const tagged = extend(hash, tagHash);
  const full = extend(tagged, featsHash);
  list.add(hash);
  list.add(tagged);
  list.add(full);
  list.add(extend(cutHash, tagHash));
  list.add(extend(extend(cutHash, tagHash), featsHash));
  list.add(extend(addHash, tagHash));
  list.add(extend(extend(addHash, tagHash), featsHash));
  list.add(extend(CUT_LENGTH_HASHES[cut.length], tagHash));
  for (let k = 0; k < suffixes.length; k++) {
    list.add(extend(hash, suffixes[k]));
    list.add(extend(tagged, suffixes[k]));
    if (k < FULL_SUFFIX) list.add(extend(full, suffixes[k]));
  }
}

/** A lemma by a change of the end of a form. */
interface LemmaOfEdit extends Pick<LemmaQuery, "upos"> {
  readonly lemma: UnjoinedLemma;
  readonly end: HashedEdit;
  /** Length of what the form keeps. */
  readonly stem: number;
  /** How many forms of words have the lemma, by their tags. */
  readonly known: ReadonlyMap<string, number> | undefined;
}

function addLemmaFeatures(
  list: FeatureList,
  { lemma, end, stem, upos, known }: LemmaOfEdit,
  { upos: tagHash, feats: featsHash, lowered: caseHash }: WordHashes,
): void {
  const forms = known?.get(upos) ?? 0;
  const log = Math.min(MAX_KNOWN, 32 - Math.clz32(forms));
  const knownHash = KNOWN_HASHES[log];
  const elsewhere = known !== undefined && hasElsewhere(known, upos);
  list.add(knownHash);
  list.add(extend(knownHash, tagHash));
  list.add(ELSEWHERE_HASHES[(elsewhere ? 2 : 0) + (forms > 0 ? 1 : 0)]);
  list.add(caseHash);
  list.add(extend(caseHash, tagHash));
  list.add(extend(STEM_HASHES[Math.min(MAX_STEM, stem)], tagHash));
  if (forms > 0) list.add(extend(KNOWN_END_HASHES[log], end.hash));
  const { rest, kept, add } = lemma;
  for (let length = 1; length <= Math.min(LEMMA_SUFFIX, kept + add.length); length++) {
    let hash = emptyHash(ENDING);
    for (let k = kept + Math.min(0, add.length - length); k < kept; k++)
      hash = hashWith(hash, rest.charCodeAt(k));
    for (let k = Math.max(0, add.length - length); k < add.length; k++)
      hash = hashWith(hash, add.charCodeAt(k));
    const ending = extend(mix(hash), tagHash);
    list.add(ending);
    list.add(extend(ending, featsHash));
  }
}

/** Returns whether words with another tag have a lemma. */
function hasElsewhere(known: ReadonlyMap<string, number>, upos: string): boolean {
  for (const [other, count] of known) if (other !== upos && count > 0) return true;
  return false;
}
