import * as fc from "fast-check";
import type { DiagramArc } from "../src/diagram.ts";
import type { Diagram } from "../src/index.ts";

/** Returns a diagram of words, with arcs `HEAD>MODIFIER LABEL`. */
export function diagramOf(words: string, arcs: readonly string[] = [], more: Partial<Diagram> = {}): Diagram {
  return {
    words: words.split(" ").map((form, i) => ({ id: `${i + 1}`, form, tags: [] })),
    arcs: arcs.map((arc): DiagramArc => {
      const [, head, modifier, label] = /^(\d+)>(\d+) ?(.*)$/.exec(arc)!;
      return { head: Number(head), modifier: Number(modifier), label: label! };
    }),
    tokens: [],
    direction: "ltr",
    ...more,
  };
}

const form = fc.constantFrom("a", "is", "words", "unbelievable", "漢字", "كتاب", ",", "𐌰𐌱");
const label = fc.constantFrom("", "obj", "nsubj", "nmod:poss", "conj:and>nsubj:pass");

/** Graphs of 1 to 9 words: several heads, crossing arcs, arcs from a word to itself, arcs below the words. */
export const anyGraph: fc.Arbitrary<Diagram> = fc.integer({ min: 1, max: 9 }).chain((n) =>
  fc.record({
    words: fc.array(form, { minLength: n, maxLength: n }).map((forms) =>
      forms.map((text, i) => ({
        id: `${i + 1}`,
        form: text,
        tags: i % 2 === 0 ? [{ column: "upos" as const, text: "NOUN" }] : [],
      })),
    ),
    arcs: fc.array(
      fc.record({
        head: fc.integer({ min: 0, max: n }),
        modifier: fc.integer({ min: 1, max: n }),
        label,
        isBelow: fc.boolean(),
      }),
      { maxLength: 2 * n },
    ),
    tokens: fc.constant([]),
    direction: fc.constantFrom("ltr" as const, "rtl" as const),
  }),
);

/** Trees of 1 to 12 words, most of which are not projective. */
export const anyTree: fc.Arbitrary<Diagram> = fc.integer({ min: 1, max: 12 }).chain((n) =>
  fc
    .tuple(
      fc.shuffledSubarray(
        Array.from({ length: n }, (_, i) => i + 1),
        { minLength: n, maxLength: n },
      ),
      fc.array(fc.nat(), { minLength: n, maxLength: n }),
    )
    .map(([order, choices]) => {
      // Each word hangs below one that comes before it in a random order.
      const arcs = order.map((m, i) => (i === 0 ? `0>${m} root` : `${order[choices[i]! % i]}>${m} dep`));
      return diagramOf(order.map((m) => `w${m}`).join(" "), arcs.toSorted());
    }),
);
