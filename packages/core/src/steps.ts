/**
 * A step of a decoder, as plain data that belongs to the caller.
 *
 * - `arc`: the best arc into a word, or into a contracted circle of words, is chosen; `score` is its score less what
 *   the circle has already counted.
 * - `circle`: chosen arcs between the words formed a circle, which is one node from now on.
 * - `span`: a chart has the best scores of its items between two positions; -Infinity for a missing item.
 * - `tree`: a tree was found; `isBest`: no tree before has a higher score. The last step of a decoding is its result.
 * - `bound`: no tree scores more than `bound`, and the best tree found so far has `score`.
 */
export type DecodingStep =
  | {
      readonly kind: "arc";
      readonly head: number;
      readonly modifier: number;
      readonly score: number;
      /** The words of the circle that the arc enters; the modifier alone for a word. */
      readonly words: readonly number[];
    }
  | { readonly kind: "circle"; readonly words: readonly number[] }
  | {
      readonly kind: "span";
      readonly from: number;
      readonly to: number;
      /** Half-trees of `from` (`right`) and of `to` (`left`) over the words of the span. */
      readonly right: number;
      readonly left: number;
      /** Trees with the arc from `from` to `to` (`rightArc`), or back (`leftArc`). */
      readonly rightArc: number;
      readonly leftArc: number;
    }
  | { readonly kind: "tree"; readonly heads: Int32Array; readonly score: number; readonly isBest: boolean }
  | {
      readonly kind: "bound";
      readonly iteration: number;
      readonly bound: number;
      readonly score: number;
    };

/** Receives the steps of a decoding, in their order. */
export type StepListener = (step: DecodingStep) => void;

/** Reports the result of a decoding as its last step, and returns it. */
export function endSteps<Result extends { readonly heads: Int32Array; readonly score: number }>(
  result: Result,
  onStep: StepListener,
): Result {
  const { heads, score } = result;
  onStep({ kind: "tree", heads: heads.slice(), score, isBest: true });
  return result;
}
