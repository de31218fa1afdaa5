import type { Word } from "@arcwise/core";
import { normalForm } from "@arcwise/core/features";
import { LemmaCandidates } from "./lemma-candidates.ts";
import { LemmaLexicon } from "./lemma-lexicon.ts";
import type { LemmaModel } from "./lemma-model.ts";

/** Words whose lemmas are remembered. */
const REMEMBERED = 2 ** 14;

/** Finds lemmas. Not for concurrent use. */
export class Lemmatizer {
  readonly #candidates: LemmaCandidates;
  /** Exceptions by form and tag, and by form, tag and features. */
  readonly #exceptions: ReadonlyMap<string, string>;
  /** The forms of exceptions. */
  readonly #exceptional: ReadonlySet<string>;
  readonly #memory = new Map<string, string>();

  constructor({ tags, exceptions, weights }: LemmaModel) {
    this.#candidates = new LemmaCandidates(new LemmaLexicon(tags), weights);
    this.#exceptions = new Map(exceptions.map(({ lemma, ...query }) => [exceptionKey(query), lemma]));
    this.#exceptional = new Set(exceptions.map(({ form }) => form));
  }

  /**
   * Returns the lemma of a word by its form, universal tag and features: the lemma of an exception, or else
   * the one with the highest score.
   */
  lemma({ form: given, upos = "", feats = "" }: Pick<Word, "form" | "upos" | "feats">): string {
    const form = normalForm(given);
    const key = exceptionKey({ form, upos, feats });
    const known = this.#memory.get(key);
    if (known !== undefined) return known;
    const lemma = this.#exception(form, upos, feats) ?? this.#candidates.best({ form, upos, feats });
    if (this.#memory.size >= REMEMBERED) this.#memory.clear();
    this.#memory.set(key, lemma);
    return lemma;
  }

  /** The lemma of an exception, of the form or else of the form in lower case. */
  #exception(form: string, upos: string, feats: string): string | undefined {
    for (const cased of [form, form.toLowerCase()]) {
      if (!this.#exceptional.has(cased)) continue;
      const lemma =
        this.#exceptions.get(exceptionKey({ form: cased, upos, feats })) ??
        this.#exceptions.get(exceptionKey({ form: cased, upos }));
      if (lemma !== undefined) return lemma;
    }
    return undefined;
  }
}

/** The key of an exception for a form with a tag, and for one with features. */
export function exceptionKey({
  form,
  upos,
  feats,
}: {
  readonly form: string;
  readonly upos: string;
  readonly feats?: string | undefined;
}): string {
  return feats === undefined ? `${form}\t${upos}` : `${form}\t${upos}\t${feats}`;
}
