import { readFileSync } from "node:fs";
import * as core from "@arcwise/core";
import * as decodeMst from "@arcwise/decode-mst";
import { expect, it } from "vitest";

it("the first example of the repository's README prints what it says", () => {
  const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
  const code = /```ts\n(.*?)```/s.exec(readme)![1]!;
  const body = code
    .replace(/^import (\{.*\}) from "@arcwise\/core";$/m, "const $1 = core;")
    .replace(/^import (\{.*\}) from "@arcwise\/decode-mst";$/m, "const $1 = decodeMst;");
  const printed: string[] = [];
  const log = (...values: unknown[]) => printed.push(values.join(" "));
  new Function("core", "decodeMst", "console", body)(core, decodeMst, { log });
  const promised = [...code.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map((match) => match[1]);
  expect(promised).toHaveLength(1);
  expect(printed).toEqual(promised);
});
