import {
  parseSdp,
  readSdp,
  type SdpSentence,
  sdpGraph,
  sdpId,
  sdpWords,
  withSdpGraph,
  writeSdp,
} from "@arcwise/conllu";
import { type DependencyGraph, dependencyGraph } from "@arcwise/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collected, thrownBy } from "../../../tools/test-helpers.ts";
import type { SdpOptions } from "../src/graphs/sdp.ts";
import { column, comments, placeless } from "./generators.ts";

/** "Cats want to sleep": `Cats` is an argument of two predicates, `to` of none. */
const OF_2015 = `#SDP 2015
#22000001
1	Cats	cat	NNS	-	-	n:x	ARG1	ARG1
2	want	want	VBP	+	+	want.01	_	_
3	to	to	TO	-	-	_	_	_
4	sleep	sleep	VB	-	+	_	ARG2	_

#22000002
1	Yes	_	UH	+	-	_

`;
const OF_2014 = OF_2015.split("\n")
  .slice(1)
  .map((line) => line.split("\t"))
  .map((fields) => (fields.length > 1 ? [...fields.slice(0, 6), ...fields.slice(7)] : fields).join("\t"))
  .join("\n");

const GRAPH = dependencyGraph(4, {
  edges: [
    { head: 2, modifier: 1, label: "ARG1" },
    { head: 4, modifier: 1, label: "ARG1" },
    { head: 2, modifier: 4, label: "ARG2" },
  ],
  tops: [2],
  predicates: [
    { position: 2, sense: "want.01" },
    { position: 4, sense: "" },
  ],
});

const sdpSentence: fc.Arbitrary<SdpSentence> = fc
  .record({
    version: fc.constantFrom(2014 as const, 2015 as const),
    comments,
    rows: fc.array(
      fc.record({
        form: column,
        lemma: column,
        pos: column,
        top: fc.boolean(),
        pred: fc.boolean(),
        frame: column,
        roles: fc.array(column, { minLength: 6, maxLength: 6 }),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  })
  .map(({ version, comments, rows }) => {
    const predicates = rows.filter((row) => row.pred).length;
    return {
      version,
      comments,
      rows: rows.map(({ roles, frame, ...row }, i) => ({
        id: i + 1,
        ...row,
        frame: version === 2015 ? frame : "_",
        args: roles.slice(0, predicates),
      })),
      line: 0,
    };
  });

describe.each([
  [2014 as const, OF_2014],
  [2015 as const, OF_2015],
])("SDP %i", (version, text) => {
  it("is written as it was read, whole or in chunks", async () => {
    const read = parseSdp(text, { file: "a.sdp" });
    expect(read.map((sentence) => sentence.version)).toEqual([version, version]);
    expect(writeSdp(read)).toBe(text);
    expect(parseSdp(text, { version })).toEqual(read);
    expect(await collected(readSdp([text.slice(0, 70), text.slice(70)]))).toEqual(read);
  });

  it("converts to words and a graph", () => {
    const [sentence, other] = parseSdp(text);
    expect(sdpWords(sentence!)[1]).toEqual({
      form: "want",
      lemma: "want",
      upos: "VBP",
      xpos: "VBP",
      feats: "",
    });
    expect(sdpId(sentence!)).toBe("22000001");
    const predicates = GRAPH.predicates.map(({ position, sense }) => ({
      position,
      sense: version === 2015 ? sense : "",
    }));
    expect(sdpGraph(sentence!)).toEqual({ ...GRAPH, predicates });
    expect(sdpGraph(other!)).toEqual({ n: 1, edges: [], tops: [1], predicates: [] });
  });

  it("replaces the graph", () => {
    const [sentence] = parseSdp(text);
    const bare = withSdpGraph(sentence!, dependencyGraph(4, { edges: [] }));
    expect(bare.rows.map((row) => row.args)).toEqual([[], [], [], []]);
    expect(bare.rows[1]).toMatchObject({ top: false, pred: false, frame: "_" });
    expect(bare.rows[0]!.frame).toBe(version === 2015 ? "n:x" : "_");
    expect(withSdpGraph(bare, GRAPH)).toEqual(sentence);
  });
});

it("keeps every sentence through writing and reading", () => {
  fc.assert(
    fc.property(fc.array(sdpSentence, { maxLength: 3 }), (sentences) => {
      expect(parseSdp(writeSdp(sentences)).map(placeless)).toEqual(sentences);
    }),
  );
});

it.each<[name: string, graph: DependencyGraph]>([
  ["another number of words", dependencyGraph(3, { edges: [] })],
  ["a head that is not a predicate", dependencyGraph(4, { edges: [{ head: 1, modifier: 2, label: "A" }] })],
  ["the root as head", dependencyGraph(4, { edges: [{ head: 0, modifier: 2, label: "A" }] })],
  ["two labels of a pair", { ...GRAPH, edges: [...GRAPH.edges, { head: 2, modifier: 4, label: "ARG3" }] }],
  ["a label that is _", { ...GRAPH, edges: [{ head: 2, modifier: 4, label: "_" }] }],
])("a graph that the columns cannot hold: %s", (_name, graph) => {
  expect(() => withSdpGraph(parseSdp(OF_2015)[0]!, graph)).toThrow(
    expect.objectContaining({ code: "invalid-argument" }),
  );
});

const row = "1\ta\ta\tX\t-\t-";
it.each<[rule: string, text: string, options: SdpOptions, expected: string, line?: number]>([
  ["number-of-columns", "1\ta\ta\tX\t-\n", {}, "at least 6 tab-separated columns"],
  ["sdp-flag", "1\ta\ta\tX\tyes\t-\n", {}, "+ or -"],
  ["sdp-flag", "1\ta\ta\tX\t-\t_\n", {}, "+ or -"],
  ["argument-columns", `${row}\t_\tA1\n`, {}, "7 (2015) or 6 (2014) columns for 0 predicates"],
  ["argument-columns", `${row}\t_\n`, { version: 2014 as const }, "6 (2014) columns for 0 predicates"],
  ["number-of-columns", `${row}\n`, { version: 2015 as const }, "at least 7 tab-separated columns"],
  ["word-id-sequence", `2${row.slice(1)}\n`, {}, "word 1"],
  // Without the comment it would be read as the format of 2014, with the frame as an argument.
  ["argument-columns", `#SDP 2015\n#1\n1\ta\ta\tX\t-\t+\tf\n`, {}, "8 (2015) columns for 1 predicates", 3],
  [
    "argument-columns",
    `#SDP 2015\n${row}\t_\n\n1\ta\ta\tX\t-\t+\tf\n`,
    {},
    "8 (2015) columns for 1 predicates",
    4,
  ],
])("refuses by the rule %s: %j", (rule, text, options, expected, line = 1) => {
  const error = thrownBy(() => parseSdp(text, { file: "a.sdp", ...options }));
  expect(error).toMatchObject({ name: "ConlluError", file: "a.sdp", line, rule, expected });
});

it("refuses to write sentences that could not be read back", () => {
  const [sentence] = parseSdp(OF_2015);
  const cut = { ...sentence!, rows: sentence!.rows.map((r) => ({ ...r, args: r.args.slice(1) })) };
  expect(thrownBy(() => writeSdp([cut]))).toMatchObject({ rule: "argument-columns", line: 3 });
  expect(thrownBy(() => writeSdp([{ ...sentence!, version: 2014 }]))).toMatchObject({
    rule: "argument-columns",
  });
});

it("keeps a predicate that is its own argument", () => {
  const [sentence] = parseSdp("#1\n1\ta\ta\tN\t-\t+\tf\tARG0\n");
  const graph = sdpGraph(sentence!);
  expect(graph.edges).toEqual([{ head: 1, modifier: 1, label: "ARG0" }]);
  expect(withSdpGraph(sentence!, graph)).toEqual(sentence);
});
