/** Ways of writing a mark, and those that are read in place of others: the first that training has. */
interface Group {
  readonly members: string;
  readonly opening: string;
  readonly closing: string;
}

/** Apostrophes, all but brackets of the form of quotation marks also within words. */
const SINGLE: Group = {
  members:
    "'\u2019\u2018\u02bc\u02bb\u02bd\u201b\u201a\u2032\u2035\uff07\u00b4`\u02b9\ua78c\u055a\u05f3\u2039\u203a",
  opening: "'\u2018\u2019\u2039`\u201a",
  closing: "'\u2019\u02bc\u2018\u00b4\u2032\u203a`",
};
const APOSTROPHES: ReadonlySet<number> = new Set(
  codesOf(SINGLE.members.replace(/[\u201a\u2039\u203a]/g, "")),
);

const DOUBLE: Group = {
  members: '"\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\u2036\uff02\u301d\u301e\u301f\u05f4',
  opening: '"\u201c\u00ab\u201e',
  closing: '"\u201d\u00bb\u201c',
};

/** Hyphens, and dashes that are written in their place within words and between numbers. */
const HYPHENS: ReadonlySet<number> = new Set(codesOf("-\u2010\u2011\u2012\u2013\u2212"));

/** Full-width punctuation and punctuation of other scripts, which is read as ASCII. */
const WIDE: readonly Group[] = [
  ".\u3002\uff0e\uff61\u0964\u06d4\u0589\u1362",
  "!\uff01",
  "?\uff1f\u061f",
  ",\uff0c\u3001\u060c",
  ":\uff1a",
  ";\uff1b\u061b",
  "(\uff08",
  ")\uff09",
].map((members) => ({ members, opening: members, closing: members }));

const DASHES: readonly Group[] = [
  { members: "-\u2010\u2011\u2043\ufe63\uff0d", opening: "-\u2010\u2011", closing: "-\u2010\u2011" },
  {
    members: "\u2013\u2014\u2015\u2012\u2212\ufe58\u2e3a\u2e3b",
    opening: "\u2013\u2014-",
    closing: "\u2013\u2014-",
  },
];

/** A quotation mark that closes, whatever is before it. */
const FINAL = /\p{Pf}/u;
const LETTER = /\p{L}/u;
/** Letters beyond this code point are in scripts without apostrophes. */
const LAST_LETTER = 0x2500;
/** A mark next to fewer letters of training than another mark, by this factor, is read as the other mark. */
const RARITY = 4;

/** Characters before closing quotation marks. */
const STOPS = codesOf(".,!?\u2026\u3002");

/** Where a mark is: after a space or a mark that opens, between two letters, or elsewhere. */
export type MarkPosition = "opening" | "inner" | "closing";

/** The marks of training. */
export interface KnownCharacters {
  /** Returns whether training has a character. */
  hasCharacter(code: number): boolean;
  /** Returns whether training has a character directly before another one. */
  hasPair(code: number, next: number): boolean;
}

/** Returns whether a code point is an apostrophe or hyphen, or what is written in its place. */
export function isInner(code: number): boolean {
  return APOSTROPHES.has(code) || HYPHENS.has(code);
}

/**
 * Quotation marks, apostrophes and dashes that training lacks, with those that are read in their place. Apostrophes
 * that are rare next to letters count as missing.
 */
export class Variants {
  readonly #replacements = new Map<number, Readonly<Record<MarkPosition, number>>>();

  constructor(training: KnownCharacters) {
    const letters = knownLetters(training);
    for (const group of [SINGLE, DOUBLE, ...DASHES, ...WIDE]) this.#addGroup(group, training);
    this.#addApostrophes(training, letters);
    this.#addHyphens(training, letters);
    this.#addQuotes(training, letters);
  }

  /** Returns whether a code may be read as another one. */
  has(code: number): boolean {
    return this.#replacements.has(code);
  }

  #addGroup({ members, ...candidates }: Group, { hasCharacter }: KnownCharacters): void {
    const opening = codesOf(candidates.opening).find(hasCharacter);
    const closing = codesOf(candidates.closing).find(hasCharacter);
    if (opening === undefined || closing === undefined) return;
    for (const code of codesOf(members)) {
      if (hasCharacter(code)) continue;
      const isFinal = FINAL.test(String.fromCodePoint(code));
      this.#replacements.set(code, { opening: isFinal ? closing : opening, inner: closing, closing });
    }
  }

  /** Adds apostrophes: their replacements by their positions, since a treebank may quote with another mark. */
  #addApostrophes(training: KnownCharacters, letters: readonly number[]): void {
    const counts = letterCounts(APOSTROPHES, training, letters);
    for (const code of APOSTROPHES) {
      const found = this.#replacements.get(code) ?? { opening: code, inner: code, closing: code };
      const read = (position: MarkPosition) => mostFrequent(counts, code, position) ?? found[position];
      const [inner, closing] = [read("inner"), read("closing")];
      const opening = FINAL.test(String.fromCodePoint(code)) ? closing : read("opening");
      this.#replacements.set(code, { opening, inner, closing });
    }
  }

  /** Adds what hyphens and dashes are read as between letters and digits. */
  #addHyphens(training: KnownCharacters, letters: readonly number[]): void {
    const counts = letterCounts(HYPHENS, training, [...codesOf("0123456789"), ...letters]);
    for (const code of HYPHENS) {
      const found = this.#replacements.get(code) ?? { opening: code, closing: code, inner: code };
      const inner = mostFrequent(counts, code, "inner") ?? found.inner;
      this.#replacements.set(code, { ...found, inner });
    }
  }

  /** Adds double quotation marks that only open or only close in training: `\u201c` does either, by language. */
  #addQuotes({ hasCharacter, hasPair }: KnownCharacters, letters: readonly number[]): void {
    const opens = (code: number) => letters.some((letter) => hasPair(code, letter));
    const closes = (code: number) => [...letters, ...STOPS].some((before) => hasPair(before, code));
    for (const code of codesOf(DOUBLE.members)) {
      // Guillemets may have spaces on both sides.
      if (!hasCharacter(code) || code < 0x100) continue;
      const [isOpening, isClosing] = [opens(code), closes(code)];
      if (isOpening === isClosing) continue;
      const opening = isOpening ? code : (codesOf(DOUBLE.opening).find(opens) ?? code);
      const closing = isClosing ? code : (codesOf(DOUBLE.closing).find(closes) ?? code);
      this.#replacements.set(code, { opening, inner: closing, closing });
    }
  }

  /** Returns the code that is read in place of a code. */
  read(code: number, position: MarkPosition): number {
    return this.#replacements.get(code)?.[position] ?? code;
  }
}

type LetterCounts = ReadonlyMap<number, Readonly<Record<MarkPosition, number>>>;

function knownLetters({ hasCharacter }: KnownCharacters): number[] {
  const letters: number[] = [];
  for (let code = 0; code < LAST_LETTER; code++)
    if (hasCharacter(code) && LETTER.test(String.fromCodePoint(code))) letters.push(code);
  return letters;
}

/** Returns the number of letters of training next to each of its marks. */
function letterCounts(
  marks: ReadonlySet<number>,
  { hasCharacter, hasPair }: KnownCharacters,
  letters: readonly number[],
): LetterCounts {
  const known = [...marks].filter(hasCharacter);
  return new Map(
    known.map((code) => {
      const closing = letters.filter((letter) => hasPair(letter, code)).length;
      const opening = letters.filter((letter) => hasPair(code, letter)).length;
      return [code, { opening, inner: Math.min(opening, closing), closing }];
    }),
  );
}

/** Returns the mark next to most letters, or the given mark unless it is rare; undefined without marks. */
function mostFrequent(counts: LetterCounts, code: number, position: MarkPosition): number | undefined {
  let best = code;
  for (const [other, count] of counts) {
    if (count[position] > (counts.get(best)?.[position] ?? 0)) best = other;
  }
  const most = counts.get(best)?.[position] ?? 0;
  if (most === 0) return undefined;
  return (counts.get(code)?.[position] ?? 0) * RARITY >= most ? code : best;
}

function codesOf(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0)!);
}
