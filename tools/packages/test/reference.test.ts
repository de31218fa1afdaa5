import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { exportedNames } from "../../src/doc-rules.ts";
import { readWorkspace } from "../../src/workspace.ts";
import { ROOT, run } from "../project.ts";

const { folder } = inject("project");
const KINDS = ["functions", "variables", "classes", "interfaces", "types"];

it("the API reference has a page for every exported name", () => {
  const out = join(folder, "reference");
  const { status, output } = run(process.execPath, [join(ROOT, "tools/reference/generate.mjs"), out], ROOT);
  expect(status, output).toBe(0);
  const names = exportedNames(readWorkspace(ROOT));
  expect(names.length).toBeGreaterThan(800);
  const missing = names.filter(({ module, name }) => {
    const page = `${module.replaceAll(/[^\w.-]/g, "_")}.${name}.html`;
    return !KINDS.some((kind) => existsSync(join(out, kind, page)));
  });
  expect(missing).toEqual([]);
});
