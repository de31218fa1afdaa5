import type { ConlluSentence } from "@arcwise/conllu";
import { checkArgument, list, number, optional, shaped, string } from "@arcwise/core/options";
import type { Parse, ParseReport } from "@arcwise/parser";

/** The name of the probability of an arc among the attributes of MISC. */
const PROBABILITY = "ArcP";

/**
 * Returns a copy of a sentence with the probability of each word's arc in MISC: `ArcP=0.9731`, before the
 * first attribute whose name follows it in the alphabet, replacing an older one.
 */
export function withProbabilities(sentence: ConlluSentence, probabilities: Float64Array): ConlluSentence {
  let m = 0;
  const rows = sentence.rows.map((row) =>
    row.kind === "word"
      ? { ...row, misc: withAttribute(row.misc, PROBABILITY, probabilities[++m]!.toFixed(4)) }
      : row,
  );
  return { ...sentence, rows };
}

/** Adds an attribute to MISC, in alphabetical order as far as the others are. */
function withAttribute(misc: string, name: string, value: string): string {
  const nameOf = (attribute: string) => attribute.split("=", 1)[0]!.toLowerCase();
  const others =
    misc === "_" ? [] : misc.split("|").filter((attribute) => nameOf(attribute) !== name.toLowerCase());
  const after = others.findIndex((attribute) => nameOf(attribute) > name.toLowerCase());
  const at = after < 0 ? others.length : after;
  return [...others.slice(0, at), `${name}=${value}`, ...others.slice(at)].join("|");
}

/** The place of an analysis among several. */
export interface AnalysisRank {
  /** From 1. */
  readonly rank: number;
  readonly count: number;
  readonly score: number;
  /** The words whose head or label differs from the best analysis. */
  readonly changed: readonly number[];
}

/** Comments that open a document or paragraph: only the first analysis of a sentence keeps them. */
const OPENING = /^#\s*new(?:doc|par)(?:\s|$)/;
const SENT_ID = /^#\s*sent_id\s*=\s*\S/;

/**
 * Returns a copy of a sentence as one of several analyses: `-k1`, `-k2` and so on after its `sent_id`, and
 * comments `# kbest = 2/5`, `# score = 12.3456`, and `# changed = 3 7` with the words whose head or label
 * differs from the best analysis, replacing older ones.
 */
export function asAnalysis(
  sentence: ConlluSentence,
  { rank, count, score, changed }: AnalysisRank,
): ConlluSentence {
  const kept = sentence.comments
    .filter((comment) => !/^#\s*(?:kbest|score|changed)\s*=/.test(comment))
    .filter((comment) => rank === 1 || !OPENING.test(comment))
    .map((comment) => (SENT_ID.test(comment) ? `${comment.trimEnd()}-k${rank}` : comment));
  const differences = changed.length === 0 ? [] : [`# changed = ${changed.join(" ")}`];
  const own = [`# kbest = ${rank}/${count}`, `# score = ${score.toFixed(4)}`, ...differences];
  return { ...sentence, comments: [...kept, ...own] };
}

/** Matches comments of an older report. Comments of these names with other values are not ours. */
const REPORTED = [
  /^#\s*status\s*=\s*(?:optimal|fractional|unsolved)\s*$/,
  /^#\s*(?:score|bound)\s*=\s*(?:-?\d+\.\d+|-?Infinity)\s*$/,
  /^#\s*(?:iterations|nodes)\s*=\s*\d+\s*$/,
  /^#\s*reduced\s*=\s*(?:heads|blocks|without) /,
];
const isReport = (comment: string): boolean => REPORTED.some((pattern) => pattern.test(comment));

/**
 * Returns a copy of a sentence with comments on its tree, after the existing comments and replacing older
 * reports: `# score = 12.3456` and `# bound = 12.3456`; from a decoder with reports also `# status = optimal`
 * and its counts, such as `# iterations = 17`; and for a sentence that is too large for the whole model what
 * was omitted, such as `# reduced = heads 4, without triSibling`.
 */
export function withReport(sentence: ConlluSentence, parse: Partial<Parse>): ConlluSentence {
  return { ...sentence, comments: reportComments(sentence.comments, parse) };
}

/** How a tree or graph was found. */
interface Found extends Partial<Pick<Parse, "score" | "bound" | "reduced">> {
  readonly report?: Pick<ParseReport, "status" | "counts"> | undefined;
}

const FOUND = shaped<Found>("a tree or graph", {
  score: optional(number(-Infinity)),
  bound: optional(number(-Infinity)),
  report: optional(shaped<object>("a report", {})),
  reduced: optional(
    shaped<NonNullable<Found["reduced"]>>("a reduction", { leftOut: list(string), blocks: number(1) }),
  ),
});

/** Comments with those on how a tree or graph was found, which `withReport` describes. */
export function reportComments(comments: readonly string[], found: Found): string[] {
  checkArgument(list(string), comments, "reportComments: comments");
  checkArgument(FOUND, found, "reportComments: found");
  const { score = 0, bound = Infinity, report, reduced } = found;
  const counts = Object.entries(report?.counts ?? {});
  const isCount = (comment: string) =>
    counts.some(([unit]) => comment.startsWith(`# ${unit} = `) && /= \d+$/.test(comment));
  const kept = comments.filter((comment) => !isReport(comment) && !isCount(comment));
  const numbers = [`# score = ${score.toFixed(4)}`, `# bound = ${bound.toFixed(4)}`];
  const status = report === undefined ? [] : [`# status = ${report.status}`];
  const reduction = reduced === undefined ? [] : [`# reduced = ${describeReduction(reduced)}`];
  const described = counts.map(([unit, count]) => `# ${unit} = ${count}`);
  return [...kept, ...status, ...numbers, ...described, ...reduction];
}

/** Describes what was omitted from a sentence that is too large, in one line. */
function describeReduction({ heads, leftOut, blocks }: NonNullable<Parse["reduced"]>): string {
  return [
    ...(blocks > 1 ? [`blocks ${blocks}`] : []),
    ...(heads === undefined ? [] : [`heads ${heads}`]),
    ...(leftOut.length === 0 ? [] : [`without ${leftOut.join(" ")}`]),
  ].join(", ");
}
