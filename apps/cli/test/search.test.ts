import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { parseConllu } from "@arcwise/conllu";
import { expect, test } from "vitest";
import { run } from "../src/run.ts";
import { arcwise, conllu, inFolder } from "./support.ts";

const treebank =
  conllu("s1", "Old/ADJ/2/amod dogs/NOUN/3/nsubj chase/VERB/0/root cats/NOUN/3/obj") +
  conllu("s2", "They/PRON/2/nsubj sleep/VERB/0/root") +
  conllu("s3", "<b>/X/3/dep They/PRON/3/nsubj chase/VERB/0/root cats/NOUN/3/obj");
const OBJECTS = "{upos:VERB}=v >obj=r {}=n";

test("marks the words of each match", async () => {
  const { code, out, err } = await arcwise(["search", OBJECTS], { stdin: treebank });
  expect({ code, err }).toEqual({ code: 0, err: "2 matches in 2 of 3 sentences\n" });
  expect(out.split("\n")).toEqual([
    "standard input:1: s1: Old dogs [v:chase] [n:cats]",
    "standard input:11: s3: <b> They [v:chase] [n:cats]",
    "",
  ]);
});

test("colours them on a terminal, unless NO_COLOR says otherwise", async () => {
  for (const [NO_COLOR, isColoured] of [
    ["", true],
    ["1", false],
  ] as const) {
    const stdout = Object.assign(new PassThrough(), { isTTY: true });
    const stderr = new PassThrough();
    stderr.resume();
    const signal = new AbortController().signal;
    const stdin = Readable.from([Buffer.from(treebank)]);
    await run(["search", "{lemma:sleep}"], { stdin, stdout, stderr, env: { NO_COLOR }, signal });
    stdout.end();
    const out = await text(stdout);
    expect(out.includes("\x1b[1;31msleep\x1b[0m")).toBe(isColoured);
    expect(out.includes("[sleep]")).toBe(!isColoured);
  }
});

test("writes sentences as CoNLL-U, with a comment a match", async () => {
  const { out } = await arcwise(["search", "{} >/nsubj|obj/ {upos:NOUN}=n", "--output-format", "conllu"], {
    stdin: treebank,
  });
  const sentences = parseConllu(out);
  expect(sentences.map(({ comments }) => comments)).toEqual([
    ["# sent_id = s1", "# match = n:2 _:3", "# match = _:3 n:4"],
    ["# sent_id = s3", "# match = _:3 n:4"],
  ]);
  expect(sentences[0]!.rows).toEqual(parseConllu(treebank)[0]!.rows);
});

test("writes matches as JSON", async () => {
  const { out } = await arcwise(["search", OBJECTS, "--output-format", "jsonl"], { stdin: treebank });
  expect(JSON.parse(out.split("\n")[0]!)).toEqual({
    file: "standard input",
    line: 1,
    id: "s1",
    text: "Old dogs chase cats",
    words: [
      { id: 3, form: "chase" },
      { id: 4, form: "cats" },
    ],
    names: { v: 3, n: 4 },
    relations: { r: "obj" },
  });
});

test("draws sentences with their matches on a page", async () => {
  const { run, text } = inFolder({});
  const line = "search {form:/<.>/} --output-format html -o @page.html";
  expect((await run(line, { stdin: treebank })).code).toBe(0);
  const html = text("page.html");
  expect(html).not.toContain("<b>");
  expect(html.match(/<article/g)).toHaveLength(1);
  expect(html.match(/class="word marked" data-word="1"/g)).toHaveLength(1);
});

test("counts matches, and values of named words and relations", async () => {
  const count = await arcwise(["search", "{} > {}", "--count"], { stdin: treebank });
  expect(count.out).toBe("7\t3\n");
  const by = await arcwise(["search", "{upos:VERB}=v >=r {}", "--by", "v.lemma", "--by", "r"], {
    stdin: treebank,
  });
  expect(by.out.split("\n")).toEqual([
    "2\tchase\tnsubj",
    "2\tchase\tobj",
    "1\tchase\tdep",
    "1\tsleep\tnsubj",
    "",
  ]);
});

test("counts many matches of one sentence", async () => {
  const stdin = conllu("long", Array.from({ length: 120 }, (_, i) => `w/X/${i}/x`).join(" "));
  const { out } = await arcwise(["search", "{} .. ({} .. {})", "--count"], { stdin });
  expect(out).toBe(`${(120 * 119 * 118) / 6}\t1\n`);
});

test("writes matches while it finds them: 180,000 lines of 600 words", { tags: "slow" }, async () => {
  const stdin = conllu("long", Array.from({ length: 600 }, (_, i) => `w/X/${i}/x`).join(" "));
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  stderr.resume();
  let [lines, bytes] = [0, 0];
  stdout.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) lines++;
  });
  const before = process.memoryUsage().heapUsed;
  const io = { stdin: Readable.from([Buffer.from(stdin)]), stdout, stderr, env: {} };
  const code = await run(["search", "{} .. {}"], { ...io, signal: new AbortController().signal });
  expect({ code, lines }).toEqual({ code: 0, lines: (600 * 599) / 2 });
  expect(bytes).toBeGreaterThan(200e6);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(200e6);
});

test.each(["text", "conllu", "json", "jsonl", "html"])(
  "writes nothing of sentences without a match: %s",
  async (format) => {
    const { out } = await arcwise(["search", "{lemma:sleep}", "--output-format", format], {
      stdin: treebank,
    });
    expect(out).not.toContain("chase");
    const none = await arcwise(["search", "{lemma:none}", "--output-format", format], { stdin: treebank });
    expect(format === "html" ? "" : none.out).toBe(format === "json" ? "[\n]\n" : "");
    expect(none.err).toBe("0 matches in 0 of 3 sentences\n");
  },
);

test("names of relations that are members of all objects count as absent", async () => {
  const by = await arcwise(["search", "{} ?>nsubj=constructor {}", "--by", "constructor"], {
    stdin: treebank,
  });
  expect(by.out).toBe("7\t_\n3\tnsubj\n");
});

test("says which tags and relations the treebank does not have", async () => {
  const { code, err } = await arcwise(["search", "{pos:VERB} >nsbj {}"], { stdin: treebank });
  expect(code).toBe(0);
  expect(err.split("\n")).toEqual([
    "0 matches in 0 of 3 sentences",
    "note: no word has xpos VERB; upos has it: {upos:VERB}",
    "note: no word has the relation nsbj; did you mean nsubj?",
    "",
  ]);
  const silent = await arcwise(["search", "{upos:VERB} >nsubj {}"], { stdin: treebank });
  expect(silent.err).toBe("3 matches in 3 of 3 sentences\n");
});

test("--unique writes one match for each choice of named words", async () => {
  const count = async (...options: string[]) =>
    (await arcwise(["search", "{upos:VERB}=v > {}", "--count", ...options], { stdin: treebank })).out;
  expect([await count(), await count("--unique")]).toEqual(["6\t3\n", "3\t3\n"]);
});

test("reads several files", async () => {
  const { run, path } = inFolder({ "a.conllu": treebank, "b.conllu": treebank });
  const { out } = await run("search {upos:PRON} @a.conllu @b.conllu");
  expect(out.split("\n").filter((line) => line.startsWith(`${path("b.conllu")}:`))).toHaveLength(2);
});
