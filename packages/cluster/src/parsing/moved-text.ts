/** The length of the text before a part. */
export interface Lead {
  /** Number of sentences. */
  readonly sentences: number;
  /** Number of Unicode code points. */
  readonly points: number;
}

export const NO_LEAD: Lead = { sentences: 0, points: 0 };

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;

/** Returns the number of code points of a text; a surrogate that is not in a pair is one. */
export function leadOf(text: string): Pick<Lead, "points"> {
  let pairs = 0;
  for (const _ of text.matchAll(PAIR)) pairs++;
  return { points: text.length - pairs };
}

/** The number of a sentence; or a token, up to MISC, and MISC. */
const NUMBERED = /^# sent_id = (\d+)$|^(\d[^\n]*\t)([^\t\n]*)$/gm;
const RANGE = /(^|\|)TokenRange=(\d+):(\d+)/;

/**
 * Returns the CoNLL-U of a part of a text as CoNLL-U of the whole text: numbers of sentences and `TokenRange` in MISC
 * count what precedes the part. O(length).
 */
export function movedText(conllu: string, { sentences, points }: Lead): string {
  if (sentences === 0 && points === 0) return conllu;
  const moved = (offset: string) => `${Number(offset) + points}`;
  return conllu.replace(NUMBERED, (_line, number?: string, token?: string, misc?: string) => {
    if (number !== undefined) return `# sent_id = ${Number(number) + sentences}`;
    const range = (_range: string, before: string, start: string, end: string) =>
      `${before}TokenRange=${moved(start)}:${moved(end)}`;
    return `${token}${misc!.replace(RANGE, range)}`;
  });
}
