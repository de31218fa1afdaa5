import {
  type ConlluSentence,
  enhance,
  sentenceWords,
  withCodePoints,
  withEnhancedGraph,
  withTags,
  withTree,
} from "@arcwise/conllu";
import { arcIndex, type DependencyTree, type Sentence, type Word } from "@arcwise/core";
import type { EncoderIdentity, SentenceVectors } from "@arcwise/core/encoders";
import { ArcwiseError } from "@arcwise/core/errors";
import type { GraphKind, GraphParse } from "@arcwise/graph-parser";
import type { ColumnShares, InputProfile, Marginals, Parse, ParseConstraints } from "@arcwise/parser";
import { asAnalysis, withProbabilities, withReport } from "./analysis-output.ts";
import { addReplacedGraph, countInput, type InputCounts, noInput } from "./input-counts.ts";
import { BATCH } from "./inputs.ts";
import { methodOf } from "./reading.ts";
import { type NetworkTagger, retag } from "./retagging.ts";
import type { AnalysisSettings } from "./run-options.ts";
import {
  encodedWords,
  type GraphStep,
  type GraphStepReading,
  graphInput,
  marginalsOf,
  missingStep,
  type ParseStep,
  readGraphs,
  type StepReading,
  type TagStep,
  treesOf,
} from "./steps.ts";

/** A sentence to analyse. Plain data. */
export interface SentenceTask {
  readonly sentence: ConlluSentence;
  readonly constraints?: ParseConstraints | undefined;
  /** The vectors of its words by the encoder of the pipeline. */
  readonly vectors?: SentenceVectors | undefined;
}

/** The result of a sentence: the sentence with its tree, or with each of the k best trees, or its error. */
export type SentenceResult =
  | {
      readonly sentences: readonly ConlluSentence[];
      /** The mean probability of head and label of a word, if a minimum is set. */
      readonly confidence?: number | undefined;
      readonly error?: undefined;
      readonly sentence?: undefined;
    }
  | {
      readonly sentences?: undefined;
      readonly confidence?: undefined;
      readonly error: unknown;
      /** The sentence, if it was cut from a text. */
      readonly sentence?: ConlluSentence | undefined;
    };

/** The results of tasks, in their order. */
export interface AnalysisResults {
  readonly results: readonly SentenceResult[];
  /** Counts of the words that the parser was given, with the tags of the tagger, and of the graphs of their trees. */
  readonly counts: InputCounts;
}

/** Words whose graph is to be found. Plain data. */
export interface GraphTask {
  readonly words: Sentence;
  readonly syntax?: DependencyTree | undefined;
  readonly vectors?: SentenceVectors | undefined;
}

/** The graph of words, or its error. */
export type GraphResult =
  | { readonly graph: GraphParse; readonly error?: undefined }
  | { readonly graph?: undefined; readonly error: unknown };

/** The graphs of tasks, in their order. */
export interface GraphResults {
  readonly results: readonly GraphResult[];
  readonly counts: InputCounts;
}

/** A question about a text, which is cut into sentences first. */
export interface TextQuestion {
  readonly kind: "text";
  readonly text: string;
  readonly settings: AnalysisSettings;
}

/** A question about tasks. */
export type TaskQuestion =
  | { readonly kind: "analyse"; readonly tasks: readonly SentenceTask[]; readonly settings: AnalysisSettings }
  | { readonly kind: "graphs"; readonly tasks: readonly GraphTask[] };

/** A question about plain data, for a pipeline elsewhere. */
export type AnalysisQuestion = TaskQuestion | TextQuestion;

/** The steps of a pipeline, in this order. */
export interface Steps {
  readonly tagger: TagStep | undefined;
  readonly parser: ParseStep | undefined;
  readonly graphs: GraphStep | undefined;
  /** Whether graphs fill in DEPS; semantic graphs are found by `findGraphs` alone. */
  readonly fillsDeps: boolean;
  readonly finish: ((sentence: ConlluSentence) => ConlluSentence) | undefined;
  /** Whether the network of the parser has learned to correct the tags of the tagger. */
  readonly retags: boolean;
  /** Tags words by the network of the parser, in place of a tagger; undefined if it has not learned to. */
  readonly networkTagger: NetworkTagger | undefined;
  /** The input that the parser was trained for; undefined if it is unknown. */
  readonly profile: InputProfile | undefined;
}

/** Facts of a pipeline. Plain data. */
export interface PipelineFacts {
  /** The languages of its treebanks, if the names of these tell. */
  readonly language?: string | undefined;
  /** Shares of the training words of the parser, or else of the graph parser, that had each column. */
  readonly columns: ColumnShares | undefined;
  /** The columns that the tagger fills in, if words are to be tagged; none without a tagger. */
  readonly tagged: TagStep["columns"];
  /** The kind of graphs, and whether they are found from trees; undefined: the model lacks a graph parser. */
  readonly graphs: { readonly kind: GraphKind; readonly takesTrees: boolean } | undefined;
  /** The encoder whose vectors sentences need; absent: none, or the pipeline encodes them itself. */
  readonly encoder?: EncoderIdentity | undefined;
}

/** A sentence with its tags and its parser reading. */
export interface ReadTask {
  readonly sentence: ConlluSentence;
  /** The words as the tagger tagged them, and with the tags that the network decided on. */
  readonly tagged: Sentence;
  readonly words: Sentence;
  /** Undefined without a parser. */
  readonly reading: StepReading | undefined;
  readonly vectors: SentenceVectors | undefined;
}

/** Tags sentences and reads them by the parser, several together. */
export function readSentences(
  steps: Steps,
  tasks: readonly SentenceTask[],
  { tags = "predicted" }: AnalysisSettings,
): ReadTask[] {
  const { tagger, parser, retags, networkTagger } = steps;
  if (tags === "predicted" && networkTagger !== undefined && parser !== undefined)
    return readUntagged(networkTagger, parser, tasks);
  const own = tags === "given" ? undefined : tagger;
  const tagged = tasks.map(({ sentence }) => {
    const words = sentenceWords(sentence);
    return own === undefined ? words : own.tag(words);
  });
  const readings = parser?.read(tagged.map((words, s) => encodedWords(words, tasks[s]!.vectors)));
  return tasks.map(({ sentence, vectors }, s) => {
    const words = tagged[s]!;
    const reading = readings?.[s];
    if (own === undefined) return { sentence, tagged: words, words, reading, vectors };
    const corrects = retags && reading?.columns !== undefined;
    const better = corrects ? retag((given) => reading.columns!(given), own, words) : words;
    return {
      sentence: withTags(sentence, better, own.columns),
      tagged: words,
      words: better,
      reading: better === words ? reading : reading?.withWords(better),
      vectors,
    };
  });
}

/** Reads sentences by a parser whose network tags them as well. */
function readUntagged(tagger: NetworkTagger, parser: ParseStep, tasks: readonly SentenceTask[]): ReadTask[] {
  const forms = tasks.map(({ sentence }) => formsOf(sentence));
  const readings = parser.read(forms.map((words, s) => encodedWords(words, tasks[s]!.vectors)));
  return tasks.map(({ sentence, vectors }, s) => {
    const reading = readings[s]!;
    const words = tagger.tag(() => reading.columns?.() ?? {}, forms[s]!);
    return {
      sentence: withTags(sentence, words, tagger.columns),
      tagged: forms[s]!,
      words,
      reading: reading.withWords(words),
      vectors,
    };
  });
}

/** Returns the words of a sentence without their columns. */
function formsOf({ rows }: ConlluSentence): Sentence {
  const words: Word[] = [];
  for (const row of rows)
    if (row.kind === "word") words.push({ form: row.form, lemma: "", upos: "", xpos: "", feats: "" });
  return words;
}

/** Analyses sentences. An error that one of them meets is its result. */
export function analyseSentences(
  steps: Steps,
  tasks: readonly SentenceTask[],
  settings: AnalysisSettings,
): AnalysisResults {
  const counts = noInput();
  const { deps } = settings;
  const isFilled = deps === undefined && steps.graphs !== undefined && steps.fillsDeps;
  const isNew = isFilled || (deps === "enhance" && steps.parser !== undefined);
  const isReplaced = isNew || (deps !== "keep" && steps.parser !== undefined);
  const results: SentenceResult[] = [];
  for (let from = 0; from < tasks.length; from += BATCH) {
    const given = tasks.slice(from, from + BATCH);
    const batch = settings.offsets === "code-points" ? given.map(inCodePoints) : given;
    const read = readSentences(steps, batch, settings);
    const drafts = read.map((task, k) => {
      countInput(counts, task.tagged, steps.profile);
      if (isReplaced) addReplacedGraph(counts, task.sentence, isNew);
      return attempt(() => draftsOf(task, batch[k]!.constraints, settings));
    });
    const filled = isFilled ? drafts.flatMap(({ value = [] }) => value) : [];
    const graphs = graphReadings(steps, filled).values();
    for (const { value, error } of drafts) {
      if (value === undefined) {
        results.push({ error });
        continue;
      }
      const graphed = value.map((draft) => ({ draft, graph: graphs.next().value }));
      const whole = attempt(() =>
        graphed.map((each, index) => finished(steps, each, { ...settings, index })),
      );
      const confidence = value[0]?.confidence;
      results.push(
        whole.value === undefined ? { error: whole.error } : { sentences: whole.value, confidence },
      );
    }
  }
  return { results, counts };
}

function inCodePoints(task: SentenceTask): SentenceTask {
  return { ...task, sentence: withCodePoints(task.sentence) };
}

/** A result, or the error that was thrown instead. */
type Outcome<T> =
  | { readonly value: T; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: unknown };

function attempt<T>(make: () => T): Outcome<T> {
  try {
    return { value: make() };
  } catch (error) {
    return { error };
  }
}

/** Finds graphs. An error that one of them meets is its result. */
export function findGraphs(
  graphs: GraphStep,
  tasks: readonly GraphTask[],
  profile: InputProfile | undefined,
): GraphResults {
  const counts = noInput();
  const results: GraphResult[] = [];
  for (let from = 0; from < tasks.length; from += BATCH) {
    const batch = tasks.slice(from, from + BATCH);
    const readings = readGraphs(
      graphs,
      batch.map(({ words, syntax, vectors }) => ({ sentence: encodedWords(words, vectors), syntax })),
    );
    for (const [k, { words }] of batch.entries()) {
      countInput(counts, words, profile);
      const { value, error } = attempt(() => readings[k]!.best());
      results.push(value === undefined ? { error } : { graph: value });
    }
  }
  return { results, counts };
}

/** A tree, and the probabilities of its heads (n + 1 entries) if they are asked for. */
interface Analysis {
  readonly tree: DependencyTree & Partial<Parse>;
  readonly probabilities?: Float64Array | undefined;
}

/** A sentence with its tree, before the steps that follow the parser. */
interface Draft {
  readonly sentence: ConlluSentence;
  readonly vectors: SentenceVectors | undefined;
  /** Undefined without a parser. */
  readonly analysis: Analysis | undefined;
  /** Number of analyses of the sentence. */
  readonly count: number;
  /** The words whose head or label differs from the best analysis. */
  readonly changed: readonly number[];
  /** The confidence of the sentence, if a minimum is set. */
  readonly confidence?: number | undefined;
}

function draftsOf(
  { sentence, reading, vectors }: ReadTask,
  constraints: ParseConstraints | undefined,
  settings: AnalysisSettings,
): Draft[] {
  if (reading === undefined) {
    if (settings.minConfidence !== undefined) throw missingStep("a parser");
    return [{ sentence, vectors, analysis: undefined, count: 1, changed: [] }];
  }
  const { analyses, confidence } = analysesIn(reading, constraints, settings);
  return analyses.map((analysis) => ({
    confidence,
    sentence: withTree(sentence, analysis.tree, { graph: settings.deps === "keep" ? "keep" : "drop" }),
    vectors,
    analysis,
    count: analyses.length,
    changed: changedWords(analyses[0]!.tree, analysis.tree),
  }));
}

function changedWords(best: DependencyTree, other: DependencyTree): number[] {
  if (other === best) return [];
  return [...other.heads.keys()].filter(
    (m) => other.heads[m] !== best.heads[m] || other.labels[m] !== best.labels[m],
  );
}

/** Reads the graphs of sentences for DEPS; none without a step that fills them in. */
function graphReadings({ graphs, fillsDeps }: Steps, drafts: readonly Draft[]): GraphStepReading[] {
  if (graphs === undefined || !fillsDeps) return [];
  return readGraphs(
    graphs,
    drafts.map(({ sentence, vectors }) => graphInput(sentence, vectors)),
  );
}

/** Returns a sentence with its graph, what the last step adds, and what is known of its analysis. */
function finished(
  { finish }: Steps,
  { draft, graph }: { readonly draft: Draft; readonly graph: GraphStepReading | undefined },
  { kBest, report, deps, index }: AnalysisSettings & { readonly index: number },
): ConlluSentence {
  const { sentence, analysis, count, changed } = draft;
  const isEnhanced = deps === "enhance" && analysis !== undefined;
  const filled = isEnhanced ? enhance(sentence) : sentence;
  const whole = graph === undefined ? filled : withEnhancedGraph(sentence, graph.best());
  let complete = finish === undefined ? whole : finish(whole);
  if (analysis === undefined) return complete;
  const { tree, probabilities } = analysis;
  if (probabilities !== undefined) complete = withProbabilities(complete, probabilities);
  if (report === true) complete = withReport(complete, tree);
  if (kBest !== undefined)
    complete = asAnalysis(complete, { rank: index + 1, count, score: tree.score ?? 0, changed });
  return complete;
}

function analysesIn(
  reading: StepReading,
  constraints: ParseConstraints | undefined,
  { kBest, marginals = false, minConfidence, report = false }: AnalysisSettings,
): { readonly analyses: readonly Analysis[]; readonly confidence?: number | undefined } {
  const options = { constraints };
  const isSummed = marginals || minConfidence !== undefined;
  const sums = isSummed ? marginalsOf(methodOf(reading, "marginals")(options)) : undefined;
  const confidence = minConfidence === undefined ? undefined : confidenceOf(sums!, minConfidence);
  if (kBest !== undefined) {
    const ranked = treesOf(methodOf(reading, "kBest")(kBest, options), "kBest");
    return {
      analyses: ranked.map((tree) => ({ tree, probabilities: marginals ? arcsOf(sums!, tree) : undefined })),
      confidence,
    };
  }
  // A report says more of the best tree than its probabilities have.
  if (sums === undefined || (report && !marginals))
    return { analyses: [{ tree: treesOf([reading.best(options)], "best")[0]! }], confidence };
  return {
    analyses: [{ tree: sums, probabilities: marginals ? sums.headProbabilities : undefined }],
    confidence,
  };
}

/** Returns the probability of the head of each word of a tree, n + 1 entries. */
function arcsOf({ arcs, arcProbabilities }: Marginals, { heads }: DependencyTree): Float64Array {
  return Float64Array.from(heads, (h, m) => (m === 0 ? 0 : arcProbabilities[arcIndex(arcs, h, m)]!));
}

/** Returns the mean probability of head and label of a word; 1 without words. */
function confidenceOf({ labelledProbabilities }: Marginals, minimum: number): number {
  const words = labelledProbabilities.length - 1;
  const confidence = words === 0 ? 1 : labelledProbabilities.reduce((sum, p) => sum + p, 0) / words;
  if (confidence >= minimum) return confidence;
  const [expected, found] = [`a confidence of ${minimum} or more`, confidence.toFixed(4)];
  throw new ArcwiseError("low-confidence", `expected ${expected}, found ${found}`, { expected, found });
}
