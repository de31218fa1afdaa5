import { parseConllu } from "@arcwise/conllu";
import { ArcwiseError } from "@arcwise/core/errors";
import { here } from "@arcwise/jobs";
import type { RemotePipeline } from "@arcwise/pipeline";
import { openPipeline } from "@arcwise/pipeline/node";
import { beforeAll, describe, expect, test } from "vitest";
import type { ServerInput } from "../src/models/server-jobs.ts";
import { after, withServer } from "./support.ts";

/** Whether a task ends the thread that does it: the second sentence of a request that has the word "fatal". */
function isFatal(input: object): boolean {
  const { task } = input as ServerInput;
  if (task.kind !== "write" || task.isLost === true || (task.only ?? 1) !== 1) return false;
  return task.piece.data.includes("fatal");
}
const server = withServer({
  place: () =>
    after((input) => {
      if (isFatal(input)) throw new ArcwiseError("thread-lost", "a thread of /srv/machine ended early");
    }),
});
const TEXT = "Ann sings now. Bob sleeps well.\n\nCats runs here.";
const POINTS = "Ann 😀 sings 😀 now. Bob 😀sleeps well.";
let library: RemotePipeline;
beforeAll(async () => {
  library = await openPipeline({ model: server.model }, { place: here() });
});

async function parse(body: object, headers?: Readonly<Record<string, string>>) {
  const response = await server.post("/v1/parse", body, headers);
  return { status: response.status, json: await response.json() };
}

const asJson = (value: unknown) => JSON.parse(JSON.stringify(value));

describe("/v1/parse", () => {
  test("returns what the library returns, of text, of words and of CoNLL-U", async () => {
    const words = [
      ["Ann", "sings"],
      ["Dogs", "runs", "well", "."],
    ];
    const sentences = await library.run(TEXT);
    const conllu = sentences.map((one) => one.toConllu()).join("");
    const given = { tags: "given", deps: "keep" } as const;
    const cases = [
      [{ text: TEXT }, sentences],
      [{ sentences: words }, await library.annotate(words)],
      [{ conllu }, await library.annotate(parseConllu(conllu))],
      [{ conllu, ...given }, await library.annotate(parseConllu(conllu), given)],
      [{ text: TEXT, kBest: 3, marginals: true }, await library.run(TEXT, { kBest: 3, marginals: true })],
      [{ text: TEXT, report: true }, await library.run(TEXT, { report: true })],
      [{ text: POINTS, offsets: "code-points" }, await library.run(POINTS, { offsets: "code-points" })],
    ] as const;
    for (const [body, expected] of cases)
      expect(await parse(body)).toEqual({
        status: 200,
        json: { model: "tiny-test", sentences: asJson(expected), failures: [], mostlyUnknown: false },
      });
  });

  test("answers in the format of the field, or of Accept", async () => {
    const sentences = await library.run(TEXT);
    const lines = sentences.map((one) => `${JSON.stringify(one)}\n`).join("");
    const conllu = sentences.map((one) => one.toConllu()).join("");
    const cases = [
      [{ format: "ndjson" }, {}, "application/x-ndjson", lines],
      [{}, { accept: "application/x-ndjson" }, "application/x-ndjson", lines],
      [{ format: "conllu" }, { accept: "application/json" }, "text/x-conllu; charset=utf-8", conllu],
      [{}, { accept: "text/html, text/x-conllu;q=0.9" }, "text/x-conllu; charset=utf-8", conllu],
      [{}, { accept: "application/x-ndjson;q=0.5, Text/X-CoNLLU" }, "text/x-conllu; charset=utf-8", conllu],
      [{}, { accept: "text/*, */*;q=0.1" }, "text/x-conllu; charset=utf-8", conllu],
      [{}, { accept: "*/*, application/x-ndjson" }, "application/x-ndjson", lines],
      [{}, { accept: "application/json;q=0, */*" }, "application/x-ndjson", lines],
    ] as const;
    for (const [fields, headers, type, expected] of cases) {
      const response = await server.post("/v1/parse", { text: TEXT, ...fields }, headers);
      expect(response.headers.get("content-type")).toBe(type);
      expect(await response.text()).toBe(expected);
    }
  });

  test("takes the same fields in a query, with a text or CoNLL-U as the body", async () => {
    const expected = await parse({ text: TEXT, kBest: 2, marginals: true });
    const query = "kBest=2&marginals";
    const conllu = (await library.run(TEXT)).map((one) => one.toConllu()).join("");
    const answers = [
      server.send(`/v1/parse?${query}&text=${encodeURIComponent(TEXT)}`),
      server.send(`/v1/parse?${query}`, { method: "POST", body: TEXT }),
      server.send(`/v1/parse?${query}&model=other`, { method: "POST", body: TEXT }),
    ];
    const [get, post, other] = await Promise.all(answers.map(async (one) => (await one).json()));
    expect(get).toEqual(expected.json);
    expect(post).toEqual(expected.json);
    expect(other).toEqual({ ...expected.json, model: "other" });
    const body = { method: "POST", headers: { "content-type": "text/x-conllu" }, body: conllu };
    const annotated = await (await server.send("/v1/parse?tags=given", body)).json();
    expect(annotated).toEqual((await parse({ conllu, tags: "given" })).json);
  });

  test("reads CoNLL-U Plus, also a piece at a time", async () => {
    const conllu = `# global.columns = ID FORM HEAD DEPREL\n${"1\tAnn\t0\troot\n\n".repeat(100)}`;
    const { status, json } = await parse({ conllu });
    expect([status, json.sentences?.length]).toEqual([200, 100]);
  });

  test.each([true, false, undefined])(
    "ends sentences at the lines of a text as a pipeline does: %s",
    async (lines) => {
      const text = "Ann sings now. Bob sleeps\r\n\r\n\n  Cats\nDogs 😀 runs.\nAnn\nsings here\nBob sleeps";
      const { json } = await parse({ text, lines });
      expect(json.sentences).toEqual(asJson(await library.run(text, { lines })));
    },
  );

  test("lines that end sentences have offsets in the text", async () => {
    const text = "Ann sings now\r\n\r\n\n  Cats\nDogs 😀 runs.";
    const { json } = await parse({ text, lines: true });
    expect(json.sentences.map(({ text: line }: { text: string }) => line)).toEqual([
      "Ann sings now",
      "Cats",
      "Dogs 😀 runs.",
    ]);
    for (const { tokens } of json.sentences)
      for (const { form, start, end } of tokens) expect(text.slice(start, end)).toBe(form);
  });

  test("finds trees under constraints", async () => {
    const sentences = [
      ["Ann", "sings", "now"],
      ["Bob", "sleeps"],
    ];
    const constraints = [[], [{ word: 1, head: 0, deprel: "root" }]];
    const { json } = await parse({ sentences, constraints });
    expect(json.sentences[1].words.map(({ head }: { head: number }) => head)).toEqual([0, 1]);
    const denied = await parse({
      sentences,
      constraints: [[{ word: 1, notHead: [2], notDeprel: ["nsubj"] }]],
    });
    expect(denied.json.sentences[0].words[0]).not.toMatchObject({ head: 2 });
    const conllu = "1\tAnn\t_\t_\t_\t_\t0\troot\t_\t_\n2\tsings\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
    const given = await parse({ conllu, constraints: "given" });
    expect(given.json.sentences[0].words.map(({ head }: { head: number }) => head)).toEqual([0, 1]);
  });

  test("counts code points if asked to, as Python and R count", async () => {
    const points = [...POINTS];
    const { json } = await parse({ text: POINTS, offsets: "code-points" });
    const words = json.sentences.flatMap((one: { words: object[] }) => one.words);
    for (const { form, start, end } of words) expect(points.slice(start, end).join("")).toBe(form);
    expect(json.sentences[1]).toMatchObject({ offsets: "code-points", start: points.indexOf("B") });
    const units = await parse({ text: POINTS, offsets: "utf-16" });
    expect(units).toEqual(await parse({ text: POINTS }));
    for (const { form, start, end } of units.json.sentences[1].words)
      expect(POINTS.slice(start, end)).toBe(form);
  });

  test("a long text is cut where a short one is, whatever its pieces", async () => {
    const text = `${TEXT}\n\n${POINTS} `.repeat(200);
    const offsets = "code-points";
    const lines = await parse({
      text: "Ann sings now. Bob sleeps\n\nCats runs here.\n".repeat(400),
      lines: true,
    });
    expect(lines.json.sentences).toHaveLength(1200);
    const { json } = await parse({ text, offsets });
    // The library keeps this thread for seconds, in which the server closes the idle connection: no request follows.
    expect(json.sentences).toEqual(asJson(await library.run(text, { offsets })));
  });

  test("names sentences that cannot be analysed, and returns the others", async () => {
    const sentences = [
      ["Ann", "sings"],
      ["a", "fatal", "one"],
      ["Bob", "sleeps"],
    ];
    const { status, json } = await parse({ sentences });
    expect(status).toBe(200);
    expect(json.sentences.map(({ id }: { id: string }) => id)).toEqual(["1", "3"]);
    expect(json.failures).toEqual([
      { index: 1, error: { code: "thread-lost", message: expect.not.stringContaining("/srv") } },
    ]);
    const response = await server.post("/v1/parse", { sentences, format: "ndjson" });
    const lines = (await response.text())
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ id, index }) => id ?? index)).toEqual(["1", 1, "3"]);
    const impossible = [
      [
        { word: 1, head: 2 },
        { word: 2, head: 1 },
      ],
    ];
    const { json: none } = await parse({ sentences: [["Ann", "sings"]], constraints: impossible });
    expect(none.failures).toMatchObject([{ index: 0, error: { code: expect.any(String) } }]);
  });

  test("bytes that are not UTF-8 are a part of the text", async () => {
    const body = Buffer.concat([Buffer.from("Ann "), Buffer.from([0xff, 0xc3]), Buffer.from(" sings now.")]);
    const response = await server.send("/v1/parse", { method: "POST", body });
    expect(response.status).toBe(200);
    expect((await response.json()).sentences[0].text).toContain("\ufffd");
  });
});

describe("/v1/search", () => {
  const search = async (body: object) => (await server.post("/v1/search", body)).json();

  test("finds words by a pattern, in text that it parses and in trees that are given", async () => {
    const found = await search({ text: TEXT, pattern: "{upos:VERB}=v >nsubj {}=s" });
    expect(found).toMatchObject({ model: "tiny-test", sentences: 3, isTruncated: false, failures: [] });
    expect(found.matches.map(({ names }: { names: object }) => names)).toEqual(
      Array.from({ length: 3 }, () => ({ v: 2, s: 1 })),
    );
    expect(found.texts).toEqual(
      ["Ann sings now.", "Bob sleeps well.", "Cats runs here."].map((text, k) => ({
        index: k,
        id: `${k + 1}`,
        text,
      })),
    );
    expect(found.matches[2]).toEqual({
      index: 2,
      words: [
        { id: 1, form: "Cats" },
        { id: 2, form: "runs" },
      ],
      names: { v: 2, s: 1 },
      relations: {},
    });
    const conllu = "1\tAnn\t_\tX\t_\t_\t0\tmine\t_\t_\n2\tsings\t_\tX\t_\t_\t1\tyours\t_\t_\n\n";
    expect((await search({ conllu, pattern: "{} >yours {}" })).matches).toHaveLength(1);
    expect((await search({ conllu, pattern: "{} >yours {}", trees: "predicted" })).matches).toEqual([]);
  });

  test("stops at a number of matches, and says so", async () => {
    const text = TEXT.repeat(3);
    const all = await search({ text, pattern: "{}" });
    expect(all.isTruncated).toBe(false);
    for (const limit of [1, 5, all.matches.length - 1]) {
      const some = await search({ text, pattern: "{}", limit });
      expect(some).toMatchObject({ isTruncated: true, matches: all.matches.slice(0, limit) });
    }
    const exact = await search({ text, pattern: "{}", limit: all.matches.length });
    expect(exact).toMatchObject({ isTruncated: false, matches: all.matches });
  });

  test("writes a line per sentence with matches, a line per match, and the counts", async () => {
    const response = await server.post("/v1/search", {
      text: TEXT,
      pattern: "{upos:NOUN}",
      format: "ndjson",
    });
    const lines = (await response.text())
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ index, text, counts }) => counts ?? text ?? index)).toEqual([
      ...["Ann sings now.", 0, "Bob sleeps well.", 1, "Cats runs here.", 2],
      { sentences: 3, matches: 3, isTruncated: false },
    ]);
  });
});

const LONG = "x".repeat(80);

/** A request of JSON to `/v1/parse`. */
const json = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});
const typed = (type: string, name = "content-type"): RequestInit => ({
  method: "POST",
  headers: { [name]: type },
  body: "a",
});
const EXTRA = [{ word: 1, head: 0 }];

test.each<[string, RequestInit, number, string, path?: string]>([
  ["an unknown field", json({ txt: "a" }), 400, "unknown-option"],
  ["a wrong value", json({ text: 5 }), 400, "invalid-option"],
  ["two inputs", json({ text: "a", conllu: "" }), 400, "invalid-request"],
  ["no input", json({}), 400, "invalid-request"],
  ["a list as JSON", json([]), 400, "invalid-request"],
  ["an unknown model", json({ text: "a", model: LONG }), 400, "unknown-model"],
  ["damaged CoNLL-U", json({ conllu: "1\ta\n" }), 422, "malformed-conllu"],
  ["an empty word", json({ sentences: [[""]] }), 400, "invalid-option"],
  ["a word with a tab", json({ sentences: [[{ form: "a", upos: "X\t" }]] }), 400, "invalid-option"],
  ["a word of a number", json({ sentences: [[5]] }), 400, "invalid-option"],
  [
    "a constraint of another word",
    json({ sentences: [["a"]], constraints: [[{ word: 2, head: 0 }]] }),
    400,
    "invalid-request",
  ],
  [
    "constraints for sentences that do not exist, of words",
    json({ sentences: [["a"]], constraints: [[], EXTRA] }),
    400,
    "invalid-request",
  ],
  [
    "constraints for sentences that do not exist, of a text",
    json({ text: "a", constraints: [[], [], EXTRA] }),
    400,
    "invalid-request",
  ],
  ["a field of Object", json(JSON.parse('{"__proto__": 1}')), 400, "unknown-option"],
  ["a graph without a graph parser", json({ text: "a", graph: true }), 400, "invalid-request"],
  ...["constructor", "__proto__", "toString", "image/png"].map(
    (type): [string, RequestInit, number, string] => [
      `the media type ${type}`,
      typed(type),
      415,
      "unsupported-media-type",
    ],
  ),
  ["a compressed body", typed("gzip", "content-encoding"), 415, "unsupported-encoding"],
  ["another method", { method: "DELETE" }, 405, "method-not-allowed"],
  ["constraints in a query", {}, 400, "invalid-request", "/v1/parse?constraints=[]"],
  ["another Accept", { headers: { accept: "image/png" } }, 406, "not-acceptable", "/v1/parse?text=a"],
  ["an Accept of nothing", { headers: { accept: "*/*;q=0" } }, 406, "not-acceptable", "/v1/parse?text=a"],
  ["a field of a query twice", {}, 400, "invalid-request", "/v1/parse?text=a&text=b"],
  ["a field of the query and the body", json({ text: "a" }), 400, "invalid-request", "/v1/parse?text=b"],
  ["a text twice", { method: "POST", body: "a" }, 400, "invalid-request", "/v1/parse?text=b"],
  ["no pattern", json({ text: "a" }), 400, "invalid-request", "/v1/search"],
  ["a wrong pattern", json({ text: "a", pattern: "{" }), 400, "invalid-argument", "/v1/search"],
  ["another path", {}, 404, "not-found", "/v2"],
])(
  "a request that is wrong has a status and a code: %s",
  async (_, init, status, code, path = "/v1/parse") => {
    const response = await server.send(path, init);
    const answer = await response.json();
    expect({ status: response.status, answer }).toMatchObject({ status, answer: { error: { code } } });
    expect(answer.error.requestId).toBe(response.headers.get("x-request-id"));
    expect(answer.error.message).not.toMatch(/\/(?:work|tmp|src)\/|\bat .*:\d+/);
  },
);

test("a name near the name of a model gets a suggestion", async () => {
  const { json } = await parse({ text: "a", model: "secnd" });
  expect(json.error).toMatchObject({ code: "unknown-model", message: expect.stringContaining('"second"') });
});

test("/v1/models lists the models with their parts", async () => {
  const { models, default: first } = await (await server.send("/v1/models")).json();
  expect(first).toBe("tiny-test");
  expect(models).toMatchObject([
    { name: "tiny-test", names: ["tiny-test"], parts: ["tokenizer", "tagger", "parser"] },
    { name: "other", names: ["other", "second"] },
  ]);
});
