/** Maximum number of repetitions in a row: cutting a word of n characters among k of them costs O(n^(k + 1)). */
const MAX_REPETITIONS = 3;
/** Repetitions of at most as many times do not count. */
const MAX_FEW = 8;

/** Maximum number of choices of optional parts, repetitions of a few times, and alternatives. */
const MAX_CHOICES = 2 ** 16;

/** Contents of a part of a regular expression. */
interface Part {
  /** Repetitions in the alternative that is read, and the most in any alternative. */
  inRow: number;
  most: number;
  /** Choices in the alternative that is read, and in those before it. */
  choices: number;
  choicesBefore: number;
}
const NEW_PART: Part = { inRow: 0, most: 0, choices: 1, choicesBefore: 0 };

/** A character class, an escape, the beginning of a group, another character; and a quantifier with its maximum. */
const TOKEN =
  /(\[\^?\]?(?:[^\]\\]|\\.)*\]|\\(?:[pPux]\{[^}]*\}|.)|\((?:\?(?:<?[=!]|<[^>]*>|[a-z-]*:|>))?|[\s\S])([*+]|\?|\{\d+(?:(,)(\d*))?\})?/gy;

/**
 * Returns why an engine that backtracks may take very long with a regular expression; undefined if it does not. Refused are
 * the kinds that are known to be slow: a repeated group that repeats or chooses inside, `(a+)+`, `(a|aa)+`, `(a?a)+`, and
 * too many choices, `a?a?a?`, which take exponential time, references to groups, and more than three repetitions in a row,
 * `a*a*a*a*`. O(length).
 */
export function slowPart(source: string): string | undefined {
  const open: Part[] = [{ ...NEW_PART }];
  for (const [, atom = "", quantifier, comma, upper] of source.matchAll(TOKEN)) {
    const isMany = isRepeated(quantifier, comma, upper);
    const part = open.at(-1)!;
    if (/^\\[1-9k]/.test(atom)) return "it refers to a group";
    if (atom[0] === "(") open.push({ ...NEW_PART });
    else if (atom === "|")
      Object.assign(part, { inRow: 0, choices: 1, choicesBefore: part.choicesBefore + part.choices });
    else if (atom === ")" && open.length > 1) {
      const { most, choices, choicesBefore } = open.pop()!;
      const inside = choicesBefore + choices;
      if (quantifier !== undefined && quantifier !== "?" && (most > 0 || inside > 1))
        return "a group is repeated that repeats or chooses inside";
      count(open.at(-1)!, isMany ? 1 : most, inside + skips(quantifier, comma, upper));
    } else count(part, isMany ? 1 : 0, 1 + skips(quantifier, comma, upper));
    const { most, choices } = open.at(-1)!;
    if (most > MAX_REPETITIONS) return `more than ${MAX_REPETITIONS} repetitions follow each other`;
    if (choices > MAX_CHOICES) return `it has more than ${MAX_CHOICES} choices`;
  }
  return undefined;
}

function count(part: Part, repetitions: number, choices: number): void {
  part.inRow += repetitions;
  part.most = Math.max(part.most, part.inRow);
  part.choices *= choices;
}

function isRepeated(quantifier = "", comma?: string, upper?: string): boolean {
  if (quantifier === "*" || quantifier === "+") return true;
  return comma !== undefined && (upper === "" || Number(upper) > MAX_FEW);
}

/** Returns the number of choices that a quantifier adds: of how often an optional part, or a few, are there. */
function skips(quantifier = "", comma?: string, upper?: string): number {
  if (quantifier === "?") return 1;
  return comma !== undefined && Number(upper) <= MAX_FEW ? Number(upper) : 0;
}
