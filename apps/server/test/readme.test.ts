// @module-tag slow
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

// Inside of the package, whose name the example imports.
const folder = mkdtempSync(fileURLToPath(new URL(".example-", import.meta.url)));
afterAll(() => rmSync(folder, { recursive: true }));

/** Threads run what is built. */
const built = existsSync(new URL("../dist", import.meta.url));

test.skipIf(!built)("the example of the README prints what it says (skipped before npm run build)", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const code = readme.split("```js\n")[1]!.split("```")[0]!;
  const said = code.split("\n").flatMap((line) => /^console\.log\(.*\); \/\/ (.+)$/.exec(line)?.[1] ?? []);
  const file = `${folder}/example.mjs`;
  writeFileSync(file, code);
  const printed = execFileSync(process.execPath, [file], { encoding: "utf8" }).split("\n");
  // The other lines are the log of the server.
  expect(printed.filter((line) => line !== "" && !line.startsWith("{"))).toEqual(said);
  expect(said).toHaveLength(1);
});
