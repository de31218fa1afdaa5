import { processorTime } from "@arcwise/bench/measures";
import { perceptron, trainOnline } from "@arcwise/learn";
import { type MaxentMethod, type MaxentProgress, trainMaxent } from "@arcwise/learn/maxent";
import {
  CHUNKING_TEMPLATES,
  type ChainOptions,
  createLabeller,
  prepareChain,
  RATNAPARKHI_TEMPLATES,
  TAG_DICTIONARY,
} from "@arcwise/sequence";
import { type Contexts, chunkingContexts, taggingContexts } from "./contexts.ts";
import type { CorpusName, LabelledCorpus, LabelledSentence } from "./corpora.ts";
import { MarkovLabeller, markovDesign, scoreOf } from "./markov.ts";

/** A task of Collins (2002) with its features, for the perceptron and for maximum entropy. */
export interface CollinsTask {
  readonly name: string;
  readonly title: string;
  readonly corpus: CorpusName;
  readonly metric: "accuracy" | "F1";
  readonly chain: ChainOptions;
  contexts(train: readonly LabelledSentence[]): Contexts;
}

const OUTER_PAIRS = ["form-2 form-1", "form+1 form+2"];

const TAGGING = {
  metric: "accuracy",
  chain: { templates: RATNAPARKHI_TEMPLATES, dictionary: TAG_DICTIONARY, pairs: "observed" },
  contexts: taggingContexts,
} as const;

export const COLLINS_TASKS: readonly CollinsTask[] = [
  { name: "tagging-brown", title: "tagging, Brown", corpus: "brown", ...TAGGING },
  { name: "tagging-ewt", title: "tagging, UD_English-EWT", corpus: "ewt", ...TAGGING },
  {
    name: "chunking",
    title: "chunking, CoNLL-2000",
    corpus: "conll2000",
    metric: "F1",
    chain: { templates: CHUNKING_TEMPLATES, bio: true },
    contexts: () => chunkingContexts(),
  },
  {
    name: "chunking-pairs",
    title: "chunking with w-2w-1 and w+1w+2",
    corpus: "conll2000",
    metric: "F1",
    chain: { templates: [...CHUNKING_TEMPLATES, ...OUTER_PAIRS], bio: true },
    contexts: () => chunkingContexts(true),
  },
];

export const COLLINS_LEARNERS = ["perceptron", "cd", "scgis", "gis", "iis", "lbfgs"] as const;

/** The score of a training after some iterations. */
export interface CollinsRow {
  readonly task: string;
  readonly metric: "accuracy" | "F1";
  /** Features of fewer occurrences are left out; 0 and 1 leave out none. */
  readonly cutoff: number;
  readonly learner: "averaged perceptron" | "perceptron" | `maximum entropy, ${MaxentMethod}`;
  readonly iterations: number;
  /** From 0 to 1, on the test sentences. */
  readonly score: number;
  /** The same on the development sentences, where the corpus has some. */
  readonly dev?: number | undefined;
  /** Number of words with the correct label, of each test sentence. */
  readonly correct: readonly number[];
  /** Seconds of processor time of training until then. */
  readonly seconds: number;
}

/**
 * Epochs of the perceptron that are measured, as in table 4 of the paper. With development sentences, from
 * which an epoch can be chosen, all epochs are measured.
 */
export const EPOCHS = [6, 10, 17, 20] as const;
/** Iterations of maximum entropy that are measured. */
export const ITERATIONS = [5, 100, 200] as const;

/** Beam width of maximum entropy, as in Ratnaparkhi (1996). */
const BEAM = 5;

function scoresOf(
  task: CollinsTask,
  { dev, test }: LabelledCorpus,
  label: (sentence: LabelledSentence) => readonly string[],
): Pick<CollinsRow, "score" | "dev" | "correct"> {
  const found = test.map(label);
  return {
    score: scoreOf(task.metric, test, found),
    dev: dev && scoreOf(task.metric, dev, dev.map(label)),
    correct: test.map(({ labels }, s) => labels.filter((gold, i) => found[s]![i] === gold).length),
  };
}

/** Trains a perceptron, and scores its last weights and their average after the epochs of `EPOCHS`. */
export async function collinsPerceptron(
  task: CollinsTask,
  corpus: LabelledCorpus,
  cutoff: number,
  seed: number,
): Promise<CollinsRow[]> {
  const training = prepareChain(corpus.train, { ...task.chain, minimum: Math.max(1, cutoff) });
  const learner = perceptron(training.task.dimension);
  const rows: CollinsRow[] = [];
  let begin = processorTime();
  let seconds = 0;
  await trainOnline(training.task, learner, {
    epochs: Math.max(...EPOCHS),
    seed,
    onEpoch: ({ epoch }) => {
      seconds += (processorTime() - begin) / 1000;
      if (corpus.dev || EPOCHS.some((one) => one === epoch)) {
        const both = [
          ["averaged perceptron", learner.weights.average()],
          ["perceptron", learner.weights.values],
        ] as const;
        for (const [name, weights] of both) {
          const { label } = createLabeller(training.model(weights));
          rows.push({
            ...headOf(task, cutoff),
            learner: name,
            iterations: epoch,
            ...scoresOf(task, corpus, ({ sentence }) => label(sentence)),
            seconds,
          });
        }
      }
      begin = processorTime();
    },
  });
  return rows;
}

/** Trains a maximum entropy model, and scores it after the iterations of `ITERATIONS`. */
export function collinsMaxent(
  task: CollinsTask,
  corpus: LabelledCorpus,
  cutoff: number,
  method: MaxentMethod,
): CollinsRow[] {
  const contexts = task.contexts(corpus.train);
  const design = markovDesign(corpus.train, contexts, Math.max(1, cutoff));
  const labeller = new MarkovLabeller(design, contexts, BEAM);
  const rows: CollinsRow[] = [];
  const measure = (iterations: number, { seconds, weights }: MaxentProgress): void => {
    const learner = `maximum entropy, ${method}` as const;
    const scores = scoresOf(task, corpus, (sentence) => labeller.label(sentence, weights));
    rows.push({ ...headOf(task, cutoff), learner, iterations, ...scores, seconds });
  };
  const end = trainMaxent(design, {
    method,
    iterations: Math.max(...ITERATIONS),
    tolerance: 0,
    clock: processorTime,
    onIteration(progress) {
      if (ITERATIONS.some((one) => one === progress.iteration)) measure(progress.iteration, progress);
      return true;
    },
  });
  // Where the value falls no more, later iterations do not change it.
  for (const iterations of ITERATIONS) if (iterations > end.iteration) measure(iterations, end);
  return rows;
}

function headOf({ title, metric }: CollinsTask, cutoff: number) {
  return { task: title, metric, cutoff };
}
