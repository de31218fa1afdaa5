// @module-tag slow
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { built, start } from "./program.ts";
import { folderWith, settings, treebank } from "./support.ts";

/**
 * Prints the maximum resident set of a process at its end, in kilobytes. What the process reports itself begins
 * with the set of the one that started it; on Linux the file has its own.
 */
const REPORT = `
  import { existsSync, readFileSync, writeSync } from "node:fs";
  const file = "/proc/self/status";
  const own = () => Number(/^VmHWM:\\s*(\\d+)/m.exec(readFileSync(file, "utf8"))[1]);
  const memory = () => (existsSync(file) ? own() : process.resourceUsage().maxRSS);
  process.on("exit", () => writeSync(2, "\\nmemory " + memory() + "\\n"));
`;

/** Runs the command; returns its exit code, its message and its memory in megabytes. */
async function measure(argv: readonly string[]) {
  const { child, ended } = start(argv, {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(REPORT)}`,
  });
  child.stdin?.end();
  const { code, err, out } = await ended;
  const memory = Math.max(...[...err.matchAll(/^memory (\d+)$/gm)].map(([, size]) => Number(size)));
  return { code, text: out + err, megabytes: memory / 1024 };
}

describe.skipIf(!built)("a gigabyte in a megabyte of gzip data (skipped before npm run build)", () => {
  let folder: string;
  const contents: Record<string, string | Uint8Array> = { train: treebank, text: "Cats sleep.\n" };

  beforeAll(async () => {
    for (const [name, text] of Object.entries({ x: "x", lines: "x\n", comments: "#\n" })) {
      const member = gzipSync(text.repeat(2 ** 24 / text.length));
      contents[`${name}.gz`] = Buffer.concat(Array.from({ length: 2 ** 6 }, () => member));
    }
    folder = folderWith(contents);
    const files = ["--train", join(folder, "train"), "--model", join(folder, "model")];
    const quick = [
      ...settings({ preset: "linear", jackknife: 2, parser: { epochs: 1 } }),
      ...["--threads", "1"],
    ];
    expect(await start(["train", ...files, ...quick]).ended).toMatchObject({ code: 0 });
    contents.model = readFileSync(join(folder, "model"));
  }, 120_000);

  beforeEach(() => {
    folder = folderWith(contents);
  });

  // A word that begins with @ is the name of a file in the folder.
  test.each<[string, string, string]>([
    ["parse", "parse --model @model @x.gz", "parse --model @model @train"],
    ["parse", "parse --model @model @comments.gz", "parse --model @model @train"],
    ["parse of words", "parse --model @model --input vertical @lines.gz", "parse --model @model @train"],
    ["run", "run @model @x.gz", "run @model @text"],
    ["validate", "validate @x.gz", "validate @train"],
    ["evaluate", "evaluate @train @x.gz", "evaluate @train @train"],
  ])("ends %s with one line of message, and at most 150 MB more than another input", async (_, bad, good) => {
    const words = (line: string) => line.split(" ").map((word) => word.replace(/^@/, `${folder}/`));
    const [refused, normal] = [await measure(words(bad)), await measure(words(good))];
    expect(refused.code).toBe(1);
    // Words and lines that never end are refused before a model is loaded.
    if (bad.includes("@x.gz")) expect(refused.megabytes).toBeLessThan(150);
    expect(refused.text).toMatch(/gz:\d+: .*at most \d+/);
    expect(refused.megabytes).toBeLessThan(normal.megabytes + 150);
  });
});
