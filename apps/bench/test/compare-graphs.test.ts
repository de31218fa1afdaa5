// @module-tag slow
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  enhancedGraph,
  parseConllu,
  parseSdp,
  sdpGraph,
  sdpWords,
  sentenceTree,
  sentenceWords,
} from "@arcwise/conllu";
import { trainGraphParser } from "@arcwise/graph-parser";
import { writeGraphParserFile } from "@arcwise/graph-parser/node";
import { expect, test } from "vitest";
import { GRAPH_DECODERS } from "../src/registry/graph-decoders.ts";
import { bench, nestingFaults, outsideReferences, temporaryFolder } from "./support.ts";

const semantic = `#s1
1	Cats	cat	NNS	-	-	_	ARG0	ARG0
2	want	want	VBP	-	+	want.01	_	_
3	to	to	TO	-	-	_	_	_
4	sleep	sleep	VB	-	+	sleep.01	ARG1	_
5	soundly	soundly	RB	-	-	_	_	ARGM-MNR

`;
const enhanced = `# sent_id = s1
1	Cats	cat	NOUN	_	_	2	nsubj	2:nsubj|4:nsubj:xsubj	_
2	want	want	VERB	_	_	0	root	0:root	_
3	to	to	PART	_	_	4	mark	4:mark	_
4	sleep	sleep	VERB	_	_	2	xcomp	2:xcomp	_
5	soundly	soundly	ADV	_	_	4	advmod	4:advmod	_

`;

test("compare: all decoders on the scores of graph models", {
  timeout: 120_000,
}, async () => {
  const folder = temporaryFolder();
  const file = (name: string) => join(folder, name);
  writeFileSync(file("a.sdp"), semantic.repeat(8));
  writeFileSync(file("a.conllu"), enhanced.repeat(8));
  const sdp = parseSdp(semantic.repeat(8)).map((one) => ({ sentence: sdpWords(one), graph: sdpGraph(one) }));
  const deps = parseConllu(enhanced.repeat(8)).map((one) => ({
    sentence: sentenceWords(one),
    graph: enhancedGraph(one),
    syntax: sentenceTree(one),
  }));
  const parts = ["sibling", "nextCoparent"] as const;
  await writeGraphParserFile(
    file("sdp.model"),
    await trainGraphParser(sdp, { preset: "linear", epochs: 3, parts, unique: true }),
  );
  const rules = { epochs: 3, graphs: "enhanced", rules: true } as const;
  await writeGraphParserFile(
    file("deps.model"),
    await trainGraphParser(deps, { preset: "linear", ...rules }),
  );
  const models = ["--model", file("sdp.model"), file("deps.model")];
  const data = ["--treebank", file("a.sdp"), file("a.conllu"), "--sentences", "5", "--quick"];
  const outputs = ["--json", file("r.json"), "--html", file("r.html")];
  const { code, out } = await bench(["compare", ...models, ...data, ...outputs]);
  expect(code).toBe(0);
  for (const { label } of GRAPH_DECODERS) expect(out).toContain(label);
  const { results } = JSON.parse(readFileSync(file("r.json"), "utf8"));
  expect(results).toMatchObject([
    { sentences: 5, words: 25 },
    { sentences: 5, words: 25 },
  ]);
  const exact = results[1].decoders.at(-1);
  expect(exact).toMatchObject({ decoder: "AD3 with branch and bound", f1: 1, optimal: 1, certified: 1 });
  const page = readFileSync(file("r.html"), "utf8");
  expect(nestingFaults(page)).toEqual([]);
  expect(outsideReferences(page)).toEqual([]);

  const mixed = await bench(["compare", "--model", file("sdp.model"), "--treebank", file("none.sdp")]);
  expect([mixed.code, mixed.err]).toEqual([1, expect.stringContaining("none.sdp: no such ")]);
  const tree = await bench(["compare", "--model", file("a.sdp"), "--treebank", file("a.sdp")]);
  expect([tree.code, tree.err]).toEqual([1, expect.stringContaining("a.sdp: ")]);
});
