import { type Decoder, PART_KINDS, type PartKind } from "@arcwise/core";
import { CAPABILITY_RULES } from "./capability-rules.ts";
import { DISTRIBUTION_RULES } from "./distribution-rules.ts";
import { MANNER_RULES } from "./manner-rules.ts";
import { RELATION_RULES } from "./relation-rules.ts";
import { RESULT_RULES } from "./result-rules.ts";
import { type CommonLawOptions, type Law, lawsOf, sizeOf } from "./rules-to-laws.ts";
import { SEARCH_RULES } from "./search-rules.ts";
import type { Rule, Subject } from "./subject.ts";

/** Claims about a decoder of trees, and the size of the tests. */
export interface LawOptions extends CommonLawOptions {
  /** The kinds of parts in the problems; by default all that the decoder handles. */
  readonly kinds?: readonly PartKind[] | undefined;
  /** Maximal number of words of problems that are compared with brute force; 5 by default. */
  readonly words?: number | undefined;
  /** Number of words of the problems with a planted tree; 40 by default. */
  readonly large?: number | undefined;
}

const RULES: readonly Rule[] = [
  ...RESULT_RULES,
  ...RELATION_RULES,
  ...MANNER_RULES,
  ...DISTRIBUTION_RULES,
  ...SEARCH_RULES,
  ...CAPABILITY_RULES,
];

/**
 * The names of all laws, in the order of checking. Some apply to exact decoders only, `bound` to the others,
 * and laws of a capability to decoders that have it.
 */
export const LAW_NAMES: readonly string[] = RULES.map(({ name }) => name);

/**
 * Returns the laws of the contract for one decoder, as data. `make` returns a new instance each time;
 * problems are drawn from a seed, so that a run can be repeated. Results are compared with brute force: the
 * cost is about 20 `runs` decodings of `words` words, and of as many enumerations.
 *
 * @throws RangeError when `except` names no law of this decoder, or a reason is empty
 */
export function laws(make: () => Decoder, options: LawOptions): Law[] {
  const { except = {} } = options;
  const { trees, singleRoot, handles } = make();
  const kinds = options.kinds ?? PART_KINDS.filter((kind) => handles.has(kind));
  const subject: Subject = {
    make,
    projective: trees === "projective",
    singleRoot,
    kinds,
    claimed: kinds,
    global: handles.has("global"),
    words: options.words ?? 5,
    large: options.large ?? 40,
    ...sizeOf(options),
  };
  return lawsOf(RULES, subject, except);
}
