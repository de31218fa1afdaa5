import type { Judgement } from "./scoring.ts";
import { Names } from "./tallies.ts";

/** The number of words with a pair of gold and predicted classes (labels, tags), which may be equal. */
export interface Confusion {
  readonly gold: string;
  readonly predicted: string;
  /** Scored words with these two classes. */
  readonly words: number;
  /** Those of them with the right head: where labels differ, errors of labelling alone. */
  readonly rightHeads: number;
}

/** Counts pairs of gold and predicted classes. */
export class ConfusionTally {
  readonly #names = new Names();
  /** Per gold class, a map from predicted class to words and right heads. */
  readonly #cells: Map<number, { words: number; rightHeads: number }>[] = [];

  /** Adds the scored words of a sentence, given the gold and the predicted class at each position. */
  add({ scored, head }: Judgement, golds: readonly string[], predictions: readonly string[]): void {
    for (let m = 1; m < scored.length; m++) {
      if (scored[m] === 0) continue;
      const gold = this.#names.of(golds[m]!);
      const predicted = this.#names.of(predictions[m]!);
      while (this.#cells.length <= gold) this.#cells.push(new Map());
      const row = this.#cells[gold]!;
      let cell = row.get(predicted);
      if (cell === undefined) {
        cell = { words: 0, rightHeads: 0 };
        row.set(predicted, cell);
      }
      cell.words++;
      cell.rightHeads += head[m]!;
    }
  }

  /** Returns all pairs that occur, the most frequent first, then in the order of their names. */
  confusions(): Confusion[] {
    const { names } = this.#names;
    const all: Confusion[] = [];
    this.#cells.forEach((row, gold) => {
      for (const [predicted, cell] of row) {
        all.push({ gold: names[gold]!, predicted: names[predicted]!, ...cell });
      }
    });
    return all.sort(
      (x, y) => y.words - x.words || compareText(x.gold, y.gold) || compareText(x.predicted, y.predicted),
    );
  }
}

/** Compares texts by UTF-16 code units: the order does not depend on the locale. */
export function compareText(x: string, y: string): number {
  return x < y ? -1 : x > y ? 1 : 0;
}
