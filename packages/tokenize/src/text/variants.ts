/** Ways of writing a mark, and those that are read in place of others: the first that training has. */
interface Group {
  readonly members: string;
  readonly opening: string;
  readonly closing: string;
}

const GROUPS: readonly Group[] = [
  {
    members:
      "'\u2019\u2018\u02bc\u02bb\u02bd\u201b\u201a\u2032\u2035\uff07\u00b4`\u02b9\ua78c\u055a\u05f3\u2039\u203a",
    opening: "'\u2018\u2019\u2039`\u201a",
    closing: "'\u2019\u02bc\u2018\u00b4\u2032\u203a`",
  },
  {
    members: '"\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\u2036\uff02\u301d\u301e\u301f\u05f4',
    opening: '"\u201c\u00ab\u201e',
    closing: '"\u201d\u00bb\u201c',
  },
  { members: "-\u2010\u2011\u2043\ufe63\uff0d", opening: "-\u2010\u2011", closing: "-\u2010\u2011" },
  {
    members: "\u2013\u2014\u2015\u2012\u2212\ufe58\u2e3a\u2e3b",
    opening: "\u2013\u2014-",
    closing: "\u2013\u2014-",
  },
];

/** A quotation mark that closes, whatever is before it. */
const FINAL = /\p{Pf}/u;

interface Replacement {
  readonly opening: number;
  readonly closing: number;
}

/** Quotation marks, apostrophes and dashes that training lacks, with those that are read in their place. */
export class Variants {
  readonly #replacements = new Map<number, Replacement>();

  /** @param isKnown whether training has a code point */
  constructor(isKnown: (code: number) => boolean) {
    for (const { members, ...candidates } of GROUPS) {
      const opening = codesOf(candidates.opening).find(isKnown);
      const closing = codesOf(candidates.closing).find(isKnown);
      if (opening === undefined || closing === undefined) continue;
      for (const code of codesOf(members)) {
        if (isKnown(code)) continue;
        const isFinal = FINAL.test(String.fromCodePoint(code));
        this.#replacements.set(code, { opening: isFinal ? closing : opening, closing });
      }
    }
  }

  /**
   * Returns the code that is read in place of a code.
   *
   * @param isFirst whether a space, or the beginning of the text, is before the character
   */
  read(code: number, isFirst: boolean): number {
    const found = this.#replacements.get(code);
    if (found === undefined) return code;
    return isFirst ? found.opening : found.closing;
  }
}

function codesOf(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0)!);
}
