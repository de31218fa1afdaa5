import { AdaGrad, type AdaGradOptions } from "./adagrad.ts";
import { Adam, type AdamOptions } from "./adam.ts";
import { Sgd, type SgdOptions } from "./sgd.ts";
import type { StochasticSteps } from "./stochastic-steps.ts";
import type { AveragedWeights } from "./weights.ts";

/** Name of an optimizer, and its options. */
export type OptimizerOptions =
  | ({ readonly optimizer: "adagrad" } & AdaGradOptions)
  | ({ readonly optimizer: "adam" } & AdamOptions)
  | ({ readonly optimizer: "sgd" } & SgdOptions);

export function stochasticSteps(weights: AveragedWeights, options: OptimizerOptions): StochasticSteps {
  switch (options.optimizer) {
    case "adagrad":
      return new AdaGrad(weights, options);
    case "adam":
      return new Adam(weights, options);
    case "sgd":
      return new Sgd(weights, options);
    default:
      throw unknownOptimizer(options);
  }
}

function unknownOptimizer({ optimizer }: { readonly optimizer: string }): RangeError {
  return new RangeError(`optimizer must be adagrad, adam or sgd, got ${optimizer}`);
}
