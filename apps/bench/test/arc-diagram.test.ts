import { expect, test } from "vitest";
import { arcDiagram } from "../src/report/page/arc-diagram.ts";
import type { JudgedEdge } from "../src/report/page/sentences.ts";
import { nestingFaults, outsideReferences } from "./support.ts";

const edge = (head: number, modifier: number, label: string): JudgedEdge => ({
  head,
  modifier,
  label,
  kind: "right",
});

/** Returns the height of each label above the words. */
function heights(svg: string): Map<string, number> {
  const labels = svg.matchAll(/<text class="label right" x="[\d.]+" y="([-\d.]+)"[^>]*>([^<]+)</g);
  return new Map([...labels].map(([, y, label]) => [label!, Number(y)]));
}

const words = ["Cats", "want", "to", "sleep", "<&>"];

test("a diagram is well-formed, without external references", () => {
  const svg = arcDiagram({
    words,
    above: [edge(0, 2, "root"), edge(2, 1, 'a"b')],
    below: [edge(4, 1, "<x>")],
  });
  expect(nestingFaults(`<html><body>${svg}</body></html>`)).toEqual([]);
  expect(outsideReferences(svg)).toEqual([]);
  expect(svg).toContain("&lt;&amp;&gt;</text>");
  expect(svg).toContain("4 \u2192 1 &lt;x&gt;: right");
  expect(svg).toMatch(/<text class="root"[^>]*>root</);
});

test("an arc is above those that it spans, also where a word has several heads", () => {
  const above = [edge(2, 1, "near"), edge(4, 1, "far"), edge(2, 4, "middle"), edge(5, 1, "widest")];
  const at = heights(arcDiagram({ words, above, below: [edge(4, 3, "under")] }));
  expect(at.get("far")).toBeLessThan(Math.min(at.get("near")!, at.get("middle")!));
  expect(at.get("widest")).toBeLessThan(at.get("far")!);
  expect(at.get("near")).toBe(at.get("middle"));
  expect(at.get("under")).toBeGreaterThan(at.get("near")!);
});

test("ends of arcs at a word are separate", () => {
  const svg = arcDiagram({ words, above: [edge(2, 1, "a"), edge(4, 1, "b"), edge(5, 1, "c")], below: [] });
  const arrows = [...svg.matchAll(/<path class="arrow" d="M([\d.]+),\d+l/g)].map(([, x]) => Number(x));
  expect(new Set(arrows).size).toBe(3);
  expect(Math.max(...arrows) - Math.min(...arrows)).toBeLessThan(20);
});

test.each([[[]], [["Yes"]]])("words without edges: %j", (some) => {
  const svg = arcDiagram({ words: some, above: [], below: [] });
  expect(svg).not.toContain("<path");
  expect(svg.match(/<text/g) ?? []).toHaveLength(some.length);
});
