import { processorTime } from "@arcwise/bench/measures";
import { type Decoder, type ParsingProblem, type Random, random } from "@arcwise/core";
import { hillclimbDecoder } from "@arcwise/decode-hillclimb";
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
export interface Attachment {
  readonly uas: number;
  readonly las: number;
}

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
  const prepared = await prepareTraining(train, {
    preset: "linear",
    order,
    seed,
    dev,
    decoder,
    learner: "mira",
  });
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

/** Measures a problem with its gold heads; returns the heads that are evaluated. */
type Run = (problem: ParsingProblem, gold: Int32Array) => Int32Array;

/** Measures weights on the development split, and pairs on training sentences as well. */
export function measureCondition(
  { prepared, decoder, dev, trained }: ConditionData,
  weights: Float32Array,
  seed: number,
): Omit<ConditionResult, "losses" | "seed" | "seconds"> {
  const evaluate = (run: Run, examples = dev): Attachment => {
    let sentence = 0;
    decoder.run = (problem) => {
      while (examples[sentence]!.sentence.length !== problem.arcs.n) sentence++;
      return run(problem, examples[sentence++]!.tree.heads);
    };
    return prepared.evaluate(weights, examples)!;
  };
  const stream = random(seed).fork(11);
  const single = hillclimbDecoder({ restarts: 1, seed });
  const trainedShares = new AllShares(stream);
  const trainedSearch = new SearchCounts();
  evaluate((problem, gold) => {
    trainedShares.add(problem, gold);
    return trainedSearch.add(problem, gold, stream);
  }, trained);
  const shares = new AllShares(stream);
  const search = new SearchCounts();
  const oneRandom = evaluate((problem, gold) => {
    shares.add(problem, gold);
    return search.add(problem, gold, stream);
  });
  const one = evaluate((problem) => single.decode(problem).heads);
  const repeated = hillclimbDecoder({ restarts: CLIMBS, patience: 10, seed });
  const many = evaluate((problem) => repeated.decode(problem).heads);
  return {
    pairs: shares.result(),
    trained: trainedShares.result(),
    ...search.result(),
    ends: search.ends(),
    trainedEnds: trainedSearch.ends(),
    oneRandom,
    one,
    many,
  };
}

/** Shares of the pairs of all sources. */
class AllShares {
  readonly #of = { climbs: new Shares(), random: new Shares(), search: new Shares() };
  readonly #stream: Random;

  constructor(stream: Random) {
    this.#stream = stream;
  }

  add(problem: ParsingProblem, gold: Int32Array): void {
    for (const source of PAIR_SOURCES) {
      for (const { gain } of pairsOf(problem, gold, source, this.#stream)) this.#of[source].add(gain);
    }
  }

  result(): SourceShares {
    const { climbs, random, search } = this.#of;
    return { climbs: climbs.result(), random: random.result(), search: search.result() };
  }
}

/** Counts pairs by their gains. */
class Shares {
  #pairs = 0;
  #fulfilled = 0;
  #better = 0;

  add(gain: number): void {
    this.#pairs++;
    if (gain >= 1) this.#fulfilled++;
    if (gain > 0) this.#better++;
  }

  result(): PairShares {
    const share = (count: number): number => (100 * count) / Math.max(1, this.#pairs);
    return { pairs: this.#pairs, fulfilled: share(this.#fulfilled), better: share(this.#better) };
  }
}

/** Counts the climbs from random starts that end at the best tree of all of them, and at the gold tree. */
export class SearchCounts {
  #sentences = 0;
  #atBest = 0;
  #needed = 0;
  #first = 0;
  #atGold = 0;
  #allAtGold = 0;
  #allAtBest = 0;

  /** Climbs `CLIMBS` times; returns the tree of the first climb. */
  add(problem: ParsingProblem, gold: Int32Array, stream: Random): Int32Array {
    const climbs = Array.from({ length: CLIMBS }, () =>
      hillclimbDecoder({ start: "uniform", restarts: 1, seed: stream.int(2 ** 31) }).decode(problem),
    );
    const best = Math.max(...climbs.map(({ score }) => score));
    const isBest = climbs.map(({ score }) => score >= best - 1e-9 * (1 + Math.abs(best)));
    this.#sentences++;
    this.#atBest += isBest.filter(Boolean).length / CLIMBS;
    this.#needed += 1 + isBest.indexOf(true);
    if (isBest[0]) this.#first++;
    if (isBest.every(Boolean)) this.#allAtBest++;
    const isGold = climbs.map(({ heads }) => heads.every((head, word) => head === gold[word]));
    this.#atGold += isGold.filter(Boolean).length / CLIMBS;
    if (isGold.every(Boolean)) this.#allAtGold++;
    return climbs[0]!.heads;
  }

  result(): Pick<ConditionResult, "endAtBest" | "needed" | "first"> {
    const count = Math.max(1, this.#sentences);
    return {
      endAtBest: (100 * this.#atBest) / count,
      needed: this.#needed / count,
      first: (100 * this.#first) / count,
    };
  }

  ends(): ClimbEnds {
    const share = (count: number): number => (100 * count) / Math.max(1, this.#sentences);
    return {
      atGold: share(this.#atGold),
      allAtGold: share(this.#allAtGold),
      allAtBest: share(this.#allAtBest),
    };
  }
}
