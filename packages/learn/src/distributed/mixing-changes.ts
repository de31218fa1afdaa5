import { ascending } from "../online/ascending.ts";
import type { OnlineState } from "../online/train-online.ts";
import type { Mixing } from "./mixing-names.ts";

/**
 * Mixes the changes of shards in time and memory proportional to their number, besides one entry per weight.
 * Sums are in Float64, and the mean is rounded once, so that a weight on which all shards agree does not
 * change.
 */
export class ChangedWeights {
  readonly #mixing: Mixing;
  /** Index of the sums of a weight, from 1; 0: no shard has changed it. */
  #places = new Int32Array(0);
  #size = 0;
  #indices = new Int32Array(1024);
  /** Per changed weight: sums over the shards that changed it. */
  #values = new Float64Array(1024);
  #weighted = new Float64Array(1024);
  #amounts = new Float64Array(1024);
  #count = 0;
  #mistakes = 0;

  constructor(mixing: Mixing) {
    this.#mixing = mixing;
  }

  /**
   * Adds the changes of the next shard. O(changes). @throws RangeError when they do not fit the previous
   * state
   */
  add(
    changed: Int32Array,
    { values, weighted }: Pick<OnlineState, "values" | "weighted">,
    mistakes: number,
    from: OnlineState,
  ): void {
    const dimension = from.values.length;
    if (this.#count === 0 && this.#places.length !== dimension) this.#places = new Int32Array(dimension);
    if (values.length !== changed.length || weighted.length !== changed.length || from.memory !== undefined) {
      throw new RangeError(
        `expected ${changed.length} changed weights and no memory, got ${values.length} and ` +
          `${weighted.length}`,
      );
    }
    this.#count++;
    // Until some shard has made a mistake, shards without mistakes count equally; the first with one replaces
    // them.
    if (this.#mixing === "error" && mistakes > 0 && this.#mistakes === 0) this.#clear();
    this.#mistakes += mistakes;
    const amount = this.#mixing === "error" && this.#mistakes > 0 ? mistakes : 1;
    if (amount === 0) return;
    this.#reserve(changed.length);
    const places = this.#places;
    for (let k = 0; k < changed.length; k++) {
      const index = changed[k]!;
      if (!(index >= 0 && index < dimension))
        throw new RangeError(`expected a weight below ${dimension}, got ${index}`);
      let place = places[index]! - 1;
      if (place < 0) {
        place = this.#size++;
        places[index] = place + 1;
        this.#indices[place] = index;
        this.#values[place] = 0;
        this.#weighted[place] = 0;
        this.#amounts[place] = 0;
      }
      this.#values[place]! += amount * values[k]!;
      this.#weighted[place]! += amount * weighted[k]!;
      this.#amounts[place]! += amount;
    }
  }

  /**
   * Writes the mixture over the previous state, returns the weights that may have changed, ascending, and resets
   * the sums. O(changes).
   */
  apply({ values, weighted }: Pick<OnlineState, "values" | "weighted">): Int32Array {
    const total = this.#mixing === "error" && this.#mistakes > 0 ? this.#mistakes : this.#count;
    const changed = this.#indices.subarray(0, this.#size);
    for (let place = 0; place < changed.length; place++) {
      const index = changed[place]!;
      const amount = this.#amounts[place]!;
      const all = this.#mixing === "changed" ? amount : total;
      // The shards that changed nothing have the previous value.
      values[index] = (this.#values[place]! + (all - amount) * values[index]!) / all;
      weighted[index] = (this.#weighted[place]! + (all - amount) * weighted[index]!) / all;
    }
    this.#clear();
    this.#count = 0;
    this.#mistakes = 0;
    return ascending(changed);
  }

  #clear(): void {
    for (let place = 0; place < this.#size; place++) this.#places[this.#indices[place]!] = 0;
    this.#size = 0;
  }

  #reserve(more: number): void {
    const needed = this.#size + more;
    if (needed <= this.#indices.length) return;
    const length = Math.max(needed, 2 * this.#indices.length);
    const indices = new Int32Array(length);
    indices.set(this.#indices);
    this.#indices = indices;
    this.#values = longer(this.#values, length);
    this.#weighted = longer(this.#weighted, length);
    this.#amounts = longer(this.#amounts, length);
  }
}

function longer(sums: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const own = new Float64Array(length);
  own.set(sums);
  return own;
}
