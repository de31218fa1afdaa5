import {
  type ConlluSentence,
  collapseEmptyNodes,
  enhancedGraph,
  parseConllu,
  validateText,
  withEnhancedGraph,
  writeConllu,
} from "@arcwise/conllu";
import { type DependencyGraph, dependencyGraph, type GraphEdge } from "@arcwise/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { thrownBy } from "../../../tools/test-helpers.ts";
import { EXAMPLE } from "./example.ts";

/** A sentence of `DEPS` columns, `ID DEPS` a row. */
function sentenceOf(...rows: string[]): ConlluSentence {
  const lines = rows.map((row) => {
    const [id, deps] = row.split(" ");
    return `${id}\tw\tw\tX\t_\t_\t_\t_\t${deps}\t_\n`;
  });
  return parseConllu(`${lines.join("")}\n`)[0]!;
}

const depsOf = (sentence: ConlluSentence) => sentence.rows.map((row) => row.deps);
const edgesOf = ({ edges }: DependencyGraph) =>
  edges.map(({ head, modifier, label }) => `${head}>${modifier} ${label}`);

describe("empty nodes become paths", () => {
  it.each<[what: string, rows: string[], deps: string[]]>([
    ["no empty nodes", ["1 0:root", "2 1:obj|1:nsubj:xsubj"], ["0:root", "1:nsubj:xsubj|1:obj"]],
    [
      "one empty node",
      ["1 0:root", "2 2.1:nsubj", "2.1 1:conj:and", "3 2.1:obj|1:dep"],
      ["0:root", "1:conj:and>nsubj", "1:conj:and>obj|1:dep"],
    ],
    [
      "an empty node with two heads",
      ["0.1 0:root|2:dep", "1 0.1:nsubj", "2 1:x"],
      ["0:root>nsubj|2:dep>nsubj", "1:x"],
    ],
    [
      "a chain of empty nodes",
      ["1 0:root", "1.1 1:a", "1.2 1.1:b", "2 1.2:c|1.1:d"],
      ["0:root", "1:a>b>c|1:a>d"],
    ],
    ["a path back to its word", ["1 0:root|1.1:b", "1.1 1:a"], ["0:root|1:a>b"]],
    ["empty nodes in a cycle", ["1 0:root", "1.1 1:a|1.2:b", "1.2 1.1:c", "2 1.2:d"], ["0:root", "1:a>c>d"]],
    ["an empty node without a head", ["1 0:root", "1.1 _", "2 1.1:d|1:e"], ["0:root", "1:e"]],
    ["no DEPS", ["1 _", "2 _"], ["_", "_"]],
  ])("%s", (_what, rows, deps) => {
    const collapsed = collapseEmptyNodes(sentenceOf(...rows));
    expect(depsOf(collapsed)).toEqual(deps);
    expect(collapsed.rows.every((row) => row.kind === "word")).toBe(true);
  });

  it("keeps ranges and the other columns", () => {
    const [sentence] = parseConllu(EXAMPLE);
    const words = sentence!.rows.filter((row) => row.kind !== "empty");
    const collapsed = collapseEmptyNodes(sentence!);
    expect(collapsed.rows.map(({ form }) => form)).toEqual(words.map(({ form }) => form));
    expect(collapsed.rows.at(-2)!.deps).toBe("1:conj:y>nsubj");
  });
});

describe("the graph of DEPS", () => {
  it("has edges from the root, several heads and several labels of a pair", () => {
    const graph = enhancedGraph(sentenceOf("1 0:root", "2 1:obj|1:nsubj:xsubj|3:obj", "3 1:conj:and"));
    expect(edgesOf(graph)).toEqual(["0>1 root", "1>2 nsubj:xsubj", "1>2 obj", "3>2 obj", "1>3 conj:and"]);
    expect([graph.n, graph.tops, graph.predicates]).toEqual([3, [], []]);
  });

  it.each([
    ["through an empty node", ["1 0:root|1.1:b", "1.1 1:a"]],
    ["as a collapsed file writes it", ["1 0:root|1:a>b"]],
  ])("has the path that leads back to its word, %s", (_what, rows) => {
    expect(edgesOf(enhancedGraph(sentenceOf(...rows)))).toEqual(["0>1 root", "1>1 a>b"]);
  });

  it.each([
    ["invalid-deps", "1 nsubj"],
    ["invalid-deps", "1 0:root|"],
    ["invalid-deps", "1 0:"],
    ["deps-self-loop", "1 1:dep"],
    ["unknown-ehead", "1 2:dep"],
    ["unknown-ehead", "1 1.1:dep"],
  ])("refuses by the rule %s: %s", (rule, text) => {
    expect(thrownBy(() => enhancedGraph(sentenceOf(text)))).toMatchObject({
      name: "ConlluError",
      rule,
      line: 1,
    });
  });
});

describe("a graph becomes DEPS", () => {
  it("with empty nodes that are valid CoNLL-U", async () => {
    const [sentence] = parseConllu(EXAMPLE);
    const written = withEnhancedGraph(sentence!, enhancedGraph(sentence!));
    const empty = written.rows.filter((row) => row.kind === "empty");
    expect(empty).toMatchObject([{ after: 5, index: 1, form: "_", deps: "1:conj:y" }]);
    const text = writeConllu([written]);
    expect([...validateText(text, { level: 3 })]).toEqual([]);
    expect(enhancedGraph(parseConllu(text)[0]!)).toEqual(enhancedGraph(sentence!));
  });

  it("with paths as labels", () => {
    const [sentence] = parseConllu(EXAMPLE);
    const graph = enhancedGraph(sentence!);
    expect(withEnhancedGraph(sentence!, graph, { paths: "collapsed" })).toEqual(
      collapseEmptyNodes(sentence!),
    );
  });

  it("one empty node of two heads, and one after another", () => {
    const rows = ["1 0:root", "2 1:conj", "2.1 1:conj|2:a", "2.2 2.1:b", "3 2.1:nsubj|2.2:d"];
    const sentence = sentenceOf(...rows);
    const written = withEnhancedGraph(sentence, enhancedGraph(sentence));
    expect(enhancedGraph(written)).toEqual(enhancedGraph(sentence));
    expect(written.rows.filter((row) => row.kind === "empty")).toHaveLength(2);
  });

  const label = fc
    .array(fc.constantFrom("conj:and", "nsubj", "obl:in", "cc"), { minLength: 1, maxLength: 3 })
    .map((steps) => steps.join(">"));
  const edge: fc.Arbitrary<GraphEdge> = fc
    .record({ head: fc.nat(6), modifier: fc.integer({ min: 1, max: 6 }), label })
    .filter(({ head, modifier, label: path }) => head !== modifier || path.includes(">"));
  const key = ({ head, modifier, label: name }: GraphEdge) => `${head} ${modifier} ${name}`;

  it("from which the same graph is read, for any paths", () => {
    const words = sentenceOf("1 _", "2 _", "3 _", "4 _", "4.1 1:x", "5 _", "6 _");
    fc.assert(
      fc.property(fc.uniqueArray(edge, { selector: key, maxLength: 14 }), (edges) => {
        const graph = dependencyGraph(6, { edges });
        for (const paths of ["expand", "collapsed"] as const) {
          const text = writeConllu([withEnhancedGraph(words, graph, { paths })]);
          expect(enhancedGraph(parseConllu(text)[0]!)).toEqual(graph);
        }
      }),
    );
  });

  it.each<[string, DependencyGraph]>([
    ["another number of words", dependencyGraph(3, { edges: [] })],
    ["an empty label", dependencyGraph(2, { edges: [{ head: 0, modifier: 1, label: "" }] })],
    ["a word as its own head", dependencyGraph(2, { edges: [{ head: 1, modifier: 1, label: "a" }] })],
    ["an empty step", dependencyGraph(2, { edges: [{ head: 0, modifier: 1, label: "a>" }] })],
  ])("refuses %s", (_what, graph) => {
    expect(() => withEnhancedGraph(sentenceOf("1 _", "2 _"), graph)).toThrow(
      expect.objectContaining({ code: "invalid-argument" }),
    );
  });
});

it.each([[[-1, 2]], [[1, 3]], [[2, 1]], [[1, 1]]])("refuses words with the IDs %j", (ids) => {
  const { rows, ...others } = sentenceOf("1 0:root", "2 0:root");
  const sentence = { ...others, rows: rows.map((row, i) => ({ ...row, id: ids[i]! })) } as ConlluSentence;
  expect(thrownBy(() => enhancedGraph(sentence))).toMatchObject({ code: "invalid-argument" });
});

describe("the time of paths through empty nodes", () => {
  /** Two empty nodes per layer, each with the two of the layer before as heads. */
  const layers = (count: number) => {
    const rows = ["1 0:root"];
    for (let i = 1; i <= count; i++) {
      const [a, b] = [`1.${2 * i - 3}`, `1.${2 * i - 2}`];
      const deps = i === 1 ? "1:a" : `${a}:x|${b}:x`;
      rows.push(`1.${2 * i - 1} ${deps}`, `1.${2 * i} ${deps}`);
    }
    return sentenceOf(...rows, `2 1.${2 * count - 1}:obj|1.${2 * count}:obj`);
  };

  it("is bounded where their number is exponential", () => {
    expect(depsOf(collapseEmptyNodes(layers(8)))[1]).toBe(`1:a>${"x>".repeat(7)}obj`);
    for (const run of [collapseEmptyNodes, enhancedGraph]) {
      const start = performance.now();
      expect(thrownBy(() => run(layers(30)))).toMatchObject({ rule: "deps-paths", line: 62, found: "more" });
      expect(performance.now() - start).toBeLessThan(1000);
    }
  });

  it("and one long path is written without recursion", () => {
    const label = `${"a>".repeat(50_000)}b`;
    const graph = dependencyGraph(2, { edges: [{ head: 1, modifier: 2, label }] });
    expect(withEnhancedGraph(sentenceOf("1 _", "2 _"), graph).rows).toHaveLength(50_002);
  });
});
