import { ArcwiseError } from "@arcwise/core/errors";
import { anything, type Check, checkReceived, integer, oneOf, record, string } from "@arcwise/core/options";
import { blobName, FORMAT, type Hash, PROGRAM } from "../blobs/hash.ts";
import { MAX_COUNT } from "./counts.ts";
import { EVALUATION_SETTINGS, type EvaluationSettings } from "./evaluate-model.ts";
import { CHUNK_SETTINGS, type ChunkSettings } from "./parse-chunk.ts";
import { NETWORK_ROUND, NETWORK_SETTINGS, type NetworkRound, type NetworkSettings } from "./train-network.ts";
import { PART_SETTINGS, type PartSettings } from "./train-part.ts";

/** The steps, with what each needs besides the store. Plain data of some hundred bytes. */
export interface StepSettings {
  /** Trains on one shard in one round of a run. */
  readonly "train-shard": { readonly run: Hash; readonly round: number; readonly shard: number };
  /** Mixes the results of all shards of a round, each of which must be there. */
  readonly mix: { readonly run: Hash; readonly round: number };
  /** Trains a tokeniser or a tagger, or tags a part of a treebank by a tagger of the others. */
  readonly "train-part": PartSettings;
  /** Trains members of a network on the slice that a shard has in a round of an epoch. */
  readonly "train-network": NetworkSettings;
  /** Averages the networks of all shards of a round, each of which must be there. */
  readonly "average-network": NetworkRound;
  /** Parses a chunk of sentences. */
  readonly "parse-chunk": ChunkSettings;
  /** Parses a treebank, and compares the result with it. */
  readonly evaluate: EvaluationSettings;
}

export type StepName = keyof StepSettings;

/** A step that is to be run, by any worker of the same version. */
export type StepOrder = {
  readonly [Name in StepName]: {
    readonly program: string;
    readonly format: number;
    readonly step: Name;
    readonly settings: StepSettings[Name];
  };
}[StepName];

const count = integer(0, MAX_COUNT);

/** The checks of the settings of steps. */
const SETTINGS: { readonly [Name in StepName]: Check } = {
  "train-shard": record<StepSettings["train-shard"]>({ run: blobName, round: count, shard: count }),
  mix: record<StepSettings["mix"]>({ run: blobName, round: count }),
  "train-part": PART_SETTINGS,
  "train-network": NETWORK_SETTINGS,
  "average-network": NETWORK_ROUND,
  "parse-chunk": CHUNK_SETTINGS,
  evaluate: EVALUATION_SETTINGS,
};

const ORDER = record<{ readonly [Member in keyof StepOrder]: unknown }>({
  program: string,
  format: integer(0),
  step: string,
  settings: anything,
});
const stepName = oneOf(...Object.keys(SETTINGS));

/**
 * Checks an order, which a queue or a file may have given: every member, after its version.
 *
 * @throws ArcwiseError `other-version` when another version has made it; `invalid-data`
 */
export function checkOrder(order: StepOrder): void {
  checkReceived(ORDER, order, "order");
  checkVersion(order);
  checkReceived(stepName, order.step, "order.step");
  checkReceived(SETTINGS[order.step], order.settings, "order.settings");
}

/** Returns the order of a step. */
export function stepOrder<Name extends StepName>(step: Name, settings: StepSettings[Name]): StepOrder {
  return { program: PROGRAM, format: FORMAT, step, settings } as StepOrder;
}

/** Returns the names and the settings of steps of one name, for messages. */
export function describeSteps(steps: readonly StepOrder[]): string {
  return `${steps[0]!.step} ${steps.map(({ settings }) => JSON.stringify(settings)).join(", ")}`;
}

/** @throws ArcwiseError `other-version` when another version has made an order */
function checkVersion({ program, format }: Pick<StepOrder, "program" | "format">): void {
  if (program === PROGRAM && format === FORMAT) return;
  const found = `version ${program} with format ${format}`;
  const expected = `version ${PROGRAM} with format ${FORMAT}`;
  throw new ArcwiseError(
    "other-version",
    `expected a step of ${expected}, found one of ${found}: run the same version of Arcwise on all machines`,
    { expected, found },
  );
}
