import { array, assert, constantFrom, integer, property, record, tuple } from "fast-check";
import { parseHTML } from "linkedom";
import { expect, test } from "vitest";
import { htmlReport, sortKey } from "../src/report/html.ts";
import { sentenceDiagram } from "../src/report/page/sentence-browser.ts";
import {
  packSentences,
  type ShownSentence,
  selectSentences,
  unpackSentences,
} from "../src/report/page/sentences.ts";
import { pageScript } from "../src/report/page-script.ts";
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

test.each([
  ["1,234", "1234"],
  ["−0.12", "-0.12"],
  ["+1.5", "1.5"],
  ["3.1e-4", "0.00031"],
  ["9 min", "540"],
  ["1.20 ms\n1.1–1.3", "0.0012"],
  ["98.2 %", "98.2"],
  ["≈ 1,000", "1000"],
  ["81.2 (79 to 83)", "81.2"],
  ["< 0.001", `${0.001 - 1e-12}`],
  ["exact\nalways", "exact"],
  ["–", ""],
  ["2nd", "2nd"],
])("the cell %j is sorted by %j", (text, key) => expect(sortKey(text)).toBe(key));

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
