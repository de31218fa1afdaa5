import { arcIndex, type Decoder } from "@arcwise/core";
import { exp, goldenSection, log } from "@arcwise/core/arithmetic";
import { ReliabilityTable } from "@arcwise/evaluate";
import { type ArcSums, arcSums } from "../decoding/arc-sums.ts";
import { MAX_WORDS } from "../decoding/blocks.ts";
import { decodeSentence } from "../decoding/decode.ts";
import type { Calibration } from "../model/calibration.ts";
import type { TrainedModel } from "../model/model.ts";
import type { TreeFeatures } from "../scoring/trees/tree-features.ts";
import type { TrainingExample } from "../types.ts";
import { ParsingEngine } from "./engine.ts";

/** Words of the development set that the temperature is learned on: sentences spread over the set. */
const CALIBRATION_WORDS = 4000;
/** Bounds of the temperature, and the width of the interval of its logarithm at which the search ends. */
const COLDEST = 1 / 64;
const HOTTEST = 64;
const PRECISION = 0.02;
/** The lowest probability of a gold head that counts. */
const LOWEST = 1e-9;

/** A sentence with its candidates, its tree and the gold tree. */
interface Scored {
  readonly sums: ArcSums;
  /** The arcs of the gold and of the predicted heads; -1: no candidate. */
  readonly gold: Int32Array;
  readonly predicted: Int32Array;
}

/**
 * Learns the temperature by which scores are divided for probabilities: the minimum of the negative
 * log-likelihood of gold heads, given the probabilities of arcs, by golden-section search. Temperature scaling
 * of Guo, Pleiss, Sun and Weinberger (2017).
 *
 * Cost: 16 sums over the trees of about 4,000 words.
 *
 * @returns undefined if there are no sentences to learn from
 */
export function calibrate(
  model: TrainedModel,
  examples: readonly TrainingExample[],
  decoder: Decoder,
  treeFeatures: TreeFeatures | undefined,
): Calibration | undefined {
  const engine = new ParsingEngine(model, decoder, treeFeatures);
  const sentences = spread(examples).map((example) => scoredExample(engine, example));
  const words = sentences.reduce((sum, { gold }) => sum + gold.length, 0);
  if (words === 0) return undefined;
  const loss = (logTemperature: number) => negativeLogLikelihood(sentences, exp(logTemperature));
  const temperature = Number(exp(goldenSection(loss, log(COLDEST), log(HOTTEST), PRECISION)).toPrecision(4));
  const [before, error] = [1, temperature].map((t) => calibrationError(sentences, t));
  return { temperature, words, error: error!, uncalibratedError: before! };
}

/** Returns sentences from the whole set, of about `CALIBRATION_WORDS` words together. */
function spread(examples: readonly TrainingExample[]): TrainingExample[] {
  const usable = examples.filter(({ sentence }) => sentence.length > 0 && sentence.length <= MAX_WORDS);
  const words = usable.reduce((sum, { sentence }) => sum + sentence.length, 0);
  const step = Math.max(1, Math.ceil(words / CALIBRATION_WORDS));
  return usable.filter((_, s) => s % step === 0);
}

function scoredExample(engine: ParsingEngine, { sentence, tree }: TrainingExample): Scored {
  const at = engine.score(engine.read([sentence])[0], undefined);
  const { problem } = at.scored;
  const { heads } = decodeSentence(at.scored, engine.decoder);
  const arcsOf = (all: Int32Array) =>
    Int32Array.from(all.subarray(1), (h, i) => arcIndex(problem.arcs, h, i + 1));
  const sums = arcSums(engine.decoder, problem, engine.sum(at).scores, heads);
  return { sums, gold: arcsOf(tree.heads), predicted: arcsOf(heads) };
}

function negativeLogLikelihood(sentences: readonly Scored[], temperature: number): number {
  let loss = 0;
  for (const { sums, gold } of sentences) {
    const { arcs } = sums.at(temperature);
    for (const arc of gold) if (arc >= 0) loss -= log(Math.max(LOWEST, arcs[arc]));
  }
  return loss;
}

/** Returns the expected calibration error of the probabilities of predicted heads. */
function calibrationError(sentences: readonly Scored[], temperature: number): number {
  const table = new ReliabilityTable();
  for (const { sums, gold, predicted } of sentences) {
    const { arcs } = sums.at(temperature);
    for (const [i, arc] of predicted.entries()) table.add(arcs[arc], arc === gold[i]);
  }
  return Number(table.reliability().error.toFixed(4));
}
