import {
  type LbfgsOptions,
  LbfgsSearch,
  type LbfgsState,
  type Minimum,
  run,
  runInTurns,
} from "./lbfgs-search.ts";
import type { Evaluation } from "./line-search.ts";
import type { Objective } from "./objective.ts";

/**
 * Minimises a smooth function by limited-memory BFGS (Liu and Nocedal 1989) with a line search for the strong
 * Wolfe conditions.
 *
 * An iteration costs one or a few evaluations and 4 · history · dimension; memory is 2 · history + 5 vectors.
 * It runs without yielding to the event loop.
 *
 * @throws RangeError when an option is out of its range or the objective is not a finite number at the first
 *   weights
 */
export function lbfgs(objective: Objective, options: LbfgsOptions = {}): Minimum {
  const search = new LbfgsSearch(objective.dimension, options);
  const evaluate = ({ weights, gradient }: Evaluation) => objective.evaluate(weights, gradient);
  if (options.resume === undefined) run(search.begin(), evaluate);
  while (search.isOpen && run(search.iterate(), evaluate)) {
    if (options.onIteration?.(search.state()) === false) break;
  }
  return search.minimum();
}

/** Options of a minimisation that yields to the event loop. */
export interface AsyncLbfgsOptions extends Omit<LbfgsOptions, "onIteration"> {
  /** Called after each example of an evaluation and awaited, with the number of examples done. */
  readonly onExample?: ((done: number) => unknown) | undefined;
  /** Called after each iteration and awaited; training ends when it returns false. */
  readonly onIteration?: ((state: LbfgsState) => unknown) | undefined;
}

/** Minimises like `lbfgs`, to the same bits, with evaluations that yield to the event loop. */
export async function lbfgsInTurns(
  objective: Objective,
  { onExample = () => undefined, onIteration, ...options }: AsyncLbfgsOptions = {},
): Promise<Minimum> {
  const search = new LbfgsSearch(objective.dimension, options);
  const evaluate = ({ weights, gradient }: Evaluation) =>
    objective.evaluateInTurns?.(weights, gradient, onExample) ?? objective.evaluate(weights, gradient);
  if (options.resume === undefined) await runInTurns(search.begin(), evaluate);
  while (search.isOpen && (await runInTurns(search.iterate(), evaluate))) {
    if ((await onIteration?.(search.state())) === false) break;
  }
  return search.minimum();
}
