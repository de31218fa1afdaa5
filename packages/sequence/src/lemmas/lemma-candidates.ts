import { extend, hashString } from "@arcwise/core/features";
import type { EndEdit } from "./lemma-edit.ts";
import { editText, type LemmaLexicon, MIN_STEM, type TagLexicon } from "./lemma-lexicon.ts";

/** A word whose lemma is looked for. */
export interface LemmaQuery {
  readonly form: string;
  readonly upos: string;
  readonly feats: string;
}

/** A lemma by a change of the end of a form. */
interface LemmaOfEdit extends Pick<LemmaQuery, "upos"> {
  readonly lemma: string;
  readonly end: EndEdit;
  /** Length of what the form keeps. */
  readonly stem: number;
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

/** Kinds of features and of their parts, which seed the hashes of their texts. */
const BEGIN = 1;
const TAG = 2;
const FORM_PREFIX = 3;
const END = 4;
const FEATS = 5;
const FORM_SUFFIX = 6;
const CUT = 7;
const ADD = 8;
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

/** What the features of all candidates of a word share. */
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
  const upTo = (most: number, hashOf: (length: number) => number) =>
    Array.from({ length: Math.min(most, lower.length) }, (_, k) => hashOf(k + 1));
  return {
    upos: hashString(upos, TAG),
    feats: hashString(feats, FEATS),
    prefixes: upTo(PREFIX, (length) => hashString(lower.slice(0, length), FORM_PREFIX)),
    suffixes: upTo(SUFFIX, (length) => hashString(lower.slice(-length), FORM_SUFFIX)),
    lowered: hashString(String(base !== form), LOWER),
  };
}

/** A change of one end of a form, with its features and the sum of their weights. */
interface ScoredEdit extends EndEdit {
  readonly features: readonly number[];
  readonly score: number;
}

/**
 * Finds the lemmas that a word may have and scores them by a linear model, as Lemming does (Müller et al.
 * 2015): its features are those of the changes of beginning and end, of the lemma's ending, and whether
 * other words of the treebank have the lemma.
 */
export class LemmaCandidates {
  readonly #lexicon: LemmaLexicon;
  readonly #weights: Float32Array;

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
    const { form, upos } = query;
    const tag = this.#lexicon.tag(upos);
    const lower = form.toLowerCase();
    const found = this.#candidates(query, form, tag, own);
    if (lower === form) return found;
    return [...found, ...this.#candidates(query, lower, tag, own)];
  }

  /** @param base the form, or the form in lower case */
  #candidates(
    query: LemmaQuery,
    base: string,
    tag: TagLexicon | undefined,
    own: ReadonlySet<string> | undefined,
  ): LemmaCandidate[] {
    const hashes = hashesOfWord(query, base);
    const begins = beginEdits(base, tag).map((edit) => this.#scored(edit, beginFeatures(edit, hashes)));
    const ends = this.#endEdits(base, begins, query, tag, own).map((edit) =>
      this.#scored(edit, endFeatures(edit, hashes)),
    );
    const candidates: LemmaCandidate[] = [];
    for (const begin of begins) {
      for (const end of ends) {
        const stem = base.length - begin.cut.length - end.cut.length;
        if (stem < 0) continue;
        const lemma = begin.add + base.slice(begin.cut.length, begin.cut.length + stem) + end.add;
        if (lemma === "") continue;
        const features = this.#lemmaFeatures({ lemma, end, stem, upos: query.upos }, hashes, own);
        const score = begin.score + end.score + this.#sum(features);
        candidates.push({ lemma, score, features: [begin.features, end.features, features] });
      }
    }
    return candidates;
  }

  /** Returns the changes of the end that words of the treebank have, and those that lead to its lemmas. */
  #endEdits(
    base: string,
    begins: readonly EndEdit[],
    { upos }: LemmaQuery,
    tag: TagLexicon | undefined,
    own: ReadonlySet<string> | undefined,
  ): EndEdit[] {
    const edits = new Map<string, EndEdit>([["\t", NOTHING]]);
    if (tag === undefined) return [...edits.values()];
    for (let cut = 0; cut <= Math.min(MAX_END, base.length); cut++) {
      for (const edit of tag.ends.get(base.slice(base.length - cut)) ?? []) edits.set(editText(edit), edit);
    }
    for (const begin of begins) {
      const rest = begin.add + base.slice(begin.cut.length);
      const least = Math.max(MIN_STEM, begin.add.length + LOOSE_BEGIN, rest.length - MAX_LEXICAL);
      for (let length = rest.length; length >= least; length--) {
        for (const lemma of tag.stems.get(rest.slice(0, length)) ?? []) {
          if (this.#lexicon.forms(lemma, upos, own) === 0) continue;
          const edit = { cut: rest.slice(length), add: lemma.slice(length) };
          edits.set(editText(edit), edit);
        }
      }
    }
    return [...edits.values()];
  }

  #lemmaFeatures(
    { lemma, end, stem, upos }: LemmaOfEdit,
    { upos: ofTag, feats: ofFeats, lowered: ofCase }: WordHashes,
    own: ReadonlySet<string> | undefined,
  ): number[] {
    const forms = this.#lexicon.forms(lemma, upos, own);
    const known = Math.min(MAX_KNOWN, 32 - Math.clz32(forms));
    const ofKnown = KNOWN_HASHES[known]!;
    const elsewhere = this.#lexicon.hasElsewhere(lemma, upos, own);
    const codes = [
      ofKnown,
      extend(ofKnown, ofTag),
      hashString(`${elsewhere} ${forms > 0}`, ELSEWHERE),
      ofCase,
      extend(ofCase, ofTag),
      extend(STEM_HASHES[Math.min(MAX_STEM, stem)]!, ofTag),
    ];
    if (forms > 0) codes.push(extend(KNOWN_END_HASHES[known]!, hashString(editText(end), END)));
    for (let length = 1; length <= Math.min(LEMMA_SUFFIX, lemma.length); length++) {
      const ending = extend(hashString(lemma.slice(-length), ENDING), ofTag);
      codes.push(ending, extend(ending, ofFeats));
    }
    return codes.map(indexOf);
  }

  #scored({ cut, add }: EndEdit, codes: readonly number[]): ScoredEdit {
    const features = codes.map(indexOf);
    return { cut, add, features, score: this.#sum(features) };
  }

  #sum(features: readonly number[]): number {
    let sum = 0;
    for (const feature of features) sum += this.#weights[feature]!;
    return sum;
  }
}

const NOTHING: EndEdit = { cut: "", add: "" };
/** Letters after the changed beginning that a lemma of the treebank must share. */
const LOOSE_BEGIN = 2;

function beginEdits(base: string, tag: TagLexicon | undefined): EndEdit[] {
  const edits = [NOTHING];
  if (tag === undefined) return edits;
  for (let cut = 0; cut <= Math.min(MAX_BEGIN, base.length - 1); cut++) {
    for (const edit of tag.begins.get(base.slice(0, cut)) ?? []) {
      if (edit.cut !== "" || edit.add !== "") edits.push(edit);
    }
  }
  return edits;
}

function beginFeatures(edit: EndEdit, { upos: ofTag, prefixes }: WordHashes): number[] {
  const ofEdit = hashString(editText(edit), BEGIN);
  const tagged = extend(ofEdit, ofTag);
  const codes = [ofEdit, tagged];
  for (const [k, prefix] of prefixes.entries()) {
    codes.push(extend(ofEdit, prefix));
    if (k > 0 && k < TAGGED_PREFIX) codes.push(extend(tagged, prefix));
  }
  return codes;
}

function endFeatures(edit: EndEdit, { upos: ofTag, feats: ofFeats, suffixes }: WordHashes): number[] {
  const ofEdit = hashString(editText(edit), END);
  const tagged = extend(ofEdit, ofTag);
  const full = extend(tagged, ofFeats);
  const cut = extend(hashString(edit.cut, CUT), ofTag);
  const add = extend(hashString(edit.add, ADD), ofTag);
  const length = extend(CUT_LENGTH_HASHES[edit.cut.length]!, ofTag);
  const codes = [ofEdit, tagged, full, cut, extend(cut, ofFeats), add, extend(add, ofFeats), length];
  for (const [k, suffix] of suffixes.entries()) {
    codes.push(extend(ofEdit, suffix), extend(tagged, suffix));
    if (k < FULL_SUFFIX) codes.push(extend(full, suffix));
  }
  return codes;
}

/** Returns the weight of a feature. */
function indexOf(code: number): number {
  return (Math.imul(code, 0x9e3779b1) >>> 0) >>> (32 - LEMMA_BITS);
}
