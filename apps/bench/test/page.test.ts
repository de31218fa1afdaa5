import { array, assert, constantFrom, integer, property, record, tuple } from "fast-check";
import { parseHTML } from "linkedom";
import { describe, expect, test } from "vitest";
import { htmlReport } from "../src/report/html.ts";
import { sentenceDiagram } from "../src/report/page/sentence-browser.ts";
import {
  packSentences,
  type ShownSentence,
  selectSentences,
  unpackSentences,
} from "../src/report/page/sentences.ts";
import { cellNumber, compareCells, sortableTables } from "../src/report/page/sort-tables.ts";
import { pageScript } from "../src/report/page-script.ts";
import { logTicks, shortCount } from "../src/report/scales.ts";
import { pageExample, sentences } from "./page-example.ts";
import { nestingFaults, outsideReferences } from "./support.ts";

test("the page with its script is well-formed, without external references", async () => {
  const html = htmlReport(pageExample, await pageScript());
  expect(nestingFaults(html)).toEqual([]);
  expect(outsideReferences(html)).toEqual([]);
  expect(html).toContain("default-src 'none'");
  // The words of a sentence must not end the element of the data.
  expect(html.match(/<\/script>/g)).toHaveLength(2);
});

test("the page shows a sentence without scripts", () => {
  const html = htmlReport(pageExample, "");
  const { document } = parseHTML(html);
  expect(document.querySelector(".browser-body svg.arcs")!.getAttribute("aria-label")).toContain("Dogs hate");
  expect(document.querySelectorAll(".browser-body .legend li")).toHaveLength(4);
});

test("the contents link to all sections and sentences", () => {
  const { document } = parseHTML(htmlReport(pageExample, ""));
  const links = [...document.querySelectorAll("nav a")].map((a) => a.getAttribute("href")!.slice(1));
  expect(links).toEqual(["section-1", "section-1-table-1", "section-2", "section-2-sentences"]);
  for (const id of links) expect(document.getElementById(id)).not.toBeNull();
});

describe("cells", () => {
  test.each([
    ["1,234", 1234],
    ["−0.12", -0.12],
    ["+1.5", 1.5],
    ["3.1e-4", 3.1e-4],
    ["900 µs", 9e-4],
    ["1.20 ms", 1.2e-3],
    ["98.2 %", 98.2],
    ["≈ 1,000", 1000],
    ["81.2 (79 to 83)", 81.2],
    ["exact", undefined],
    ["–", undefined],
    ["2nd", undefined],
  ])("%s is %s", (text, value) => {
    const found = cellNumber(text);
    if (value === undefined) expect(found).toBeUndefined();
    else expect(found).toBeCloseTo(value, 10);
  });

  test("< 0.001 comes before 0.001, and empty cells last in both orders", () => {
    const cells = ["0.001", "", "< 0.001", "–", "0.5"];
    expect(cells.toSorted((a, b) => compareCells(a, b, 1))).toEqual(["< 0.001", "0.001", "0.5", "", "–"]);
    expect(cells.toSorted((a, b) => compareCells(a, b, -1))).toEqual(["0.5", "0.001", "< 0.001", "", "–"]);
  });
});

test("tables sort by a press on a header, in rows that stay whole", () => {
  const { document } = parseHTML(htmlReport(pageExample, ""));
  sortableTables(document as unknown as ParentNode);
  const buttons = [...document.querySelectorAll("thead button")] as unknown as HTMLButtonElement[];
  expect(buttons).toHaveLength(6);
  const table = () => [...document.querySelectorAll("tbody tr")].map((row) => row.textContent!.trim());
  const before = table();
  buttons[1]!.click();
  expect(table()).toEqual([before[1], before[0], before[2]]);
  buttons[0]!.click();
  expect(table()).toEqual([before[1], before[0], before[2]]);
  const sorted = [...document.querySelectorAll("[aria-sort]")].map((one) => one.getAttribute("aria-sort"));
  expect(sorted).toEqual(["ascending"]);
  buttons[0]!.click();
  expect(table()[0]).toBe(before[2]);
});

const edge = record({
  head: integer({ min: 0, max: 5 }),
  modifier: integer({ min: 1, max: 5 }),
  label: constantFrom("nsubj", "obj", "<x>"),
});
/** Graphs have no edge twice, and their edges are in the order of words. */
const graph = array(edge, { maxLength: 8 }).map((edges) => {
  const known = new Map(edges.map((one) => [`${one.modifier} ${one.head} ${one.label}`, one]));
  return [...known.values()].sort(
    (a, b) => a.modifier - b.modifier || a.head - b.head || (a.label < b.label ? -1 : 1),
  );
});

test("packed sentences are the same when unpacked", () => {
  assert(
    property(array(tuple(graph, array(graph, { maxLength: 3 }))), (cases) => {
      const set = {
        contestants: ["a", "b"],
        sentences: cases.map(
          ([gold, others], index): ShownSentence => ({
            index,
            forms: ["a", "b", "c", "d", "e"],
            graphs: [gold, ...others],
            found: [0, others.length],
          }),
        ),
      };
      expect(unpackSentences(JSON.parse(JSON.stringify(packSentences(set))))).toEqual(set);
    }),
  );
});

test("another contestant may be below the words", () => {
  const { arcs } = sentenceDiagram(sentences[1]!, 0, 1);
  expect(arcs.every(({ kind, isBelow }) => isBelow || kind === "right")).toBe(true);
  expect(arcs.filter(({ kind, isBelow }) => isBelow && kind === "relabelled")).toHaveLength(1);
});

test.each([
  ["all", 0, "", [0, 1, 2]],
  ["differ", 0, "", [1, 2]],
  ["any", 0, "", [1, 2]],
  ["shown", 0, "", [2]],
  ["shown", 1, "", [1, 2]],
  ["every", 0, "", [2]],
  ["all", 0, "TO SLEEP", [0, 2]],
  ["all", 0, "xcomp", [0, 1, 2]],
  ["any", 0, "cats", []],
] as const)("filter %s of contestant %i, search %j", (filter, shown, search, expected) => {
  expect(selectSentences(sentences, { filter, shown, search })).toEqual(expected);
});

describe("logarithmic ticks", () => {
  test("are round numbers within the axis, as many as there is space for", () => {
    expect(logTicks(900, 60_000, 7)).toEqual([1000, 2000, 5000, 10_000, 20_000, 50_000]);
    expect(logTicks(900, 60_000, 4)).toEqual([1000, 3000, 10_000, 30_000]);
    expect(logTicks(1e-9, 1e9, 5)).toHaveLength(5);
  });

  test("of an axis that is not positive or finite are none", () => {
    expect([logTicks(0, 1, 5), logTicks(1, Infinity, 5), logTicks(Infinity, -Infinity, 5)]).toEqual([
      [],
      [],
      [],
    ]);
  });

  test("are at most as many as wanted, of any range", () => {
    const exponent = integer({ min: -90, max: 90 });
    assert(
      property(exponent, integer({ min: 1, max: 100 }), integer({ min: 2, max: 10 }), (from, by, count) => {
        const [low, high] = [10 ** (from / 10), 10 ** ((from + by) / 10)];
        const ticks = logTicks(low, high, count);
        expect(ticks.length).toBeLessThanOrEqual(count);
        for (const tick of ticks) expect(tick >= low * 0.999 && tick <= high * 1.001).toBe(true);
      }),
    );
  });

  test.each([
    [950, "950"],
    [1500, "1.5k"],
    [20_000, "20k"],
    [3e6, "3M"],
    [0.05, "0.05"],
  ])("%d is %s", (value, text) => expect(shortCount(value)).toBe(text));
});
