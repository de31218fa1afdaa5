import type { Arcs } from "@arcwise/core";
import { exp, logSum } from "@arcwise/core/arithmetic";
import type { ScoredArcs } from "../scoring/arcs/arc-scorer.ts";
import type { SentenceLabels } from "../scoring/sentence-labels.ts";
import { allowedLabels, type CheckedConstraints } from "./constraints.ts";

/** Chooses and scores the labels of words whose labels are constrained. */
export type ConstrainedLabels = ReturnType<typeof constrainedLabels>;

/** Returns the choice of labels of constrained words. @param strings the labels of the model, by index */
export function constrainedLabels(
  labels: SentenceLabels,
  strings: readonly string[],
  constraints: CheckedConstraints,
) {
  const scores = new Float64Array(strings.length);
  /** Scores the allowed labels of an arc of a constrained word. O(templates · labels). */
  function scored(h: number, m: number) {
    const allowed = allowedLabels(m, constraints.labels.get(m)!, labels.usual(h, m), strings);
    const own = labels.scoreLabels(h, m, allowed, scores);
    let best = -1;
    for (let l = 0; l < allowed.length; l++) if (best < 0 || scores[l] > scores[best]) best = l;
    return { allowed, own, best };
  }
  function each(arcs: Arcs, visit: (a: number, of: ReturnType<typeof scored>) => void): void {
    for (const m of constraints.labels.keys())
      for (let a = arcs.start[m]; a < arcs.start[m + 1]; a++) visit(a, scored(arcs.head[a], m));
  }
  return {
    /** Gives the arcs of constrained words their best allowed label, and its score. */
    choose: (arcs: Arcs, { scores: of, labels: chosen }: ScoredArcs) =>
      each(arcs, (a, { allowed, own, best }) => {
        chosen[a] = allowed[best] ?? -1;
        of[a] = best < 0 ? own : own + scores[best];
      }),
    /** Gives the arcs of constrained words the logarithm of the sum over their allowed labels of exp(score). */
    sum: (arcs: Arcs, of: Float64Array) =>
      each(arcs, (a, { allowed, own }) => {
        of[a] = allowed.length === 0 ? own : own + logSum(scores, 0, allowed.length);
      }),
    /**
     * Returns the probability of a label among those that a constrained word's arc h -> m may have; 1 when the
     * model does not have the label.
     */
    share(h: number, m: number, label: number): number {
      const { allowed } = scored(h, m);
      const at = allowed.indexOf(label);
      return at < 0 ? 1 : exp(scores[at] - logSum(scores, 0, allowed.length));
    },
    /** Returns the best allowed label of the arc h -> m of a constrained word; -1 when the model does not have it. */
    best(h: number, m: number): number {
      const { allowed, best } = scored(h, m);
      return allowed[best] ?? -1;
    },
  };
}
