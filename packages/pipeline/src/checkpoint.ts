import type { ConlluSentence } from "@arcwise/conllu";
import type { Sentence, Word } from "@arcwise/core";
import { hashString } from "@arcwise/core/features";
import { type Check, list, record, satisfying, string } from "@arcwise/core/options";
import { type Checkpoint, CheckpointState } from "@arcwise/core/training";
import { loadTagger, saveTagger } from "@arcwise/sequence";
import { loadTokenizer, saveTokenizer } from "@arcwise/tokenize";

/** Returns a fingerprint of a treebank and the settings of a training. O(rows). */
export function treebankPrint(sentences: readonly ConlluSentence[], settings: unknown): string {
  let print = hashString(JSON.stringify(settings));
  for (const { rows, comments } of sentences) {
    print = hashString(JSON.stringify([rows, comments]), print);
  }
  return `${sentences.length}-${print >>> 0}`;
}

/** A step of a training. */
export interface Step<Output, Given extends readonly unknown[]> {
  /** Estimated microseconds that it takes. */
  readonly work: number;
  run(...given: Given): Output | Promise<Output>;
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
 * Returns, for each step before the parser, a function that returns the step with its output kept: it takes the output of an
 * earlier training with the fingerprint `run`, or runs and writes its output.
 *
 * @throws ModelError when a state is damaged, or of another training
 */
export async function keptSteps(checkpoint: Checkpoint | undefined, run: string) {
  const kept = async <Output, State extends object>(
    name: string,
    check: Check<State>,
    stateOf: (output: Output) => State,
    outputOf: (state: State) => Output,
  ) => {
    const state = new CheckpointState<State>(checkpoint, { name, run, check });
    const earlier = await state.read();
    const output = earlier && outputOf(earlier);
    return <Given extends readonly unknown[]>({ work, run }: Step<Output, Given>): Step<Output, Given> => {
      if (output !== undefined) return { work: 0, run: () => output };
      return {
        work,
        async run(...given) {
          const made = await run(...given);
          await state.write(() => stateOf(made));
          return made;
        },
      };
    };
  };
  const keptModel = <Model>(
    name: string,
    save: (model: Model) => Uint8Array,
    load: (file: Uint8Array) => Model,
  ) =>
    kept<Model, SavedModel>(
      name,
      MODEL,
      (model) => ({ file: new Int8Array(save(model)) }),
      ({ file }) => load(new Uint8Array(file.buffer, file.byteOffset, file.length)),
    );
  return {
    tokenizer: await keptModel("tokenizer", saveTokenizer, loadTokenizer),
    tagger: await keptModel("tagger", saveTagger, loadTagger),
    /** The treebank with predicted tags. */
    tagged: await kept(
      "tagged",
      TAGGED,
      (sentences: readonly Sentence[]) => ({ sentences }),
      ({ sentences }) => sentences,
    ),
  };
}

/** See `keptSteps`. */
export type KeptSteps = Awaited<ReturnType<typeof keptSteps>>;

/** Returns the part of a checkpoint with the states of the parser. */
export function statesOfParser(checkpoint: Checkpoint): Checkpoint {
  const own = (name: string) => `parser-${name}`;
  return {
    read: (name) => checkpoint.read(own(name)),
    write: (name, state) => checkpoint.write(own(name), state),
  };
}
