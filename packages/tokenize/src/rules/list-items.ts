import { normalizeText } from "@arcwise/core";
import type { Span } from "../network/windows.ts";
import { type Characters, textOf } from "../text/character-reader.ts";

/** The number or bullet of a list item. */
export interface ListMarker extends Span {
  /** Whether a sentence ends before it, since it begins a line. */
  readonly endsSentence: boolean;
}

/** `1.`, `12)`, `(a)`, `iv.`, `3.-`, `4\u00b0`, `5:`: the number or letter, between what shows its style. */
const NUMBER = /^([([]?)(?:(\d{1,3})|(\p{L}|[ivx]{2,5}|[IVX]{2,5}))([.)\]:/]|\.-|\u00b0\)?)$/u;
/** Full-width numbers with a mark, and numbers in circles: words follow them without a space. */
const UNSPACED = /^(?:[\uff10-\uff19]{1,3}[\uff0e\uff09\u3001]|[\u2460-\u2473\u2776-\u2793])/u;
/** `1.2`, `1.2.3.` */
const OUTLINE = /^\d{1,2}(?:\.\d{1,2}){1,3}\.?$/;
/** `#1` */
const HASH = /^#\d{1,3}$/;
/** Bullets and numbers in circles, which are nothing else, and marks that may be one. */
const BULLET =
  /^[\u2460-\u2473\u2776-\u2793\u2022\u2023\u2043\u25a0\u25a1\u25aa\u25ab\u25cb\u25cf\u25e6\u2219]$/u;
const DASH =
  /^[-*+\u2013\u2014\u00b7\u2190-\u21ff\u25b6\u25b8\u25ba\u25c6\u25c7\u2605\u2606\u2756\u2794\u279c\u27a2\u27a4]$/u;
const CHECK = /^[\u2610-\u2612\u2713\u2714\u2717\u2718]$/u;
/** The longest marker. */
const MAX_LENGTH = 12;

interface Candidate extends Span {
  /** Equal for the markers of one list. */
  readonly style: string;
  /** Whether it is a marker without others of its style. */
  readonly isCertain: boolean;
}

/**
 * Finds numbers and bullets at the beginnings of lines: those that could be nothing else, that count from one,
 * or that have another one of their style in the paragraph. O(length).
 */
export function listMarkers(characters: Characters, paragraphs: readonly Span[]): ListMarker[] {
  return paragraphs.flatMap((paragraph) => {
    const found = candidates(characters, paragraph);
    const count = new Map<string, number>();
    for (const { style } of found) count.set(style, (count.get(style) ?? 0) + 1);
    return found
      .filter(({ style, isCertain }) => isCertain || count.get(style)! > 1)
      .map(({ from, end }) => ({ from, end, endsSentence: from > paragraph.from }));
  });
}

function candidates(characters: Characters, { from, end }: Span): Candidate[] {
  const { line, space, paragraph } = characters;
  const found: Candidate[] = [];
  for (let i = from; i < end; i++) {
    if (line[i] === 0) continue;
    const limit = Math.min(end, i + MAX_LENGTH);
    let stop = i + 1;
    while (stop < limit && space[stop] === 0) stop++;
    const unspaced = UNSPACED.exec(textOf(characters, i, stop))?.[0];
    if (unspaced !== undefined) stop = i + unspaced.length;
    // Text that ends the paragraph, or continues, is not a marker.
    if (stop === limit) continue;
    const style = styleOf(textOf(characters, i, stop), paragraph[i] === 1);
    if (style !== undefined) found.push({ from: i, end: stop, ...style });
  }
  return found;
}

function styleOf(written: string, isFirst: boolean): Pick<Candidate, "style" | "isCertain"> | undefined {
  if (BULLET.test(written)) return { style: "\u2022", isCertain: true };
  // Full-width digits and signs such as U+2488 (1.) and U+2474 (in brackets) are read as ASCII.
  const text = normalizeText(written.replace(/\u3001$/, ".").replace("\u00ba", "\u00b0"), "NFKC");
  const [match, before, digits, letters, after] = NUMBER.exec(text) ?? [];
  if (match !== undefined) {
    const kind = digits !== undefined ? "1" : letters! === letters!.toLowerCase() ? "a" : "A";
    const counts = digits !== undefined && (isFirst || Number(digits) === 1);
    return { style: `${before}${kind}${after}`, isCertain: after === "." ? counts : /^[)\]]$/.test(after!) };
  }
  if (HASH.test(text)) return { style: "#1", isCertain: false };
  if (OUTLINE.test(text)) return { style: "1.1", isCertain: false };
  if (CHECK.test(text)) return { style: "\u2713", isCertain: isFirst };
  return DASH.test(text) ? { style: text, isCertain: isFirst } : undefined;
}
