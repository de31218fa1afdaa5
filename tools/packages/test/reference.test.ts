import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { documentedNames, type ExportedName, exportedNames } from "../../src/doc-rules.ts";
import { readWorkspace } from "../../src/workspace.ts";
import { ROOT, run } from "../project.ts";

const { folder } = inject("project");
const KINDS = ["functions", "variables", "classes", "interfaces", "types"];

it("the API reference has a page for every exported name", () => {
  const out = join(folder, "reference");
  const { status, output } = run(process.execPath, [join(ROOT, "tools/reference/generate.mjs"), out], ROOT);
  expect(status, output).toBe(0);
  const workspace = readWorkspace(ROOT);
  const names = exportedNames(workspace);
  expect(names.length).toBeGreaterThan(400);
  const pageOf = (module: string, name: string) => `${module.replaceAll(/[^\w.-]/g, "_")}.${name}.html`;
  // What arcwise exports has its page there.
  const first = new Map(
    documentedNames(workspace, "arcwise").map(({ module, name }) => [name, pageOf(module, name)]),
  );
  const hasPage = ({ module, name }: ExportedName) =>
    [pageOf(module, name), first.get(name)].some(
      (page) => page !== undefined && KINDS.some((kind) => existsSync(join(out, kind, page))),
    );
  const packageOf = ({ module }: ExportedName) => module.split("/").slice(0, 2).join("/");
  // What two modules of a package export has one page, under one of them.
  const pages = new Set(names.filter(hasPage).map((one) => `${packageOf(one)} ${one.file} ${one.declared}`));
  const isMissing = (one: ExportedName) => !pages.has(`${packageOf(one)} ${one.file} ${one.declared}`);
  expect(names.filter(isMissing)).toEqual([]);
});
