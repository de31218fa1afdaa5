import fc from "fast-check";
import { expect, test } from "vitest";
import { type Diagram, drawTikz, sentenceDiagram } from "../src/index.ts";

const words = [
  { form: "Dogs", upos: "NOUN", head: 2, deprel: "nsubj" },
  { form: "bark", upos: "VERB", head: 0, deprel: "root" },
];

test("a sentence is an environment of tikz-dependency", () => {
  expect(drawTikz({ words })).toBe(`\\begin{dependency}
  \\begin{deptext}
    Dogs \\& bark \\\\
    NOUN \\& VERB \\\\
  \\end{deptext}
  \\depedge{2}{1}{nsubj}
  \\deproot{2}{root}
\\end{dependency}
`);
  expect(drawTikz({ words }, { tags: [] })).not.toContain("NOUN");
});

test("gold arcs are drawn below, and probabilities in per cent", () => {
  const { arcs, ...rest } = sentenceDiagram({ words });
  const marked: Diagram = {
    ...rest,
    arcs: [
      { ...arcs[0]!, isBelow: true },
      { ...arcs[1]!, probability: 0.5 },
    ],
  };
  expect(drawTikz(marked)).toContain("\\depedge[edge below]{2}{1}{nsubj}\n  \\deproot{2}{root~50\\%}\n");
});

test("no text is a command: braces are balanced, and special characters are escaped", () => {
  const form = fc.string({ unit: fc.constantFrom("a", ...'\\~^<>|"#$%&_{} \t\n') });
  fc.assert(
    fc.property(form, (text) => {
      const row = drawTikz({ words: [{ form: text }] }).split("\n")[2]!;
      const shown = row.replace(/^ {4}/, "").replace(/ \\\\$/, "");
      const commands = /\\(?:text\w+\{\}|[#$%&_{}])/g;
      expect(shown.replaceAll(commands, "")).toMatch(/^[a~]*$/);
      expect([...shown.matchAll(commands)]).toHaveLength(text.replaceAll(/[a\s]/g, "").length);
    }),
  );
});
