import { counted, invalidArgument } from "@arcwise/core/errors";
import { type Check, checkArgument, isList, refuse, satisfying, shaped } from "@arcwise/core/options";
import { arcsCheck, checkDiagram, type Diagram, type DiagramArc } from "./diagram.ts";
import { type OptionsFor, optionsFor } from "./options.ts";

/** Predicted arcs with their kinds, and the gold arcs that are missed. */
export interface JudgedArcs {
  /** `right`, `relabelled` (with `goldLabel`) or `wrong`, in the order of the predicted arcs. */
  readonly predicted: readonly DiagramArc[];
  /** Gold arcs between words that no predicted arc links in this direction. */
  readonly missed: readonly DiagramArc[];
}

/** Compares predicted arcs with gold arcs. O(arcs). */
export function judgeArcs(predicted: readonly DiagramArc[], gold: readonly DiagramArc[]): JudgedArcs {
  checkArgument(arcsCheck, predicted, "judgeArcs: predicted");
  checkArgument(arcsCheck, gold, "judgeArcs: gold");
  const goldKeys = new Set(gold.map(arcKey));
  const predictedKeys = new Set(predicted.map(arcKey));
  // Gold labels that were not predicted, by the words that they link.
  const open = new Map<string, string>();
  for (const arc of gold) if (!predictedKeys.has(arcKey(arc))) open.set(linkKey(arc), arc.label);
  const linked = new Set(predicted.map(linkKey));
  return {
    predicted: predicted.map((arc): DiagramArc => {
      if (goldKeys.has(arcKey(arc))) return { ...arc, kind: "right" };
      const goldLabel = open.get(linkKey(arc));
      return goldLabel === undefined ? { ...arc, kind: "wrong" } : { ...arc, kind: "relabelled", goldLabel };
    }),
    missed: gold
      .filter((arc) => !predictedKeys.has(arcKey(arc)) && !linked.has(linkKey(arc)))
      .map((arc): DiagramArc => ({ ...arc, kind: "missed" })),
  };
}

/**
 * Returns one diagram of a gold and a predicted analysis of the same words: predicted arcs above the words,
 * marked as right or wrong, gold arcs below them. O(n + arcs).
 *
 * @throws ArcwiseError with code `invalid-argument` when the two have other words
 *
 * @example
 * const both = compareDiagrams(sentenceDiagram(gold), sentenceDiagram(predicted));
 * const svg = drawSvg(both); // wrong arcs stand out, missed arcs are below the words
 */
export function compareDiagrams(
  gold: Diagram,
  predicted: Diagram,
  options?: OptionsFor<"compareDiagrams">,
): Diagram {
  const { gold: drawn } = optionsFor("compareDiagrams", options);
  checkDiagram(gold);
  checkDiagram(predicted);
  if (gold.words.length !== predicted.words.length) {
    throw invalidArgument(
      "predicted.words",
      counted(gold.words.length, "word"),
      counted(predicted.words.length, "word"),
    );
  }
  for (const [i, { form }] of gold.words.entries()) {
    const found = predicted.words[i]!.form;
    if (found !== form) throw invalidArgument(`predicted.words[${i}]`, `"${form}"`, `"${found}"`);
  }
  const judged = judgeArcs(predicted.arcs, gold.arcs);
  const below =
    drawn === "all" ? gold.arcs.map((arc) => ({ ...arc, kind: kindOfGold(arc, judged) })) : judged.missed;
  return {
    ...predicted,
    id: predicted.id ?? gold.id,
    text: predicted.text ?? gold.text,
    arcs: [...judged.predicted, ...below.map((arc): DiagramArc => ({ ...arc, isBelow: true }))],
  };
}

function kindOfGold(arc: DiagramArc, { missed }: JudgedArcs): "missed" | "right" {
  return missed.some((other) => arcKey(other) === arcKey(arc)) ? "missed" : "right";
}

/** Arcs and their probabilities: the marginals of a parser are such an object. */
export interface ArcProbabilities {
  readonly arcs: { readonly head: ArrayLike<number>; readonly modifier: ArrayLike<number> };
  /** Probability of each arc. */
  readonly arcProbabilities: ArrayLike<number>;
}

const NUMBERS = satisfying<ArrayLike<number>>(
  "a list of numbers",
  (value) => isList(value) && Array.from(value).every((item) => typeof item === "number"),
);
const COLUMNS = shaped<ArcProbabilities>("arcs and their probabilities", {
  arcs: shaped<ArcProbabilities["arcs"]>("arcs", { head: NUMBERS, modifier: NUMBERS }),
  arcProbabilities: NUMBERS,
});

/** Accepts arcs with a probability each. */
const probabilitiesCheck: Check<ArcProbabilities> = (value, at) => {
  COLUMNS(value, at);
  const { arcs, arcProbabilities } = value as ArcProbabilities;
  const { length } = arcs.head;
  if (arcs.modifier.length !== length) refuse("arcs.modifier", counted(length, "number"), arcs.modifier);
  if (arcProbabilities.length !== length)
    refuse("arcProbabilities", counted(length, "number"), arcProbabilities);
};

/**
 * Returns a diagram with the probability of each arc, and the most probable other arcs below the words.
 * O(arcs).
 *
 * @example
 * const [reading] = nlp.read("I saw the man with the telescope.");
 * const diagram = withProbabilities(sentenceDiagram(nlp.run("I saw the man with the telescope.")[0]!), reading!.marginals());
 * const svg = drawSvg(diagram);
 */
export function withProbabilities(
  diagram: Diagram,
  probable: ArcProbabilities,
  options?: OptionsFor<"withProbabilities">,
): Diagram {
  checkDiagram(diagram);
  checkArgument(probabilitiesCheck, probable, "withProbabilities: probabilities");
  const {
    arcs: { head, modifier },
    arcProbabilities,
  } = probable;
  const { threshold } = optionsFor("withProbabilities", options);
  const probabilities = new Map<string, number>();
  for (let a = 0; a < head.length; a++) {
    probabilities.set(linkKey({ head: head[a]!, modifier: modifier[a]! }), arcProbabilities[a]!);
  }
  // Sums of products of floats may exceed 1 in the last digits.
  const clamped = (probability: number): number => Math.min(1, Math.max(0, probability));
  const drawn = new Set(diagram.arcs.map(linkKey));
  const others: DiagramArc[] = [];
  for (let a = 0; a < head.length; a++) {
    const arc = { head: head[a]!, modifier: modifier[a]! };
    if (drawn.has(linkKey(arc)) || arcProbabilities[a]! < threshold) continue;
    const probability = clamped(arcProbabilities[a]!);
    others.push({ ...arc, label: "", kind: "alternative", probability, isBelow: true });
  }
  return {
    ...diagram,
    arcs: [
      ...diagram.arcs.map((arc) => ({ ...arc, probability: clamped(probabilities.get(linkKey(arc)) ?? 0) })),
      ...others,
    ],
  };
}

function arcKey({ head, modifier, label }: DiagramArc): string {
  return `${head} ${modifier} ${label}`;
}

function linkKey({ head, modifier }: { readonly head: number; readonly modifier: number }): string {
  return `${head} ${modifier}`;
}
