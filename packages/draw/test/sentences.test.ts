import { parseConllu, viewSentence } from "@arcwise/conllu";
import { ArcwiseError } from "@arcwise/core/errors";
import { describe, expect, it } from "vitest";
import { thrownBy } from "../../../tools/test-helpers.ts";
import {
  compareDiagrams,
  type DrawOptions,
  drawHtml,
  drawSvg,
  drawText,
  drawTikz,
  htmlWriter,
  judgeArcs,
  type PageOptions,
  sentenceDiagram,
  withProbabilities,
} from "../src/index.ts";
import { diagramOf } from "./diagrams.ts";

const gap = parseConllu(`# sent_id = g1
# text = du vin
1-2	du	_	_	_	_	_	_	_	_
1	de	de	ADP	P	_	3	case	3:case	_
2	le	_	DET	_	_	3	det	3:det|3.1:det	_
3	vin	vin	NOUN	N	_	0	root	0:root	_
3.1	bu	boire	VERB	_	_	_	_	3:conj:et>obj	_

`)[0]!;

it("a page of one sentence, whose words were taken for sentences, is refused with what to do", () => {
  const view: unknown = viewSentence(gap);
  expect(() => drawHtml(view as Parameters<typeof drawHtml>[0])).toThrow(
    expect.objectContaining({
      code: "invalid-argument",
      message: expect.stringContaining("put it in a list"),
    }),
  );
});

describe("the diagram of a sentence", () => {
  it("has the words, tags, tokens and tree of CoNLL-U", () => {
    expect(sentenceDiagram(gap, { tags: ["upos", "lemma"] })).toEqual({
      id: "g1",
      text: "du vin",
      direction: "ltr",
      words: [
        {
          id: "1",
          form: "de",
          tags: [
            { column: "upos", text: "ADP" },
            { column: "lemma", text: "de" },
          ],
        },
        { id: "2", form: "le", tags: [{ column: "upos", text: "DET" }] },
        {
          id: "3",
          form: "vin",
          tags: [
            { column: "upos", text: "NOUN" },
            { column: "lemma", text: "vin" },
          ],
        },
      ],
      arcs: [
        { head: 3, modifier: 1, label: "case" },
        { head: 3, modifier: 2, label: "det" },
        { head: 0, modifier: 3, label: "root" },
      ],
      tokens: [{ first: 1, last: 2, form: "du" }],
    });
  });

  it("has the empty nodes and all heads of an enhanced graph", () => {
    const { words, arcs } = sentenceDiagram(gap, { graph: "enhanced" });
    expect(words[3]).toMatchObject({ id: "3.1", form: "bu", isEmpty: true });
    expect(arcs).toContainEqual({ head: 4, modifier: 2, label: "det" });
    expect(arcs).toContainEqual({ head: 3, modifier: 4, label: "conj:et>obj" });
  });

  it("is the same for words whose heads are positions or words", () => {
    const dogs = { form: "Dogs", deprel: "nsubj", upos: "NOUN" };
    const bark = { form: "bark", deprel: "root" };
    const positions = {
      words: [
        { ...dogs, head: 2 },
        { ...bark, head: 0 },
      ],
    };
    const words = { words: [{ ...dogs, head: bark }, bark] };
    expect(sentenceDiagram(words)).toEqual(sentenceDiagram(positions));
    expect(sentenceDiagram(words).arcs).toEqual([
      { head: 2, modifier: 1, label: "nsubj" },
      { head: 0, modifier: 2, label: "root" },
    ]);
  });

  it.each([
    ["basic", [3, 1, 3], ["1", "3"]],
    ["enhanced", [4], ["3.1"]],
  ] as const)("marks words at positions of the %s graph", (graph, marked, expected) => {
    const { words } = sentenceDiagram(gap, { graph, marked });
    expect(words.filter(({ isMarked }) => isMarked).map(({ id }) => id)).toEqual(expected);
    expect(
      htmlWriter()
        .sentence(gap, { graph, marked })
        .match(/class="word[a-z ]* marked"/g),
    ).toHaveLength(expected.length);
  });

  it("has no arcs without heads", () => {
    const words = [{ form: "Dogs", head: -1, deprel: "nsubj" }, { form: "bark" }];
    expect(sentenceDiagram({ words }).arcs).toEqual([]);
  });

  it.each([
    ["English", "The dog .", "ltr"],
    ["Arabic", "يقرأ محمد .", "rtl"],
    ["Hebrew with a number", "הילדה קראה 3 .", "rtl"],
    ["mostly English", "the word شكرا means", "ltr"],
    ["punctuation", ". ! ?", "ltr"],
  ])("%s: %s is %s", (_, text, direction) => {
    const words = text.split(" ").map((form) => ({ form }));
    expect(sentenceDiagram({ words }).direction).toBe(direction);
    expect(sentenceDiagram({ words }, { direction: "rtl" }).direction).toBe("rtl");
  });

  it.each([
    [
      "a head that does not exist",
      { ...gap, rows: gap.rows.map((row) => (row.kind === "word" ? { ...row, head: 9 } : row)) },
      {},
    ],
    [
      "malformed DEPS",
      { ...gap, rows: gap.rows.map((row) => ({ ...row, deps: "x" })) },
      { graph: "enhanced" as const },
    ],
    [
      "a head in DEPS that does not exist",
      { ...gap, rows: gap.rows.map((row) => ({ ...row, deps: "7.1:x" })) },
      { graph: "enhanced" as const },
    ],
    ["a marked word that does not exist", gap, { marked: [1, 4] }],
    ["a head of another sentence", { words: [{ form: "a", head: { form: "b" } }] }, {}],
  ])("is refused for %s", (_, sentence, options) => {
    expect(thrownBy(() => sentenceDiagram(sentence, options))).toMatchObject({ code: "invalid-argument" });
  });
});

describe("options", () => {
  it.each([
    ["unknown-option", { layuot: "tree" }],
    ["invalid-option", { layout: "circle" }],
    ["invalid-option", { marked: [0] }],
    ["invalid-option", { width: -1 }],
  ])("are refused: %s, %j", (code, options) => {
    const sentence = { words: [{ form: "a" }] };
    expect(() => drawSvg(sentence, options as DrawOptions)).toThrow(expect.objectContaining({ code }));
    expect(() => drawHtml([sentence], options as PageOptions)).toThrow(ArcwiseError);
  });
});

describe("comparison", () => {
  const gold = diagramOf("a b c d", ["2>1 det", "0>2 root", "2>3 obj", "3>4 amod"]);
  const predicted = diagramOf("a b c d", ["2>1 det", "0>2 root", "2>3 obl", "2>4 amod"]);

  it("judges predicted arcs and finds those that are missed", () => {
    const { predicted: judged, missed } = judgeArcs(predicted.arcs, gold.arcs);
    expect(judged.map(({ kind, goldLabel }) => [kind, goldLabel])).toEqual([
      ["right", undefined],
      ["right", undefined],
      ["relabelled", "obj"],
      ["wrong", undefined],
    ]);
    expect(missed).toEqual([{ head: 3, modifier: 4, label: "amod", kind: "missed" }]);
  });

  it.each([
    ["missed", ["4 missed"]],
    ["all", ["1 right", "2 right", "3 right", "4 missed"]],
  ] as const)("has %s gold arcs below the words", (which, expected) => {
    const { arcs } = compareDiagrams(gold, predicted, { gold: which });
    expect(arcs.filter(({ isBelow }) => isBelow).map(({ modifier, kind }) => `${modifier} ${kind}`)).toEqual(
      expected,
    );
  });

  it.each(["a b c", "a b c x"])("refuses other words: %s", (words) => {
    expect(() => compareDiagrams(gold, diagramOf(words))).toThrow(
      expect.objectContaining({ code: "invalid-argument" }),
    );
  });
});

it("probabilities are on the arcs, and other probable arcs below the words", () => {
  const arcs = { head: [0, 2, 0, 1], modifier: [1, 1, 2, 2] };
  const diagram = withProbabilities(diagramOf("a b", ["2>1 x", "0>2 root"]), {
    arcs,
    arcProbabilities: [0.04, 0.96, 0.7, 0.3],
  });
  expect(diagram.arcs).toEqual([
    { head: 2, modifier: 1, label: "x", probability: 0.96 },
    { head: 0, modifier: 2, label: "root", probability: 0.7 },
    { head: 1, modifier: 2, label: "", kind: "alternative", probability: 0.3, isBelow: true },
  ]);
});

it.each([
  ["drawSvg", drawSvg],
  ["drawText", drawText],
  ["drawTikz", drawTikz],
  ["drawHtml", (what: never) => drawHtml([what])],
  ["sentenceDiagram", sentenceDiagram],
] as const)("errors name the function that was called: %s", (name, draw) => {
  for (const wrong of ["Hi", [], {}])
    expect(() => draw(wrong as never)).toThrow(
      expect.objectContaining({ code: "invalid-argument", message: expect.stringContaining(`${name}: `) }),
    );
});
