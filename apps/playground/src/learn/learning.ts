import { type ConlluSentence, sentenceTree } from "@arcwise/conllu";
import { hasCode } from "@arcwise/core/errors";
import { readModel } from "@arcwise/english-small";
import {
  createPipeline,
  loadPipeline,
  type PipelineModel,
  savePipeline,
  type TrainingProgress,
  trainPipeline,
} from "@arcwise/pipeline";
import { MIN_HELD_OUT } from "./corrected.ts";

/** Training data of a worker. */
export interface LearnRequest {
  /** The bytes of the model that is continued. Default: the model of English. */
  readonly bytes?: Uint8Array | undefined;
  /** Sentences in CoNLL-U, whole or annotated in part. */
  readonly sentences: readonly ConlluSentence[];
  readonly epochs: number;
  /** Whether a fifth of the sentences is held out, to measure the model. */
  readonly holdsOut: boolean;
}

/** Shares of words with the right head, the right head and label, and the right tag, in percent. */
export interface Accuracy {
  readonly words: number;
  readonly uas: number;
  readonly las: number;
  readonly upos: number;
}

/** Accuracy on the same sentences before and after a training. */
export interface Change {
  readonly sentences: number;
  readonly before: Accuracy;
  readonly after: Accuracy;
}

/** Result of a lesson. */
export interface Learned {
  readonly bytes: Uint8Array;
  readonly learned: Change;
  /** Absent if no sentence was held out. */
  readonly heldOut?: Change | undefined;
}

/** Every fifth sentence is held out. */
const FOLD = 5;

/**
 * Continues the training of a model, and measures it before and after, on the words as they are. Sentences that are held out
 * decide nothing: the number of epochs is given, so that their accuracy does not flatter.
 */
export async function learn(
  { bytes, sentences, epochs, holdsOut }: LearnRequest,
  onProgress: (progress: TrainingProgress) => void,
): Promise<Learned> {
  const model = loadPipeline(bytes ?? (await readModel()));
  const isHeldOut = heldOut(sentences, holdsOut);
  const train = sentences.filter((_, i) => !isHeldOut[i]);
  const measured = sentences.filter((_, i) => isHeldOut[i]);
  const better = await trainPipeline(train, {
    continue: model,
    // Models with features do not learn from partly annotated sentences.
    partial: !train.every(isWhole),
    settings: { parser: { network: { epochs } } },
    onProgress,
  });
  const change = (own: readonly ConlluSentence[]): Change => ({
    sentences: own.length,
    before: accuracy(model, own),
    after: accuracy(better, own),
  });
  return {
    bytes: savePipeline(better),
    learned: change(train),
    heldOut: measured.length > 0 ? change(measured) : undefined,
  };
}

/** Returns which sentences are held out: every fifth sentence, if it is annotated in full. */
function heldOut(sentences: readonly ConlluSentence[], holdsOut: boolean): boolean[] {
  const isAsked = holdsOut && sentences.length >= MIN_HELD_OUT;
  return sentences.map((sentence, i) => isAsked && i % FOLD === FOLD - 1 && isWhole(sentence));
}

function isWhole(sentence: ConlluSentence): boolean {
  try {
    sentenceTree(sentence);
    return true;
  } catch (error) {
    if (hasCode(error, "malformed-conllu")) return false;
    throw error;
  }
}

/** Returns how many of the annotated words of sentences a model analyses as they are annotated. */
export function accuracy(model: PipelineModel, sentences: readonly ConlluSentence[]): Accuracy {
  const wordsOf = ({ rows }: ConlluSentence) => rows.flatMap((row) => (row.kind === "word" ? [row] : []));
  const forms = sentences.map((sentence) => wordsOf(sentence).map(({ form }) => form));
  const found = createPipeline(model).annotate(forms);
  let [words, heads, labelled, tagged, right] = [0, 0, 0, 0, 0];
  for (const [s, sentence] of sentences.entries()) {
    const own = wordsOf(found[s]!);
    for (const [i, { head, deprel, upos }] of wordsOf(sentence).entries()) {
      const predicted = own[i]!;
      if (upos !== "_") {
        tagged++;
        if (upos === predicted.upos) right++;
      }
      if (head < 0) continue;
      words++;
      if (head !== predicted.head) continue;
      heads++;
      if (deprel === "_" || deprel === predicted.deprel) labelled++;
    }
  }
  const percent = (count: number, total: number) => (100 * count) / Math.max(1, total);
  return {
    words,
    uas: percent(heads, words),
    las: percent(labelled, words),
    upos: percent(right, tagged),
  };
}
