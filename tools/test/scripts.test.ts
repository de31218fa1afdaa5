import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { entriesOf } from "../exported-names.mjs";
import { inspect } from "../src/inspect.ts";
import { readWorkspace } from "../src/workspace.ts";

const root = join(import.meta.dirname, "../..");
const workspace = readWorkspace(root);

/** The source of each entry of the workspace, by the name of its module. */
const entries = new Map(
  workspace.flatMap(({ manifest, files }) =>
    entriesOf(manifest).map(([module, path]) => [
      module,
      files.find((file) => file.path === path)?.text ?? "",
    ]),
  ),
);

const scripts = [...workspace.map(({ folder }) => `${folder}/scripts`), "docs/examples"]
  .filter((folder) => existsSync(join(root, folder)))
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
  .filter((path) => path.endsWith(".mjs"));

/** Returns the source of a module of the workspace that a script imports; undefined for other modules. */
function sourceOf(specifier: string): string | undefined {
  if (specifier.startsWith("@arcwise/")) return entries.get(specifier) ?? "";
  const built = /^(?:\.\.\/)+(packages\/[\w-]+)\/dist\/(.*)\.js$/.exec(specifier);
  if (built === null) return undefined;
  return readFileSync(join(root, built[1]!, "src", `${built[2]}.ts`), "utf8");
}

test.each(scripts)("%s imports names that exist", (script) => {
  const { imports } = inspect(script, readFileSync(join(root, script), "utf8"), new Set());
  const missing = imports.flatMap(({ specifier, names }) => {
    const source = sourceOf(specifier);
    if (source === undefined) return [];
    return names
      .filter((name) => name !== "*" && !new RegExp(`\\b${name}\\b`).test(source))
      .map((name) => `${specifier}: ${name}`);
  });
  expect(missing).toEqual([]);
});
