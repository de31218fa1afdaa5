import { copyState, type OnlineState } from "../online/train-online.ts";
import { ChangedWeights } from "./mixing-changes.ts";
import { checkMixing, type Mixing } from "./mixing-names.ts";
import type { ShardResult, StateChange } from "./mixing-shard.ts";

/**
 * Returns the share of each shard; they sum to 1. With "changed", the share in a weight that all shards have
 * changed.
 */
export function mixingShares(
  results: readonly Pick<ShardResult, "mistakes">[],
  mixing: Mixing,
): Float64Array {
  checkMixing(mixing);
  const total = results.reduce((sum, { mistakes }) => sum + mistakes, 0);
  if (mixing !== "error" || total === 0) return new Float64Array(results.length).fill(1 / results.length);
  return Float64Array.from(results, ({ mistakes }) => mistakes / total);
}

/** The fields of a result that mixing reads. */
export type Mixable = Pick<ShardResult, "state" | "mistakes" | "changed">;

/**
 * Mixes the results of all shards (McDonald, Hall and Mann 2010): returns their weighted mean, by `mixing`.
 * All vectors of a state are mixed in the same way: the weights, the vector for their average, and the
 * learner's memory. The average of the weights is linear in the first two. So the average of the mixed state
 * is the mean, over all steps of all shards, of the weights at that step, with each shard counting by its
 * share: with one shard, the average of serial training.
 *
 * The results are given in the order of shards; the state's vectors are new. O(shards · dimension); where
 * results have only changes, O(dimension) to copy and O(changes) to mix.
 *
 * @param from the initial state of all shards: required where results have only changes, and by "changed"
 * @throws RangeError when there is no result, or the states differ in epoch, number of steps, or
 *   dimension
 */
export function mixStates(results: readonly Mixable[], mixing: Mixing, from?: OnlineState): OnlineState {
  const mixer = new StateMixer(mixing);
  const begun = from && copyState(from);
  for (const result of results) mixer.add(result, begun);
  return mixer.take(begun).state;
}

/**
 * Mixes states one by one, with memory for one state and any number of shards. The same states in the same
 * order give the same mixture, bit for bit.
 */
export class StateMixer {
  readonly #whole: WholeStates;
  readonly #changes: ChangedWeights;
  #like: Pick<OnlineState, "epoch" | "steps"> | undefined;
  #sparse = false;

  constructor(mixing: Mixing, allocate = (length: number): Float32Array => new Float32Array(length)) {
    checkMixing(mixing);
    this.#whole = new WholeStates(mixing, allocate);
    this.#changes = new ChangedWeights(mixing);
  }

  /**
   * Adds the result of the next shard, whose vectors may be overwritten afterwards. O(dimension), or
   * O(changes).
   *
   * @param from the initial state of all shards of the round
   */
  add(result: Mixable, from?: OnlineState): void {
    const { state, changed, mistakes } = result;
    const { epoch, steps } = state;
    this.#like ??= { epoch, steps };
    if (this.#like.epoch !== epoch || this.#like.steps !== steps) {
      const describe = (of: { epoch: number; steps: number }) => `epoch ${of.epoch}, ${of.steps} steps`;
      throw new RangeError(`expected a state of ${describe(this.#like)}, got ${describe(state)}`);
    }
    if (changed === undefined) this.#whole.add(state, mistakes, from);
    else {
      if (from === undefined)
        throw new RangeError("expected the previous state, which mixing changes requires");
      this.#sparse = true;
      this.#changes.add(changed, state, mistakes, from);
    }
  }

  /**
   * Returns the mixture and resets the mixer. The mixture is written to the vectors of `from`, the initial
   * state of all shards, or these are used for the next mixture: the state must not be used afterwards.
   *
   * @returns the state; of changes also their weights
   */
  take(from?: OnlineState): Pick<StateChange, "changed"> & { readonly state: OnlineState } {
    const like = this.#like;
    if (like === undefined) throw new RangeError("expected the state of at least one shard, got none");
    this.#like = undefined;
    if (!this.#sparse) return { state: { ...this.#whole.take(from), ...like } };
    this.#sparse = false;
    if (!this.#whole.empty) throw new RangeError("expected changes from all shards, or from none");
    return { changed: this.#changes.apply(from!), state: { ...from!, ...like } };
  }
}

/** Mixes vectors with an entry for every weight, as running means, rounded to Float32 once per shard. */
class WholeStates {
  readonly #mixing: Mixing;
  readonly #allocate: (length: number) => Float32Array;
  #spare: Readonly<Record<string, Float32Array>> | undefined;
  #mixture: Readonly<Record<string, Float32Array>> | undefined;
  #count = 0;
  #weight = 0;
  /** Of each weight, with "changed": what a shard did to it that counts, and how many have done it. */
  #strongest = new Uint8Array(0);
  #sharers = new Uint32Array(0);

  constructor(mixing: Mixing, allocate: (length: number) => Float32Array) {
    this.#mixing = mixing;
    this.#allocate = allocate;
  }

  get empty(): boolean {
    return this.#mixture === undefined;
  }

  add(state: OnlineState, mistakes: number, from: OnlineState | undefined): void {
    const vectors = vectorsOf(state);
    this.#mixture ??= this.#begin(vectors);
    checkAlike(this.#mixture, vectors);
    this.#count++;
    if (this.#mixing === "changed") {
      if (from === undefined)
        throw new RangeError("expected the previous state, which mixing by changes requires");
      this.#addChanged(this.#mixture, vectors, vectorsOf(from));
      return;
    }
    const weight = this.#mixing === "uniform" ? 1 : mistakes;
    this.#weight += weight;
    // Until some shard has made a mistake, shards without mistakes count equally; the first with one replaces
    // them.
    const share = this.#weight === 0 ? 1 / this.#count : weight / this.#weight;
    for (const [name, vector] of Object.entries(vectors)) blend(this.#mixture[name], vector, share);
  }

  take(spare: OnlineState | undefined): Pick<OnlineState, "values" | "weighted" | "memory"> {
    const { values, weighted, ...memory } = this.#mixture!;
    this.#mixture = undefined;
    this.#count = 0;
    this.#weight = 0;
    this.#spare = spare && vectorsOf(spare);
    const hasMemory = Object.keys(memory).length > 0;
    return { values: values!, weighted: weighted!, memory: hasMemory ? memory : undefined };
  }

  #begin(like: Readonly<Record<string, Float32Array>>): Readonly<Record<string, Float32Array>> {
    const own: Record<string, Float32Array> = {};
    for (const [name, { length }] of Object.entries(like)) {
      const spare = this.#spare?.[name];
      own[name] = spare?.length === length ? spare : this.#allocate(length);
    }
    this.#spare = undefined;
    if (this.#mixing === "changed") {
      const { length } = like.values!;
      if (this.#strongest.length === length) this.#strongest.fill(0);
      else this.#strongest = new Uint8Array(length);
      if (this.#sharers.length === length) this.#sharers.fill(0);
      else this.#sharers = new Uint32Array(length);
    }
    return own;
  }

  /**
   * An update changes what a learner remembers of a weight; the end of an epoch may change any weight a
   * little, as a penalty does. So, where some shard has updated a weight, only the shards count that have.
   */
  #addChanged(
    mixture: Readonly<Record<string, Float32Array>>,
    vectors: Readonly<Record<string, Float32Array>>,
    before: Readonly<Record<string, Float32Array>>,
  ): void {
    const names = Object.keys(vectors);
    const memory = names.filter((name) => !OWN.includes(name as "values"));
    const differs = (of: readonly string[], i: number) =>
      of.some((name) => vectors[name][i] !== before[name][i]);
    const strongest = this.#strongest;
    const sharers = this.#sharers;
    for (let i = 0; i < strongest.length; i++) {
      const strength = differs(memory, i) ? 2 : differs(OWN, i) ? 1 : 0;
      if (strength < strongest[i]) continue;
      if (strength > strongest[i]) sharers[i] = 0;
      strongest[i] = strength;
      const share = 1 / ++sharers[i];
      for (const name of names) blendEntry(mixture[name], vectors[name], share, i);
    }
  }
}

/**
 * Names of a state's own vectors. Memory must not use them, since a state is one record of vectors in a file.
 */
const OWN = ["values", "weighted"] as const;

/** Returns all vectors of a state by name. */
export function vectorsOf({ values, weighted, memory }: OnlineState): Record<string, Float32Array> {
  const vectors: Record<string, Float32Array> = { ...memory, values, weighted };
  for (const name of OWN) {
    if (memory !== undefined && Object.hasOwn(memory, name)) {
      throw new RangeError(`a learner's memory cannot be named "${name}"`);
    }
  }
  for (const [name, { length }] of Object.entries(vectors)) {
    if (length !== values.length) {
      throw new RangeError(`expected one entry per weight: ${values.length} ${name}, got ${length}`);
    }
  }
  return vectors;
}

function checkAlike(
  expected: Readonly<Record<string, Float32Array>>,
  found: Readonly<Record<string, Float32Array>>,
): void {
  const describe = (of: Readonly<Record<string, Float32Array>>) =>
    `${of.values!.length} weights, [${Object.keys(of).sort().join(", ")}]`;
  if (describe(found) !== describe(expected)) {
    throw new RangeError(`expected a state of ${describe(expected)}, got ${describe(found)}`);
  }
}

/** Moves a mean towards a vector by a share of the difference, which all of it makes exact. */
function blend(mean: Float32Array, vector: Float32Array, share: number): void {
  if (share === 1) mean.set(vector);
  else if (share > 0) for (let i = 0; i < mean.length; i++) mean[i] += share * (vector[i] - mean[i]);
}

function blendEntry(mean: Float32Array, vector: Float32Array, share: number, i: number): void {
  if (share === 1) mean[i] = vector[i];
  else mean[i] += share * (vector[i] - mean[i]);
}
