import { processorTime } from "@arcwise/bench/measures";
import { type Decoder, type ParsingProblem, type Random, random } from "@arcwise/core";
import { type HillclimbOptions, hillclimbDecoder } from "@arcwise/decode-hillclimb";
import { type PreparedTraining, prepareTraining, type TrainingExample } from "@arcwise/parser";
import { conditionTask, pairwiseMira } from "./condition-task.ts";
import { type PairSource, pairsOf } from "./worst-pair.ts";

/** Losses that are minimised together. */
export interface ConditionLosses {
  readonly name: string;
  /** Whether the usual loss (1), of the best tree with costs, is one of them. */
  readonly usual: boolean;
  /** Sources of the pairs of the loss (2). */
  readonly sources: readonly PairSource[];
  /** Factor of the number of epochs: pairs take more time than the usual loss. Default: 1. */
  readonly longer?: number | undefined;
}

export const CONDITION_LOSSES: readonly ConditionLosses[] = [
  { name: "(1)", usual: true, sources: [] },
  { name: "(1), twice the epochs", usual: true, sources: [], longer: 2 },
  { name: "(1) and (2), climbs", usual: true, sources: ["climbs"] },
  { name: "(1) and (2), random", usual: true, sources: ["random"] },
  { name: "(1) and (2), search", usual: true, sources: ["search"] },
  { name: "(2) alone, climbs and random", usual: false, sources: ["climbs", "random"] },
];

/** Shares of the pairs of a tree and its correction, in percent. */
export interface PairShares {
  readonly pairs: number;
  /** The correction scores at least 1 more: condition (2). */
  readonly fulfilled: number;
  /** It scores more. */
  readonly better: number;
}

export const PAIR_SOURCES = ["climbs", "random", "search"] as const;

/** Shares by the source of the pairs. */
export type SourceShares = Readonly<Record<PairSource, PairShares>>;

/** Sentences by the ends of `CLIMBS` climbs from random starts, in percent. */
export interface ClimbEnds {
  /** Mean share of the climbs that end at the gold tree. */
  readonly atGold: number;
  /** Share of the sentences all of whose climbs end at the gold tree. */
  readonly allAtGold: number;
  /** Share of the sentences all of whose climbs end at the same score. */
  readonly allAtBest: number;
}

/** Attachment scores in percent. */
type Attachment = NonNullable<ReturnType<PreparedTraining["evaluate"]>>;

export interface ConditionResult {
  readonly losses: string;
  readonly seed: number;
  /** Processor time of training without pruner, in seconds. */
  readonly seconds: number;
  readonly pairs: SourceShares;
  /** The same on training sentences. */
  readonly trained: SourceShares;
  /** Climbs from random starts, on average: share that end at the best tree of all of them, in percent. */
  readonly endAtBest: number;
  /** Mean number of climbs from random starts until the best tree of `CLIMBS` was found. */
  readonly needed: number;
  /** Share of sentences in percent whose best tree of all climbs is found by the first one. */
  readonly first: number;
  readonly ends: ClimbEnds;
  /** The same on training sentences. */
  readonly trainedEnds: ClimbEnds;
  /** One climb from a random start; one from the maximum arborescence; many. */
  readonly oneRandom: Attachment;
  readonly one: Attachment;
  readonly many: Attachment;
}

export interface ConditionOptions {
  readonly order: 1 | 2 | 3;
  readonly epochs: number;
  readonly seed: number;
  /** Largest passive-aggressive step. */
  readonly aggressiveness: number;
}

/** Climbs from random starts by which the best tree is found. */
const CLIMBS = 30;

/** A decoder that is replaced from one measurement to the next. */
class ChangingDecoder implements Decoder {
  readonly name = "hillclimb";
  readonly trees = "any";
  readonly singleRoot = true;
  readonly handles: Decoder["handles"] = hillclimbDecoder().handles;
  run: (problem: ParsingProblem) => Int32Array = () => new Int32Array(0);

  decode(problem: ParsingProblem) {
    return { heads: this.run(problem), score: 0, bound: Infinity };
  }
}

/** A treebank prepared for training with all losses: its pruner is trained once. */
export interface ConditionData {
  readonly prepared: PreparedTraining;
  readonly decoder: ChangingDecoder;
  readonly dev: readonly TrainingExample[];
  /** Some of the training sentences. */
  readonly trained: readonly TrainingExample[];
}

/** Number of training sentences on which pairs are measured. */
const TRAINED = 300;

/** Encodes the sentences and trains the pruner. */
export async function prepareCondition(
  train: readonly TrainingExample[],
  dev: readonly TrainingExample[],
  { order, seed }: Pick<ConditionOptions, "order" | "seed">,
): Promise<ConditionData> {
  const decoder = new ChangingDecoder();
  const options = { preset: "linear", order, seed, dev, decoder, learner: "mira" } as const;
  const prepared = await prepareTraining(train, options);
  return { prepared, decoder, dev, trained: train.slice(0, TRAINED) };
}

/** Trains with some losses; returns the averaged weights and the processor time in seconds. */
export async function trainCondition(
  { prepared: { work } }: ConditionData,
  { usual, sources, longer = 1 }: Omit<ConditionLosses, "name">,
  { epochs, seed, aggressiveness }: ConditionOptions,
  onEpoch: (epoch: number) => void = () => {},
): Promise<{ readonly weights: Float32Array; readonly seconds: number }> {
  const decoder = hillclimbDecoder({ restarts: 5, patience: 3, seed });
  const task = conditionTask(work, decoder, sources, seed);
  const learner = pairwiseMira(usual, sources.length > 0, aggressiveness);
  const begin = processorTime();
  const weights = await learner.train(task, {
    epochs: longer * epochs,
    seed,
    onEpoch: ({ epoch }) => onEpoch(epoch),
  });
  return { weights: weights as Float32Array, seconds: (processorTime() - begin) / 1000 };
}

/** Measures weights on the development split, and pairs on training sentences as well. */
export function measureCondition(
  { prepared, decoder, dev, trained }: ConditionData,
  weights: Float32Array,
  seed: number,
): Omit<ConditionResult, "losses" | "seed" | "seconds"> {
  /** Evaluates the heads that `run` returns for a problem and its gold heads. */
  const evaluate = (run: (problem: ParsingProblem, gold: Int32Array) => Int32Array, examples = dev) => {
    let sentence = 0;
    decoder.run = (problem) => {
      while (examples[sentence]!.sentence.length !== problem.arcs.n) sentence++;
      return run(problem, examples[sentence++]!.tree.heads);
    };
    return prepared.evaluate(weights, examples)!;
  };
  const stream = random(seed).fork(11);
  const searched = (examples: readonly TrainingExample[]) => {
    const gains: Record<PairSource, number[]> = { climbs: [], random: [], search: [] };
    const found: SentenceClimbs[] = [];
    const scores = evaluate((problem, gold) => {
      for (const source of PAIR_SOURCES)
        gains[source].push(...pairsOf(problem, gold, source, stream).map(({ gain }) => gain));
      const climbs = climbOften(problem, gold, stream);
      found.push(climbs);
      return climbs.first;
    }, examples);
    const { climbs, random: drawn, search } = gains;
    const pairs = { climbs: pairShares(climbs), random: pairShares(drawn), search: pairShares(search) };
    return { scores, pairs, found };
  };
  const onTraining = searched(trained);
  const onDev = searched(dev);
  const climbedBy = (options: HillclimbOptions) => {
    const own = hillclimbDecoder({ ...options, seed });
    return evaluate((problem) => own.decode(problem).heads);
  };
  return {
    pairs: onDev.pairs,
    trained: onTraining.pairs,
    endAtBest: percent(onDev.found, ({ atBest }) => atBest),
    needed: percent(onDev.found, ({ needed }) => needed, 1),
    first: percent(onDev.found, ({ needed }) => (needed === 1 ? 1 : 0)),
    ends: climbEnds(onDev.found),
    trainedEnds: climbEnds(onTraining.found),
    oneRandom: onDev.scores,
    one: climbedBy({ restarts: 1 }),
    many: climbedBy({ restarts: CLIMBS, patience: 10 }),
  };
}

/** Returns the mean of a value, in percent unless the unit is another one; 0 of an empty list. */
function percent<Item>(items: readonly Item[], value: (item: Item) => number, unit = 100): number {
  return (unit * items.reduce((sum, item) => sum + value(item), 0)) / Math.max(1, items.length);
}

function pairShares(gains: readonly number[]): PairShares {
  return {
    pairs: gains.length,
    fulfilled: percent(gains, (gain) => (gain >= 1 ? 1 : 0)),
    better: percent(gains, (gain) => (gain > 0 ? 1 : 0)),
  };
}

/** What `CLIMBS` climbs of a sentence from random starts find. */
interface SentenceClimbs {
  /** The tree of the first climb. */
  readonly first: Int32Array;
  /** Shares of the climbs that end at the best tree of all of them, and at the gold tree. */
  readonly atBest: number;
  readonly atGold: number;
  /** Number of climbs until the best tree. */
  readonly needed: number;
}

/** Climbs `CLIMBS` times from random starts. */
export function climbOften(problem: ParsingProblem, gold: Int32Array, stream: Random): SentenceClimbs {
  const climbs = Array.from({ length: CLIMBS }, () =>
    hillclimbDecoder({ start: "uniform", restarts: 1, seed: stream.int(2 ** 31) }).decode(problem),
  );
  const best = Math.max(...climbs.map(({ score }) => score));
  const isBest = climbs.map(({ score }) => score >= best - 1e-9 * (1 + Math.abs(best)));
  const isGold = climbs.map(({ heads }) => heads.every((head, word) => head === gold[word]));
  return {
    first: climbs[0]!.heads,
    atBest: isBest.filter(Boolean).length / CLIMBS,
    atGold: isGold.filter(Boolean).length / CLIMBS,
    needed: 1 + isBest.indexOf(true),
  };
}

/** Returns the ends of the climbs of sentences. */
export function climbEnds(found: readonly SentenceClimbs[]): ClimbEnds {
  return {
    atGold: percent(found, ({ atGold }) => atGold),
    allAtGold: percent(found, ({ atGold }) => (atGold === 1 ? 1 : 0)),
    allAtBest: percent(found, ({ atBest }) => (atBest === 1 ? 1 : 0)),
  };
}
