import { GRAPH_PART_KINDS, type GraphPartKind } from "@arcwise/core";
import type { GraphNetworkOptions, GraphTrainOptions } from "@arcwise/parser";
import { decoderHelp } from "@arcwise/parser/decoding";
import { InvalidArgumentError, Option } from "commander";
import type { GraphFormat } from "./analysis/graph-files.ts";
import { rate } from "./options.ts";
import type { ThreadArguments } from "./threads.ts";
import type { Learner } from "./training-options.ts";

/** The options of `arcwise graph train`. */
export interface GraphTrainArguments extends ThreadArguments {
  readonly train: string;
  readonly dev?: string;
  readonly model: string;
  readonly format?: GraphFormat;
  /** `columns`, or a file. */
  readonly trees?: string;
  readonly devTrees?: string;
  readonly words?: string;
  readonly devWords?: string;
  readonly rules?: boolean;
  readonly decoder?: string;
  readonly parts?: PartChoice;
  /** Undefined: the default of `trainGraphParser`. */
  readonly learner?: Learner;
  readonly costs?: NonNullable<GraphTrainOptions["costs"]>;
  readonly network?: number;
  readonly networkEpochs?: number;
  readonly networkWeights?: NetworkWeights;
  readonly epochs: number;
  readonly basicEpochs?: number;
  readonly seed: number;
  readonly resume?: boolean;
}

/** What `--trees` takes for the trees of HEAD and DEPREL of the file itself. */
export const OWN_TREES = "columns";

/** What `--parts` stands for. */
export interface PartChoice {
  readonly kinds: readonly GraphPartKind[];
  /** Whether labels that no predicate has twice are unique. */
  readonly unique: boolean;
}

const UNIQUE = "unique";

/** `--decoder`: how the best graph is found in training. */
export function graphDecoderOption(): Option {
  return new Option(
    "--decoder <name>",
    `how the best graph is found: ${decoderHelp("graphs", "training")}; or the decoder of a module; by ` +
      "default basic, with --parts ad3",
  );
}

/** `--parts`: what is scored beside predicates and edges. */
export function graphPartsOption(): Option {
  return new Option(
    "--parts <kinds>",
    `parts of several edges, with commas between: ${GRAPH_PART_KINDS.join(", ")}; "${UNIQUE}", labels ` +
      'that no predicate has twice; "full", all of these',
  ).argParser(partsOf);
}

function partsOf(text: string): PartChoice {
  if (text === "full") return { kinds: GRAPH_PART_KINDS, unique: true };
  const names = text.split(",").map((name) => name.trim());
  const kinds = names.filter((name): name is GraphPartKind =>
    GRAPH_PART_KINDS.includes(name as GraphPartKind),
  );
  const other = names.find((name) => name !== UNIQUE && !kinds.includes(name as GraphPartKind));
  if (other === undefined) return { kinds, unique: names.includes(UNIQUE) };
  const known = [...GRAPH_PART_KINDS, UNIQUE, "full"].join(", ");
  throw new InvalidArgumentError(`Expected names of ${known}, with commas between, got "${other}".`);
}

/** `--costs`: what mistakes cost in cost-augmented training. */
export function graphCostsOption(): Option {
  return new Option(
    "--costs <false-positive,false-negative>",
    "costs of an edge or predicate too many, and of a missing one, in the margin (0.4,0.6)",
  ).argParser(costsOf);
}

function costsOf(text: string): NonNullable<GraphTrainOptions["costs"]> {
  const [falsePositive, falseNegative] = pairOf(text);
  return { falsePositive, falseNegative };
}

/** The weights of a network beside the sparse scores. */
type NetworkWeights = Pick<GraphNetworkOptions, "weight" | "labelWeight">;

/** `--network-weights`: how much the scores of the network count. */
export function networkWeightsOption(): Option {
  return new Option(
    "--network-weights <edges,labels>",
    "weights of its scores beside those of the features (0.6,0.3)",
  ).argParser((text): NetworkWeights => {
    const [weight, labelWeight] = pairOf(text);
    return { weight, labelWeight };
  });
}

function pairOf(text: string): [number, number] {
  const [first, second, ...more] = text.split(",").map(rate);
  if (first === undefined || second === undefined || more.length > 0)
    throw new InvalidArgumentError("Expected two numbers with a comma between.");
  return [first, second];
}
