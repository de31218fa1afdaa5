import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compareDiagrams,
  type Diagram,
  drawHtml,
  drawSvg,
  drawText,
  htmlWriter,
  layoutArcs,
  renderSvg,
} from "../src/index.ts";
import { anyGraph, anyTree, diagramOf } from "./diagrams.ts";

/** Returns the tags that are malformed or not closed in order, and characters that XML does not allow. */
function markupFaults(xml: string): string[] {
  const text = xml.replace(/<style>[^<]*<\/style>/g, "");
  const faults = [...text.matchAll(/(?![\n\t])\p{Cc}|[\ufffe\uffff]|&(?!#39;|\w+;)/gu)].map(String);
  const open: string[] = [];
  for (const part of text.split("<").slice(1)) {
    const tag = /^(\/?)([\w!-]+)(?: [\w:-]+="[^"]*"| \w+)*(\/?)>/.exec(part);
    if (tag === null) faults.push(part);
    else if (tag[1] === "/" && open.pop() !== tag[2]) faults.push(part);
    else if (tag[1] === "" && tag[3] === "" && !/^(!doctype|meta)$/.test(tag[2]!)) open.push(tag[2]!);
  }
  return [...faults, ...open];
}

const hostile = `"><script>alert('x')</script>&amp;\u0000\u001b[31m\u202e\ud800`;

function hostileDiagram(): Diagram {
  return {
    ...diagramOf("a b", []),
    id: hostile,
    text: hostile,
    words: [{ id: hostile, form: hostile, tags: [{ column: "upos", text: hostile }] }],
    arcs: [{ head: 0, modifier: 1, label: hostile, goldLabel: hostile, kind: "relabelled" }],
    tokens: [{ first: 1, last: 1, form: hostile }],
  };
}

const drawHtmlOf = (diagram: Diagram): string => drawHtml([diagram]);

/** Layouts and diagrams from elsewhere, such as JSON, have any types. */
function untyped<T>(value: unknown): T {
  return value as T;
}

describe("SVG", () => {
  it.each([
    ["a standalone file", drawSvg(hostileDiagram())],
    ["an element of a page", drawSvg(hostileDiagram(), { isStandalone: false })],
    ["a tree", drawSvg(hostileDiagram(), { layout: "tree" })],
    ["a page", drawHtml([hostileDiagram()], { title: hostile, language: hostile })],
  ])("%s is well-formed whatever the texts are", (_, xml) => {
    expect(markupFaults(xml)).toEqual([]);
    expect(xml).not.toContain("<script");
    expect(xml).toContain("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;\ufffd\ufffd[31m");
  });

  it.each([
    ["a kind", { arcs: [{ head: 0, modifier: 1, label: "", kind: hostile }] }, "arcs[0].kind"],
    ["a head", { arcs: [{ head: [hostile], modifier: 1, label: "" }] }, "arcs[0].head"],
    ["a label", { arcs: [{ head: 0, modifier: 1, label: [hostile] }] }, "arcs[0].label"],
    [
      "a probability",
      { arcs: [{ head: 0, modifier: 1, label: "", probability: [1] }] },
      "arcs[0].probability",
    ],
    [
      "a column",
      { words: [{ id: "1", form: "a", tags: [{ column: hostile, text: "" }] }] },
      "words[0].tags[0].column",
    ],
    ["a form", { words: [{ id: "1", form: 5, tags: [] }] }, "words[0].form"],
    ["the form of a token", { tokens: [{ first: 1, last: 1, form: {} }] }, "tokens[0].form"],
  ])("refuses %s of another type than a diagram has", (_, more, at) => {
    const diagram = { ...diagramOf("a"), ...untyped<Partial<Diagram>>(more) };
    for (const draw of [drawSvg, drawHtmlOf, drawText]) {
      expect(() => draw(diagram)).toThrow(expect.objectContaining({ code: "invalid-argument", at }));
    }
  });

  it("refuses a layout or a kind of another type, and escapes a number", () => {
    const layout = layoutArcs(hostileDiagram());
    const changed = untyped<typeof layout>({
      ...layout,
      kind: hostile,
      width: hostile,
      arcs: layout.arcs.map((arc) => ({ ...arc, part: hostile, arrow: { x: hostile, y: 1, down: hostile } })),
      diagram: {
        ...layout.diagram,
        words: [{ id: hostile, form: hostile, tags: [{ column: hostile, text: hostile }] }],
        arcs: [{ head: 0, modifier: 1, label: hostile, kind: hostile, probability: hostile }],
      },
    });
    expect(() => renderSvg(changed)).toThrow(expect.objectContaining({ code: "invalid-argument" }));
    const drawn = htmlWriter().sentence(diagramOf("a"), {}, untyped(hostile));
    expect(markupFaults(drawn)).toEqual([]);
    expect(drawn).not.toContain("<script");
  });

  it("refuses a layout without the place of a tag", () => {
    const layout = layoutArcs({
      ...diagramOf("a"),
      words: [{ id: "1", form: "a", tags: [{ column: "upos", text: "X" }] }],
    });
    const words = layout.words.map((word) => ({ ...word, tags: [] }));
    expect(() => renderSvg({ ...layout, words })).toThrow(
      expect.objectContaining({ code: "invalid-argument", at: "words[0].tags" }),
    );
  });

  it("a style sheet does not end its element", () => {
    const page = drawHtml([], { style: 'p::after{content:"</style><script>alert(1)</script>"}' });
    expect(page.match(/<\/style>/g)).toHaveLength(1);
    expect(page).toContain('content:"<\\/style><script>alert(1)<\\/script>"');
  });

  it("loads nothing, and needs a namespace only where it stands alone", () => {
    const diagram = diagramOf("a b", ["2>1 x"]);
    for (const drawn of [drawSvg(diagram), drawHtml([diagram])]) {
      expect(drawn.replace('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(
        /https?:|url\(|src=|@import/,
      );
    }
    expect(drawSvg(diagram)).toContain("<style>");
    expect(drawSvg(diagram, { isStandalone: false })).not.toMatch(/xmlns|<style>/);
  });

  it.each(["arcs", "tree"] as const)("an element of a page is drawn as the file is: %s", (layout) => {
    const tree = diagramOf("Dogs bark", ["2>1 nsubj", "0>2 root"]);
    const [file, element] = [true, false].map((isStandalone) => drawSvg(tree, { layout, isStandalone }));
    const own = /<style>.*?<\/style><rect class="paper"[^>]*>/;
    expect(element).toBe(file!.replace(own, "").replace(' xmlns="http://www.w3.org/2000/svg"', ""));
    // Colours need no style sheet, and labels no background.
    expect(element).toContain('stroke="#4275b5" stroke-width="1.4"');
    expect(element).not.toMatch(/stroke="currentColor"|var\(/);
  });

  it("the label of an arc of a tree interrupts its line", () => {
    const svg = drawSvg(diagramOf("Dogs bark", ["2>1 nsubj", "0>2 root"]), { layout: "tree" });
    const line = /data-label="nsubj" data-kind.*?<path class="line" d="([^"]*)"/.exec(svg)![1]!;
    const label = Number(/data-label="nsubj" fill[^>]* y="([\d.]+)"/.exec(svg)![1]);
    const [above, below] = line
      .slice(1)
      .split("M")
      .map((part) => [...part.matchAll(/,([\d.]+)/g)].map(([, y]) => Number(y)));
    expect(Math.max(...above!)).toBeLessThan(label - 8);
    expect(Math.min(...below!)).toBeGreaterThan(label);
  });

  it("a page has a drawing for phones of what is wider than these", () => {
    const long = diagramOf("word ".repeat(30).trim(), ["1>30 far"]);
    const widths = (page: string) =>
      [...page.matchAll(/class="aw \w+" viewBox="0 0 ([\d.]+)/g)].map(([, width]) => Number(width));
    const [wide, narrow, ...rest] = widths(drawHtml([long]));
    expect(wide).toBeGreaterThan(900);
    expect(narrow).toBeLessThanOrEqual(358);
    expect(narrow).toBeGreaterThan(250);
    expect(rest).toEqual([]);
    expect(widths(drawHtml([diagramOf("a b", ["2>1 x"])]))).toHaveLength(1);
  });

  it("every word, arc and label is an element with its data", () => {
    const svg = drawSvg(diagramOf("Dogs bark", ["2>1 nsubj", "0>2 root"]));
    expect(svg).toContain('<g class="word" data-word="2" data-id="2">');
    expect(svg).toContain(
      '<g class="arc plain" data-arc="0" data-head="2" data-modifier="1" data-label="nsubj" data-kind="plain">',
    );
    expect(svg).toContain('class="label" data-arc="0" data-head="2" data-modifier="1" data-label="nsubj"');
    expect(svg).toContain("<title>bark → Dogs nsubj</title>");
  });

  it("any graph is well-formed, without NaN", () => {
    fc.assert(
      fc.property(anyGraph, fc.option(fc.integer({ min: 60, max: 600 })), (diagram, width) => {
        const svg = drawSvg(diagram, { width: width ?? undefined });
        expect(markupFaults(svg)).toEqual([]);
        expect(svg).not.toMatch(/NaN|undefined|Infinity/);
        const arcs = new Set([...svg.matchAll(/<g class="arc [^>]*data-arc="(\d+)"/g)].map(([, arc]) => arc));
        expect(arcs.size).toBe(diagram.arcs.length);
      }),
    );
  });

  it("scrolls a drawing from the right where the sentence is read from the right", () => {
    const scrolled = (direction: "ltr" | "rtl") =>
      drawHtml([diagramOf("a b", ["2>1 x"], { direction })]).includes('class="scroll" dir="rtl"');
    expect([scrolled("ltr"), scrolled("rtl")]).toEqual([false, true]);
  });

  it("a page names what a comparison found", () => {
    const gold = diagramOf("a b c", ["2>1 x", "0>2 root", "2>3 y"]);
    const page = drawHtml([compareDiagrams(gold, diagramOf("a b c", ["2>1 z", "0>2 root", "1>3 y"]))]);
    const captions = page.split("<figcaption>")[1]!.replace(/<svg.*?<\/svg>/g, "");
    expect([...captions.matchAll(/<span>(\d+)/g)].map(([, count]) => count)).toEqual(["1", "1", "1", "1"]);
  });
});

/** Returns the heads that a drawing shows, by following its lines. */
function drawnHeads(text: string): number[] {
  const rows = text.split("\n").slice(0, -1);
  const at = (row: number, x: number): string => rows[row]?.[x] ?? " ";
  return rows.map((line, row) => {
    if (line.startsWith("─")) return 0;
    const x = line.search(/[╭╰├]/);
    for (const step of [-1, 1]) {
      const leads = step < 0 ? /[╰├│┴┼─]/ : /[╭├│┬┼─]/;
      for (let r = row; leads.test(at(r, x)); ) {
        r += step;
        if (/[┬┴┼]/.test(at(r, x))) return r + 1;
      }
    }
    return -1;
  });
}

describe("characters", () => {
  const projective = diagramOf("The big dog barked loudly", [
    "3>1 det",
    "3>2 amod",
    "4>3 nsubj",
    "0>4 root",
    "4>5 advmod",
  ]);

  it("draws a tree from left to right", () => {
    expect(drawText(projective)).toBe(
      [
        "   ╭─ The   det",
        "   ├─ big   amod",
        " ╭─┴─ dog   nsubj",
        "─┼─ barked  root",
        " ╰─ loudly  advmod",
        "",
      ].join("\n"),
    );
  });

  it("draws in ASCII", () => {
    expect(drawText(projective, { characters: "ascii" })).toBe(
      [
        "   ,- The   det",
        "   +- big   amod",
        " ,-+- dog   nsubj",
        "-+- barked  root",
        " `- loudly  advmod",
        "",
      ].join("\n"),
    );
  });

  it("any tree can be read from its drawing", () => {
    fc.assert(
      fc.property(anyTree, (diagram) => {
        const heads = diagram.words.map(
          (_, i) => diagram.arcs.find(({ modifier }) => modifier === i + 1)!.head,
        );
        expect(drawnHeads(drawText(diagram))).toEqual(heads);
      }),
      { numRuns: 500 },
    );
  });

  it("lists the other heads of a word, and what a prediction missed", () => {
    const graph = diagramOf("Cats want sleep", ["2>1 nsubj", "3>1 nsubj:xsubj", "0>2 root", "2>3 xcomp"]);
    expect(drawText(graph).split("\n")[0]).toBe(" ╭─ Cats   nsubj  nsubj:xsubj of sleep");
    const gold = diagramOf("Cats want sleep", ["2>1 nsubj", "0>2 root", "2>3 xcomp"]);
    const wrong = diagramOf("Cats want sleep", ["2>1 obj", "0>2 root", "1>3 xcomp"]);
    expect(drawText(compareDiagrams(gold, wrong)).split("\n").slice(0, 3)).toEqual([
      " ╭─┬─ Cats   obj / nsubj",
      "─┴─── want   root",
      "   ╰─ sleep  xcomp !      missed: xcomp of want",
    ]);
  });

  it("aligns East Asian and combining characters, and shows words that no head reaches", () => {
    const aligned = drawText(diagramOf("漢字 e\u0301a", ["0>1 a", "0>2 b"]));
    expect(aligned).toBe("─ 漢字  a\n─ e\u0301a    b\n");
    const cycle = drawText(diagramOf("a b", ["2>1 x", "1>2 y"]));
    expect(cycle).toBe("─ a    x of b\n─ b    y of a\n");
  });

  it("writes no control character, and escape sequences only with colours", () => {
    expect(drawText(hostileDiagram())).not.toMatch(/(?!\n)\p{Cc}|\u202e|\p{Surrogate}/u);
    const coloured = drawText(projective, { hasColour: true });
    expect(coloured.replace(/\p{Cc}\[\d+m/gu, "")).toBe(drawText(projective));
    expect(coloured).not.toBe(drawText(projective));
  });
});
