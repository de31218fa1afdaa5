import type { DecodingStep } from "@arcwise/core";
import { fixed } from "../shared/fixed.ts";

type StepOf<Kind extends DecodingStep["kind"]> = Extract<DecodingStep, { readonly kind: Kind }>;

/** State after some steps of a decoding. */
export interface Frame {
  /** Arcs that were chosen since the last tree, in their order. */
  readonly arcs: readonly StepOf<"arc">[];
  /** Circles of words that are contracted. */
  readonly circles: readonly (readonly number[])[];
  /** The current tree. */
  readonly tree: StepOf<"tree"> | undefined;
  /** The best tree so far. */
  readonly best: StepOf<"tree"> | undefined;
  /** The spans of a chart that are filled. */
  readonly spans: readonly StepOf<"span">[];
  readonly bounds: readonly StepOf<"bound">[];
  /** The trees so far. */
  readonly trees: readonly StepOf<"tree">[];
  /** The last step. */
  readonly step: DecodingStep | undefined;
}

const selected = <Kind extends DecodingStep["kind"]>(steps: readonly DecodingStep[], kind: Kind) =>
  steps.filter((step): step is StepOf<Kind> => step.kind === kind);

/** Returns what is known after the first `count` steps. O(count). */
export function frameAfter(steps: readonly DecodingStep[], count: number): Frame {
  const shown = steps.slice(0, count);
  const trees = selected(shown, "tree");
  const step = shown.at(-1);
  const isTree = step?.kind === "tree";
  return {
    arcs: isTree ? [] : selected(shown, "arc"),
    circles: isTree ? [] : selected(shown, "circle").map(({ words }) => words),
    tree: trees.at(-1),
    best: trees.findLast(({ isBest }) => isBest),
    spans: selected(shown, "span"),
    bounds: selected(shown, "bound"),
    trees,
    step,
  };
}

/** Says what a step did, in words that need no knowledge of decoders. */
export function describeStep(step: DecodingStep | undefined, formOf: (position: number) => string): string {
  if (step === undefined) return "No arc is chosen yet. Every word looks for the word that it depends on.";
  const name = (position: number) => `“${formOf(position)}”`;
  switch (step.kind) {
    case "arc": {
      const [head, word, score] = [name(step.head), name(step.modifier), fixed(step.score, 2)];
      return step.words.length > 1
        ? `The circle of ${step.words.map(name).join(", ")} needs a head outside: ${head} for ${word} has the highest score (${score}).`
        : `${head} becomes the head of ${word}: no other word has a higher score for it (${score}).`;
    }
    case "circle":
      return `${step.words.map(name).join(", ")} depend on each other in a circle, and a tree has none. They count as one word until an arc from outside opens the circle.`;
    case "span":
      return `The best way to connect the words from ${name(step.from)} to ${name(step.to)} is known now; longer spans are built from it.`;
    case "tree":
      return `${step.isBest ? "The best whole tree so far" : "Another whole tree, which is no better"}: its score is ${fixed(step.score, 2)}.`;
    case "bound":
      return `Round ${step.iteration}: no tree can score more than ${fixed(step.bound, 3)}, and the best tree so far has ${fixed(step.score, 3)}.`;
  }
}

/** Difference of bound and score up to which a tree is proved to be the best. */
const PROVED = 1e-6;

/** Says what a decoder found, and whether a better tree may exist. @param among the trees of which it finds the best */
export function describeEnd({ best, bounds }: Frame, among: string | undefined): string {
  const score = best === undefined ? "" : ` Its score is ${fixed(best.score, 2)}.`;
  const last = bounds.at(-1);
  const isProved = last === undefined ? among !== undefined : last.bound - last.score < PROVED;
  if (isProved) return `Found: this is the best ${among ?? "of all trees"}, and that is proved.${score}`;
  return `Found: no step makes this tree better. A better tree may exist: that it is the best is not proved.${score}`;
}
