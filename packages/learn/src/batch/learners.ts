import { yieldToEventLoop } from "../event-loop.ts";
import { checkNeeds, type Learner, type LearnerTraining } from "../learner.ts";
import type { StructuredTask, TaskMethod } from "../task.ts";
import { type ExponentiatedGradientOptions, exponentiatedGradient } from "./exponentiated-gradient.ts";
import { type FrankWolfeOptions, frankWolfe } from "./frank-wolfe.ts";
import { lbfgsInTurns } from "./lbfgs.ts";
import type { LbfgsOptions, LbfgsState } from "./lbfgs-search.ts";
import { hingeObjective, logLossObjective, type Objective } from "./objective.ts";
import { doubles, number, packFrankWolfe, packLbfgs, unpackFrankWolfe, unpackLbfgs } from "./states.ts";
import { onSupport, spread, supportOf } from "./support.ts";

/** Strength of the L2 penalty, for which the minimum of the objective exists and is unique. */
const L2 = 1e-3;
/** Number of corrections of L-BFGS, each of which takes two vectors of 64-bit floats. */
const HISTORY = 5;

/** The options of a batch learner that its training does not set. */
type Own<Options> = {
  readonly [Name in Exclude<keyof Options, RunOption>]?: Options[Name] | undefined;
};

type RunOption = "epochs" | "seed" | "onCheck" | "onIteration" | "onProgress" | "resume" | "signal";

/** The members that differ between batch learners. */
interface BatchLearner extends Pick<Learner, "name" | "unit" | "train"> {
  /** The optional methods of a task that it calls. Default: none. */
  readonly needs?: readonly TaskMethod[] | undefined;
}

/** Makes a `Learner` of a batch learner; it checks that the task has the methods that it needs. */
function batchLearner({ needs = [], train, ...rest }: BatchLearner): Learner {
  const learner: Learner = {
    ...rest,
    needs: new Set(needs),
    batch: true,
    sparse: false,
    async train(task, training) {
      checkNeeds(learner, task);
      return train(task, training);
    },
  };
  return learner;
}

/**
 * The structured support vector machine by block-coordinate Frank-Wolfe with pairwise steps as a `Learner`;
 * see `frankWolfe`. `l2` is 0.001 by default. The gap is proved after every epoch unless `checkEvery` says
 * otherwise.
 */
export function frankWolfeLearner(options: Own<FrankWolfeOptions> = {}): Learner {
  return batchLearner({
    name: "frank-wolfe",
    unit: "margin",
    async train(task, training) {
      const { onEpoch, resume } = training;
      const { weights } = await frankWolfe(task, {
        ...options,
        l2: options.l2 ?? L2,
        checkEvery: options.checkEvery ?? 1,
        ...commonOf(training),
        seed: training.seed,
        onCheck: (state) => onEpoch?.(packFrankWolfe(state), () => state.weights),
        resume: resume && unpackFrankWolfe(resume),
      });
      return weights;
    },
  });
}

/**
 * The conditional random field by exponentiated gradient on its dual as a `Learner`; see
 * `exponentiatedGradient`. `l2` is 0.001 by default. The gap is proved after every epoch unless `checkEvery`
 * says otherwise.
 */
export function exponentiatedGradientLearner(options: Own<ExponentiatedGradientOptions> = {}): Learner {
  return batchLearner({
    name: "exponentiated-gradient",
    needs: ["parts"],
    unit: "log-probability",
    async train(task, training) {
      const { onEpoch, resume } = training;
      const { weights } = await exponentiatedGradient(task, {
        ...options,
        l2: options.l2 ?? L2,
        checkEvery: options.checkEvery ?? 1,
        ...commonOf(training),
        seed: training.seed,
        onCheck: ({ epoch, primal, dual, ...vectors }) =>
          onEpoch?.({ epoch, numbers: { primal, dual }, vectors }, () => vectors.weights),
        resume: resume && {
          epoch: resume.epoch,
          primal: number(resume.numbers, "primal"),
          dual: number(resume.numbers, "dual"),
          weights: doubles(resume.vectors, "weights"),
          potentials: doubles(resume.vectors, "potentials"),
          rates: doubles(resume.vectors, "rates"),
        },
      });
      return weights;
    },
  });
}

/** Options of L-BFGS as a `Learner`. */
export interface LbfgsLearnerOptions extends Pick<LbfgsOptions, "history" | "tolerance"> {
  /**
   * The objective: the conditional log-linear loss (default), or the hinge loss, whose kinks end training
   * early.
   */
  readonly loss?: "log" | "hinge" | undefined;
  /** Strength of the penalty l2 / 2 · |w|² in addition to the mean loss. Default: 0.001. */
  readonly l2?: number | undefined;
}

/**
 * L-BFGS on the mean loss of all examples as a `Learner`: an epoch is an iteration, which is one evaluation
 * or a few. Where the task has `parts`, vectors have an entry for each weight that a part has a feature of;
 * otherwise they have the task's dimension. Memory: 2 · history + 5 of them, in 64 bits; 5 pairs of history
 * by default.
 */
export function lbfgsLearner({ loss = "log", l2 = L2, ...options }: LbfgsLearnerOptions = {}): Learner {
  return batchLearner({
    name: "lbfgs",
    needs: loss === "log" ? ["expectations"] : [],
    unit: loss === "log" ? "log-probability" : "margin",
    async train(task, training) {
      const objective = loss === "log" ? logLossObjective(task, { l2 }) : hingeObjective(task, { l2 });
      const { parts, size, dimension } = task;
      if (parts === undefined) return minimiseInTurns(objective, task, training, options);
      const support = supportOf(parts, size, dimension);
      const all = new Float64Array(dimension);
      const { onEpoch } = training;
      const found = await minimiseInTurns(
        onSupport(objective, support),
        task,
        {
          ...training,
          onEpoch:
            onEpoch &&
            ((state, weights) => onEpoch(state, () => spread(weights() as Float64Array, support, all))),
        },
        options,
      );
      return spread(found, support, all);
    },
  });
}

async function minimiseInTurns<Output>(
  objective: Objective,
  { size }: StructuredTask<Output>,
  { epochs, onProgress, onEpoch, resume, signal }: LearnerTraining,
  options: Pick<LbfgsOptions, "history" | "tolerance">,
): Promise<Float64Array> {
  const pause = yieldToEventLoop(signal);
  let epoch = (resume?.epoch ?? 0) + 1;
  const { weights } = await lbfgsInTurns(objective, {
    ...options,
    history: options.history ?? HISTORY,
    iterations: epochs,
    onExample: async (done) => {
      if ((await pause()) && done < size) onProgress?.({ epoch, done });
    },
    onIteration: (state: LbfgsState) => {
      epoch = state.iteration + 1;
      return onEpoch?.(packLbfgs(state), () => state.weights);
    },
    resume: resume && unpackLbfgs(resume),
  });
  return weights;
}

function commonOf({ epochs, onProgress, signal }: LearnerTraining) {
  return { epochs, onProgress, signal };
}
