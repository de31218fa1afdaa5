import { hasCode } from "@arcwise/core/errors";
import { type Reliability, ReliabilityTable } from "@arcwise/evaluate";
import {
  createParser,
  type Marginals,
  type Parser,
  type ParserModel,
  type TreeFeatures,
} from "@arcwise/parser";
import { spreadEvenly } from "../data/treebanks.ts";
import type { GoldSentence } from "../results/results.ts";

/** How the probabilities of the heads that a model finds (ArcP) agree with their correctness. */
export interface ModelReliability {
  /** The bins that have heads. */
  readonly bins: Reliability["bins"];
  /** Number of heads. */
  readonly count: number;
  /** Expected calibration error. */
  readonly error: number;
  /** The divisor of scores that the model learned on its development set; undefined without one. */
  readonly temperature: number | undefined;
  /** "exact": sums over all trees; "arcs": sums of a model of arcs around the best tree. */
  readonly method: "exact" | "arcs";
  /** The same with temperature 1; undefined without a temperature. */
  readonly uncalibrated?: Pick<ModelReliability, "bins" | "error"> | undefined;
}

/** Maximal number of sentences: sums over trees take longer than decoding. */
const MOST = 300;

/**
 * Compares the probabilities of predicted heads with the gold heads, on at most 300 sentences, spread evenly.
 * Cost: the sums over the trees of these sentences,
 * twice with a temperature.
 *
 * @returns undefined without sentences
 */
export function modelReliability(
  parser: Parser,
  golds: readonly GoldSentence[],
  temperature: number | undefined,
): ModelReliability | undefined {
  const calibrated = new ReliabilityTable();
  const uncalibrated = new ReliabilityTable();
  let method: ModelReliability["method"] | undefined;
  for (const { sentence, tree } of spreadEvenly(golds, MOST)) {
    const reading = parser.read([sentence])[0]!;
    const found = reading.marginals();
    method = found.method;
    addHeads(calibrated, found, tree.heads);
    if (temperature !== undefined) addHeads(uncalibrated, reading.marginals({ temperature: 1 }), tree.heads);
  }
  if (method === undefined) return undefined;
  return {
    ...filledBins(calibrated),
    temperature,
    method,
    uncalibrated: temperature === undefined ? undefined : filledBins(uncalibrated),
  };
}

function addHeads(
  table: ReliabilityTable,
  { headProbabilities, heads }: Marginals,
  golds: ArrayLike<number>,
): void {
  for (let m = 1; m < golds.length; m++)
    table.add(Math.min(1, Math.max(0, headProbabilities[m]!)), heads[m] === golds[m]);
}

function filledBins(table: ReliabilityTable): Pick<ModelReliability, "bins" | "count" | "error"> {
  const { bins, count, error } = table.reliability();
  return { bins: bins.filter((bin) => bin.count > 0), count, error };
}

/**
 * Returns the reliability of a model with its own decoder; undefined where that comes from a module.
 *
 * @param global the features of whole trees that the model was trained with, if they come from a module
 */
export function decoderReliability(
  model: ParserModel,
  golds: readonly GoldSentence[],
  global: TreeFeatures | undefined,
): ModelReliability | undefined {
  try {
    const { calibration } = model.description;
    return modelReliability(createParser(model, { global }), golds, calibration?.temperature);
  } catch (error) {
    if (hasCode(error, "missing-decoder")) return undefined;
    throw error;
  }
}
