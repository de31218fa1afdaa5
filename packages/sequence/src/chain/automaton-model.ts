import type { Sentence } from "@arcwise/core";
import {
  type OnlineLearner,
  perceptron,
  type StructuredTask,
  trainOnline,
  type WeightVector,
} from "@arcwise/learn";
import { type LabelAutomaton, type State, statesOf, transitionFeatures } from "../inference/automaton.ts";
import {
  type AutomatonProblem,
  bestLabelling,
  labellingSums,
  type StepScores,
} from "../inference/automaton-search.ts";
import type { Step } from "../inference/state-space.ts";
import type { PreparedSequence } from "./chain-example.ts";
import {
  type ChainModel,
  type ChainOptions,
  type LabelledSentence,
  prepareChain,
  readersOf,
} from "./chain-model.ts";
import { addCosts } from "./chain-task.ts";
import { EntryGradients, UnaryGradients } from "./unary-gradients.ts";

/** Makes the automaton of the labels of a model. */
export type AutomatonFactory = (labels: readonly string[]) => LabelAutomaton;

/** A model of labels by features of words and by features of the transitions of an automaton. Plain data. */
export interface AutomatonModel {
  /** Features of words, and their weights. */
  readonly chain: ChainModel;
  /** Codes of the features of transitions, in the order of their weights. */
  readonly transitions: Float64Array;
  readonly transitionWeights: Float32Array;
}

/** Options of `trainAutomaton`. */
export interface AutomatonTrainOptions extends Pick<ChainOptions, "templates" | "minimum" | "gazetteers"> {
  readonly automaton: AutomatonFactory;
  /** Makes the learner. Default: the averaged perceptron. */
  readonly learner?: ((dimension: number) => OnlineLearner) | undefined;
  /** Default: 10. */
  readonly epochs?: number | undefined;
  /** Default: 1. */
  readonly seed?: number | undefined;
  /** Called after each epoch with a function that makes the current model. */
  readonly onEpoch?: ((epoch: number, model: () => AutomatonModel) => void | Promise<void>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The weights of the features of transitions: looked up once for each transition. */
class TransitionIndex {
  readonly #automaton: LabelAutomaton;
  readonly #count: number;
  readonly #first: number;
  readonly #indices: ReadonlyMap<number, number>;
  readonly #known = new Map<number, readonly number[]>();
  readonly #steps = new WeakMap<Step, StepIndices>();

  /** @param first the index of the weight of the first code */
  constructor(automaton: LabelAutomaton, count: number, codes: Iterable<number>, first: number) {
    this.#automaton = automaton;
    this.#count = count;
    this.#first = first;
    this.#indices = new Map(Array.from(codes, (code, k) => [code, k]));
  }

  /** Returns the indices of the weights of a transition. */
  weights(state: State, label: number): readonly number[] {
    const transition = state * this.#count + label;
    let found = this.#known.get(transition);
    if (found === undefined) {
      const codes = transitionFeatures(this.#automaton, state, label, this.#count);
      found = codes.flatMap((code) => {
        const k = this.#indices.get(code);
        return k === undefined ? [] : [this.#first + k];
      });
      this.#known.set(transition, found);
    }
    return found;
  }

  /** Returns scores of transitions under weights, which must not change as long as the scores are used. */
  scores(weights: WeightVector): StepScores {
    const known = new WeakMap<Step, Float64Array>();
    return (step) => {
      let found = known.get(step);
      if (found === undefined) {
        const { start, indices } = this.#indicesOf(step);
        found = new Float64Array(step.before.length);
        for (let t = 0; t < found.length; t++) {
          for (let k = start[t]; k < start[t + 1]; k++) found[t] += weights[indices[k]];
        }
        known.set(step, found);
      }
      return found;
    };
  }

  /** Returns the indices of the weights of all transitions of a step. */
  #indicesOf(step: Step): StepIndices {
    let found = this.#steps.get(step);
    if (found === undefined) {
      const { from, before, label } = step;
      const lists = Array.from(before, (state, t) => this.weights(from.states[state], label[t]));
      const start = new Int32Array(lists.length + 1);
      for (const [t, list] of lists.entries()) start[t + 1] = start[t] + list.length;
      found = { start, indices: Int32Array.from(lists.flat()) };
      this.#steps.set(step, found);
    }
    return found;
  }
}

/** The indices of the weights of transition t: `indices[start[t] .. start[t + 1] - 1]`. */
interface StepIndices {
  readonly start: Int32Array;
  readonly indices: Int32Array;
}

/**
 * Trains a model whose labels are scored by features of words, and by features of the transitions of an automaton
 * that training sentences have. Search and sums are exact. An example costs O(reached transitions).
 *
 * @throws as `prepareChain`; RangeError when templates name labels, the automaton forbids gold labels, or options are invalid
 * @throws the reason of the signal once that is aborted
 *
 * @example
 * import { type AutomatonFactory, automatonOf, createAutomatonLabeller, trainAutomaton } from "@arcwise/sequence";
 *
 * const quotations: AutomatonFactory = (labels) =>
 *   automatonOf(
 *     {
 *       start: "outside",
 *       next: (state, label) => {
 *         if (label === "open") return state === "outside" ? "inside" : undefined;
 *         if (label === "close") return state === "inside" ? "outside" : undefined;
 *         return state;
 *       },
 *       isFinal: (state) => state === "outside",
 *     },
 *     labels,
 *   );
 *
 * const read = (text: string) => text.split(" ").map((form) => ({ form }));
 * const examples = ['he said " no "', '" yes " he said', 'he left'].map((text) => {
 *   let isOpen = false;
 *   const labels = text.split(" ").map((word) => {
 *     if (word !== '"') return "word";
 *     isOpen = !isOpen;
 *     return isOpen ? "open" : "close";
 *   });
 *   return { sentence: read(text), labels };
 * });
 * const model = await trainAutomaton(examples, { templates: ["form"], automaton: quotations });
 * const labeller = createAutomatonLabeller(model, quotations);
 * console.log(labeller.label(read('" no no no " he left')).join(" ")); // open word word word close word word
 */
export async function trainAutomaton(
  examples: readonly LabelledSentence[],
  options: AutomatonTrainOptions,
): Promise<AutomatonModel> {
  const { templates, minimum, gazetteers, epochs = 10, seed = 1, onEpoch, signal } = options;
  const training = prepareChain(examples, { templates, minimum, gazetteers });
  const base = training.task.dimension;
  const empty = training.model(new Float32Array(base));
  const { scorer } = readersOf([empty])[0];
  if (scorer.order > 1) throw new RangeError("templates of an automaton's model must not name labels");
  const { labels } = empty.configuration;
  const automaton = options.automaton(labels);
  const paths = training.examples.map((example, k) => {
    const states = statesOf(automaton, example.labels);
    if (states === undefined) {
      throw new RangeError(
        `sentence ${k + 1}: expected labels that the automaton allows, got ${examples[k].labels.join(" ")}`,
      );
    }
    return states;
  });
  const codes = new Set<number>();
  for (const [k, { labels: gold }] of training.examples.entries()) {
    for (let i = 0; i < gold.length; i++) {
      for (const code of transitionFeatures(automaton, paths[k][i], gold[i], labels.length)) codes.add(code);
    }
  }
  const transitions = new TransitionIndex(automaton, labels.length, codes, base);
  const unary = new UnaryGradients(scorer);

  const problemOf = (prepared: PreparedSequence, weights: WeightVector) => {
    const { lattice, scores } = scorer.score(prepared, weights);
    return { lattice, scores, automaton };
  };

  const task: StructuredTask<Int32Array> = {
    size: examples.length,
    dimension: base + codes.size,
    decode(example, weights, costAugmented) {
      const { prepared, labels: gold } = training.examples[example];
      const problem = problemOf(prepared, weights);
      const stepScores = transitions.scores(weights);
      // The scores are scratch memory of the scorer.
      if (costAugmented) addCosts(problem, gold);
      return bestLabelling(problem, stepScores).labels;
    },
    difference(example, found, into) {
      const { prepared, labels: gold } = training.examples[example];
      const states = statesOf(automaton, found)!;
      let cost = 0;
      for (let i = 0; i < prepared.n; i++) {
        const before = paths[example][i];
        if (found[i] !== gold[i]) {
          cost++;
          scorer.addFeatures(prepared, i, gold, { into, scale: 1 });
          scorer.addFeatures(prepared, i, found, { into, scale: -1 });
        } else if (states[i] === before) continue;
        for (const weight of transitions.weights(before, gold[i])) into.add(weight, 1);
        for (const weight of transitions.weights(states[i], found[i])) into.add(weight, -1);
      }
      return cost;
    },
    expectations(example, weights, into) {
      const { prepared, labels: gold } = training.examples[example];
      const problem = problemOf(prepared, weights);
      const { logPartition, marginals, eachTransition } = labellingSums(problem, transitions.scores(weights));
      let score = 0;
      const { start } = prepared.lattice;
      for (let i = 0; i < prepared.n; i++) {
        const state = paths[example][i];
        score += problem.scores[start[i] + gold[i]];
        for (const weight of transitions.weights(state, gold[i])) {
          score += weights[weight];
          into.add(weight, 1);
        }
      }
      const cost = unary.add(prepared, gold, marginals, new EntryGradients(into));
      eachTransition((_position, state, label, probability) => {
        for (const weight of transitions.weights(state, label)) into.add(weight, -probability);
      });
      return { cost, loss: logPartition - score };
    },
  };
  const learner = (options.learner ?? perceptron)(task.dimension);
  const model = (): AutomatonModel => {
    const weights = learner.result();
    return {
      chain: training.model(weights.subarray(0, base)),
      transitions: Float64Array.from(codes),
      transitionWeights: Float32Array.from(weights.subarray(base)),
    };
  };
  await trainOnline(task, learner, {
    epochs,
    seed,
    onEpoch: onEpoch && (({ epoch }) => onEpoch(epoch, model)),
    signal,
  });
  return model();
}

/** Labels sentences with an automaton's model. Not for concurrent use. */
export interface AutomatonLabeller {
  readonly labels: readonly string[];
  /** Returns the best labels. O(reached transitions). */
  label(sentence: Sentence): string[];
  /** Returns the probabilities of the labels of each word, in the order of `labels`. Throws as `label`. */
  marginals(sentence: Sentence): Float64Array[];
}

/**
 * Makes a labeller from a model and the automaton that it was trained with.
 *
 * @throws RangeError when there is not one weight for each feature
 */
export function createAutomatonLabeller(model: AutomatonModel, factory: AutomatonFactory): AutomatonLabeller {
  const { chain, transitions: codes, transitionWeights } = model;
  if (codes.length !== transitionWeights.length) {
    throw new RangeError(`expected ${codes.length} weights of transitions, got ${transitionWeights.length}`);
  }
  const { encoder, scorer } = readersOf([chain])[0];
  const { labels } = chain.configuration;
  const weights = Float32Array.from(chain.weights, (weight) => weight * (chain.scale ?? 1));
  const automaton = factory(labels);
  const transitions = new TransitionIndex(automaton, labels.length, codes, 0);
  const stepScores = transitions.scores(transitionWeights);
  const problemOf = (sentence: Sentence): AutomatonProblem => {
    const { lattice, scores } = scorer.score(scorer.prepare(encoder.encode(sentence)), weights);
    return { lattice, scores, automaton };
  };
  return {
    labels,
    label(sentence) {
      if (sentence.length === 0) return [];
      return Array.from(bestLabelling(problemOf(sentence), stepScores).labels, (label) => labels[label]);
    },
    marginals(sentence) {
      if (sentence.length === 0) return [];
      const { marginals } = labellingSums(problemOf(sentence), stepScores);
      return sentence.map((_, i) => marginals.slice(i * labels.length, (i + 1) * labels.length));
    },
  };
}
