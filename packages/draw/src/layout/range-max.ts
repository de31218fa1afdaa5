import { bitsFor, powerOfTwo } from "@arcwise/core/arithmetic";

/** Entries that grow, 0 at first, with their greatest value over a range. Ranges include both ends. */
export class RangeMax {
  readonly #leaves: number;
  /** For each node of a binary tree: a value that all entries below it have at least, and their greatest. */
  readonly #least: Int32Array;
  readonly #greatest: Int32Array;

  constructor(size: number) {
    this.#leaves = powerOfTwo(bitsFor(Math.max(1, size)));
    this.#least = new Int32Array(2 * this.#leaves);
    this.#greatest = new Int32Array(2 * this.#leaves);
  }

  /** Raises all entries of a range to a value at least. O(log size). */
  raise(from: number, to: number, value: number): void {
    for (const node of this.#nodes(from, to)) {
      this.#least[node] = Math.max(this.#least[node]!, value);
      this.#greatest[node] = Math.max(this.#greatest[node]!, value);
    }
    for (const end of [from, to]) {
      for (let node = (end + this.#leaves) >> 1; node >= 1; node >>= 1) {
        const below = Math.max(this.#greatest[2 * node]!, this.#greatest[2 * node + 1]!);
        this.#greatest[node] = Math.max(this.#least[node]!, below);
      }
    }
  }

  /** Returns the greatest entry of a range. O(log size). */
  max(from: number, to: number): number {
    let greatest = 0;
    for (const node of this.#nodes(from, to)) greatest = Math.max(greatest, this.#greatest[node]!);
    for (const end of [from, to]) {
      for (let node = end + this.#leaves; node >= 1; node >>= 1)
        greatest = Math.max(greatest, this.#least[node]!);
    }
    return greatest;
  }

  /** Returns the indices of a range whose entries are above a value, ascending. O(log size) for each. */
  above(from: number, to: number, value: number): number[] {
    const found: number[] = [];
    const visit = (node: number, first: number, last: number, least: number): void => {
      if (last < from || first > to || Math.max(least, this.#greatest[node]!) <= value) return;
      if (first === last) {
        found.push(first);
        return;
      }
      const middle = (first + last) >> 1;
      const inherited = Math.max(least, this.#least[node]!);
      visit(2 * node, first, middle, inherited);
      visit(2 * node + 1, middle + 1, last, inherited);
    };
    visit(1, 0, this.#leaves - 1, 0);
    return found;
  }

  /** Returns the nodes whose entries are a range. */
  #nodes(from: number, to: number): number[] {
    const nodes: number[] = [];
    let [left, right] = [from + this.#leaves, to + this.#leaves + 1];
    for (; left < right; left >>= 1, right >>= 1) {
      if (left & 1) nodes.push(left++);
      if (right & 1) nodes.push(--right);
    }
    return nodes;
  }
}
