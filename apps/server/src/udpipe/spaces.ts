import type { ConlluSentence, Row } from "@arcwise/conllu";
import type { TextWindow } from "../routes/plan.ts";

/** How the white space of a text is written to MISC. */
export interface SpaceOptions {
  /** Whether the range of each token is kept, as `TokenRange=0:4`. */
  readonly ranges: boolean;
  /** Whether white space is normalised: `SpaceAfter=No` alone is written. */
  readonly normalized: boolean;
}

const RANGE = /(?:^|\|)TokenRange=(\d+):(\d+)$/;
const SPACES = /\s*/uy;

/** Characters of white space in MISC, as UDPipe writes them. */
const ESCAPES: Readonly<Record<string, string>> = {
  " ": "\\s",
  "\t": "\\t",
  "\r": "\\r",
  "\n": "\\n",
  "|": "\\p",
  "\\": "\\\\",
};

/**
 * Returns sentences of a text with its white space in MISC, as UDPipe writes it: `SpacesBefore`, `SpacesInToken` and
 * `SpacesAfter`, unless it is one space. The sentences have the ranges of their tokens.
 *
 * @param window the text from the first sentence to the one after the last
 */
export function withSpaces(
  sentences: readonly ConlluSentence[],
  { text = "", points }: TextWindow,
  options: SpaceOptions,
): ConlluSentence[] {
  const place = new TextPlace(text, points);
  return sentences.map((sentence) => ({
    ...sentence,
    rows: sentence.rows.map((row) => spacedRow(row, place, options)),
  }));
}

function spacedRow(row: Row, place: TextPlace, { ranges, normalized }: SpaceOptions): Row {
  const range = RANGE.exec(row.misc);
  if (range === null) return row;
  const isFirst = place.isAtStart;
  const start = place.of(Number(range[1]));
  const end = place.of(Number(range[2]));
  const items: string[] = [];
  const add = (name: string, spaces: string) =>
    items.push(`${name}=${spaces.replace(/[ \t\r\n|\\]/g, (one) => ESCAPES[one]!)}`);
  const before = isFirst ? place.text.slice(0, start) : "";
  const inside = place.text.slice(start, end);
  const after = spacesAt(place.text, end);
  if (after === "") items.push("SpaceAfter=No");
  if (!normalized) {
    if (before !== "") add("SpacesBefore", before);
    if (inside !== row.form && /\s/.test(inside)) add("SpacesInToken", inside);
    if (after !== "" && after !== " ") add("SpacesAfter", after);
  }
  if (ranges) items.push(`TokenRange=${range[1]}:${range[2]}`);
  return { ...row, misc: items.join("|") || "_" };
}

function spacesAt(text: string, at: number): string {
  SPACES.lastIndex = at;
  return SPACES.exec(text)![0];
}

/** A place in a text that moves forward: it turns offsets in code points into offsets in UTF-16 code units. */
class TextPlace {
  readonly text: string;
  #points: number;
  #units = 0;

  /** @param points the offset of the text in the whole text, in code points */
  constructor(text: string, points: number) {
    this.text = text;
    this.#points = points;
  }

  get isAtStart(): boolean {
    return this.#points === 0;
  }

  /** Returns the offset in code units. @param points not before the last offset */
  of(points: number): number {
    for (; this.#points < points && this.#units < this.text.length; this.#points++)
      this.#units += this.text.codePointAt(this.#units)! > 0xffff ? 2 : 1;
    return this.#units;
  }
}
