import { parseHTML } from "linkedom";
import { expect, test } from "vitest";
import { errorParts } from "../src/report/error-part.ts";
import { htmlReport } from "../src/report/html.ts";
import { environment } from "../src/results/environment.ts";
import { sentenceTrees } from "../src/results/results.ts";
import { nestingFaults } from "./support.ts";

const tree = (heads: string, labels: string) => ({
  heads: [-1, ...heads.split(" ").map(Number)],
  labels: ["", ...labels.split(" ")],
});
const gold = tree("2 0 2", "nsubj root obj");
/** The last word has another label; the last word has another head. */
const relabelled = tree("2 0 2", "nsubj root iobj");
const reattached = tree("2 0 1", "nsubj root obj");
const contestants = ["right", "relabels", "reattaches"];
const sentences = Array.from({ length: 40 }, (_, i) =>
  sentenceTrees(i, ["a", "b", "c"], gold, [gold, relabelled, reattached]),
);

test("errors are counted by length, depth and label for each contestant", () => {
  const [part, confusions] = errorParts(contestants, sentences);
  const table = (title: string) => part!.tables.find((one) => one.title.startsWith(title))!;
  expect(table("By length of the sentence").rows).toEqual([["1-5", "120", "100.00", "66.67", "66.67"]]);
  // Arcs over one position: of a to b in gold trees, not of c to a; b to c is.
  expect(table("By length of the arc").rows).toEqual([
    ["root", "40", "100.00", "100.00", "100.00"],
    ["1", "80", "100.00", "50.00", "66.67"],
  ]);
  expect(table("By label").rows).toContainEqual(["obj", "40", "100.00", "0.00", "0.00"]);
  // The contestant without errors confuses nothing.
  expect(confusions!.title).toBe("Labels that right confuses");
  expect(confusions!.tables[0]!.rows).toEqual([]);
  expect(part!.figures.map(({ title }) => title)).toEqual([
    "By length of the sentence",
    "By length of the arc",
    "By depth",
    "By label",
  ]);
});

test("the labels that the most accurate contestant confuses are listed with their counts", () => {
  const [, part] = errorParts(contestants.slice(1), [
    sentenceTrees(0, ["a", "b", "c"], gold, [relabelled, reattached]),
    sentenceTrees(1, ["a", "b", "c"], gold, [gold, reattached]),
  ]);
  expect(part!.title).toBe("Labels that relabels confuses");
  expect(part!.tables[0]!.rows).toEqual([["obj", "iobj", "1", "1"]]);
});

test("many contestants are drawn in part and listed in full", () => {
  const names = Array.from({ length: 11 }, (_, i) => `number ${i}`);
  const [part] = errorParts(names, [sentenceTrees(0, ["a", "b", "c"], gold, Array(11).fill(gold))]);
  // Classes of three words are not drawn.
  expect(part!.figures).toEqual([]);
  expect(part!.tables[0]!.columns).toHaveLength(2 + 11);
  expect(part!.text).toContain("Drawn are 6");
});

test("returns no parts without sentences", () => {
  expect(errorParts(contestants, [])).toEqual([]);
});

test("a report of errors is well-formed, in chapters of its contents", () => {
  const section = {
    title: "UD_X",
    figures: [],
    tables: [],
    parts: errorParts(contestants, sentences),
  };
  const report = {
    title: "All",
    command: "",
    environment: environment(),
    sections: [
      { ...section, chapter: "Decoders" },
      { ...section, chapter: "Decoders" },
      { ...section, chapter: "Parsers" },
    ],
  };
  const html = htmlReport(report, "");
  expect(nestingFaults(html)).toEqual([]);
  expect(html).not.toContain("NaN");
  const { document } = parseHTML(html);
  const chapters = [...document.querySelectorAll("nav .chapter")].map(({ textContent }) => textContent);
  expect(chapters).toEqual(["Decoders", "Parsers"]);
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const link of document.querySelectorAll("nav a")) {
    expect(ids).toContain(link.getAttribute("href")!.slice(1));
  }
});

test("points have intervals around their scores, on one axis", () => {
  const { figures } = errorParts(contestants, sentences)[0]!;
  expect(figures).toHaveLength(4);
  // 53 of 80 labelled arcs: 95 % interval by Wilson.
  expect(figures[0]!.drawing).toContain("LAS 66.67 % (57.8 to 74.5)");
});
