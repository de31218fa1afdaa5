import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { arcwise, conllu, inFolder } from "./support.ts";

const catsSleep = conllu("", "Cats/NOUN/2/nsubj sleep/VERB/0/root").slice(13);
const valid = `# sent_id = s1\n# text = Cats sleep\n${catsSleep}`;
const cycle = valid.replace("\t2\tnsubj", "\t1\tnsubj");

test("a valid file gives nothing and code 0", async () => {
  const { code, out, err } = await arcwise(["validate", "-"], { stdin: valid });
  expect({ code, out }).toEqual({ code: 0, out: "" });
  expect(err).toMatch(/^standard input: valid\nnot checked: level 4 \(\d+ tests: [^)]+\); level 5 /);
});

test("each error is a line with file, line, sentence, rule, what was expected and found", async () => {
  const { run, path } = inFolder({ "cycle.gz": gzipSync(valid + cycle.replace("s1", "s2")) });
  const { code, out, err } = await run("validate @cycle.gz");
  expect(code).toBe(1);
  expect(out).toContain(`${path("cycle.gz")}:8: sentence s2: `);
  expect(out).toMatch(/expected a head other than 1 itself, found 1\n/);
  expect(err).toMatch(new RegExp(`^${path("cycle.gz")}: \\d+ errors?\n`));
});

test("levels leave out what is above them", async () => {
  expect((await arcwise(["validate", "--level", "1", "-"], { stdin: cycle })).code).toBe(0);
  expect((await arcwise(["validate", "--level", "2", "-"], { stdin: cycle })).code).toBe(1);
  expect((await arcwise(["validate", "--level", "4", "-"], { stdin: cycle })).code).toBe(2);
});

test("several files are checked one after the other, and all of them count", async () => {
  const { run } = inFolder({ good: valid, bad: cycle });
  const { code, err } = await run("validate @bad @good");
  expect(code).toBe(1);
  expect(err).toMatch(/bad: \d+ errors?\n.*good: valid\n/);
});

test("bytes that are no text are an error of the file", async () => {
  const { code, out } = await arcwise(["validate", "-"], { stdin: Buffer.from([0x31, 0xff, 0x0a]) });
  expect(code).toBe(1);
  expect(out).toMatch(/^standard input:1: .*UTF-8/);
});
