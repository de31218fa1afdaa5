import type { ConlluSentence } from "@arcwise/conllu";
import type { Sentence, Word } from "@arcwise/core";
import { hashString } from "@arcwise/core/features";
import { type Check, list, record, satisfying, string } from "@arcwise/core/options";
import { type Checkpoint, CheckpointState } from "@arcwise/core/training";
import { loadTagger, saveTagger, type TaggerModel } from "@arcwise/sequence";
import { loadTokenizer, saveTokenizer, type TokenizerModel } from "@arcwise/tokenize";

/** Returns a fingerprint of a treebank and the settings of a training. O(rows). */
export function treebankPrint(sentences: readonly ConlluSentence[], settings: unknown): string {
  let print = hashString(JSON.stringify(settings));
  for (const { rows, comments } of sentences) {
    print = hashString(JSON.stringify([rows, comments]), print);
  }
  return `${sentences.length}-${print >>> 0}`;
}

/** A step of a training whose output is kept once it is done. */
interface KeptStep<Output> {
  /** Whether an earlier training has done it. */
  readonly isDone: boolean;
  /** Returns the output of an earlier training; otherwise does the step and keeps its output. */
  output(run: () => Promise<Output>): Promise<Output>;
}

async function keptStep<Output, State extends object>(
  state: CheckpointState<State>,
  stateOf: (output: Output) => State,
  outputOf: (state: State) => Output,
): Promise<KeptStep<Output>> {
  const earlier = await state.read();
  const found = earlier && outputOf(earlier);
  return {
    isDone: found !== undefined,
    async output(run) {
      if (found !== undefined) return found;
      const output = await run();
      await state.write(() => stateOf(output));
      return output;
    },
  };
}

/** The bytes of a model file. */
interface SavedModel {
  readonly file: Int8Array;
}

const MODEL = record<SavedModel>({
  file: satisfying("bytes", (value) => value instanceof Int8Array),
});
const WORD = record<Required<Omit<Word, "vector">>>({
  form: string,
  lemma: string,
  upos: string,
  xpos: string,
  feats: string,
});
const TAGGED = record<{ readonly sentences: readonly Sentence[] }>({ sentences: list(list(WORD)) });

/**
 * Reads the steps before the parser in the checkpoint of the training with the fingerprint `run`.
 *
 * @throws ModelError when a state is damaged, or of another training
 */
export async function keptSteps(checkpoint: Checkpoint | undefined, run: string) {
  const stateOf = <State extends object>(name: string, check: Check<State>) =>
    new CheckpointState<State>(checkpoint, { name, run, check });
  const modelOf = <Model>(
    name: string,
    save: (model: Model) => Uint8Array,
    load: (file: Uint8Array) => Model,
  ) =>
    keptStep<Model, SavedModel>(
      stateOf(name, MODEL),
      (model) => ({ file: new Int8Array(save(model)) }),
      ({ file }) => load(new Uint8Array(file.buffer, file.byteOffset, file.length)),
    );
  return {
    tokenizer: await modelOf<TokenizerModel>("tokenizer", saveTokenizer, loadTokenizer),
    tagger: await modelOf<TaggerModel>("tagger", saveTagger, loadTagger),
    /** The treebank with predicted tags. */
    tagged: await keptStep(
      stateOf("tagged", TAGGED),
      (sentences: readonly Sentence[]) => ({ sentences }),
      ({ sentences }) => sentences,
    ),
  };
}

/** Returns the part of a checkpoint with the states of the parser. */
export function statesOfParser(checkpoint: Checkpoint): Checkpoint {
  const own = (name: string) => `parser-${name}`;
  return {
    read: (name) => checkpoint.read(own(name)),
    write: (name, state) => checkpoint.write(own(name), state),
  };
}
