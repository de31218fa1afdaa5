import { type ArcPair, type Arcs, checkTree, NoTree } from "@arcwise/core";
import { type ArcwiseError, counted, describeValue, invalidArgument } from "@arcwise/core/errors";
import {
  type Check,
  defineOptions,
  isList,
  iterable,
  joinOptions,
  type OptionsOf,
  optionsOf,
  positive,
  satisfying,
} from "@arcwise/core/options";

/** Accepts lists and typed arrays. Their entries are checked with the sentence. @param of their contents */
function entries<Entry>(of: string): Check<ArrayLike<Entry>> {
  return satisfying(`a list of ${of}`, isList);
}

const CONSTRAINTS = defineOptions({
  heads: {
    check: entries<number>("heads"),
    help: "n + 1 entries: the head of each word, or -1 where it is free; entry 0 is ignored",
  },
  forbiddenArcs: {
    check: iterable<ArcPair>("pairs of a head and a word"),
    help: "arcs that the tree must not contain",
  },
  /** A label that the model does not have is used too, with a score of 0. */
  labels: {
    check: entries<string | undefined>("labels"),
    help: "n + 1 entries: the label of each word; undefined or empty where it is free; entry 0 is ignored",
  },
  forbiddenLabels: {
    check: iterable<readonly [word: number, label: string]>("pairs of a word and a label"),
    help: "labels that the arcs of certain words must not have",
  },
});

/** The options of an analysis of one sentence. */
export const ANALYSIS_OPTIONS = defineOptions({
  constraints: { check: optionsOf(CONSTRAINTS), help: "constraints on its analysis" },
});

/** The options of probabilities. */
export const MARGINAL_OPTIONS = joinOptions(
  ANALYSIS_OPTIONS,
  defineOptions({
    temperature: {
      check: positive,
      help: "divisor of scores",
      defaultHelp: "the temperature of the model, or 1 without calibration",
    },
  }),
);

/**
 * Constraints on the analysis of a sentence of n words. Position 0 is the artificial root, words are 1..n.
 */
export interface ParseConstraints extends OptionsOf<typeof CONSTRAINTS> {}

/** The constraints on the label of a word. */
export interface LabelConstraint {
  /** The label of the word; undefined when it is free. */
  readonly forced: string | undefined;
  readonly forbidden: ReadonlySet<string>;
}

/** Constraints without contradictions, in a form for fast lookup. */
export interface CheckedConstraints {
  readonly n: number;
  /** n + 1 entries, -1: free. */
  readonly heads: Int32Array;
  /** Whether any arc is forced or forbidden. */
  readonly restrictsArcs: boolean;
  /** By word; words without an entry are free. */
  readonly labels: ReadonlyMap<number, LabelConstraint>;
  /** Whether an arc is not forbidden, whatever head is forced. */
  allows(h: number, m: number): boolean;
}

const NAME = "parser";
const NONE: ReadonlySet<string> = new Set();

/** Checks constraints. O(n + constraints). */
export function checkConstraints(n: number, constraints: ParseConstraints): CheckedConstraints {
  const heads = forcedHeads(n, constraints.heads);
  const forbidden = forbiddenArcs(n, constraints.forbiddenArcs ?? [], heads);
  return {
    n,
    heads,
    restrictsArcs: forbidden.size > 0 || heads.some((h) => h >= 0),
    labels: labelConstraints(n, constraints),
    allows: (h, m) => !forbidden.has(m * (n + 1) + h),
  };
}

function forcedHeads(n: number, given: ArrayLike<number> | undefined): Int32Array {
  const heads = new Int32Array(n + 1).fill(-1);
  if (given === undefined) return heads;
  expectEntries("heads", n, given.length);
  for (let m = 1; m <= n; m++) {
    const h = given[m];
    if (h === -1) continue;
    checkArc(n, "forced", h, m);
    heads[m] = h;
  }
  // With free words under the root, only cycles of forced arcs remain to be found.
  const fault = checkTree(
    heads.map((h, m) => (m > 0 && h < 0 ? 0 : h)),
    { singleRoot: false },
  );
  if (fault !== undefined) throw new NoTree(NAME, `the forced arcs make a ${fault}`);
  const roots = [...heads.keys()].filter((m) => heads[m] === 0);
  if (roots.length > 1) throw new NoTree(NAME, `the words ${roots.join(", ")} are all forced to be the root`);
  return heads;
}

/** Forbidden arcs h -> m as m (n + 1) + h. */
function forbiddenArcs(n: number, arcs: Iterable<ArcPair>, heads: Int32Array): ReadonlySet<number> {
  const forbidden = new Set<number>();
  const left = new Int32Array(n + 1).fill(n);
  for (const arc of arcs) {
    const [h, m] = pairOf(arc, "forbiddenArcs", "a head and a word");
    checkArc(n, "forbidden", h, m);
    if (heads[m] === h) throw new NoTree(NAME, `the arc ${h} -> ${m} is forced and forbidden`);
    const key = m * (n + 1) + h;
    if (forbidden.has(key)) continue;
    forbidden.add(key);
    left[m]--;
    if (left[m] === 0) throw new NoTree(NAME, `all heads of word ${m} are forbidden`);
  }
  return forbidden;
}

function labelConstraints(
  n: number,
  { labels, forbiddenLabels }: ParseConstraints,
): ReadonlyMap<number, LabelConstraint> {
  const found = new Map<number, LabelConstraint>();
  if (labels !== undefined) {
    expectEntries("labels", n, labels.length);
    for (let m = 1; m <= n; m++) {
      const label: unknown = labels[m];
      if (label !== undefined && typeof label !== "string") throw notLabel(`labels[${m}]`, label);
      if (label) found.set(m, { forced: label, forbidden: NONE });
    }
  }
  for (const pair of forbiddenLabels ?? []) {
    const [m, label] = pairOf(pair, "forbiddenLabels", "a word and a label");
    if (!Number.isInteger(m) || m < 1 || m > n)
      throw invalidArgument(`constraints.forbiddenLabels`, `a word from 1 to ${n}`, describeValue(m));
    if (typeof label !== "string") throw notLabel("forbiddenLabels", label);
    const { forced, forbidden } = found.get(m) ?? { forced: undefined, forbidden: NONE };
    if (forced === label) throw new NoTree(NAME, `the label "${label}" of word ${m} is forced and forbidden`);
    found.set(m, { forced, forbidden: new Set(forbidden).add(label) });
  }
  return found;
}

function expectEntries(what: string, n: number, found: number): void {
  if (found === n + 1) return;
  throw invalidArgument(`constraints.${what}`, `${n + 1} entries for ${counted(n, "word")}`, String(found));
}

function notLabel(what: string, found: unknown): ArcwiseError {
  return invalidArgument(`constraints.${what}`, "a label", describeValue(found));
}

/** Returns a value that must be a pair. */
function pairOf<Pair extends readonly [unknown, unknown]>(value: Pair, what: string, of: string): Pair {
  if (Array.isArray(value) && value.length === 2) return value;
  throw invalidArgument(`constraints.${what}`, `pairs of ${of}`, describeValue(value));
}

function checkArc(n: number, what: string, h: number, m: number): void {
  const inside = Number.isInteger(h) && h >= 0 && h <= n && Number.isInteger(m) && m >= 1 && m <= n;
  if (inside && h !== m) return;
  const arc = `${describeValue(h)} -> ${describeValue(m)}`;
  throw invalidArgument(`constraints: ${what} arc`, `a head 0..${n} and another word 1..${n}`, arc);
}

/**
 * Returns the labels that the arcs of a word may have, as indices: those that the filter gives the arc, less
 * the forbidden ones; if none of these is left, all others. A forced label is the only one, or none when the
 * model does not have it.
 *
 * @param usual the filter's labels
 * @param strings all labels of the model, by index
 */
export function allowedLabels(
  m: number,
  { forced, forbidden }: LabelConstraint,
  usual: Int32Array,
  strings: readonly string[],
): Int32Array {
  if (forced !== undefined) {
    const number = strings.indexOf(forced);
    return Int32Array.from(number < 0 ? [] : [number]);
  }
  const kept = usual.filter((label) => !forbidden.has(strings[label]));
  if (kept.length > 0 || strings.length === 0) return kept;
  const others = Int32Array.from(strings.keys()).filter((label) => !forbidden.has(strings[label]));
  if (others.length === 0) throw new NoTree(NAME, `all labels of word ${m} are forbidden`);
  return others;
}

/** Returns the candidate arcs that the constraints allow, and all forced arcs, candidates or not. O(arcs). */
export function restrictCandidates(arcs: Arcs, { heads, allows }: CheckedConstraints): Arcs {
  return arcsOfHeads(arcs.n, (m) => {
    if (heads[m] >= 0) return [heads[m]];
    return [...headsOf(arcs, m)].filter((h) => allows(h, m));
  });
}

/** Returns the candidate heads of a word. */
export function headsOf({ head, start }: Arcs, m: number): Int32Array {
  return head.subarray(start[m], start[m + 1]);
}

/** Returns candidate arcs, given the heads of each word, ascending. O(arcs). */
export function arcsOfHeads(n: number, headsOfWord: (m: number) => readonly number[]): Arcs {
  const start = new Int32Array(n + 2);
  const head: number[] = [];
  const modifier: number[] = [];
  for (let m = 1; m <= n; m++) {
    head.push(...headsOfWord(m));
    while (modifier.length < head.length) modifier.push(m);
    start[m + 1] = head.length;
  }
  return { n, start, head: Int32Array.from(head), modifier: Int32Array.from(modifier) };
}
