import { DesignBuilder, type MaxentDesign } from "@arcwise/learn/maxent";
import { chunkScores } from "@arcwise/sequence";
import { type Contexts, EDGE } from "./contexts.ts";
import type { LabelledSentence } from "./corpora.ts";

/**
 * Returns the events of a maximum entropy Markov model: every word with its context, including the gold
 * labels before it.
 */
export function markovDesign(
  sentences: readonly LabelledSentence[],
  contexts: Contexts,
  cutoff: number,
): MaxentDesign {
  const builder = new DesignBuilder();
  for (const sentence of sentences) {
    const { labels } = sentence;
    for (const [i, label] of labels.entries()) {
      const history = contexts.history(sentence, i, (distance) => labels[i - distance] ?? EDGE);
      builder.add([...contexts.words(sentence, i), ...history], label);
    }
  }
  return builder.build({ cutoff });
}

/** A sequence of labels in a beam; labels by index, -1 before the first word. */
interface Hypothesis {
  readonly label: number;
  readonly before: Hypothesis | undefined;
  readonly score: number;
}

/** Returns the label some words back, 1 for the last one of the hypothesis; -1 before the first word. */
function labelBefore(hypothesis: Hypothesis, distance: number): number {
  let at: Hypothesis | undefined = hypothesis;
  for (let d = 1; d < distance; d++) at = at?.before;
  return at?.label ?? -1;
}

/** Labels sentences with the weights of a design by beam search (Ratnaparkhi 1996, section 4). */
export class MarkovLabeller {
  readonly #design: MaxentDesign;
  readonly #contexts: Contexts;
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #width: number;

  constructor(design: MaxentDesign, contexts: Contexts, width: number) {
    this.#design = design;
    this.#contexts = contexts;
    this.#numbers = new Map(design.features.map((name, id) => [name, id]));
    this.#width = width;
  }

  label(sentence: LabelledSentence, weights: Float64Array): string[] {
    const { classes } = this.#design;
    let beam: Hypothesis[] = [{ label: -1, before: undefined, score: 0 }];
    for (let i = 0; i < sentence.words.length; i++) {
      const fixed = new Float64Array(classes.length);
      for (const name of this.#contexts.words(sentence, i)) this.#add(name, weights, fixed);
      const next: Hypothesis[] = [];
      for (const hypothesis of beam) {
        const before = (distance: number): string => classes[labelBefore(hypothesis, distance)] ?? EDGE;
        const scores = fixed.slice();
        for (const name of this.#contexts.history(sentence, i, before)) this.#add(name, weights, scores);
        this.#extend(hypothesis, scores, next);
      }
      beam = next.sort((a, b) => b.score - a.score).slice(0, this.#width);
    }
    const labels: string[] = [];
    for (let one: Hypothesis | undefined = beam[0]; one && one.label >= 0; one = one.before) {
      labels.push(classes[one.label]!);
    }
    return labels.reverse();
  }

  /** Adds the best continuations of a hypothesis, up to the width of the beam. Overwrites `scores`. */
  #extend(hypothesis: Hypothesis, scores: Float64Array, into: Hypothesis[]): void {
    let sum = 0;
    for (let y = 0; y < scores.length; y++) sum += Math.exp(scores[y]!);
    const shift = hypothesis.score - Math.log(sum);
    for (let k = 0; k < this.#width; k++) {
      let label = 0;
      for (let y = 1; y < scores.length; y++) if (scores[y]! > scores[label]!) label = y;
      if (scores[label] === -Infinity) return;
      into.push({ label, before: hypothesis, score: shift + scores[label]! });
      scores[label] = -Infinity;
    }
  }

  #add(name: string, weights: Float64Array, scores: Float64Array): void {
    const feature = this.#numbers.get(name);
    if (feature === undefined) return;
    const { weightStart, weightClass } = this.#design;
    const end = weightStart[feature + 1]!;
    for (let t = weightStart[feature]!; t < end; t++) scores[weightClass[t]!]! += weights[t]!;
  }
}

/** Returns F1 of chunks, as in the evaluation of CoNLL-2000, or the share of words with the right label. */
export function scoreOf(
  metric: "F1" | "accuracy",
  gold: readonly LabelledSentence[],
  found: readonly (readonly string[])[],
): number {
  const { f1, accuracy } = chunkScores(
    gold.map(({ labels }) => labels),
    found,
  );
  return metric === "F1" ? f1 : accuracy;
}
