import fc from "fast-check";
import { expect, test } from "vitest";
import { type Diagram, drawSvg, drawTikz, sentenceDiagram } from "../src/index.ts";

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
  expect(drawTikz(marked)).toContain(
    "\\depedge[edge below]{2}{1}{nsubj}\n" +
      "  \\deproot[edge style={color={rgb,255:red,150;green,96;blue,0}}]{2}{root~50\\%}\n",
  );
});

test.each([
  [{ kind: "wrong" }, "[edge style={color={rgb,255:red,184;green,74;blue,0}, thick}]"],
  [
    { kind: "missed", isBelow: true },
    "[edge below, edge style={color={rgb,255:red,2;green,117;blue,184}, thick, dashed}]",
  ],
  [{ kind: "right" }, ""],
  [{ probability: 0.95 }, ""],
  [{ probability: 0.2 }, "[edge style={color={rgb,255:red,184;green,74;blue,0}}]"],
] as const)("an arc of %j has the line that it has in SVG", (more, style) => {
  const { arcs, ...rest } = sentenceDiagram({ words });
  const diagram: Diagram = { ...rest, arcs: [{ ...arcs[0]!, ...more }] };
  expect(drawTikz(diagram)).toContain(`\\depedge${style}{2}{1}{`);
  const colour =
    style === ""
      ? undefined
      : style.match(/\d+(?=[;}])/g)!.map((text) => Number(text).toString(16).padStart(2, "0"));
  if (colour !== undefined) expect(drawSvg(diagram)).toContain(`stroke="#${colour.join("")}"`);
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
