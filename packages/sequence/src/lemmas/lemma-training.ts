import { random, type Sentence } from "@arcwise/core";
import { exp } from "@arcwise/core/arithmetic";
import { quantize } from "@arcwise/core/container";
import { normalForm } from "@arcwise/core/features";
import { checkLearned, field } from "@arcwise/core/options";
import { yieldToEventLoop } from "@arcwise/learn";
import {
  type LemmaCandidate,
  LemmaCandidates,
  type LemmaQuery,
  MAX_BEGIN,
  MAX_END,
} from "./lemma-candidates.ts";
import { lemmaEdit } from "./lemma-edit.ts";
import { editText, LemmaLexicon, lemmaKey, MAX_FORMS, type TagLemmas } from "./lemma-lexicon.ts";
import { LEMMA_WEIGHTS, type LemmaException, type LemmaModel } from "./lemma-model.ts";
import { exceptionKey, Lemmatizer } from "./lemmatizer.ts";

/** A word as it occurs in a treebank, with the number of its occurrences. */
interface WordType extends LemmaQuery {
  readonly lemma: string;
  readonly count: number;
}

/** Options of `trainLemmas`. */
export interface LemmaTrainOptions {
  readonly epochs: number;
  readonly seed: number;
  /** Called now and then: the number of words done in an epoch, and of those the number of wrong ones. */
  readonly onProgress?:
    | ((progress: {
        readonly epoch: number;
        readonly done: number;
        readonly total: number;
        readonly errors: number;
      }) => void)
    | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Words between two reports of progress. */
const REPORTED = 500;

/** Size of steps (AdaGrad). */
const RATE = 0.15;
const DAMPING = 1e-2;
/** Candidates whose gradient is smaller are left alone: most weights stay 0. */
const MIN_GRADIENT = 1e-2;
/** Maximum length of what an edit of a single form adds. */
const MAX_SINGLE = 3;

/**
 * Trains a lemmatiser on the different words of a treebank: a softmax of the candidates of each (Müller et
 * al. 2015), by AdaGrad (Duchi et al. 2011). Whether other words have a lemma is a feature; a word does not
 * count itself, so that training is like the reading of new words. Words that the model gets wrong in the end
 * are kept as exceptions.
 *
 * O(epochs · different words · candidates).
 */
export async function trainLemmas(
  sentences: readonly Sentence[],
  { epochs, seed, onProgress, signal }: LemmaTrainOptions,
): Promise<LemmaModel> {
  const types = wordTypes(sentences);
  for (const { form, lemma, upos, feats = "" } of types) {
    for (const [at, text] of Object.entries({ form, lemma, upos, feats })) checkLearned(field, text, at);
  }
  const { tags, own } = lexiconOf(types);
  const weights = new Float32Array(LEMMA_WEIGHTS);
  const pause = yieldToEventLoop(signal);
  const learner = new LemmaLearner(new LemmaCandidates(new LemmaLexicon(tags), weights), weights);
  for (let epoch = 1; epoch <= epochs; epoch++) {
    const order = random(seed)
      .fork(ORDER)
      .fork(epoch)
      .shuffle(Int32Array.from(types, (_, i) => i));
    let errors = 0;
    for (const [k, i] of order.entries()) {
      const type = types[i];
      if (!learner.learn(type, own.get(type.form.toLowerCase())!)) errors++;
      const done = k + 1;
      const total = types.length;
      if (done % REPORTED === 0 || done === total) onProgress?.({ epoch, done, total, errors });
      await pause();
    }
  }
  const { values, scale } = quantize(weights);
  const model = { tags: capped(tags), weights: Float32Array.from(values, (byte) => byte * scale), scale };
  return { ...model, exceptions: exceptionsOf(types, model) };
}

/** Identifies the stream of random numbers for the order of words. */
const ORDER = 0x1e3a;

class LemmaLearner {
  readonly #candidates: LemmaCandidates;
  readonly #weights: Float32Array;
  readonly #squares = new Float32Array(LEMMA_WEIGHTS);

  constructor(candidates: LemmaCandidates, weights: Float32Array) {
    this.#candidates = candidates;
    this.#weights = weights;
  }

  /** Makes a step on a word that has a right candidate; returns whether it was right before. */
  learn(type: WordType, own: ReadonlySet<string>): boolean {
    const candidates = this.#candidates.of(type, own);
    const scores = candidates.map(({ score }) => score);
    const best = Math.max(...scores);
    const masses = scores.map((score) => exp(score - best));
    const total = masses.reduce((sum, mass) => sum + mass, 0);
    const isRight = ({ lemma }: LemmaCandidate) => lemma === type.lemma;
    const right = masses.reduce((sum, mass, k) => sum + (isRight(candidates[k]) ? mass : 0), 0);
    if (right === 0) return false;
    for (const [k, candidate] of candidates.entries()) {
      const gradient = masses[k] / total - (isRight(candidate) ? masses[k] / right : 0);
      if (Math.abs(gradient) >= MIN_GRADIENT) this.#step(candidate, gradient);
    }
    return isRight(candidates[scores.indexOf(best)]);
  }

  #step({ features }: LemmaCandidate, gradient: number): void {
    for (const list of features) {
      for (const feature of list) {
        this.#squares[feature] += gradient * gradient;
        this.#weights[feature] -= (RATE * gradient) / (Math.sqrt(this.#squares[feature]) + DAMPING);
      }
    }
  }
}

/** Returns the different words of sentences; words without a lemma say nothing about lemmas. */
function wordTypes(sentences: readonly Sentence[]): WordType[] {
  const types = new Map<string, WordType & { count: number }>();
  for (const { form: given, upos = "", feats = "", lemma: own } of sentences.flat()) {
    if (!own) continue;
    const form = normalForm(given);
    const lemma = normalForm(own);
    const key = `${exceptionKey({ form, upos, feats })}\t${lemma}`;
    const type = types.get(key);
    if (type === undefined) types.set(key, { form, upos, feats, lemma, count: 1 });
    else type.count++;
  }
  return [...types.values()];
}

/** Returns what words say about lemmas, and for each form in lower case the lemmas that it has. */
function lexiconOf(types: readonly WordType[]): {
  readonly tags: readonly TagLemmas[];
  readonly own: ReadonlyMap<string, ReadonlySet<string>>;
} {
  const byTag = new Map<string, { lemmas: Counts; begins: Counts; ends: Counts }>();
  const own = new Map<string, Set<string>>();
  for (const { form, upos, lemma } of types) {
    const { lemmas, begins, ends } = entry(byTag, upos, () => ({
      lemmas: new Map(),
      begins: new Map(),
      ends: new Map(),
    }));
    const lower = form.toLowerCase();
    entry(own, lower, () => new Set<string>()).add(lemmaKey(lemma, upos));
    entry(lemmas, lemma, () => new Set()).add(lower);
    const edit = lemmaEdit(form, lemma);
    if (edit === undefined) continue;
    if (edit.begin.cut.length <= MAX_BEGIN) entry(begins, editText(edit.begin), () => new Set()).add(lower);
    if (edit.end.cut.length <= MAX_END) entry(ends, editText(edit.end), () => new Set()).add(lower);
  }
  const tags = [...byTag].map(([upos, { lemmas, begins, ends }]) => ({
    upos,
    lemmas: [...lemmas.keys()],
    forms: Array.from(lemmas.values(), ({ size }) => size),
    begins: [...begins.keys()],
    ends: [...ends].flatMap(([text, { size }]) => (size > 1 || isShort(text) ? [text] : [])),
  }));
  return { tags, own };
}

/** The different forms of each key. */
type Counts = Map<string, Set<string>>;

/** Returns the entry of a map; makes it if it is missing. */
function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

/** Whether an edit changes the end, and adds little. */
function isShort(text: string): boolean {
  const tab = text.indexOf("\t");
  return tab > 0 && text.length - tab - 1 <= MAX_SINGLE;
}

function capped(tags: readonly TagLemmas[]): TagLemmas[] {
  return tags.map((tag) => ({ ...tag, forms: tag.forms.map((count) => Math.min(MAX_FORMS, count)) }));
}

/**
 * Returns the words that a model gets wrong: first forms in lower case, whose lemmas other forms have as well unless they
 * are exceptions themselves.
 */
function exceptionsOf(types: readonly WordType[], model: Omit<LemmaModel, "exceptions">): LemmaException[] {
  const groups = new Map<string, WordType[]>();
  for (const type of types)
    entry(groups, exceptionKey({ form: type.form, upos: type.upos }), () => []).push(type);
  const [lower, cased] = [true, false].map((isLower) =>
    [...groups.values()].filter(([{ form }]) => (form === form.toLowerCase()) === isLower),
  );
  const wrongOf = (all: readonly WordType[][], exceptions: readonly LemmaException[]) => {
    const lemmatizer = new Lemmatizer({ ...model, exceptions });
    return all.flatMap((group) => wrongTypes(group, lemmatizer));
  };
  const exceptions = wrongOf(lower, []);
  return [...exceptions, ...wrongOf(cased, exceptions)];
}

/**
 * Returns the exceptions of a form and tag: with the most frequent lemma if that is not found, then with the features for
 * which another lemma is more frequent.
 */
function wrongTypes(group: readonly WordType[], lemmatizer: Lemmatizer): LemmaException[] {
  const exceptions: LemmaException[] = [];
  const { form, upos, feats } = group.reduce((most, type) => (type.count > most.count ? type : most));
  const lemma = mostFrequent(group);
  const isException = lemmatizer.lemma({ form, upos, feats }) !== lemma;
  if (isException) exceptions.push({ form, upos, lemma });
  for (const own of new Set(group.map((type) => type.feats))) {
    const wanted = mostFrequent(group.filter((type) => type.feats === own));
    const found = isException ? lemma : lemmatizer.lemma({ form, upos, feats: own });
    if (found !== wanted) exceptions.push({ form, upos, feats: own, lemma: wanted });
  }
  return exceptions;
}

/** Returns the lemma that words have most often, the first of several. */
function mostFrequent(types: readonly WordType[]): string {
  const counts = new Map<string, number>();
  for (const { lemma, count } of types) counts.set(lemma, (counts.get(lemma) ?? 0) + count);
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
}
