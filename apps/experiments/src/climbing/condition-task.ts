import {
  type Decoder,
  type ParsingProblem,
  type Random,
  type RankedTree,
  random,
  SparseVector,
} from "@arcwise/core";
import { AveragedWeights, type Learner, onlineLearner, type StructuredTask } from "@arcwise/learn";
import { createParsingWork, type ParsingWork } from "@arcwise/parser";
import { withHead } from "./condition-pairs.ts";
import { type PairSource, pairsOf } from "./worst-pair.ts";

/** A tree with labels, as the task of parsing has it. */
type LabelledTree = Parameters<ReturnType<typeof createParsingWork>["task"]["difference"]>[1];

/** An output: a tree to compare with the gold tree, or with its correction in one head. */
export interface ConditionOutput {
  readonly tree: LabelledTree;
  readonly correction?: LabelledTree | undefined;
}

/** Number of pairs of a sentence that a learner gets: those that violate condition (2) most. */
const PAIRS = 8;

/**
 * Makes the task of learning condition (2): a tree with one head more right scores at least 1 more. Outputs
 * of `decode` are trees, as in the task of parsing; outputs of `kBest` are pairs of a tree and its correction,
 * drawn from the sources, the most violated first. The cost of a pair is 1.
 */
export function conditionTask(
  work: ParsingWork,
  decoder: Decoder,
  sources: readonly PairSource[],
  seed: number,
): StructuredTask<ConditionOutput> {
  const stream = random(seed).fork(7);
  const pairs = new PairDecoder(decoder, sources, stream);
  const { task } = createParsingWork(work, { decoder, learner: UNUSED });
  // A tree is compared with its correction as with a gold tree: features that both have are not visited.
  const golds = work.examples.map(({ gold }) => ({ heads: gold.heads, labels: gold.labels }));
  const examples = work.examples.map((example, k) => ({ ...example, gold: golds[k]! }));
  const paired = createParsingWork({ ...work, examples }, { decoder: pairs, learner: UNUSED }).task;
  return {
    size: task.size,
    dimension: task.dimension,
    decode: (example, weights, costAugmented) => ({ tree: task.decode(example, weights, costAugmented) }),
    kBest(example, weights, k) {
      const { gold } = work.examples[example]!;
      pairs.gold = gold.heads;
      const trees = paired.kBest!(example, weights, Math.min(k, PAIRS), false);
      return trees.map((tree, i) => {
        const word = pairs.words[i]!;
        const correction = {
          ...tree,
          heads: withHead(tree.heads, word, gold.heads[word]!),
          labels: withHead(tree.labels, word, gold.labels[word]!),
        };
        return { tree, correction };
      });
    },
    difference(example, { tree, correction }, into) {
      if (correction === undefined) return task.difference(example, tree, into);
      Object.assign(golds[example]!, { heads: correction.heads, labels: correction.labels });
      paired.difference(example, tree, into);
      return 1;
    },
  };
}

/** A decoder whose ranking is one of pairs: the trees of the pairs with the least gain. */
class PairDecoder implements Decoder {
  readonly name = "pairs";
  readonly trees = "any";
  readonly singleRoot = true;
  readonly handles: Decoder["handles"];
  gold: Int32Array = new Int32Array(0);
  /** The corrected word of each tree that was ranked last. */
  words: number[] = [];
  readonly #sources: readonly PairSource[];
  readonly #stream: Random;
  readonly #decoder: Decoder;

  constructor(decoder: Decoder, sources: readonly PairSource[], stream: Random) {
    this.#decoder = decoder;
    this.handles = decoder.handles;
    this.#sources = sources;
    this.#stream = stream;
  }

  decode(problem: ParsingProblem) {
    return this.#decoder.decode(problem);
  }

  kBest(problem: ParsingProblem): IterableIterator<RankedTree> {
    const pairs = this.#sources.flatMap((source) => pairsOf(problem, this.gold, source, this.#stream));
    pairs.sort((a, b) => a.gain - b.gain);
    const worst = pairs.slice(0, PAIRS);
    this.words = worst.map(({ word }) => word);
    return worst.map(({ heads, gain }) => ({ heads, score: -gain })).values();
  }
}

/**
 * Makes a learner that takes passive-aggressive steps (Crammer et al. 2006) on the hinge loss (1) of the best
 * output, if asked for, and on the hinge losses of all outputs that `kBest` gives.
 */
export function pairwiseMira(usual: boolean, paired: boolean, aggressiveness: number): Learner {
  const create = (dimension: number) => {
    const weights = new AveragedWeights(dimension);
    const difference = new SparseVector();
    function step<Output>(task: StructuredTask<Output>, example: number, output: Output) {
      difference.clear();
      const cost = task.difference(example, output, difference);
      const loss = Math.max(0, cost - difference.dot(weights.values));
      const norm = difference.squaredNorm();
      if (loss > 0 && norm > 0) weights.add(difference, Math.min(aggressiveness, loss / norm));
      else weights.skip();
      return { cost, loss };
    }
    return {
      name: "pairwise-mira",
      weights,
      sparse: true as const,
      update<Output>(task: StructuredTask<Output>, example: number) {
        let [cost, loss] = [0, 0];
        const add = (output: Output): void => {
          const seen = step(task, example, output);
          cost += seen.cost;
          loss += seen.loss;
        };
        if (usual) add(task.decode(example, weights.values, true));
        if (paired) for (const pair of task.kBest!(example, weights.values, PAIRS, false)) add(pair);
        return { cost, loss };
      },
      result: (into?: Float32Array) => weights.average(into),
    };
  };
  return onlineLearner({
    name: "pairwise-mira",
    create,
    needs: paired ? ["kBest"] : [],
    unit: "margin",
    sparse: true,
  });
}

const UNUSED: Learner = pairwiseMira(true, false, 0.1);
