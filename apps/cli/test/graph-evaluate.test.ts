import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { inFolder } from "./support.ts";

const gold = `#1
1	Cats	cat	NNS	-	-	_	ARG1	ARG1
2	want	want	VBP	+	+	want.01	_	_
3	to	to	TO	-	-	_	_	_
4	sleep	sleep	VB	-	+	sleep.01	ARG2	_

`;
const parsed = gold.replace("ARG1\tARG1", "ARG1\t_").replace("want.01", "want.02");
const enhanced = `1	Cats	cat	NOUN	_	_	2	nsubj	2:nsubj|4:nsubj:xsubj	_
2	want	want	VERB	_	_	0	root	0:root	_
3	to	to	PART	_	_	4	mark	4:mark	_
4	sleep	sleep	VERB	_	_	2	xcomp	2:xcomp	_

`;

/** The cells of the rows of tables, by the first one. */
function rowsOf(text: string): Record<string, string[]> {
  const rows = text.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  return Object.fromEntries(rows.map(([name, ...cells]) => [name, cells]));
}

test("SDP files: a table with tops, senses and classes", async () => {
  const { run } = inFolder({ "gold.sdp": gold, "parsed.sdp.gz": gzipSync(parsed) });
  const { code, out } = await run("evaluate --graphs @gold.sdp @parsed.sdp.gz --errors");
  expect(code).toBe(0);
  expect(rowsOf(out)).toMatchObject({
    Labelled: ["100.00", "66.67", "80.00", "0.00"],
    "Labelled + tops": ["100.00", "75.00", "85.71", "0.00"],
    "Labelled + senses": ["75.00", "60.00", "66.67", "0.00"],
    Senses: ["50.00", "50.00", "50.00", ""],
    ARG1: ["2", "1", "100.00", "50.00", "66.67", "66.67"],
    "3": ["1", "0", "0.00", "0.00", "0.00", "0.00"],
  });
  expect(out).toContain("sense accuracy of the predicates found: 50.00\n");
  expect(out).not.toContain("ELAS");
});

test("CoNLL-U files: ELAS and EULAS, and no rows of tops and senses", async () => {
  const system = enhanced.replace("nsubj:xsubj", "nsubj");
  const { run } = inFolder({ "gold.conllu": enhanced, "parsed.conllu": system });
  const { code, out } = await run("evaluate --graphs @gold.conllu @parsed.conllu");
  expect(code).toBe(0);
  expect(rowsOf(out)).toMatchObject({
    ELAS: ["80.00", "80.00", "80.00", ""],
    EULAS: ["100.00", "100.00", "100.00", ""],
  });
  expect(out).not.toMatch(/tops|senses/i);
});

/** A relative clause whose elided verb makes a path from `Tea` back to itself; and another sentence. */
const pathBack = `# sent_id = a
1	Tea	tea	NOUN	_	_	0	root	0:root|4:obj|7.1:obj	_
2	that	that	PRON	_	_	4	obj	1:ref	_
3	Ann	Ann	PROPN	_	_	4	nsubj	4:nsubj	_
4	drinks	drink	VERB	_	_	1	acl:relcl	1:acl:relcl	_
5	today	today	NOUN	_	_	4	obl:tmod	4:obl:tmod	_
6	and	and	CCONJ	_	_	7	cc	7.1:cc	_
7	Bob	Bob	PROPN	_	_	4	conj	7.1:nsubj	_
7.1	drinks	drink	VERB	_	_	_	_	1:acl:relcl|4:conj:and	_
8	tomorrow	tomorrow	NOUN	_	_	7	orphan	7.1:obl:tmod	_

# sent_id = b
1	Cats	cat	NOUN	_	_	2	nsubj	2:nsubj	_
2	sleep	sleep	VERB	_	_	0	root	0:root	_

`;

test("words that are their own heads are scored", async () => {
  const sdp = "#1\n1\ta\ta\tN\t-\t+\tf\tARG0\n";
  const collapsed = pathBack
    .replace("0:root|4:obj|7.1:obj", "0:root|1:acl:relcl>obj|4:conj:and>obj|4:obj")
    .replace(/^7\.1.*\n/m, "")
    .replace(/7\.1:(\S+)/g, "1:acl:relcl>$1|4:conj:and>$1");
  const { run } = inFolder({ "a.conllu": pathBack, "b.conllu": collapsed, "a.sdp": sdp });
  for (const [gold, system, edges] of [
    ["a.conllu", "a.conllu", 16],
    ["a.conllu", "b.conllu", 16],
    ["a.sdp", "a.sdp", 1],
  ] as const) {
    const { code, out } = await run(`evaluate --graphs @${gold} @${system} --json`);
    expect(code).toBe(0);
    const report = JSON.parse(out);
    expect(report.scores.labelled).toMatchObject({ correct: edges, gold: edges, predicted: edges });
    expect(report.ELAS?.correct ?? edges).toBe(edges);
    expect(report.classes.distance).toContainEqual(expect.objectContaining({ key: "self", gold: 1 }));
  }
});

test("several systems: what changed, and whether by chance", async () => {
  const { run } = inFolder({ gold: gold.repeat(20), parsed: parsed.repeat(20) });
  const evaluate = (...flags: string[]) =>
    run("evaluate --graphs @gold @parsed -", ...flags, { stdin: gold.repeat(20) });
  const { out } = await evaluate();
  expect(out).toMatch(/parsed +\| +80\.00 \|/);
  expect(out).toMatch(/standard input +\| Labelled +\| +\+20\.00 \| +\+20\.00 \| +\+20\.00 \| 0\.0001/);
  expect(out).toContain("10000 samples");
  const json = await evaluate("--json");
  expect(JSON.parse(json.out).systems[1]).toMatchObject({
    system: "standard input",
    scores: { labelled: { correct: 60, gold: 60, f1: 1, exactMatch: 1 } },
    withTopsAndSenses: { labelled: { gold: 120 } },
    comparison: { labelled: { a: 0.8, b: 1 } },
  });
  const csv = await evaluate("--format", "csv");
  expect(csv.out).toMatch(/^standard input,Labelled,1\.000000,1\.000000,1\.000000,0\.200000,/m);
});
