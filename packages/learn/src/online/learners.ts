import { checkNeeds, type Learner, type LearnerState, type ScoreUnit, type StateVector } from "../learner.ts";
import type { TaskMethod } from "../task.ts";
import { type CrfOptions, crf } from "./crf.ts";
import { type KBestMiraOptions, kBestMira } from "./kbest-mira.ts";
import { type MiraOptions, mira } from "./mira.ts";
import type { OnlineLearner } from "./online-learner.ts";
import { type PerceptronOptions, perceptron } from "./perceptron.ts";
import { type SvmOptions, svm } from "./svm.ts";
import { type OnlineState, trainOnline } from "./train-online.ts";

/** Description of an online learner, for `onlineLearner`. */
export interface OnlineLearnerTraits {
  readonly name: string;
  /** Makes an untrained learner with `dimension` weights. */
  readonly create: (dimension: number) => OnlineLearner;
  /** The optional methods of a task that it calls. Default: none. */
  readonly needs?: readonly TaskMethod[] | undefined;
  /** Default: "margin". */
  readonly unit?: ScoreUnit | undefined;
  /** Whether an update changes few weights. Default: false. */
  readonly sparse?: boolean | undefined;
}

/** Makes a `Learner` from an online learner, trained by `trainOnline`. */
export function onlineLearner({
  name,
  create,
  needs = [],
  unit = "margin",
  sparse = false,
}: OnlineLearnerTraits): Learner {
  const made: Learner = {
    name,
    needs: new Set(needs),
    unit,
    batch: false,
    sparse,
    online: create,
    async train(task, { epochs, seed, onProgress, onEpoch, resume, signal }) {
      checkNeeds(made, task);
      const learner = create(task.dimension);
      // One vector for all epochs: with millions of weights, new ones would be the most memory of training.
      let found: Float32Array | undefined;
      const result = () => {
        found = learner.result(found);
        return found;
      };
      await trainOnline(task, learner, {
        epochs,
        seed,
        resume: resume && onlineStateOf(resume),
        signal,
        onProgress: onProgress && (({ epoch, done }) => onProgress({ epoch, done })),
        onEpoch: onEpoch && ((state) => onEpoch(learnerStateOf(state), result)),
      });
      return result();
    },
  };
  return made;
}

/** The structured perceptron as a `Learner`; see `perceptron`. */
export function perceptronLearner(options: PerceptronOptions = {}): Learner {
  const needs: TaskMethod[] = (options.update ?? "full") === "full" ? [] : ["search"];
  const create = (dimension: number) => perceptron(dimension, options);
  return onlineLearner({ name: "perceptron", create, needs, unit: "none", sparse: true });
}

/** One-best MIRA as a `Learner`; see `mira`. */
export function miraLearner(options: MiraOptions = {}): Learner {
  return onlineLearner({ name: "mira", create: (dimension) => mira(dimension, options), sparse: true });
}

/** k-best MIRA as a `Learner`; see `kBestMira`. */
export function kBestMiraLearner(options: KBestMiraOptions = {}): Learner {
  const create = (dimension: number) => kBestMira(dimension, options);
  return onlineLearner({ name: "kbest-mira", create, needs: ["kBest"], sparse: true });
}

/** The structured support vector machine trained by stochastic subgradient, as a `Learner`; see `svm`. */
export function svmLearner(options: SvmOptions = {}): Learner {
  return onlineLearner({ name: "svm", create: (dimension) => svm(dimension, options) });
}

/** The conditional random field trained by stochastic gradient, as a `Learner`; see `crf`. */
export function crfLearner(options: CrfOptions = {}): Learner {
  const create = (dimension: number) => crf(dimension, options);
  return onlineLearner({ name: "crf", create, needs: ["expectations"], unit: "log-probability" });
}

/** Converts the state of an online learner to a `LearnerState`. O(1): vectors are shared. */
export function learnerStateOf({ epoch, steps, values, weighted, memory }: OnlineState): LearnerState {
  return { epoch, numbers: { steps }, vectors: { values, weighted, ...memory } };
}

/**
 * Converts a `LearnerState` to the state of an online learner.
 *
 * @throws RangeError when it is the state of another kind of learner
 */
export function onlineStateOf({ epoch, numbers, vectors }: LearnerState): OnlineState {
  const { steps } = numbers;
  if (!Number.isSafeInteger(steps) || steps! < 0) {
    throw new RangeError(`expected the state of an online learner, with a number of steps; got ${steps}`);
  }
  const { values, weighted, ...others } = vectors;
  const memory = Object.entries(others).map(([name, vector]) => [name, floats(name, vector)] as const);
  return {
    epoch,
    steps: steps!,
    values: floats("values", values),
    weighted: floats("weighted", weighted),
    memory: Object.fromEntries(memory),
  };
}

function floats(name: string, vector: StateVector | undefined): Float32Array {
  if (vector instanceof Float32Array) return vector;
  throw new RangeError(
    `expected the state of an online learner; its "${name}" is not a vector of 32-bit floats`,
  );
}
