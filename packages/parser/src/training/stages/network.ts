import type { StepProgress } from "@arcwise/core/training";
import { widthSettings } from "../../scoring/network/network-layout.ts";
import { type QuantizedNetwork, quantizeNetwork } from "../../scoring/network/quantized-network.ts";
import type { FamilyContext, NetworkPlan } from "../family.ts";
import type { BestNetwork, NetworkState } from "../network-state.ts";
import { trainNetwork } from "../network-training.ts";

/** A trained network, with its state for checkpoints and its quantised form for the model. */
export interface ReadyNetwork {
  readonly state: NetworkState;
  readonly quantized: QuantizedNetwork;
}

/** Returns scores of a network alone on the development set, in percent, by name. */
export type NetworkEvaluation = (network: ReadyNetwork) => Readonly<Record<string, number>>;

/**
 * Trains the networks of a parser, if it has some.
 *
 * @param evaluate scores the finished network, for the last report
 */
export async function trainNetworks(
  {
    network: plan,
    settings: { seed },
    run: { reporter, signal, place },
    states,
  }: FamilyContext<unknown, unknown>,
  evaluate?: NetworkEvaluation,
): Promise<ReadyNetwork | undefined> {
  if (plan === undefined) return undefined;
  const { epochs, initial } = plan;
  const resume = await states.network.read();
  const ready = (state: NetworkState) => ({ state, quantized: quantized(plan, state) });
  // A model that is continued is the best one so far.
  const choice = initial && evaluate && new EpochChoice((state) => evaluate(ready(state)), resume ?? initial);
  let last: StepProgress | undefined;
  const state = await trainNetwork(plan.task, {
    epochs: choice?.isDone(resume ?? initial!) ? 0 : epochs,
    seed,
    initial,
    onProgress(at) {
      if (evaluate !== undefined && at.share === 1) last = at;
      else if (choice !== undefined && at.epochDone) last = at;
      else reporter.report("network", at);
    },
    async onEpoch(reached) {
      const best = choice?.add(reached);
      if (choice !== undefined) reporter.report("network", { ...last!, dev: choice.scores });
      await states.network.write(() => ({ ...reached, best }));
      return choice?.isDone(reached) !== true;
    },
    resume,
    signal,
    place,
  });
  const network = ready(choice === undefined ? state : { ...state, ...choice.best });
  if (choice === undefined && last !== undefined)
    reporter.report("network", { ...last, dev: evaluate?.(network) });
  reporter.finish("network");
  return network;
}

/** Epochs without a better score on the development set after which a training ends. */
const PATIENCE = 5;

/** Returns scores of networks on a development set, in percent, by name. */
type ScoresOf = (state: NetworkState) => Readonly<Record<string, number>>;

/** Chooses among the epochs of a network that is continued, by its labelled attachment score on a development set. */
class EpochChoice {
  readonly #scoresOf: ScoresOf;
  /** The best networks so far. */
  best: BestNetwork;
  /** The scores of the last networks. */
  scores: Readonly<Record<string, number>> | undefined;

  /** @param from the state that training begins or resumes with */
  constructor(scoresOf: ScoresOf, from: NetworkState) {
    this.#scoresOf = scoresOf;
    this.best = from.best ?? { epoch: from.epoch, score: this.#score(from), parameters: from.parameters };
  }

  #score(state: NetworkState): number {
    this.scores = this.#scoresOf(state);
    return this.scores?.las ?? 0;
  }

  /** Scores the networks after an epoch; returns the best ones. The first one of several equal ones is the best. */
  add(state: NetworkState): BestNetwork {
    const score = this.#score(state);
    if (score > this.best.score) this.best = { epoch: state.epoch, score, parameters: state.parameters };
    return this.best;
  }

  /** Returns whether training ends after an epoch. */
  isDone({ epoch }: NetworkState): boolean {
    return epoch >= this.best.epoch + PATIENCE;
  }
}

/** Quantises the networks, with the weights of their scores. */
function quantized({ task, scores }: NetworkPlan, { parameters }: NetworkState): QuantizedNetwork {
  const { shape, codes, templates, columns, combinations, settings } = task;
  const { labels, vectors, encoder } = shape;
  const { weight, labelWeight, margin } = scores;
  const configuration = {
    ...widthSettings(shape),
    ...{ labels, templates, weight, labelWeight, margin },
    members: settings.members > 1 ? settings.members : undefined,
    columns,
    combinations,
  };
  return quantizeNetwork(configuration, codes, parameters, { vectors, encoder });
}
