import { readFileSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { ArcwiseError, ERROR_CODES, type ErrorCode } from "@arcwise/core/errors";
import { analysisOf, createPipeline } from "@arcwise/pipeline";
import { afterEach, describe, expect, test, vi } from "vitest";
import * as opening from "../src/analysis/open-files.ts";
import { EXIT, explain } from "../src/errors.ts";
import { run } from "../src/run.ts";
import { arcwise, conllu, inFolder, sink, stepless, treebank } from "./support.ts";

afterEach(() => vi.restoreAllMocks());

/** A pipeline that fails for some sentences. */
function pipelineThatFails(fails: (words: number) => Error | undefined): void {
  const pipeline = createPipeline(
    {},
    {
      parser: ({ length }) => {
        const error = fails(length);
        if (error !== undefined) throw error;
        const heads = Int32Array.from({ length: length + 1 }, (_, m) => m - 1);
        return { heads, labels: Array.from(heads, () => "dep") };
      },
    },
  );
  const { facts } = pipeline;
  const open = { pipeline: analysisOf(pipeline), facts, close: async () => {} };
  vi.spyOn(opening, "openFiles").mockResolvedValue(open);
}

describe("the table of exit codes on the page of the command", () => {
  const page = readFileSync(new URL("../../../docs/reference/command.md", import.meta.url), "utf8");

  test("has a row for each code", () => {
    const rows = [...page.matchAll(/^\| (\d+) +\| /gm)].map(([, code]) => Number(code));
    expect(rows).toEqual(Object.values(EXIT).sort((a, b) => a - b));
  });

  test("0: done", async () => {
    const { run } = inFolder({ gold: treebank });
    expect((await run("evaluate - @gold", { stdin: treebank })).code).toBe(0);
  });

  const codes = Object.keys(ERROR_CODES) as ErrorCode[];

  test.each(codes)("1, 2 or 130: the code %s, which is never an internal error", (code) => {
    const expected = { usage: 2, data: 1, environment: 1, interrupted: 130 }[ERROR_CODES[code].kind];
    expect(explain(new ArcwiseError(code, "what was found"))).toEqual({
      code: expected,
      message: "what was found",
    });
  });

  test.each(["postgres://127.0.0.1:1/x", "redis://127.0.0.1:1", "rediss://127.0.0.1:1"])(
    "1: a queue server that is down: %s",
    async (queue) => {
      const { code, err } = await arcwise(["status", "--queue", queue]);
      expect([code, err]).toEqual([1, expect.stringMatching(`^arcwise: ${queue}: `)]);
      expect(err.trimEnd().split("\n")).toHaveLength(1);
    },
  );

  test.each<[string, unknown]>([
    ["a bug", new TypeError("x is undefined")],
    ["a value that is not an error", "x"],
    ["an error of another library", Object.assign(new Error("x"), { code: "EXPIRED-1" })],
  ])("3: %s", (_what, error) => {
    expect(explain(error)).toMatchObject({ code: 3, message: expect.stringMatching(/^internal error: /) });
  });

  test.each<[string, Error, string]>([
    [
      "a full disk",
      Object.assign(new Error("x"), { code: "ENOSPC", path: "store/ab" }),
      "store/ab: no space left",
    ],
    ["a server that refuses", Object.assign(new Error("x"), { code: "ECONNREFUSED" }), "connection refused"],
    ["no memory", Object.assign(new Error("x"), { code: "ERR_STRING_TOO_LONG" }), "out of memory"],
    [
      "a thread without memory",
      new ArcwiseError("thread-lost", "a", { cause: new RangeError("Array buffer allocation failed") }),
      "out of memory",
    ],
  ])("1: %s", (_what, error, message) => {
    expect(explain(error)).toMatchObject({ code: 1, message: expect.stringContaining(message) });
  });

  test.each([["--help"], ["parse", "--help"], ["--version"], ["help", "parse"]])(
    "1: an output that takes nothing: %s %s",
    async (...argv) => {
      const full = Object.assign(new Error("write ENOSPC"), { code: "ENOSPC" });
      const stdout = new Writable({ write: (_chunk, _encoding, done) => done(full) });
      const stderr = sink();
      const { signal } = new AbortController();
      const code = await run(argv.filter(Boolean), {
        stdin: Readable.from([]),
        stdout,
        stderr,
        env: {},
        signal,
      });
      expect([code, stderr.text()]).toEqual([1, "arcwise: standard output: no space left on the device\n"]);
    },
  );

  test("3: a fault of the program", async () => {
    vi.spyOn(opening, "openFiles").mockRejectedValue(new TypeError("x is undefined"));
    const { code, err } = await inFolder({ model: stepless }).run("parse --model @model -", { stdin: "" });
    expect([code, err]).toEqual([3, "arcwise: internal error: TypeError: x is undefined\n"]);
  });

  test("4: a sentence could not be parsed; the others are written, which were lost with it", async () => {
    pipelineThatFails((words) =>
      words === 2 ? new RangeError("parts of kind triSibling: too many") : undefined,
    );
    const sentences = ["a/X/_/_", "a/X/_/_ b/X/_/_", "a/X/_/_ b/X/_/_ c/X/_/_"].map((words, i) =>
      conllu(`s${i}`, words),
    );
    const { run, path, text } = inFolder({ input: sentences.join(""), model: stepless });
    const { code, out, err } = await run("parse --model @model @input");
    expect(code).toBe(4);
    expect([...out.matchAll(/sent_id = (\w+)/g)].map(([, id]) => id)).toEqual(["s0", "s2"]);
    expect(err).toContain(
      `arcwise: ${path("input")}:4: sentence s1: not parsed: internal error: RangeError: parts of kind`,
    );
    expect(err).toContain("1 sentence could not be parsed and left out");
    const inPlace = await run("parse --model @model @input -o @input");
    expect([inPlace.code, inPlace.err]).toEqual([1, expect.stringContaining("not replaced")]);
    expect(text("input")).toBe(sentences.join(""));
  });

  test("130: stopped", async () => {
    const { run } = inFolder({ train: treebank });
    expect((await run("evaluate @train @train", { signal: AbortSignal.abort() })).code).toBe(130);
  });
});
