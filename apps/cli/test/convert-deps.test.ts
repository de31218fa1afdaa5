import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { arcwise, inFolder } from "./support.ts";

const input = `# sent_id = s1
1	Cats	cat	NOUN	_	_	2	nsubj	_	_
2	want	want	VERB	_	_	0	root	_	_
3	to	to	PART	_	_	4	mark	_	_
4	sleep	sleep	VERB	_	_	2	xcomp	_	_
5	in	in	ADP	_	_	6	case	_	_
6	bed	bed	NOUN	_	_	4	obl	_	_
6.1	gone	_	_	_	_	_	_	6:dep	_

`;
const deps = ["2:nsubj|4:nsubj:xsubj", "0:root", "4:mark", "2:xcomp", "6:case", "4:obl:in"];

test("DEPS are replaced and everything else is kept, from and to the standard streams", async () => {
  const { code, out, err } = await arcwise(["convert", "--deps", "enhance"], { stdin: input.repeat(2) });
  expect([code, err]).toEqual([
    0,
    expect.stringMatching(/^arcwise: 2 empty nodes of the input replaced by new DEPS\n$/),
  ]);
  const rows = out.split("\n").filter((line) => /^\d/.test(line));
  expect(rows.map((row) => row.split("\t")[8])).toEqual([...deps, ...deps]);
  const rest = (text: string) => text.split("\n").map((line) => line.split("\t").slice(0, 8).join("\t"));
  expect(rest(out)).toEqual(rest(input.repeat(2)).filter((line) => !line.startsWith("6.1")));
});

test("files are packed by their names, and the input may be replaced", async () => {
  const { run, text, bytes } = inFolder({ "in.conllu": input });
  const { out } = await run("convert --deps enhance @in.conllu");
  expect((await run("convert --deps enhance @in.conllu -o @out.gz")).code).toBe(0);
  expect(gunzipSync(bytes("out.gz")).toString()).toBe(out);
  expect((await run("convert --deps enhance @in.conllu -o @in.conllu")).code).toBe(0);
  expect(text("in.conllu")).toBe(out);
});

test.each([
  ["a tree", input.replace("\t0\troot", "\t_\troot"), "invalid-head"],
  ["relations", input.replace("\t0\troot", "\t0\t_"), "unknown-udeprel"],
])(
  "a sentence without %s is an error that names its line, and leaves the old output",
  async (_, wrong, rule) => {
    const { run, text } = inFolder({ "in.conllu": input + wrong, out: "old" });
    const { code, err } = await run("convert --deps enhance @in.conllu -o @out");
    expect(code).toBe(1);
    expect(err).toMatch(new RegExp(`in\\.conllu:12: sentence s1: .*\\(${rule}\\)`));
    expect(text("out")).toBe("old");
  },
);
