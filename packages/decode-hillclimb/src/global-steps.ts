import type { IncrementalTreeScore, TreeScorer } from "@arcwise/core";

/** Returns the incremental form of a scorer; without one, a form that scores every tree in full. */
export function stepsOf(scorer: TreeScorer, n: number): IncrementalTreeScore {
  return scorer.incremental?.() ?? rescoring(scorer, n);
}

/** Makes an incremental form of full scores, one for each candidate head. */
function rescoring(scorer: TreeScorer, n: number): IncrementalTreeScore {
  const heads = new Int32Array(n + 1);
  let current = 0;
  return {
    reset(tree) {
      heads.set(tree);
      current = scorer.score(heads);
      return current;
    },
    deltas(m, candidates, count, out) {
      const head = heads[m];
      for (let k = 0; k < count; k++) {
        heads[m] = candidates[k];
        const score = candidates[k] === head ? current : scorer.score(heads);
        // -Infinity less itself: two forbidden trees do not differ.
        out[k] = score === current ? 0 : score - current;
      }
      heads[m] = head;
    },
    move(m, head) {
      heads[m] = head;
      current = scorer.score(heads);
    },
  };
}
