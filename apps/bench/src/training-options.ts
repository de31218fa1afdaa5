import type { TrainOptions } from "@arcwise/parser";

type Values<Option extends keyof TrainOptions> = readonly NonNullable<TrainOptions[Option]>[];
type LabellerName = NonNullable<NonNullable<TrainOptions["labels"]>["labeller"]>;

/** What parsers can be trained with: the values of the options of `trainParser`. */
export const PARSER_DECODERS = [
  "mst",
  "eisner",
  "projective",
  "hillclimb",
  "ad3",
] as const satisfies Values<"decoder">;
export const LABELLERS = ["joint", "sequence"] as const satisfies readonly LabellerName[];
export const ORDERS = [1, 2, 3] as const satisfies Values<"order">;
export const LEARNERS = ["mira", "perceptron", "kbest-mira", "crf"] as const satisfies Values<"learner">;

export type ParserDecoder = (typeof PARSER_DECODERS)[number];
export type Order = (typeof ORDERS)[number];
export type Learner = (typeof LEARNERS)[number];
export type Labeller = (typeof LABELLERS)[number];
