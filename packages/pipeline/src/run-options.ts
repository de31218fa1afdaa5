import type { SentenceView } from "@arcwise/conllu";
import {
  accepting,
  anyOf,
  callback,
  defineOptions,
  flag,
  integer,
  signal as isSignal,
  number,
  type OptionsOf,
  oneOf,
  satisfying,
} from "@arcwise/core/options";
import type { ParseConstraints } from "@arcwise/parser";
import { LINES } from "@arcwise/tokenize";
import type { InputCounts } from "./input-counts.ts";
import type { SentenceInput } from "./inputs.ts";

/**
 * A sentence that could not be analysed.
 *
 * @example
 * const onError = ({ sentence, index, error }: SentenceFailure) => console.error(index, sentence.text, error);
 * const sentences = nlp.run(text, { onError });
 */
export interface SentenceFailure {
  readonly sentence: SentenceView;
  /** Index of the sentence among the sentences of the call, from 0. */
  readonly index: number;
  readonly error: unknown;
}

/** The options of the analysis of each sentence. */
const ANALYSIS = {
  tags: {
    check: oneOf("predicted", "given"),
    default: "predicted",
    help: "whether the tagger fills in its columns, or words keep the tags that they have",
  },
  kBest: {
    check: integer(1, 2 ** 20),
    help: "the k best trees, each as a sentence: -k1, -k2 and so on after its sent_id",
    defaultHelp: "the best",
  },
  marginals: { check: flag, default: false, help: "the probability of each arc in MISC, as ArcP=0.9731" },
  /** The threshold of a cascade: see `openCascade`. */
  minConfidence: {
    check: number(0, 1),
    help:
      "a sentence is the error low-confidence if its confidence is lower: the mean probability of head and label of a " +
      "word, which is the LAS to expect",
    defaultHelp: "sentences are returned whatever their confidence",
  },
  /** `enhance` makes DEPS from the new tree by the rules of `enhance`, for English. */
  deps: {
    check: oneOf("drop", "keep", "enhance"),
    help: "what becomes of DEPS and empty nodes of the input, the graph of another tree",
    defaultHelp: "the graph parser of the model fills in DEPS; without one they are dropped",
  },
  lines: LINES,
  offsets: {
    check: oneOf("utf-16", "code-points"),
    default: "utf-16",
    help: "the unit of start and end: UTF-16 code units, as JavaScript counts, or code points, as Python and R count",
  },
  report: {
    check: flag,
    default: false,
    help: "comments that say how each tree was found: # score = 12.3456, # bound = 12.3456 and others",
  },
} as const;
export const ANALYSIS_OPTIONS = defineOptions(ANALYSIS);

/** Settings of an analysis. Plain data. */
export interface AnalysisSettings extends OptionsOf<typeof ANALYSIS_OPTIONS> {}

const ON_ERROR = satisfying<"throw" | "skip">(
  '"throw", "skip" or a function',
  (value) => value === "throw" || value === "skip",
);

/** The options of `read`. */
export const READ_OPTIONS = defineOptions({ tags: ANALYSIS.tags, lines: LINES });

/** The options of `tokenize`. */
export const TOKENIZE_OPTIONS = defineOptions({ lines: LINES });

/** The options of `run`, `annotate` and `stream`. */
export const RUN_OPTIONS = defineOptions({
  ...ANALYSIS,
  constraints: {
    check: accepting<(sentence: SentenceView, index: number) => ParseConstraints | undefined>(callback),
    help: "returns what is known of the tree of a sentence",
  },
  onError: {
    check: anyOf(accepting<(failure: SentenceFailure) => void>(callback), ON_ERROR),
    default: "throw",
    help: "what happens when a sentence cannot be analysed: throw, skip it, or a function is called",
  },
  onMostlyUnknown: {
    check: accepting<(counts: InputCounts) => void>(callback),
    help: "called at the end if the model does not know most words, as of a text in another language",
  },
  signal: {
    check: isSignal,
    help: "ends the work, between two batches of sentences, by throwing its reason",
  },
});

/**
 * Options of `run`, `annotate` and `stream`.
 *
 * @example
 * const options: RunOptions = { onError: "skip", signal: AbortSignal.timeout(10_000) };
 * const sentences = nlp.run(text, options);
 */
export interface RunOptions extends OptionsOf<typeof RUN_OPTIONS> {}

/**
 * Sentences of text that arrives in chunks, or sentences of given words.
 *
 * @example
 * const input: StreamInput = createReadStream("letters.txt", "utf8");
 * for await (const sentence of nlp.stream(input)) console.log(sentence.text);
 */
export type StreamInput = AsyncIterable<string | SentenceInput> | Iterable<string | SentenceInput>;
