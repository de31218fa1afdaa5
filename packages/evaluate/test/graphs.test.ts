import { collapseEmptyNodes, parseConllu, parseSdp } from "@arcwise/conllu";
import { type DependencyGraph, dependencyGraph } from "@arcwise/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { GraphPair } from "../src/graphs/graph-pairs.ts";
import {
  enhancedPairs,
  evaluateConllu,
  graphClasses,
  graphCounts,
  graphScores,
  pairedBootstrap,
  SentenceMismatch,
  sdpPairs,
} from "../src/index.ts";

/** A graph from `head>modifier:label` edges, tops, and `position=sense` predicates. */
function graph(n: number, edges: string, tops: readonly number[] = [], predicates = ""): DependencyGraph {
  const words = (text: string) => text.split(" ").filter((word) => word !== "");
  return dependencyGraph(n, {
    edges: words(edges).map((edge) => {
      const [, head, modifier, label] = /^(\d+)>(\d+):(.*)$/.exec(edge)!;
      return { head: Number(head), modifier: Number(modifier), label: label! };
    }),
    tops,
    predicates: words(predicates).map((predicate) => {
      const [position, sense] = predicate.split("=");
      return { position: Number(position), sense: sense! };
    }),
  });
}

/** Correct, gold and predicted items. */
type Counts = readonly [correct: number, gold: number, predicted: number];

describe("counts by hand", () => {
  test.each<
    [string, gold: DependencyGraph, predicted: DependencyGraph, labelled: Counts, unlabelled: Counts]
  >([
    ["equal graphs", graph(2, "1>2:a"), graph(2, "1>2:a"), [1, 1, 1], [1, 1, 1]],
    ["a wrong label", graph(2, "1>2:a"), graph(2, "1>2:b"), [0, 1, 1], [1, 1, 1]],
    ["a reversed edge", graph(2, "1>2:a"), graph(2, "2>1:a"), [0, 1, 1], [0, 1, 1]],
    ["reentrancies", graph(3, "1>3:a 2>3:a"), graph(3, "2>3:a"), [1, 2, 1], [1, 2, 1]],
    ["a cycle of two", graph(2, "1>2:a 2>1:b"), graph(2, "1>2:a 2>1:a"), [1, 2, 2], [2, 2, 2]],
    ["several labels", graph(2, "1>2:a 1>2:b"), graph(2, "1>2:b 1>2:c"), [1, 2, 2], [1, 1, 1]],
    ["a surplus label", graph(2, "1>2:a"), graph(2, "1>2:a 1>2:b"), [1, 1, 2], [1, 1, 1]],
    ["a word as its own head", graph(2, "1>1:a 1>2:b"), graph(2, "1>1:a 2>2:b"), [1, 2, 2], [1, 2, 2]],
    ["only singletons", graph(3, ""), graph(3, ""), [0, 0, 0], [0, 0, 0]],
    ["an edge to a gold singleton", graph(3, "1>2:a"), graph(3, "1>2:a 1>3:a"), [1, 1, 2], [1, 1, 2]],
    ["the root", graph(2, "0>1:root 1>2:a"), graph(2, "0>2:root 1>2:a"), [1, 2, 2], [1, 2, 2]],
  ])("%s", (_what, gold, predicted, labelled, unlabelled) => {
    const scores = graphScores([{ gold, predicted }]);
    const countsOf = (s: typeof scores.labelled): Counts => [s.correct, s.gold, s.predicted];
    expect(countsOf(scores.labelled)).toEqual(labelled);
    expect(countsOf(scores.unlabelled)).toEqual(unlabelled);
    const isExact = ([correct, g, p]: Counts) => (correct === g && correct === p ? 1 : 0);
    expect(scores.labelled.exactMatch).toBe(isExact(labelled));
    expect(scores.unlabelled.exactMatch).toBe(isExact(unlabelled));
  });

  const pair: GraphPair = {
    gold: graph(4, "2>1:a 4>1:a 2>4:b", [2], "2=want.01 4=sleep.01"),
    predicted: graph(4, "2>1:a 2>4:c 3>4:a", [2, 3], "2=want.02 3=to.01 4=sleep.01"),
  };

  test.each([
    [{}, [1, 3, 3], [2, 3, 3]],
    [{ tops: true }, [2, 4, 5], [3, 4, 5]],
    [{ senses: true }, [2, 5, 6], [4, 5, 6]],
    [{ tops: true, senses: true }, [3, 6, 8], [5, 6, 8]],
  ])("tops and senses: %o", (options, labelled, unlabelled) => {
    const scores = graphScores([pair], options);
    const countsOf = (s: typeof scores.labelled) => [s.correct, s.gold, s.predicted];
    expect(countsOf(scores.labelled)).toEqual(labelled);
    expect(countsOf(scores.unlabelled)).toEqual(unlabelled);
    expect(scores.tops).toMatchObject({ correct: 1, gold: 1, predicted: 2, precision: 0.5, recall: 1 });
    expect(scores.predicates).toMatchObject({ correct: 2, gold: 2, predicted: 3 });
    expect(scores.senses).toMatchObject({ correct: 1, gold: 2, predicted: 3, f1: 0.4 });
    expect(scores.senseAccuracy).toBe(0.5);
  });

  test("sums over sentences; exact match is a share of all sentences, including empty ones", () => {
    const empty = { gold: graph(1, ""), predicted: graph(1, "") };
    const { labelled, sentences } = graphScores([pair, empty, { gold: pair.gold, predicted: pair.gold }]);
    expect(labelled).toMatchObject({ correct: 4, gold: 6, predicted: 6, exactMatch: 2 / 3 });
    expect(labelled.f1).toBeCloseTo(2 / 3, 12);
    expect(sentences).toBe(3);
  });
});

describe("classes of edges", () => {
  const gold = graph(9, "0>1:root 1>2:a 1>3:a 1>9:b 1>9:a");
  const predicted = graph(9, "0>1:root 1>2:b 1>3:a 1>9:b 2>3:a");

  test("by label and by distance", () => {
    const { label, distance } = graphClasses([{ gold, predicted }]);
    const rows = (table: typeof label) =>
      table.map(({ key, gold: g, predicted: p, labelled: l, unlabelled: u }) => [
        key,
        ...[g, p, l.correctGold, l.correctPredicted, u.correctGold, u.correctPredicted],
      ]);
    expect(rows(label)).toEqual([
      ["a", 3, 2, 1, 1, 3, 1],
      ["b", 1, 2, 1, 1, 1, 2],
      ["root", 1, 1, 1, 1, 1, 1],
    ]);
    expect(rows(distance)).toEqual([
      ["root", 1, 1, 1, 1, 1, 1],
      ["1", 1, 2, 0, 0, 1, 1],
      ["2", 1, 1, 1, 1, 1, 1],
      ["8-10", 2, 1, 1, 1, 2, 1],
    ]);
  });
});

const edgeArbitrary = fc
  .record({ head: fc.nat(4), modifier: fc.integer({ min: 1, max: 4 }), label: fc.constantFrom("a", "b") })
  .filter(({ head, modifier }) => head !== modifier);
const graphArbitrary = fc
  .uniqueArray(edgeArbitrary, { selector: (edge) => JSON.stringify(edge), maxLength: 8 })
  .map((edges) => dependencyGraph(4, { edges }));
const pairArbitrary = fc.record({ gold: graphArbitrary, predicted: graphArbitrary });

test("counts of sentences give the bootstrap the F1 of the scores", () => {
  fc.assert(
    fc.property(fc.array(pairArbitrary, { minLength: 1, maxLength: 4 }), (pairs) => {
      for (const metric of ["labelled", "unlabelled"] as const) {
        const { f1, gold, predicted } = graphScores(pairs)[metric];
        if (gold + predicted === 0) return;
        const counts = graphCounts(pairs, metric);
        const { a, difference } = pairedBootstrap({ a: counts, b: counts }, { samples: 2 });
        expect([a, difference]).toEqual([f1, 0]);
      }
    }),
  );
});

test("classes sum up to the labelled score", () => {
  fc.assert(
    fc.property(fc.array(pairArbitrary, { maxLength: 4 }), (pairs) => {
      const { labelled } = graphScores(pairs);
      for (const rows of Object.values(graphClasses(pairs)) as ReturnType<typeof graphClasses>["label"][]) {
        const sum = (of: (row: (typeof rows)[number]) => number) =>
          rows.reduce((all, row) => all + of(row), 0);
        expect(sum((row) => row.gold)).toBe(labelled.gold);
        expect(sum((row) => row.predicted)).toBe(labelled.predicted);
        expect(sum((row) => row.labelled.correctGold)).toBe(labelled.correct);
        expect(sum((row) => row.labelled.correctPredicted)).toBe(labelled.correct);
      }
    }),
  );
});

describe("files", () => {
  const conllu = (...deps: string[]) =>
    parseConllu(
      deps
        .map((column, i) => {
          const id = column.startsWith("~") ? `${i}.1` : `${i + 1}`;
          const head = id.includes(".") ? "_" : i;
          return `${id}\tw${i}\t_\tX\t_\t_\t${head}\tdep\t${column.replace("~", "")}\t_\n`;
        })
        .join(""),
    );
  const gold = conllu("0:root", "1:obj|1:nsubj:xsubj|2.1:obj", "~1:conj:and");

  test("DEPS: several labels and empty nodes, as ELAS and EULAS count them", () => {
    const system = conllu("0:root", "1:obl:in|1:nsubj|1:conj:or>obj");
    const { labelled, unlabelled } = graphScores(enhancedPairs(gold, system));
    expect([labelled.correct, labelled.gold, labelled.predicted]).toEqual([1, 4, 4]);
    expect([unlabelled.correct, unlabelled.gold, unlabelled.predicted]).toEqual([2, 2, 2]);
    const { metrics } = evaluateConllu(gold.map(collapseEmptyNodes), system.map(collapseEmptyNodes));
    expect(metrics.ELAS).toMatchObject({ correct: 1, gold: 4, system: 4 });
    expect(metrics.EULAS).toMatchObject({ correct: 3, gold: 4, system: 4 });
  });

  test("SDP and CoNLL-U files with other sentences or words are refused", () => {
    expect(() => enhancedPairs(gold, [])).toThrow(SentenceMismatch);
    expect(() => enhancedPairs(gold, conllu("0:root"))).toThrow(/sentence 1: expected 2 words, got 1/);
    const sdp = parseSdp("#7\n1\ta\ta\tX\t-\t-\t_\n\n");
    const other = parseSdp("#7\n1\tb\ta\tX\t-\t-\t_\n\n");
    expect(sdpPairs(sdp, sdp)).toEqual([{ gold: graph(1, ""), predicted: graph(1, "") }]);
    expect(() => sdpPairs(sdp, other)).toThrow('expected "a" as word 1 of "7", got "b"');
  });
});

test("graphs of different sizes are refused", () => {
  const small = graph(1, "");
  const wrong = { n: 2, edges: [{ head: 1, modifier: 3, label: "a" }], tops: [], predicates: [] };
  expect(() => graphScores([{ gold: small, predicted: graph(2, "") }])).toThrow("pair 0: expected 1 word");
  expect(() => graphCounts([{ gold: graph(2, ""), predicted: wrong }], "labelled")).toThrow(
    "a modifier from 1 to 2",
  );
  expect(() => graphClasses([{ gold: wrong, predicted: graph(2, "") }])).toThrow(
    expect.objectContaining({ code: "invalid-argument" }),
  );
});
