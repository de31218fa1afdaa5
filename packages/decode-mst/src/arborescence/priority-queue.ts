/** Something with a score to be ranked by. */
export interface Scored {
  readonly score: number;
}

/** A binary heap: the highest score first, of equals the one that was added first. */
export class PriorityQueue<T extends Scored> {
  readonly #items: T[] = [];
  readonly #ages: number[] = [];
  #added = 0;

  /** O(log size). */
  push(item: T): void {
    this.#items.push(item);
    this.#ages.push(this.#added++);
    for (let i = this.#items.length - 1; i > 0; ) {
      const above = (i - 1) >> 1;
      if (!this.#precedes(i, above)) break;
      this.#swap(i, above);
      i = above;
    }
  }

  /** Takes the first item out, or returns undefined. O(log size). */
  pop(): T | undefined {
    if (this.#items.length === 0) return undefined;
    this.#swap(0, this.#items.length - 1);
    const first = this.#items.pop();
    this.#ages.pop();
    for (let i = 0; ; ) {
      let next = 2 * i + 1;
      if (next + 1 < this.#items.length && this.#precedes(next + 1, next)) next++;
      if (next >= this.#items.length || !this.#precedes(next, i)) return first;
      this.#swap(i, next);
      i = next;
    }
  }

  #precedes(i: number, j: number): boolean {
    const difference = this.#items[i].score - this.#items[j].score;
    return difference > 0 || (!(difference < 0) && this.#ages[i] < this.#ages[j]);
  }

  #swap(i: number, j: number): void {
    const item = this.#items[i];
    this.#items[i] = this.#items[j];
    this.#items[j] = item;
    const age = this.#ages[i];
    this.#ages[i] = this.#ages[j];
    this.#ages[j] = age;
  }
}
