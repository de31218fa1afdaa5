import type { Word } from "@arcwise/core";
import { normalForm } from "@arcwise/core/features";
import { LemmaCandidates } from "./lemma-candidates.ts";
import { LemmaLexicon } from "./lemma-lexicon.ts";
import type { LemmaException, LemmaModel } from "./lemma-model.ts";

/** Words whose lemmas are remembered. */
const REMEMBERED = 2 ** 14;

/** Finds lemmas. Not for concurrent use. */
export class Lemmatizer {
  readonly #candidates: LemmaCandidates;
  /** Exceptions by form. */
  readonly #exceptions = new Map<string, LemmaException[]>();
  /** Lemmas by universal tag, features and form, and their number. */
  readonly #memory = new Map<string, Map<string, Map<string, string>>>();
  #remembered = 0;

  constructor({ tags, exceptions, weights }: LemmaModel) {
    this.#candidates = new LemmaCandidates(new LemmaLexicon(tags), weights);
    for (const exception of exceptions) {
      const others = this.#exceptions.get(exception.form);
      if (others === undefined) this.#exceptions.set(exception.form, [exception]);
      else others.push(exception);
    }
  }

  /**
   * Returns the lemma of a word by its form, universal tag and features: the lemma of an exception, or else
   * the one with the highest score.
   */
  lemma({ form: given, upos = "", feats = "" }: Pick<Word, "form" | "upos" | "feats">): string {
    const known = this.#memory.get(upos)?.get(feats)?.get(given);
    if (known !== undefined) return known;
    const form = normalForm(given);
    const lemma = this.#exception(form, upos, feats) ?? this.#candidates.best({ form, upos, feats });
    this.#remember(given, upos, feats, lemma);
    return lemma;
  }

  #remember(form: string, upos: string, feats: string, lemma: string): void {
    if (this.#remembered++ >= REMEMBERED) {
      this.#memory.clear();
      this.#remembered = 1;
    }
    const bundles = this.#memory.get(upos) ?? new Map<string, Map<string, string>>();
    this.#memory.set(upos, bundles);
    const lemmas = bundles.get(feats) ?? new Map<string, string>();
    bundles.set(feats, lemmas);
    lemmas.set(form, lemma);
  }

  /** The lemma of an exception, of the form or else of the form in lower case. */
  #exception(form: string, upos: string, feats: string): string | undefined {
    for (const cased of [form, form.toLowerCase()]) {
      const known = this.#exceptions.get(cased)?.filter((one) => one.upos === upos);
      const found =
        known?.findLast((one) => one.feats === feats) ?? known?.findLast((one) => one.feats === undefined);
      if (found !== undefined) return found.lemma;
    }
    return undefined;
  }
}

/** The key of an exception for a form with a tag, and for one with features. */
export function exceptionKey({ form, upos, feats }: Omit<LemmaException, "lemma">): string {
  return feats === undefined ? `${form}\t${upos}` : `${form}\t${upos}\t${feats}`;
}
