import type { OnlineState } from "../online/train-online.ts";
import { longer } from "../online/weights.ts";
import type { Mixing } from "./mixing-names.ts";

/** Weights whose sums are in memory at a time, as many as stay in the cache of a processor. */
const BLOCK = 2 ** 14;

/** The changes of a shard: entries `from` to `end` of all changes. */
interface ShardChanges {
  readonly from: number;
  readonly end: number;
  readonly mistakes: number;
}

/**
 * Mixes the changes of shards in time and memory proportional to their number. Sums are in Float64, and the mean is
 * rounded once, so that a weight on which all shards agree does not change.
 *
 * Changes are ascending: a block of weights after the other is summed over all shards, so that memory is read and
 * written in order.
 */
export class ChangedWeights {
  readonly #mixing: Mixing;
  /** The changes of all shards, in sequence. */
  #indices = new Int32Array(1024);
  #values = new Float32Array(1024);
  #weighted = new Float32Array(1024);
  #shards: ShardChanges[] = [];
  /** The weights that some shard has changed. */
  #union = new Int32Array(1024);
  /** Per weight of a block: sums over the shards that changed it, and a bit for those that have any. */
  readonly #sums = new Float64Array(BLOCK);
  readonly #weightedSums = new Float64Array(BLOCK);
  readonly #amounts = new Float64Array(BLOCK);
  readonly #changed = new Int32Array(BLOCK / 32);

  constructor(mixing: Mixing) {
    this.#mixing = mixing;
  }

  /** Adds the changes of the next shard. O(changes). */
  add(
    changed: Int32Array,
    { values, weighted }: Pick<OnlineState, "values" | "weighted">,
    mistakes: number,
    from: OnlineState,
  ): void {
    const count = changed.length;
    if (values.length !== count || weighted.length !== count || from.memory !== undefined) {
      throw new RangeError(
        `expected ${count} changed weights and no memory, got ${values.length} and ${weighted.length}`,
      );
    }
    const dimension = from.values.length;
    for (let k = 0, least = 0; k < count; k++) {
      const index = changed[k];
      if (!(index >= least && index < dimension))
        throw new RangeError(`expected ascending weights from ${least} to ${dimension - 1}, got ${index}`);
      least = index + 1;
    }
    const start = this.#shards.at(-1)?.end ?? 0;
    const end = start + count;
    this.#indices = longer(this.#indices, end, Int32Array);
    this.#values = longer(this.#values, end, Float32Array);
    this.#weighted = longer(this.#weighted, end, Float32Array);
    this.#indices.set(changed, start);
    this.#values.set(values, start);
    this.#weighted.set(weighted, start);
    this.#shards.push({ from: start, end, mistakes });
  }

  /**
   * Writes the mixture over the previous state, and forgets the changes. O(changes).
   *
   * @returns the weights that may have changed, ascending
   */
  apply(previous: Pick<OnlineState, "values" | "weighted">): Int32Array {
    const shards = this.#shards;
    this.#shards = [];
    const most = shards.at(-1)?.end ?? 0;
    this.#union = longer(this.#union, most, Int32Array);
    const mistakes = this.#mixing === "error" ? shards.reduce((sum, shard) => sum + shard.mistakes, 0) : 0;
    // As long as no shard has made a mistake, all count equally.
    const counted = mistakes > 0 ? shards.filter((shard) => shard.mistakes > 0) : shards;
    const amounts = Float64Array.from(counted, (shard) => (mistakes > 0 ? shard.mistakes : 1));
    const total = mistakes > 0 ? mistakes : shards.length;
    const ends = Int32Array.from(counted, ({ end }) => end);
    const next = Int32Array.from(counted, ({ from }) => from);
    let size = 0;
    for (let block = this.#firstBlock(next, ends); block >= 0; block = this.#firstBlock(next, ends)) {
      for (let shard = 0; shard < next.length; shard++)
        next[shard] = this.#addUntil(block, next[shard], ends[shard], amounts[shard]);
      size = this.#writeBlock(block, total, size, previous);
    }
    return this.#union.slice(0, size);
  }

  /** Returns the first weight of the block that has the next change of any shard; -1 after the last one. */
  #firstBlock(next: Int32Array, ends: Int32Array): number {
    let least = -1;
    for (let shard = 0; shard < next.length; shard++) {
      if (next[shard] === ends[shard]) continue;
      const index = this.#indices[next[shard]];
      if (least < 0 || index < least) least = index;
    }
    return least < 0 ? -1 : least - (least % BLOCK);
  }

  /** Adds the changes of a shard in a block to the sums; returns the first change after it. */
  #addUntil(block: number, from: number, end: number, amount: number): number {
    const indices = this.#indices;
    let k = from;
    for (; k < end; k++) {
      const i = indices[k] - block;
      if (i >= BLOCK) break;
      this.#sums[i] += amount * this.#values[k];
      this.#weightedSums[i] += amount * this.#weighted[k];
      this.#amounts[i] += amount;
      this.#changed[i >>> 5] |= 1 << (i & 31);
    }
    return k;
  }

  /** Writes the mixture of a block, and clears its sums; returns the number of changed weights so far. */
  #writeBlock(
    block: number,
    total: number,
    before: number,
    { values, weighted }: Pick<OnlineState, "values" | "weighted">,
  ): number {
    const isShared = this.#mixing === "changed";
    let size = before;
    for (let word = 0; word < BLOCK / 32; word++) {
      for (let bits = this.#changed[word]; bits !== 0; bits &= bits - 1) {
        const i = 32 * word + 31 - Math.clz32(bits & -bits);
        const index = block + i;
        const amount = this.#amounts[i];
        const all = isShared ? amount : total;
        // The shards that changed nothing have the previous value.
        values[index] = (this.#sums[i] + (all - amount) * values[index]) / all;
        weighted[index] = (this.#weightedSums[i] + (all - amount) * weighted[index]) / all;
        this.#sums[i] = 0;
        this.#weightedSums[i] = 0;
        this.#amounts[i] = 0;
        this.#union[size++] = index;
      }
      this.#changed[word] = 0;
    }
    return size;
  }
}
