import { columnWarnings, distinctValues, type TrainingWarning } from "@arcwise/core/training";
import type { GraphExample } from "./graph-types.ts";

/**
 * Returns what `trainGraphParser` would warn of: graphs that no decoder can find, since they have edges from
 * a word to itself, and labels or tags that are nearly as many as edges or words. O(words + edges).
 */
export function graphTrainingWarnings(examples: readonly GraphExample[]): TrainingWarning[] {
  const total = examples.length;
  const count = examples.filter(({ graph }) => graph.edges.some(isLoop)).length;
  const loops: TrainingWarning[] = [];
  if (count > 0) {
    const message =
      `${count} of ${total} graphs have edges from a word to itself, which decoders do not find: those ` +
      "edges are left out, and the other edges are learned";
    loops.push({ code: "self-loops", message, count, total });
  }
  const labels = examples.flatMap(({ graph }) => graph.edges.map(({ label }) => label));
  const sentences = examples.map(({ sentence }) => sentence);
  return [
    ...loops,
    ...columnWarnings(sentences, ["upos", "xpos", "feats"]),
    ...distinctValues("the labels of edges", labels, "edges"),
  ];
}

function isLoop({ head, modifier }: GraphExample["graph"]["edges"][number]): boolean {
  return head === modifier;
}
