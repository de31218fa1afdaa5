import type { Sentence } from "@arcwise/core";
import { type Encoder, encodeWords, requireEncoder } from "@arcwise/core/encoders";
import { ArcwiseError } from "@arcwise/core/errors";
import {
  accepting,
  callback,
  defineOptions,
  list,
  type OptionsOf,
  satisfying,
  signal,
} from "@arcwise/core/options";
import {
  CHECKPOINT,
  type Checkpoint,
  type TrainingProgress,
  TrainingReporter,
  type TrainingWarning,
} from "@arcwise/core/training";
import { here, PLACE, type Place } from "@arcwise/jobs";
import { PRESET } from "./presets.ts";
import type { Stage, Stages } from "./stages/stage.ts";

const object = satisfying<object>("an object", (value) => typeof value === "object" && value !== null);

/** The options of a training that are not settings of the model. */
export const RUN_OPTIONS = defineOptions({
  preset: PRESET,
  dev: { check: list(object), help: "examples to evaluate on after each epoch", programmatic: true },
  onProgress: {
    check: accepting<(progress: TrainingProgress) => void>(callback),
    help: "called with the progress of the training",
    programmatic: true,
  },
  /** See `trainingWarnings`. */
  onWarning: {
    check: accepting<(warning: TrainingWarning) => void>(callback),
    help: "called before the training with its warnings about the examples",
    programmatic: true,
  },
  checkpoint: CHECKPOINT,
  signal: {
    check: signal,
    help: "ends the training, between two sentences, by throwing its reason",
    programmatic: true,
  },
  /**
   * Its vectors are an input of the network, and do not change. They are computed before the training, once per sentence:
   * `keptVectors` of `@arcwise/pipeline/node` keeps them for further trainings. Parsing needs the same encoder.
   */
  encoder: {
    check: accepting<Encoder>((value, at) => void requireEncoder(value, at)),
    help: "an encoder, whose vectors of words in sentences the network reads",
    programmatic: true,
  },
  place: PLACE,
});

/** How a training of a parser of trees or graphs runs: options that are not settings of the model. */
export interface RunOptions<Example> extends Omit<OptionsOf<typeof RUN_OPTIONS>, "dev"> {
  /** Examples to evaluate on after each epoch. */
  readonly dev?: readonly Example[] | undefined;
}

/** The parts of a training that do not determine the model: reports, checkpoints and the signal to stop. */
export interface TrainingRun<Example> {
  readonly dev: readonly Example[];
  readonly reporter: TrainingReporter;
  readonly checkpoint: Checkpoint | undefined;
  readonly signal: AbortSignal | undefined;
  readonly place: Place;
}

/** Estimated microseconds of an encoder per word: of one of six layers on one core. */
const ENCODER_WORK = 600;

/** Returns the estimated work of each step of a training on `words` words, in microseconds on one thread. */
export function workOf<Settings, Outputs>(
  stages: Stages<never, Settings, Outputs>,
  settings: Settings,
  { encoder }: { readonly encoder?: Encoder | undefined },
  words: number,
): Readonly<Record<string, number>> {
  const entries = Object.entries(stages) as [string, Stage<never, Settings, Outputs, unknown>][];
  return {
    encode: encoder === undefined ? 0 : ENCODER_WORK * words,
    ...Object.fromEntries(entries.map(([name, stage]) => [name, stage.work?.(words, settings) ?? 0])),
  };
}

/**
 * Checks that a training with an encoder has a network, which reads its vectors.
 *
 * @throws ArcwiseError `invalid-option`
 */
export function checkEncoder(encoder: Encoder | undefined, hasNetwork: boolean): void {
  if (encoder === undefined || hasNetwork) return;
  const message = "an encoder requires a network: give the terms network, or network,features";
  throw new ArcwiseError("invalid-option", message, { at: "encoder" });
}

/** Returns the properties of an encoder that vectors depend on, for checkpoints; empty without an encoder. */
export function printOfEncoder(encoder: Encoder | undefined): unknown[] {
  return encoder === undefined ? [] : [{ width: encoder.width, fingerprint: encoder.fingerprint }];
}

/** Encodes the sentences of a training and of its development set; without an encoder, returns them as they are. */
export async function encodedExamples<Example extends { readonly sentence: Sentence }>(
  encoder: Encoder | undefined,
  examples: readonly Example[],
  run: TrainingRun<Example>,
): Promise<{ readonly examples: readonly Example[]; readonly run: TrainingRun<Example> }> {
  if (encoder === undefined) return { examples, run };
  const { reporter, signal, dev } = run;
  const all = [...examples, ...dev];
  const sentences = await encodeWords(
    encoder,
    all.map(({ sentence }) => sentence),
    {
      signal,
      onProgress: (share) =>
        reporter.report("encode", { step: "encode", epoch: 1, epochs: 1, epochDone: share === 1, share }),
    },
  );
  const encoded = all.map((example, s) => ({ ...example, sentence: sentences[s] }));
  reporter.finish("encode");
  return {
    examples: encoded.slice(0, examples.length),
    run: { ...run, dev: encoded.slice(examples.length) },
  };
}

/** Returns the run of a training with the work of its stages. */
export function runOf<Example extends { readonly sentence: Sentence }, Settings, Outputs>(
  stages: Stages<never, Settings, Outputs>,
  settings: Settings,
  examples: readonly Example[],
  options: RunOptions<Example>,
): TrainingRun<Example> {
  const { dev = [], onProgress, checkpoint, signal, place = here() } = options;
  const words = examples.reduce((total, { sentence }) => total + sentence.length, 0);
  const work = workOf(stages, settings, options, words);
  return { dev, reporter: new TrainingReporter(work, onProgress), checkpoint, signal, place };
}
