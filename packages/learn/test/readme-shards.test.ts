import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const built = existsSync(new URL("../dist/index.js", import.meta.url));

// Threads run what was built: `npm test` builds first.
it.skipIf(!built)("the example of threads in docs/distributed.md runs and prints what it says", async () => {
  const readme = readFileSync(new URL("../docs/distributed.md", import.meta.url), "utf8");
  const files = [...readme.matchAll(/```js\n\/\/ ([\w-]+\.mjs)\n(.*?)```\n/gs)];
  expect(files.map(([, name]) => name)).toEqual(["circle-jobs.mjs", "train.mjs"]);
  // In the package, where its name leads to what was built.
  const folder = mkdtempSync(fileURLToPath(new URL("../dist/example-", import.meta.url)));
  try {
    for (const [, name, text] of files) writeFileSync(join(folder, name!), text!);
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "train.mjs")]);
    expect(readme).toContain(`\`\`\`text\n${stdout}\`\`\`\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
