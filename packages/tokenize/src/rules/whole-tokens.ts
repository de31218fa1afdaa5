import type { Span } from "../network/windows.ts";
import { type Characters, textOf } from "../text/character-reader.ts";
import { isComposed } from "../text/cluster-codes.ts";

/** A pattern of tokens, and what each of its matches has. */
interface WholeTokenPattern {
  readonly sign: RegExp;
  readonly pattern: RegExp;
}

/**
 * Addresses of the web. A match begins where no match of the same kind can have begun before it, which keeps the time
 * linear. A text without the sign has no match: most patterns, which take milliseconds to compile, are never needed.
 */
const WEB: readonly WholeTokenPattern[] = [
  {
    sign: /:\/\/|www\./i,
    pattern:
      /(?<![\p{L}\p{N}])(?:[a-z][a-z0-9+.-]{1,15}:\/\/|www\.)[\p{L}\p{N}[][\p{L}\p{M}\p{N}\-._~:/?#[\]@!$&()*+,;=%|]*/giu,
  },
  {
    sign: /\../,
    pattern:
      /(?<![\p{L}\p{M}\p{N}.@_-])(?:[\p{L}\p{N}-]+\.)+(?:com|edu|eu|gov|info|int|io|mil|net|org|br|ch|cn|cz|dk|fr|hu|jp|nl|pl|ru|uk|COM|EDU|NET|ORG)(?![\p{L}\p{M}\p{N}@-]|\.[\p{L}\p{N}])(?::\d{1,5}(?!\d))?(?:[/?#][\p{L}\p{M}\p{N}\-._~:/?#[\]@!$&()*+,;=%|]*)?/gu,
  },
  {
    sign: /:\/\//,
    pattern:
      /(?<![\p{L}\p{N}])https?:\/\/[\p{L}\p{N}\uf8ff-]+(?:\.[\p{L}\p{N}\uf8ff-]+)*\.[a-z]{2,10}(?![\p{L}\p{N}])(?:[/?#][\p{L}\p{M}\p{N}\-._~:/?#[\]@!$&()*+,;=%|]*)?/giu,
  },
  {
    sign: /\//,
    pattern:
      /(?<![\p{L}\p{M}\p{N}.@_-])(?:[\p{L}\p{N}-]+\.)+\p{Ll}{2,10}\/[\p{L}\p{M}\p{N}\-._~:/?#[\]@!$&()*+,;=%|]*/gu,
  },
];

/** Addresses of the web; then of mail, `@names`, `#tags` and emoticons. */
const PATTERNS: readonly WholeTokenPattern[] = [
  ...WEB,
  {
    sign: /mailto:/,
    pattern:
      /(?<![\p{L}\p{M}\p{N}.@_%+-])mailto:[\p{L}\p{M}\p{N}._%+-]+@(?:[\p{L}\p{N}-]+\.)+\p{L}{2,24}\?[\p{L}\p{N}=&%+.-]*[\p{L}\p{N}=%]/gu,
  },
  {
    sign: /@/,
    pattern:
      /(?<![\p{L}\p{M}\p{N}.@_%+-])(?:mailto:)?[\p{L}\p{M}\p{N}._%+-]+@(?:[\p{L}\p{N}-]+\.)+\p{L}{2,24}(?![\p{L}\p{M}\p{N}])/gu,
  },
  {
    sign: /@/,
    pattern:
      /(?<![\p{L}\p{M}\p{N}_@#/&]|.\.)@[\p{L}_][\p{L}\p{M}\p{N}_]+(?:@(?:[\p{L}\p{N}-]+\.)+\p{L}{2,24})?(?![\p{L}\p{M}\p{N}_@])/gu,
  },
  {
    sign: /#/,
    pattern: /(?<![\p{L}\p{M}\p{N}_.@#/&%$*~])#(?=[\p{N}_]*[\p{L}\uf8ff])[\p{L}\p{M}\p{N}_\uf8ff]+/gu,
  },
  {
    sign: /[:;=]/,
    pattern:
      /(?<=^|[.!?,\u2026])[:;=]['\u2019]?[-^o*]?(?:\)+|\(+|\]+|\[+|[|\\/*$]+|[DPpOoS3](?![\p{L}\p{N}]))(?![\p{L}\p{N}/])/gu,
  },
  {
    sign: /[:;=<_^\\]/,
    pattern:
      /^(?:\([-^]?[:;=]|>:-?[()]+|<\/?3+|[oO0]_[oO0]|\^_*\^|-_+-|[Tt]_[Tt]|\\[oO]\/|\u00af\\_\([\ufffd\uf8ff]\)_\/\u00af)(?=$|[.,!?\u2026])/gu,
  },
];

/** A run of characters without a space that lacks all of these, and a full stop inside, does not match. */
const TRIGGERS = new Uint8Array(128);
for (const character of "@#:;=<_^\\") TRIGGERS[character.charCodeAt(0)] = 1;
const STOP = 0x2e;
/** Longer runs are read in parts of this length. */
const MAX_RUN = 2048;
/** Stand-ins for a letter that is not one UTF-16 code unit, and for characters that no address has. */
const LETTER = 0xe9;
const OTHER = 0xfffd;
/** Stand-in for a letter of a script whose words have no spaces between them: an address ends before it. */
const SPACELESS_LETTER = 0xf8ff;
/** Full-width signs. */
const FULL_WIDTH = new Map([
  [0xff03, 0x23],
  [0xff20, 0x40],
]);
const SPACELESS =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Returns the tokens that rules find, as ascending spans of characters. O(length). */
export function wholeTokens(characters: Characters): Span[] {
  const { length, space, code } = characters;
  const spans: Span[] = [];
  for (let from = 0; from < length; ) {
    const limit = Math.min(length, from + MAX_RUN);
    let end = from;
    let isCandidate = false;
    do {
      const own = code[end++]!;
      if (own < 128 ? TRIGGERS[own] === 1 : FULL_WIDTH.has(own)) isCandidate = true;
      // A paragraph has a space before it.
      else if (own === STOP && end < limit && space[end] === 0) isCandidate = true;
    } while (end < limit && space[end] === 0);
    if (isCandidate) spans.push(...matches(runText(characters, from, end), from));
    from = end;
  }
  return spans;
}

/** Returns the text of characters, each of which is one UTF-16 code unit. */
function runText(characters: Characters, from: number, end: number): string {
  const units: number[] = [];
  for (let i = from; i < end; i++) units.push(unitOf(characters, i));
  return String.fromCharCode(...units);
}

function unitOf(characters: Characters, i: number): number {
  const code = characters.code[i]!;
  if (code < 0x300) return code;
  const text = isComposed(code) ? textOf(characters, i, i + 1) : String.fromCodePoint(code);
  if (SPACELESS.test(text)) return SPACELESS_LETTER;
  if (code <= 0xffff) return FULL_WIDTH.get(code) ?? code;
  return /^\p{L}/u.test(text) ? LETTER : OTHER;
}

function matches(text: string, offset: number): Span[] {
  const spans: Span[] = [];
  for (const one of PATTERNS) {
    if (!one.sign.test(text)) continue;
    for (const { 0: match, index } of text.matchAll(one.pattern)) {
      const own = WEB.includes(one) ? trimmed(match) : match;
      const span = { from: offset + index, end: offset + index + own.length };
      if (!spans.some(({ from, end }) => span.from < end && from < span.end)) spans.push(span);
    }
  }
  return spans.sort((a, b) => a.from - b.from);
}

/** Returns an address without the punctuation after it: a bracket stays if it was opened in the address. */
function trimmed(address: string): string {
  let end = address.length;
  let open = 0;
  for (const character of address) open += "([".includes(character) ? 1 : ")]".includes(character) ? -1 : 0;
  for (; end > 0; end--) {
    const last = address[end - 1]!;
    if (")]".includes(last) && open < 0) open++;
    else if (!".,;:!?*([".includes(last)) break;
    else if ("([".includes(last)) open--;
  }
  return address.slice(0, end);
}
