/*
 * What the commands of this repository share: options that are declared once, exit codes and messages. It
 * follows the commands and is not a stable interface for others.
 */
export { DataError, EXIT, type Explanation, explain, UsageError } from "../errors.ts";
export { integer, integers, positive, positives, rate, required } from "../options.ts";
export { printable } from "../printable.ts";
export { trainSettings } from "../train-settings.ts";
export {
  decoderOption,
  epochsOption,
  LABELLERS,
  type Labeller,
  LEARNERS,
  type Learner,
  labellerOption,
  learnerOption,
  lossOptions,
  ORDERS,
  type Order,
  orderOption,
  seedOption,
} from "../training-options.ts";
