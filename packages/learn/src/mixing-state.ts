import type { ShardResult } from "./mixing-shard.ts";
import type { OnlineState } from "./train-online.ts";

/**
 * How much each shard counts: "uniform", all alike; "error", in proportion to the examples that it made a mistake on
 * (all alike where there was none).
 */
export type Mixing = "uniform" | "error";

/** @throws RangeError when there is no such way of mixing */
export function checkMixing(mixing: Mixing): void {
  if (mixing !== "uniform" && mixing !== "error") {
    throw new RangeError(`no mixing is named "${mixing}"; there are uniform, error`);
  }
}

/** The share of each shard; they sum to 1. */
export function mixingShares(
  results: readonly Pick<ShardResult, "mistakes">[],
  mixing: Mixing,
): Float64Array {
  checkMixing(mixing);
  const total = results.reduce((sum, { mistakes }) => sum + mistakes, 0);
  if (mixing === "uniform" || total === 0) return new Float64Array(results.length).fill(1 / results.length);
  return Float64Array.from(results, ({ mistakes }) => mistakes / total);
}

/**
 * The mixing step (McDonald, Hall and Mann 2010): the weighted mean of what came of all shards, by `mixing`. All of a
 * state is mixed alike: the weights, the vector that their average needs, and the learner's memory. The average of the
 * weights is linear in the first two. So the average of the mixed state is the mean, over all steps of all shards, of the
 * weights at that step, with each shard counting by its share: with one shard, the average of serial training.
 *
 * The results are given in the order of shards; the state's vectors are new. O(shards · dimension).
 *
 * @throws RangeError when there is no result, or the states are not of one epoch, number of steps, and dimension
 */
export function mixStates(
  results: readonly Pick<ShardResult, "state" | "mistakes">[],
  mixing: Mixing,
): OnlineState {
  const mixer = new StateMixer(mixing);
  for (const result of results) mixer.add(result);
  return mixer.take();
}

/** A state that can be written to. */
interface Mixture {
  readonly epoch: number;
  readonly steps: number;
  readonly vectors: Readonly<Record<string, Float32Array>>;
}

/** The names of a state's own vectors; memory cannot have them, since a state is one record of vectors in a file. */
const OWN = ["values", "weighted"] as const;

/**
 * Mixes states one by one, as running means: it keeps one state, however many shards there are. The same states in the
 * same order give the same mixture, bit for bit. Sums of two numbers are exact; each shard rounds once to Float32.
 */
export class StateMixer {
  readonly #mixing: Mixing;
  readonly #allocate: (length: number) => Float32Array;
  #spare: Readonly<Record<string, Float32Array>> | undefined;
  #mixture: Mixture | undefined;
  #count = 0;
  #weight = 0;

  constructor(mixing: Mixing, allocate = (length: number): Float32Array => new Float32Array(length)) {
    checkMixing(mixing);
    this.#mixing = mixing;
    this.#allocate = allocate;
  }

  /** Adds the state of the next shard. Its vectors may be written over afterwards. O(dimension). */
  add({ state, mistakes }: Pick<ShardResult, "state" | "mistakes">): void {
    const vectors = vectorsOf(state);
    this.#mixture ??= this.#empty(state, vectors);
    checkAlike(this.#mixture, state, vectors);
    this.#count++;
    const weight = this.#mixing === "uniform" ? 1 : mistakes;
    this.#weight += weight;
    // Until some shard has made a mistake, those without count alike; the first with one takes their place.
    const share = this.#weight === 0 ? 1 / this.#count : weight / this.#weight;
    for (const [name, vector] of Object.entries(vectors)) blend(this.#mixture.vectors[name]!, vector, share);
  }

  /** The mixture. The mixer begins anew, and may use the vectors of `spare`, a state that nobody needs any more. */
  take(spare?: OnlineState): OnlineState {
    const mixture = this.#mixture;
    if (mixture === undefined) throw new RangeError("expected the state of at least one shard, got none");
    this.#mixture = undefined;
    this.#count = 0;
    this.#weight = 0;
    this.#spare = spare && vectorsOf(spare);
    const { epoch, steps, vectors } = mixture;
    const { values, weighted, ...memory } = vectors;
    const hasMemory = Object.keys(memory).length > 0;
    return { epoch, steps, values: values!, weighted: weighted!, ...(hasMemory && { memory }) };
  }

  #empty({ epoch, steps }: OnlineState, vectors: Readonly<Record<string, Float32Array>>): Mixture {
    const own: Record<string, Float32Array> = {};
    for (const [name, { length }] of Object.entries(vectors)) {
      const spare = this.#spare?.[name];
      own[name] = spare?.length === length ? spare : this.#allocate(length);
    }
    this.#spare = undefined;
    return { epoch, steps, vectors: own };
  }
}

/** All vectors of a state by name. @throws RangeError when they have not one entry a weight */
export function vectorsOf({ values, weighted, memory }: OnlineState): Record<string, Float32Array> {
  const vectors: Record<string, Float32Array> = { ...memory, values, weighted };
  for (const name of OWN) {
    if (memory !== undefined && Object.hasOwn(memory, name)) {
      throw new RangeError(`a learner's memory cannot be named "${name}"`);
    }
  }
  for (const [name, { length }] of Object.entries(vectors)) {
    if (length !== values.length) {
      throw new RangeError(
        `only vectors of one entry a weight can be mixed: expected ${values.length} ${name}, got ${length}`,
      );
    }
  }
  return vectors;
}

function checkAlike(
  mixture: Mixture,
  state: OnlineState,
  vectors: Readonly<Record<string, Float32Array>>,
): void {
  const describe = ({ epoch, steps }: Mixture | OnlineState, of: Readonly<Record<string, Float32Array>>) =>
    `epoch ${epoch}, ${steps} steps, ${of.values!.length} weights, [${Object.keys(of).sort().join(", ")}]`;
  const expected = describe(mixture, mixture.vectors);
  const found = describe(state, vectors);
  if (found !== expected) throw new RangeError(`expected a state of ${expected}, got ${found}`);
}

/** Moves a mean towards a vector by a share of the way; all of it is exact. */
function blend(mean: Float32Array, vector: Float32Array, share: number): void {
  if (share === 1) mean.set(vector);
  else if (share > 0) for (let i = 0; i < mean.length; i++) mean[i]! += share * (vector[i]! - mean[i]!);
}
