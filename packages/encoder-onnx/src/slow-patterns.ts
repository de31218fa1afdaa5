/** Maximum number of repetitions in a row: cutting a word of n characters among k of them costs O(n^(k + 1)). */
const MAX_REPETITIONS = 3;
/** Repetitions of at most as many times do not count. */
const MAX_FEW = 8;

/** Contents of a part of a regular expression. */
interface Part {
  /** Repetitions in the alternative that is read, and the most in any alternative. */
  inRow: number;
  most: number;
  hasAlternatives: boolean;
}

/** A character class, an escape, the beginning of a group, another character; and a quantifier with its maximum. */
const TOKEN =
  /(\[\^?\]?(?:[^\]\\]|\\.)*\]|\\(?:[pPux]\{[^}]*\}|.)|\((?:\?(?:<?[=!]|<[^>]*>|[a-z-]*:|>))?|[\s\S])([*+]|\?|\{\d+(?:(,)(\d*))?\})?/gy;

/**
 * Returns why an engine that backtracks may take very long with a regular expression; undefined if it does not. Refused are
 * the kinds that are known to be slow: a repeated group that repeats or chooses inside, `(a+)+`, `(a|aa)+`, which takes
 * exponential time, references to groups, and more than three repetitions in a row, `a*a*a*a*`. O(length).
 */
export function slowPart(source: string): string | undefined {
  const open: Part[] = [{ inRow: 0, most: 0, hasAlternatives: false }];
  for (const [, atom = "", quantifier, comma, upper] of source.matchAll(TOKEN)) {
    const isMany = isRepeated(quantifier, comma, upper);
    const part = open.at(-1)!;
    if (/^\\[1-9k]/.test(atom)) return "it refers to a group";
    if (atom[0] === "(") open.push({ inRow: 0, most: 0, hasAlternatives: false });
    else if (atom === "|") Object.assign(part, { inRow: 0, hasAlternatives: true });
    else if (atom === ")" && open.length > 1) {
      const { most, hasAlternatives } = open.pop()!;
      const outer = open.at(-1)!;
      if (quantifier !== undefined && quantifier !== "?" && (most > 0 || hasAlternatives))
        return "a group is repeated that repeats or chooses inside";
      count(outer, isMany ? 1 : most);
    } else if (isMany) count(part, 1);
    if (open.at(-1)!.most > MAX_REPETITIONS)
      return `more than ${MAX_REPETITIONS} repetitions follow each other`;
  }
  return undefined;
}

function count(part: Part, repetitions: number): void {
  part.inRow += repetitions;
  part.most = Math.max(part.most, part.inRow);
}

function isRepeated(quantifier = "", comma?: string, upper?: string): boolean {
  if (quantifier === "*" || quantifier === "+") return true;
  if (quantifier === "" || quantifier === "?") return false;
  return comma !== undefined ? upper === "" || Number(upper) > MAX_FEW : false;
}
