import { LEARNER_NAMES, type TrainOptions } from "@arcwise/parser";
import { Option } from "commander";
import { integer } from "../command/options.ts";

type Values<Name extends keyof TrainOptions> = readonly NonNullable<TrainOptions[Name]>[];
type LabellerName = NonNullable<NonNullable<TrainOptions["labels"]>["labeller"]>;

/** The values of `--labeller`. */
export const LABELLERS = ["joint", "sequence"] as const satisfies readonly LabellerName[];
/** The values of `--order`. */
export const ORDERS = [1, 2, 3] as const satisfies Values<"order">;

/** The order of a model, for `--order`. */
export type Order = (typeof ORDERS)[number];
/** The name of a learner, or its module, for `--learner`. */
export type Learner = string;
/** The name of a way to label trees, for `--labeller`. */
export type Labeller = (typeof LABELLERS)[number];

/** Whether an option takes one value or several: `--order <n>`, `--order <n...>`. */
type Arity = "one" | "several";

const value = (name: string, arity: Arity) => (arity === "one" ? `<${name}>` : `<${name}...>`);

/** `--order`: the number of arcs of the largest parts. */
export function orderOption(arity: Arity): Option {
  return new Option(`--order ${value("n", arity)}`, "arcs of the largest parts that are scored").choices(
    ORDERS.map(String),
  );
}

/** `--learner`: the learning algorithm. */
export function learnerOption(arity: Arity, says = "how weights are learned"): Option {
  const names = LEARNER_NAMES.join(", ");
  return new Option(`--learner ${value("name", arity)}`, `${says}: ${names}, or a module such as ./mine.mjs`);
}

/** `--labeller`: whether labels are decided arc by arc or together. */
export function labellerOption(): Option {
  return new Option(
    "--labeller <name>",
    'labels of arcs: "joint", each its best (default of order 1); "sequence", together once heads are known',
  ).choices(LABELLERS);
}

/** `--epochs`: passes over the training data. */
export function epochsOption(standard: number, what = "training epochs"): Option {
  return new Option("--epochs <n>", what).argParser(integer(1)).default(standard);
}

/** `--seed`: the only source of randomness. */
export function seedOption(what = "random seed; training is deterministic for a given seed"): Option {
  return new Option("--seed <n>", what).argParser(integer(0)).default(1);
}
