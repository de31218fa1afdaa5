import { type Judgement, ratio } from "./scoring.ts";

/** Scores, from 0 to 1, of the words of one class that depends on the gold standard alone. */
export interface ScoreRow {
  readonly key: string;
  /** Words scored. */
  readonly words: number;
  readonly correctHeads: number;
  /** Words with the right head and label. */
  readonly correctArcs: number;
  readonly uas: number;
  readonly las: number;
}

/**
 * Precision and recall of the arcs of one class. The numbers of correct arcs may differ between the two
 * sides: an arc that is right can have another depth in the predicted tree than in the gold tree.
 */
export interface ClassScore {
  /** Gold arcs of the class that were predicted. */
  readonly correctGold: number;
  /** Predicted arcs of the class that are right. */
  readonly correctPredicted: number;
  /** `correctPredicted / predicted`. */
  readonly precision: number;
  /** `correctGold / gold`. */
  readonly recall: number;
  /** Harmonic mean of precision and recall. */
  readonly f1: number;
}

/** Precision and recall of one class of arcs. */
export interface ClassRow {
  readonly key: string;
  /** Gold arcs of the class. */
  readonly gold: number;
  /** Predicted arcs of the class. */
  readonly predicted: number;
  /** An arc is correct when its head is. */
  readonly unlabelled: ClassScore;
  /** An arc is correct when its head and label are. */
  readonly labelled: ClassScore;
}

/** Assigns an index to each name of a class. */
export class Names {
  readonly names: string[] = [];
  readonly #numbers = new Map<string, number>();

  of(name: string): number {
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.names.length;
      this.#numbers.set(name, number);
      this.names.push(name);
    }
    return number;
  }
}

const WORDS = 0;
const HEADS = 1;
const ARCS = 2;
const COLUMNS = 3;

/** Numbers of words, right heads and right arcs of each class, for one side. */
class Counts {
  readonly #counts: number[] = [];

  add(key: number, head: number, arc: number): void {
    while (this.#counts.length <= COLUMNS * key) for (let i = 0; i < COLUMNS; i++) this.#counts.push(0);
    this.#counts[COLUMNS * key + WORDS]!++;
    this.#counts[COLUMNS * key + HEADS]! += head;
    this.#counts[COLUMNS * key + ARCS]! += arc;
  }

  get(key: number, column: number): number {
    return this.#counts[COLUMNS * key + column] ?? 0;
  }
}

/** Counts words by class. */
export class ScoreTally {
  readonly #counts = new Counts();

  /** Adds the scored words of a sentence, with one class for all or one per word. */
  add(classes: Int32Array | number, { scored, head, label }: Judgement): void {
    for (let m = 1; m < scored.length; m++) {
      if (scored[m] === 0) continue;
      const key = typeof classes === "number" ? classes : classes[m]!;
      this.#counts.add(key, head[m]!, head[m]! & label[m]!);
    }
  }

  /** Returns the classes that have words, in the order of their indices. */
  rows(names: readonly string[]): ScoreRow[] {
    const counts = this.#counts;
    return names.flatMap((key, k) => {
      const words = counts.get(k, WORDS);
      if (words === 0) return [];
      const correctHeads = counts.get(k, HEADS);
      const correctArcs = counts.get(k, ARCS);
      return { key, words, correctHeads, correctArcs, uas: correctHeads / words, las: correctArcs / words };
    });
  }
}

/** Counts gold and predicted arcs by class. */
export class ClassTally {
  readonly #gold = new Counts();
  readonly #predicted = new Counts();

  /**
   * Adds the arcs of the scored words of a sentence, given the classes of each word's gold and predicted
   * arcs.
   */
  add(gold: Int32Array, predicted: Int32Array, { scored, head, label }: Judgement): void {
    for (let m = 1; m < scored.length; m++) {
      if (scored[m] === 0) continue;
      const arc = head[m]! & label[m]!;
      this.#gold.add(gold[m]!, head[m]!, arc);
      this.#predicted.add(predicted[m]!, head[m]!, arc);
    }
  }

  /** Returns the classes that have gold or predicted arcs, in the order of their indices. */
  rows(names: readonly string[]): ClassRow[] {
    return names.flatMap((key, k) => {
      const gold = this.#gold.get(k, WORDS);
      const predicted = this.#predicted.get(k, WORDS);
      if (gold + predicted === 0) return [];
      return { key, gold, predicted, unlabelled: this.#score(k, HEADS), labelled: this.#score(k, ARCS) };
    });
  }

  #score(key: number, column: number): ClassScore {
    const [gold, predicted] = [this.#gold, this.#predicted];
    const correct = { gold: gold.get(key, column), predicted: predicted.get(key, column) };
    return classScore(correct, { gold: gold.get(key, WORDS), predicted: predicted.get(key, WORDS) });
  }
}

/** Numbers of arcs of one class in gold and in predicted trees or graphs. */
export interface SideCounts {
  readonly gold: number;
  readonly predicted: number;
}

/** Returns precision and recall of a class. */
export function classScore(correct: SideCounts, all: SideCounts): ClassScore {
  const precision = ratio(correct.predicted, all.predicted);
  const recall = ratio(correct.gold, all.gold);
  const f1 = ratio(2 * precision * recall, precision + recall);
  return { correctGold: correct.gold, correctPredicted: correct.predicted, precision, recall, f1 };
}
