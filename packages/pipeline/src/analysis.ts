import { type ConlluSentence, sentenceWords, withTags, withTree } from "@arcwise/conllu";
import { arcIndex, type DependencyTree, type Sentence } from "@arcwise/core";
import type { GraphParse, InputProfile, Parse, ParseConstraints } from "@arcwise/parser";
import { asAnalysis, withProbabilities, withReport } from "./analysis-output.ts";
import { type GraphStep, withGraph } from "./graph-step.ts";
import { countInput, type InputCounts, noInput } from "./input-counts.ts";
import { methodOf } from "./reading.ts";
import { retag } from "./retagging.ts";
import type { ParseStep, StepReading, TagStep } from "./steps.ts";

/** What is found in each sentence. Plain data. */
export interface AnalysisSettings {
  /** "predicted" (default): the tagger fills in its columns; "given": words keep the tags that they have. */
  readonly tags?: "predicted" | "given" | undefined;
  /** The k best trees, each as a sentence: `-k1`, `-k2` and so on after its `sent_id`. Default: the best. */
  readonly kBest?: number | undefined;
  /** The probability of each arc in MISC: `ArcP=0.9731`. */
  readonly marginals?: boolean | undefined;
  /** Comments that say how each tree was found: `# score = 12.3456`, `# bound = 12.3456` and others. */
  readonly report?: boolean | undefined;
}

/** A sentence to analyse. Plain data. */
export interface SentenceTask {
  readonly sentence: ConlluSentence;
  readonly constraints?: ParseConstraints | undefined;
}

/** What became of a sentence: one sentence, several of the k best trees, or the error that it met. */
export type SentenceResult =
  | { readonly sentences: readonly ConlluSentence[]; readonly error?: undefined }
  | { readonly sentences?: undefined; readonly error: unknown };

/** The results of tasks, in their order. */
export interface AnalysisResults {
  readonly results: readonly SentenceResult[];
  /** What the parser was given, with the tags of the tagger. */
  readonly counts: InputCounts;
}

/** Words whose graph is to be found. Plain data. */
export interface GraphTask {
  readonly words: Sentence;
  readonly syntax?: DependencyTree | undefined;
}

/** The graph of words, or the error that it met. */
export type GraphResult =
  | { readonly graph: GraphParse; readonly error?: undefined }
  | { readonly graph?: undefined; readonly error: unknown };

/** The graphs of tasks, in their order. */
export interface GraphResults {
  readonly results: readonly GraphResult[];
  readonly counts: InputCounts;
}

/** The steps that sentences pass through, those that are there, in this order. */
export interface Steps {
  readonly tagger: TagStep | undefined;
  readonly parser: ParseStep | undefined;
  readonly graphs: GraphStep | undefined;
  /** Whether graphs are those of DEPS; semantic graphs are found by `findGraphs` alone. */
  readonly fillsDeps: boolean;
  readonly finish: ((sentence: ConlluSentence) => ConlluSentence) | undefined;
  /** Whether the network of the parser has learned to correct the tags of the tagger. */
  readonly retags: boolean;
  /** The input that the parser was trained for; undefined: not known. */
  readonly profile: InputProfile | undefined;
}

/** Number of sentences that the parser reads together. */
export const BATCH = 64;

/** A sentence with its tags, and what the parser has read of it. */
export interface ReadTask {
  readonly sentence: ConlluSentence;
  /** The words as the tagger tagged them, and with the tags that the network decided on. */
  readonly tagged: Sentence;
  readonly words: Sentence;
  /** Undefined: there is no parser. */
  readonly reading: StepReading | undefined;
}

/** Tags sentences and reads them by the parser, several together. */
export function readSentences(
  { tagger, parser, retags }: Steps,
  sentences: readonly ConlluSentence[],
  { tags = "predicted" }: AnalysisSettings,
): ReadTask[] {
  const own = tags === "given" ? undefined : tagger;
  const tagged = sentences.map((sentence) => {
    const words = sentenceWords(sentence);
    return own === undefined ? words : own.tag(words);
  });
  const readings = parser?.read(tagged);
  return sentences.map((sentence, s) => {
    const words = tagged[s]!;
    const reading = readings?.[s];
    if (own === undefined) return { sentence, tagged: words, words, reading };
    const corrects = retags && reading?.columns !== undefined;
    const better = corrects ? retag((given) => reading.columns!(given), own, words) : words;
    return {
      sentence: withTags(sentence, better, own.columns),
      tagged: words,
      words: better,
      reading: better === words ? reading : reading?.withWords(better),
    };
  });
}

/**
 * Analyses sentences. An error that one of them meets is its result.
 *
 * @param onSentence called with the index of each sentence before it is tagged and before it is parsed
 */
export function analyseSentences(
  steps: Steps,
  tasks: readonly SentenceTask[],
  settings: AnalysisSettings,
  onSentence: (index: number) => void = () => {},
): AnalysisResults {
  const counts = noInput();
  const results: SentenceResult[] = [];
  for (let from = 0; from < tasks.length; from += BATCH) {
    const batch = tasks.slice(from, from + BATCH);
    onSentence(from);
    const read = readSentences(
      steps,
      batch.map(({ sentence }) => sentence),
      settings,
    );
    for (const [k, task] of read.entries()) {
      onSentence(from + k);
      countInput(counts, task.tagged, steps.profile);
      try {
        results.push({ sentences: analysesOf(steps, task, batch[k]!.constraints, settings) });
      } catch (error) {
        results.push({ error });
      }
    }
  }
  return { results, counts };
}

/** Finds graphs. An error that one of them meets is its result. */
export function findGraphs(
  graphs: GraphStep,
  tasks: readonly GraphTask[],
  profile: InputProfile | undefined,
  onSentence: (index: number) => void = () => {},
): GraphResults {
  const counts = noInput();
  const results = tasks.map(({ words, syntax }, index): GraphResult => {
    onSentence(index);
    countInput(counts, words, profile);
    try {
      return { graph: graphs.parse(words, { syntax }) };
    } catch (error) {
      return { error };
    }
  });
  return { results, counts };
}

/** A tree, and the probabilities of its heads (n + 1 entries) if they are asked for. */
interface Analysis {
  readonly tree: DependencyTree & Partial<Parse>;
  readonly probabilities?: Float64Array | undefined;
}

function analysesOf(
  { graphs, fillsDeps, finish }: Steps,
  { sentence, reading }: ReadTask,
  constraints: ParseConstraints | undefined,
  settings: AnalysisSettings,
): ConlluSentence[] {
  const complete = (one: ConlluSentence): ConlluSentence => {
    const whole = graphs && fillsDeps ? withGraph(one, graphs) : one;
    return finish === undefined ? whole : finish(whole);
  };
  if (reading === undefined) return [complete(sentence)];
  const { kBest, report } = settings;
  const analyses = analysesIn(reading, constraints, settings);
  return analyses.map(({ tree, probabilities }, index) => {
    let analysed = complete(withTree(sentence, tree));
    if (probabilities !== undefined) analysed = withProbabilities(analysed, probabilities);
    if (report === true) analysed = withReport(analysed, tree);
    if (kBest !== undefined) analysed = asAnalysis(analysed, index + 1, analyses.length, tree.score ?? 0);
    return analysed;
  });
}

function analysesIn(
  reading: StepReading,
  constraints: ParseConstraints | undefined,
  { kBest, marginals = false }: AnalysisSettings,
): Analysis[] {
  const options = { constraints };
  const ranked = () => methodOf(reading, "kBest")(kBest!, options);
  if (!marginals) {
    const trees = kBest === undefined ? [reading.best(options)] : ranked();
    return trees.map((tree) => ({ tree }));
  }
  const sums = methodOf(reading, "marginals")(options);
  if (kBest === undefined) return [{ tree: sums, probabilities: sums.headProbabilities }];
  return ranked().map((tree) => ({
    tree,
    probabilities: Float64Array.from(tree.heads, (h, m) =>
      m === 0 ? 0 : sums.arcProbabilities[arcIndex(sums.arcs, h, m)]!,
    ),
  }));
}
