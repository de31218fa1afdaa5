import type { DecodingStep } from "@arcwise/core";

type StepOf<Kind extends DecodingStep["kind"]> = Extract<DecodingStep, { readonly kind: Kind }>;

/** What is known after some steps of a decoding. */
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

/** Says what a step did, in words. */
export function describeStep(step: DecodingStep | undefined, formOf: (position: number) => string): string {
  if (step === undefined) return "Nothing has happened yet.";
  switch (step.kind) {
    case "arc": {
      const into = step.words.length > 1 ? ` into the circle of ${listOf(step.words, formOf)}` : "";
      return `Chooses ${formOf(step.head)} → ${formOf(step.modifier)}${into}: ${step.score.toFixed(2)}.`;
    }
    case "circle":
      return `${listOf(step.words, formOf)} form a circle, which becomes one node.`;
    case "span":
      return `Fills the span from ${formOf(step.from)} to ${formOf(step.to)}.`;
    case "tree":
      return `${step.isBest ? "Best tree so far" : "A tree"}, score ${step.score.toFixed(2)}.`;
    case "bound":
      return `Iteration ${step.iteration}: no tree scores more than ${step.bound.toFixed(3)}; the best one scores ${step.score.toFixed(3)}.`;
  }
}

function listOf(words: readonly number[], formOf: (position: number) => string): string {
  return words.map(formOf).join(", ");
}
