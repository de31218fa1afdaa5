import { type ConlluSentence, type SentenceView, viewSentence } from "@arcwise/conllu";
import type { Sentence } from "@arcwise/core";
import {
  type Encoder,
  type EncoderIdentity,
  requireEncoder,
  requireSameEncoder,
} from "@arcwise/core/encoders";
import {
  accepting,
  anyOf,
  callback,
  checkArgument,
  checkOptions,
  flag,
  list,
  type OptionsOf,
  type OptionTable,
  optional,
  satisfying,
  shaped,
  tree,
  withMembers,
  words,
} from "@arcwise/core/options";
import { graphInputProfile, takesTrees } from "@arcwise/graph-parser";
import { inputProfile, type ParserModel, predictedColumns } from "@arcwise/parser";
import { createTagger } from "@arcwise/sequence";
import {
  createTokenizer,
  type TextOptions,
  type TextSession,
  type TokenizerOptions,
} from "@arcwise/tokenize";
import {
  type AnalysisResults,
  analyseSentences,
  findGraphs,
  type GraphResults,
  type GraphTask,
  type PipelineFacts,
  readSentences,
  type SentenceTask,
  type Steps,
} from "./analysis.ts";
import { UnknownWatch } from "./input-counts.ts";
import { isIterable, isReadable, isTextToRun, type SentenceInput, sentenceOf, tokenized } from "./inputs.ts";
import { languagesOf, type PipelineModel } from "./model-parts.ts";
import { type PipelineReading, SentenceReading } from "./reading.ts";
import { networkTagger } from "./retagging.ts";
import {
  type AnalysisSettings,
  READ_OPTIONS,
  RUN_OPTIONS,
  type RunOptions,
  type StreamInput,
  TOKENIZE_OPTIONS,
} from "./run-options.ts";
import {
  type Analyser,
  annotateStream,
  batchesOf,
  outcome,
  SESSION_OPTIONS,
  type SessionOptions,
  settingsOf,
  tasksOf,
} from "./runner.ts";
import {
  type FinishStep,
  type GraphStep,
  givenFinish,
  givenParser,
  givenTagger,
  givenTokenizer,
  missingStep,
  type ParseStep,
  type StepReading,
  type TagStep,
  type TextFunction,
  type TokenizeStep,
  type TreeFunction,
  taggerCheck,
  wholeText,
} from "./steps.ts";

/**
 * Text or words in, sentences out. Serves one caller at a time.
 *
 * @example
 * const nlp: Pipeline = createPipeline(model);
 * const [sentence] = nlp.run("Dogs bark.");
 * const [words] = nlp.annotate([["Cats", "sleep", "."]]);
 */
export interface Pipeline {
  /**
   * Returns the sentences of a text with all columns that the steps fill in. For texts that fit in memory.
   *
   * @throws ArcwiseError `missing-step` without a tokeniser; `invalid-argument`, `unknown-option`,
   *   `invalid-option`; the error of a sentence unless `onError` says otherwise
   */
  run(text: string, options?: RunOptions): SentenceView[];
  /** Returns sentences of given words, tagged and parsed; other columns are kept. Throws as `run`. */
  annotate(sentences: Iterable<SentenceInput>, options?: RunOptions): SentenceView[];
  /**
   * Yields the sentences of a text that arrives in chunks, each as soon as it is certain, or sentences of
   * given words. Memory does not grow with the input. Throws as `run`.
   */
  stream(input: StreamInput, options?: RunOptions): AsyncGenerator<SentenceView>;
  /**
   * Tags sentences and reads them by the parser: a text, or sentences of given words. Throws as `run`, and
   * `missing-step` without a parser.
   */
  read(
    input: string | Iterable<SentenceInput>,
    options?: Pick<AnalysisSettings, "tags" | "lines">,
  ): PipelineReading[];
  /** Returns the sentences of a text, cut into words and nothing else. Throws as `run`. */
  tokenize(text: string, options?: TextOptions): SentenceView[];
  /** The columns and graphs that it was trained with. */
  readonly facts: PipelineFacts;
}

/** A pipeline with what threads, workers and machines call: every pipeline of `createPipeline` is one. */
export interface AnalysisPipeline extends Pipeline, Analyser {
  analyse(tasks: readonly SentenceTask[], settings?: AnalysisSettings): AnalysisResults;
  /** Reads sentences by the parser. @throws ArcwiseError `missing-step` without a parser */
  readTasks(tasks: readonly SentenceTask[], settings?: AnalysisSettings): PipelineReading[];
  findGraphs(tasks: readonly GraphTask[]): GraphResults;
  session(options?: SessionOptions): TextSession;
}

/** Accepts tasks; their sentences were checked where a program gave them. */
const TASKS = list(withMembers("a task with a sentence", "sentence"));
/** Accepts settings; their values were checked where a program gave them. */
const SETTINGS = shaped<AnalysisSettings>("settings", {});
const GRAPH_TASKS = list(shaped<GraphTask>("a task with words", { words, syntax: optional(tree) }));

/** Puts a parser, a graph parser, and the other steps of a model or others in their place together. */
export function assemblePipeline(
  model: Partial<PipelineModel>,
  given: CommonOptions & { readonly graphs?: unknown },
  parser: ParseStep | undefined,
  graphs: GraphStep | undefined,
): AnalysisPipeline {
  const profile =
    model.parser && parser ? inputProfile(model.parser) : model.graphs && graphInputProfile(model.graphs);
  const tagger = tagStep(model, given.tagger);
  const isOwn = given.tagger === undefined;
  const predicted = isOwn && model.parser && parser ? predictedColumns(model.parser) : [];
  const byNetwork = networkTagger(predicted, tagger?.lemma);
  const treebanks = model.description?.treebanks ?? [];
  const facts: PipelineFacts = {
    language: languagesOf(treebanks.map(({ name }) => name).join(" ")),
    columns: profile?.columns,
    tagged: (byNetwork ?? tagger)?.columns ?? [],
    graphs: model.graphs && {
      kind: model.graphs.graphs,
      takesTrees: takesTrees(model.graphs),
    },
    encoder: neededEncoder(parser, graphs),
  };
  const analyser = analyserOf(tokenizeStep(model, given.tokenizer), {
    tagger,
    parser,
    graphs,
    fillsDeps: isGraphStep(given.graphs) || model.graphs?.graphs !== "semantic",
    finish: given.finish && givenFinish(given.finish),
    // The network of a model corrects the tags of the tagger that it learned from, and of no other one.
    retags: isOwn && model.tagger !== undefined,
    networkTagger: byNetwork,
    profile,
  });
  return pipelineOf(analyser, facts);
}

/** Returns the encoder that the steps need. */
function neededEncoder(
  parser: ParseStep | undefined,
  graphs: GraphStep | undefined,
): EncoderIdentity | undefined {
  const [trees, others] = [parser?.encoder, graphs?.encoder];
  if (trees !== undefined && others !== undefined) requireSameEncoder(trees, others);
  return trees ?? others;
}

/** Returns the methods that threads, workers and machines call. */
function analyserOf(
  tokenizer: TokenizeStep | undefined,
  steps: Steps,
): Omit<AnalysisPipeline, keyof Pipeline> {
  return {
    width: 1,
    session(options) {
      const { lines, rest } = checkOptions(SESSION_OPTIONS, options, "session");
      if (tokenizer === undefined) throw missingStep("a tokeniser");
      return tokenizer.session({ lines, rest });
    },
    readTasks(tasks, settings = {}) {
      checkArgument(TASKS, tasks, "readTasks: tasks");
      checkArgument(SETTINGS, settings, "readTasks: settings");
      if (steps.parser === undefined) throw missingStep("a parser");
      return readSentences(steps, tasks, settings).map(
        ({ sentence, words, reading }) => new SentenceReading(viewSentence(sentence), words, reading!),
      );
    },
    analyse(tasks, settings = {}) {
      checkArgument(TASKS, tasks, "analyse: tasks");
      checkArgument(SETTINGS, settings, "analyse: settings");
      return analyseSentences(steps, tasks, settings);
    },
    findGraphs(tasks) {
      checkArgument(GRAPH_TASKS, tasks, "findGraphs: tasks");
      if (steps.graphs === undefined) throw missingStep("a graph parser");
      return findGraphs(steps.graphs, tasks, steps.profile);
    },
  };
}

/** Adds the methods that programs call. */
function pipelineOf(analyser: ReturnType<typeof analyserOf>, facts: PipelineFacts): AnalysisPipeline {
  const cut = (method: string, text: string, { lines }: TextOptions = {}): ConlluSentence[] => {
    checkArgument(isTextToRun, text, `${method}: text`);
    const session = analyser.session({ lines });
    return [...session.push(text), ...session.end()].map(tokenized);
  };
  const annotated = (sentences: readonly ConlluSentence[], options: RunOptions): SentenceView[] => {
    const found: SentenceView[] = [];
    const unknown = new UnknownWatch(options.onMostlyUnknown);
    for (const batch of batchesOf(sentences)) {
      options.signal?.throwIfAborted();
      const results = analyser.analyse(tasksOf(batch, options), settingsOf(options));
      unknown.add(results.counts);
      found.push(...outcome(batch, results, options));
    }
    unknown.end();
    return found;
  };
  return {
    ...analyser,
    facts,
    tokenize: (text, options) =>
      cut("tokenize", text, checkOptions(TOKENIZE_OPTIONS, options, "tokenize")).map(viewSentence),
    run(text, options) {
      const given = checkOptions(RUN_OPTIONS, options, "run");
      return annotated(cut("run", text, given), given);
    },
    annotate(sentences, options) {
      checkArgument(isIterable, sentences, "annotate: sentences");
      return annotated([...sentences].map(sentenceOf), checkOptions(RUN_OPTIONS, options, "annotate"));
    },
    stream: (input, options) => annotateStream(analyser, input, options),
    read(input, options) {
      const settings = checkOptions(READ_OPTIONS, options, "read");
      checkArgument(isReadable, input, "read: input");
      const sentences = typeof input === "string" ? cut("read", input, settings) : [...input].map(sentenceOf);
      return analyser.readTasks(
        sentences.map((sentence) => ({ sentence })),
        settings,
      );
    },
  };
}

/** Whether graphs are found by a step of the program, not by the model. */
function isGraphStep(given: unknown): boolean {
  return typeof given === "object" && given !== null && "parse" in given;
}

/** Returns the tokeniser of a model, or another one in its place. */
function tokenizeStep(
  { tokenizer }: Partial<PipelineModel>,
  given: TokenizeStep | TextFunction | TokenizerOptions | undefined,
): TokenizeStep | undefined {
  if (typeof given === "function") return wholeText(given);
  if (given !== undefined && "session" in given) return givenTokenizer(given);
  return tokenizer && createTokenizer(tokenizer, given);
}

/** Returns the tagger of a model, or another one in its place. */
function tagStep(
  { tagger }: Partial<PipelineModel>,
  given: TagStep | false | undefined,
): TagStep | undefined {
  if (given === false) return undefined;
  return given === undefined ? tagger && createTagger(tagger) : givenTagger(given);
}

/** Returns the parser of a model, which `create` makes, or another one in its place. */
export function parseStep<Options extends { readonly valid?: boolean | undefined }>(
  { parser }: Partial<PipelineModel>,
  given: ParseStep | TreeFunction | Options | false,
  { valid }: { readonly valid?: boolean | undefined },
  create: (model: ParserModel, options: Options) => ParseStep,
): ParseStep | undefined {
  if (given === false) return undefined;
  if (typeof given === "function")
    return { read: (sentences) => sentences.map((words) => reading(given, words)) };
  if ("read" in given) return givenParser(given);
  return parser && create(parser, { ...given, valid: given.valid ?? valid });
}

function reading(parse: TreeFunction, words: Sentence): StepReading {
  return { best: () => parse(words), withWords: (others) => reading(parse, others) };
}

/** Accepts objects. */
export const anObject = satisfying<object>(
  "an object",
  (value) => typeof value === "object" && value !== null,
);
/** Accepts `false`. */
export const off = satisfying<false>("false", (value) => value === false);

/** The options that all pipelines take. */
export const COMMON_OPTIONS = {
  tokenizer: {
    check: anyOf(accepting<TextFunction>(callback), accepting<TokenizeStep | TokenizerOptions>(anObject)),
    help: "a tokeniser, a function from a text to its sentences, or options of the model's tokeniser",
  },
  tagger: {
    check: anyOf(off, taggerCheck),
    help: "a tagger instead of the model's; false: words keep the tags that they have",
  },
  /** False: trees as the decoder finds them, to compare decoders or with trees of a treebank. */
  valid: {
    check: flag,
    default: true,
    help: "whether a tree that breaks a rule of Universal Dependencies is replaced by the best valid one",
  },
  /** The methods of the pipeline return promises then, as the methods of a `RemotePipeline`. */
  encoder: {
    check: accepting<Encoder>((value, at) => void requireEncoder(value, at)),
    help: "the encoder that the model was trained with",
  },
  finish: {
    check: accepting<FinishStep>(callback),
    help: "a last step for each sentence, such as `enhance` of @arcwise/conllu",
  },
} as const;

/** Steps that replace steps of a model, in addition to its parsers, and their options. */
export type CommonOptions = OptionsOf<OptionTable<typeof COMMON_OPTIONS>>;
