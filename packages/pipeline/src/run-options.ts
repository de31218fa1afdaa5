import type { SentenceView } from "@arcwise/conllu";
import {
  anyOf,
  callback,
  defineOptions,
  flag,
  integer,
  signal as isSignal,
  oneOf,
} from "@arcwise/core/options";
import type { ParseConstraints } from "@arcwise/parser";
import type { AnalysisSettings } from "./analysis.ts";
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

/**
 * Options of `run`, `annotate` and `stream`.
 *
 * @example
 * const options: RunOptions = { onError: "skip", signal: AbortSignal.timeout(10_000) };
 * const sentences = nlp.run(text, options);
 */
export interface RunOptions extends AnalysisSettings {
  /** Returns what is known of the tree of a sentence. */
  readonly constraints?:
    | ((sentence: SentenceView, index: number) => ParseConstraints | undefined)
    | undefined;
  /** What happens when a sentence cannot be analysed: "throw" (default), "skip" it, or a function is called. */
  readonly onError?: "throw" | "skip" | ((failure: SentenceFailure) => void) | undefined;
  /** Ends the work, between two batches of sentences, by throwing its reason. */
  readonly signal?: AbortSignal | undefined;
}

const tags = {
  check: oneOf("predicted", "given"),
  default: "predicted",
  help: "given: words keep the tags that they have",
} as const;

/** The options of `read`. */
export const READ_OPTIONS = defineOptions<Pick<AnalysisSettings, "tags">>()({ tags });

/** The options of `run`, `annotate` and `stream`. */
export const RUN_OPTIONS = defineOptions<RunOptions>()({
  tags,
  kBest: { check: integer(1, 2 ** 20), help: "the k best trees, each as a sentence" },
  marginals: { check: flag, default: false, help: "the probability of each arc in MISC, as ArcP=0.9731" },
  deps: {
    check: oneOf("drop", "keep", "enhance"),
    help: "what becomes of DEPS and empty nodes of the input; enhance: DEPS from the new tree by rules of English",
    defaultHelp: "the graph parser fills in DEPS; drop without one",
  },
  report: { check: flag, default: false, help: "comments with the score of each tree, and how it was found" },
  constraints: { check: callback, help: "returns what is known of the tree of a sentence" },
  onError: {
    check: anyOf(callback, oneOf("throw", "skip")),
    default: "throw",
    help: "what happens when a sentence cannot be analysed",
  },
  signal: { check: isSignal, help: "ends the work by throwing its reason" },
});

/**
 * Sentences of text that arrives in chunks, or sentences of given words.
 *
 * @example
 * const input: StreamInput = createReadStream("letters.txt", "utf8");
 * for await (const sentence of nlp.stream(input)) console.log(sentence.text);
 */
export type StreamInput = AsyncIterable<string | SentenceInput> | Iterable<string | SentenceInput>;
