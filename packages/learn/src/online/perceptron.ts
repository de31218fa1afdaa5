import { SparseVector } from "@arcwise/core";
import {
  checkUpdate,
  EXPECTED_ENTRIES,
  MissingMethod,
  type SearchTrace,
  type StructuredTask,
  type Update,
} from "../task.ts";
import type { OnlineLearner } from "./online-learner.ts";
import { AveragedWeights } from "./weights.ts";

/**
 * The part of an output that a perceptron updates on: the whole output, or with inexact search a prefix of
 * it.
 *
 * - `full`: the best output of `decode`.
 * - `early`: the prefixes of the step after which the gold one was lost (Collins and Roark 2004).
 * - `max-violation`: the prefixes of the step where the best prefix is furthest above the gold one (Huang, Fayong
 *   and Guo 2012).
 * - `latest`: the prefixes of the last step where the best prefix is not below the gold one (the same paper).
 *
 * All but the first update only where the model prefers a wrong prefix, so that the perceptron converges on
 * separable data however bad the search is; where the gold output was kept to the end, `early` compares whole
 * outputs.
 */
export type PerceptronUpdate = "full" | "early" | "max-violation" | "latest";

/** Options of the perceptron. */
export interface PerceptronOptions {
  /** Default: `full`. The others need a task with `search`. */
  readonly update?: PerceptronUpdate | undefined;
  /** Whether the final weights are the average over all steps (Freund and Schapire 1999). Default: true. */
  readonly averaged?: boolean | undefined;
}

const UPDATES: ReadonlySet<string> = new Set(["full", "early", "max-violation", "latest"]);

/**
 * Makes the structured perceptron (Collins 2002): where the best output is wrong, it adds the features of the
 * gold output and subtracts the features of the best one. An update costs a decoding and the non-zeros of the
 * difference.
 *
 * @throws RangeError when the dimension is not an integer >= 1 or the update is unknown
 * @throws ArcwiseError `missing-method` from `update` when the task lacks the `search` that the kind of update needs
 */
export function perceptron(dimension: number, options: PerceptronOptions = {}): OnlineLearner {
  const { update: kind = "full", averaged = true } = options;
  if (!UPDATES.has(kind)) {
    throw new RangeError(`update must be one of ${[...UPDATES].join(", ")}, got ${kind}`);
  }
  const weights = new AveragedWeights(dimension);
  const difference = new SparseVector(EXPECTED_ENTRIES);

  /** Writes the difference and returns the cost. */
  function compare<Output>(task: StructuredTask<Output>, example: number): number {
    difference.clear();
    if (kind === "full") {
      return task.difference(example, task.decode(example, weights.values, false), difference);
    }
    if (task.search === undefined) throw new MissingMethod("perceptron", "search");
    const trace = task.search(example, weights.values);
    return trace.difference(stepOf(trace, kind), difference);
  }

  function update<Output>(task: StructuredTask<Output>, example: number): Update {
    const cost = compare(task, example);
    const loss = -difference.dot(weights.values);
    checkUpdate(example, loss, cost);
    if (cost > 0) weights.add(difference, 1);
    else weights.skip();
    return { cost, loss: Math.max(0, loss) };
  }

  const result = (into?: Float32Array) => weights.result(averaged, into);
  return { name: "perceptron", weights, sparse: true, update, result };
}

/** The step whose prefixes an update compares. O(steps). */
function stepOf({ steps, violations, lost }: SearchTrace, kind: Exclude<PerceptronUpdate, "full">): number {
  if (kind === "early") return Math.min(lost, steps - 1);
  let chosen = steps - 1;
  if (kind === "latest") {
    while (chosen > 0 && violations[chosen] < 0) chosen--;
    return chosen;
  }
  for (let step = 0; step < steps; step++) if (violations[step] > violations[chosen]) chosen = step;
  return chosen;
}
