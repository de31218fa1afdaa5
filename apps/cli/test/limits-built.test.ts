// @module-tag slow
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { built, builtIn } from "./program.ts";
import { settings, treebank } from "./support.ts";

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

/** Runs a command line in a folder; returns its exit code, its message and its memory in megabytes. */
async function measure({ start }: ReturnType<typeof builtIn>, line: string) {
  const { child, ended } = start(line, [], {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(REPORT)}`,
  });
  child.stdin?.end();
  const { code, err, out } = await ended;
  const memory = Math.max(...[...err.matchAll(/^memory (\d+)$/gm)].map(([, size]) => Number(size)));
  return { code, text: out + err, megabytes: memory / 1024 };
}

describe.skipIf(!built)("a gigabyte in a megabyte of gzip data (skipped before npm run build)", () => {
  const contents: Record<string, string | Uint8Array> = { train: treebank, text: "Cats sleep.\n" };

  beforeAll(async () => {
    for (const [name, text] of Object.entries({ x: "x", lines: "x\n", comments: "#\n" })) {
      const member = gzipSync(text.repeat(2 ** 24 / text.length));
      contents[`${name}.gz`] = Buffer.concat(Array.from({ length: 2 ** 6 }, () => member));
    }
    const { run, bytes } = builtIn(contents);
    const quick = settings({ preset: "linear", jackknife: 2, parser: { epochs: 1 } });
    const train = "train --train @train --model @model --threads 1";
    expect(await run(train, ...quick)).toMatchObject({ code: 0 });
    contents.model = bytes("model");
  }, 120_000);

  test.each<[string, string, string]>([
    ["parse", "parse --model @model @x.gz", "parse --model @model @train"],
    ["parse", "parse --model @model @comments.gz", "parse --model @model @train"],
    ["parse of words", "parse --model @model --input vertical @lines.gz", "parse --model @model @train"],
    ["run", "run @model @x.gz", "run @model @text"],
    ["validate", "validate @x.gz", "validate @train"],
    ["evaluate", "evaluate @train @x.gz", "evaluate @train @train"],
  ])("ends %s with one line of message, and at most 150 MB more than another input", async (_, bad, good) => {
    const at = builtIn(contents);
    const [refused, normal] = [await measure(at, bad), await measure(at, good)];
    expect(refused.code).toBe(1);
    // Words and lines that never end are refused before a model is loaded.
    if (bad.includes("@x.gz")) expect(refused.megabytes).toBeLessThan(150);
    expect(refused.text).toMatch(/gz:\d+: .*at most \d+/);
    expect(refused.megabytes).toBeLessThan(normal.megabytes + 150);
  });
});
