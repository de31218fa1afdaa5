/** How a multiword token of the training data is written, and its words. */
export interface MultiwordForm {
  readonly form: string;
  readonly words: readonly string[];
  /** Whether the form was always a multiword token in training. */
  readonly always: boolean;
}

/**
 * How unknown multiword tokens are cut: a token that ends in `affix` (`kind` "suffix") has the words
 * `words`, the first of which begins with what comes before the affix; one that begins with it ("prefix") has
 * them too, the last of which ends with what comes after it.
 */
export interface AffixRule {
  readonly kind: "suffix" | "prefix";
  readonly affix: string;
  readonly words: readonly string[];
}

/** Learned facts about multiword tokens. Forms and words are in lower case, unless they never are. */
export interface MultiwordRules {
  readonly forms: readonly MultiwordForm[];
  /** The rules of more forms come first. */
  readonly affixes: readonly AffixRule[];
}

/** A token of the training data, with its words; none for a single word. */
export interface MultiwordExample {
  readonly form: string;
  readonly words: readonly string[];
}

/** Counts, most frequent first; the first added comes first among equals. */
class Counts<T> {
  readonly #counts = new Map<string, { readonly item: T; count: number }>();

  add(key: string, item: T): void {
    const found = this.#counts.get(key);
    if (found === undefined) this.#counts.set(key, { item, count: 1 });
    else found.count++;
  }

  sorted(): { readonly item: T; readonly count: number }[] {
    return [...this.#counts.values()].sort((a, b) => b.count - a.count);
  }
}

/** Learns how multiword tokens are cut into words. O(length of all tokens). */
export function learnMultiword(tokens: readonly MultiwordExample[]): MultiwordRules {
  const splits = new Counts<MultiwordExample>();
  for (const { form, words } of tokens) {
    if (words.length < 2) continue;
    const [lower, ...parts] = [form, ...words].map((text) => text.toLowerCase());
    splits.add([lower, ...parts].join("\n"), { form: lower!, words: parts });
  }
  const chosen = new Map<string, readonly string[]>();
  for (const { item } of splits.sorted()) if (!chosen.has(item.form)) chosen.set(item.form, item.words);
  const single = new Set<string>();
  for (const { form, words } of tokens) {
    const lower = form.toLowerCase();
    if (words.length < 2 && chosen.has(lower)) single.add(lower);
  }
  const affixes = new Counts<AffixRule>();
  for (const [form, words] of chosen) {
    for (const rule of [suffixRule(form, words), prefixRule(form, words)]) {
      if (rule !== undefined) affixes.add(JSON.stringify(rule), rule);
    }
  }
  return {
    forms: Array.from(chosen, ([form, words]) => ({ form, words, always: !single.has(form) })),
    affixes: affixes.sorted().map(({ item }) => item),
  };
}

/** Minimal number of characters that a token shares with a word, so that its other words follow a rule. */
const MIN_STEM = 3;

/**
 * The rule by which the token ends in its words but the first (`don't`: `do` and `n't`), whatever the first
 * one is; otherwise that by which the first word begins like the token.
 */
function suffixRule(form: string, words: readonly string[]): AffixRule | undefined {
  const [first, ...rest] = words;
  const affix = rest.join("");
  if (affix.length < form.length && form.endsWith(affix))
    return { kind: "suffix", affix, words: ["", ...rest] };
  const stem = sharedLength(form, first!);
  if (stem < MIN_STEM || stem === form.length) return undefined;
  return { kind: "suffix", affix: form.slice(stem), words: [first!.slice(stem), ...rest] };
}

/** The rule by which the last word ends like the token. */
function prefixRule(form: string, words: readonly string[]): AffixRule | undefined {
  const last = words.at(-1)!;
  const stem = sharedLength(reversed(form), reversed(last));
  if (stem < MIN_STEM || stem === form.length) return undefined;
  const rest = words.slice(0, -1);
  return {
    kind: "prefix",
    affix: form.slice(0, form.length - stem),
    words: [...rest, last.slice(0, last.length - stem)],
  };
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

function reversed(text: string): string {
  return Array.from({ length: text.length }, (_, i) => text[text.length - 1 - i]).join("");
}

/** A token as the text has it, and as models read it. */
export interface WrittenToken {
  readonly form: string;
  readonly reading: string;
}

/** A rule with its index among all rules; rules with more forms come first. */
interface RankedRule {
  readonly rule: AffixRule;
  readonly rank: number;
}

/** Cuts multiword tokens into words by what was learned. */
export class MultiwordSplitter {
  readonly #forms: ReadonlyMap<string, MultiwordForm>;
  /** Rules by affix: of suffixes, and of prefixes. */
  readonly #suffixes: ReadonlyMap<string, RankedRule>;
  readonly #prefixes: ReadonlyMap<string, RankedRule>;
  /** Suffixes of forms in which an apostrophe and letters come before them: `Ankara'daki`. */
  readonly #afterApostrophes: ReadonlySet<string>;

  constructor({ forms, affixes }: MultiwordRules) {
    this.#forms = new Map(forms.map((entry) => [entry.form, entry]));
    const ranked = affixes.map((rule, rank) => ({ rule, rank }));
    // The first rule of an affix covers most forms: the last one to be set.
    const byAffix = (kind: AffixRule["kind"]) =>
      new Map(
        ranked
          .filter(({ rule }) => rule.kind === kind)
          .map((entry) => [entry.rule.affix, entry] as const)
          .reverse(),
      );
    this.#suffixes = byAffix("suffix");
    this.#afterApostrophes = new Set(
      forms
        .map(({ form, words }) => ({ form, affix: suffixRule(form, words)?.affix ?? "" }))
        .filter(({ form, affix }) => isWithinPart(form, affix.length))
        .map(({ affix }) => affix),
    );
    this.#prefixes = byAffix("prefix");
  }

  /**
   * Returns the words of a token; nothing for a single word. O(length).
   *
   * @param isMultiword whether the token looks like a multiword token in its sentence, which decides on forms
   *   that are known as both, and on unknown forms
   */
  split({ form, reading }: WrittenToken, isMultiword: boolean): string[] {
    const lower = reading.toLowerCase();
    const known = this.#forms.get(lower);
    if (known !== undefined) return known.always || isMultiword ? withCase(form, lower, known.words) : [];
    if (this.#forms.size === 0 || !isMultiword) return [];
    const words = this.#byAffix(lower);
    return words === undefined ? [] : withCase(form, lower, words);
  }

  /** Returns the rule of a suffix; none after an apostrophe and letters where no form in training has it there. */
  #suffix(form: string, length: number): RankedRule | undefined {
    const affix = form.slice(-length);
    const rule = this.#suffixes.get(affix);
    if (rule === undefined || !isWithinPart(form, length)) return rule;
    return this.#afterApostrophes.has(affix) ? rule : undefined;
  }

  /** Applies the rule with the longest suffix or prefix; of two, the rule with more forms. */
  #byAffix(form: string): string[] | undefined {
    const suffix = longest(form, (length) => this.#suffix(form, length));
    const prefix = longest(form, (length) => this.#prefixes.get(form.slice(0, length)));
    const rank = (entry: RankedRule | undefined) => entry?.rank ?? Infinity;
    const entry = rank(prefix) < rank(suffix) ? prefix : suffix;
    if (entry === undefined) return undefined;
    const { kind, affix, words } = entry.rule;
    const { length } = affix;
    return kind === "suffix"
      ? [form.slice(0, -length) + words[0], ...words.slice(1)]
      : [...words.slice(0, -1), words.at(-1) + form.slice(length)];
  }
}

/** Returns whether the last `length` letters go on with letters after an apostrophe: `m` of `ma'am`. */
function isWithinPart(form: string, length: number): boolean {
  return (
    /['\u2019]\p{L}+$/u.test(form.slice(0, form.length - length)) && /^\p{L}+$/u.test(form.slice(-length))
  );
}

/** Returns what is found for the longest part of a form that is not the whole of it. */
function longest<T>(form: string, find: (length: number) => T | undefined): T | undefined {
  for (let length = form.length - 1; length > 0; length--) {
    const found = find(length);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Copies the case of a token to its words, which are in lower case: letter by letter where the words are the
 * parts of the token, and otherwise capitals and initial capitals.
 */
function withCase(form: string, lower: string, words: readonly string[]): string[] {
  if (words.join("") === lower && lower.length === form.length) {
    let at = 0;
    return words.map((word) => {
      at += word.length;
      return form.slice(at - word.length, at);
    });
  }
  if (form === form.toLowerCase()) return [...words];
  const isUpper = form === form.toUpperCase() && [...form].length > 1;
  if (isUpper) return words.map((word) => word.toUpperCase());
  const [first, ...rest] = words;
  const initial = String.fromCodePoint(form.codePointAt(0)!);
  if (initial === initial.toLowerCase()) return [...words];
  const length = first!.codePointAt(0)! > 0xffff ? 2 : 1;
  return [first!.slice(0, length).toUpperCase() + first!.slice(length), ...rest];
}
