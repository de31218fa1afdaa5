import type { ConlluSentence } from "@arcwise/conllu";
import type { Sentence, Word } from "@arcwise/core";
import {
  anyContent,
  bundlePieces,
  type FilePieces,
  ModelError,
  readBundle,
  readContainer,
  writeContainer,
} from "@arcwise/core/container";
import { hashString } from "@arcwise/core/features";
import { type Check, list, record, string } from "@arcwise/core/options";
import { loadTagger, saveTagger, type TaggerModel } from "@arcwise/sequence";
import { loadTokenizer, saveTokenizer, type TokenizerModel } from "@arcwise/tokenize";

/** The steps of a training that are done. */
export interface PipelineSteps {
  readonly tokenizer?: TokenizerModel | undefined;
  readonly tagger?: TaggerModel | undefined;
  /** The treebank with predicted tags. */
  readonly tagged?: readonly Sentence[] | undefined;
}

/** The steps of a training that are done, and the state of the parser's training. */
export interface PipelineCheckpoint extends PipelineSteps {
  /** The state of `trainParser`. */
  readonly parser?: Uint8Array | undefined;
}

/** The parts of a checkpoint, as the bytes of its file. */
export type CheckpointParts = {
  readonly [Part in keyof PipelineCheckpoint]?: Uint8Array | FilePieces | undefined;
};

const KIND = "pipeline checkpoint";
const TAGGED = "tagged sentences";

/** Returns a fingerprint of a treebank and the settings of a training. O(rows). */
export function treebankPrint(sentences: readonly ConlluSentence[], settings: unknown): string {
  let print = hashString(JSON.stringify(settings));
  for (const { rows, comments } of sentences) {
    print = hashString(JSON.stringify([rows, comments]), print);
  }
  return `${sentences.length}-${print >>> 0}`;
}

/** Returns the bytes of steps that are done. O(their numbers and words): do it once for each step. */
export function checkpointParts({ tokenizer, tagger, tagged }: PipelineSteps): CheckpointParts {
  return {
    tokenizer: tokenizer && saveTokenizer(tokenizer),
    tagger: tagger && saveTagger(tagger),
    tagged: tagged && writeContainer({ kind: TAGGED, header: tagged, vectors: {} }),
  };
}

/** Returns the bytes of a checkpoint, in pieces. */
export function pipelineCheckpointPieces(parts: CheckpointParts, print: string): FilePieces {
  return bundlePieces({ kind: KIND, header: { print }, parts });
}

const HEADER: Check = record<{ readonly print: string }>({ print: string });
const SENTENCES: Check = list(
  list(
    record<Required<Omit<Word, "vector">>>({
      form: string,
      lemma: string,
      upos: string,
      xpos: string,
      feats: string,
    }),
  ),
);

/** Reads a checkpoint. */
export function readPipelineCheckpoint(bytes: Uint8Array, print: string): PipelineCheckpoint {
  const { header, parts } = readBundle(bytes, KIND, HEADER);
  if ((header as { readonly print: string }).print !== print) {
    throw new ModelError(
      "expected a checkpoint of this training, found a checkpoint of other data or options",
    );
  }
  const { tokenizer, tagger, tagged, parser } = parts as Readonly<Record<string, Uint8Array | undefined>>;
  return {
    tokenizer: tokenizer && loadTokenizer(tokenizer),
    tagger: tagger && loadTagger(tagger),
    tagged: tagged && readTagged(tagged),
    parser,
  };
}

function readTagged(bytes: Uint8Array): Sentence[] {
  const { header } = readContainer(bytes, TAGGED, (value, listed) => {
    SENTENCES(value, `damaged ${TAGGED}`);
    return anyContent(value, listed);
  });
  return header as Sentence[];
}
