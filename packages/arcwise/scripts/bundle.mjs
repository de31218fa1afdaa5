/**
 * Completes `dist` to a package that needs no other package of the repository: `dist/types` has the declarations of what
 * `arcwise` exports, `dist/arcwise.min.js` is one ES module without imports, for pages without a bundler, and `program`
 * is the command of apps/cli.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** A module that a declaration imports or exports from. */
const SPECIFIER = /(from |import\()"([^"]+)"/g;
/** Copies of declarations, by their original. */
const copies = new Map();

for (const entry of ["index", "node/index"])
  copyImports(here(`dist/${entry}.d.ts`), here(`dist/${entry}.d.ts`));

/** Writes a declaration to a file, with what it imports of the repository next to it. */
function copyImports(original, copy) {
  const text = readFileSync(original, "utf8").replace(SPECIFIER, (all, before, specifier) => {
    const imported = declarationOf(specifier, original);
    if (imported === undefined) return all;
    const path = relative(dirname(copy), copyOf(imported))
      .replaceAll("\\", "/")
      .replace(/d\.ts$/, "js");
    return `${before}"${path.startsWith(".") ? path : `./${path}`}"`;
  });
  mkdirSync(dirname(copy), { recursive: true });
  writeFileSync(copy, text.replace(/^\/\/# sourceMappingURL=.*\n?/m, ""));
}

/** Returns the declaration that a specifier means; undefined for packages of others and built-in modules. */
function declarationOf(specifier, from) {
  if (specifier.startsWith(".")) return join(dirname(from), specifier.replace(/(?:\.d)?\.[jt]s$/, ".d.ts"));
  if (!specifier.startsWith("@arcwise/")) return undefined;
  const [, name] = specifier.split("/");
  const manifest = createRequire(here("package.json")).resolve(`../${name}/package.json`);
  const { exports } = JSON.parse(readFileSync(manifest, "utf8"));
  return join(dirname(manifest), exports[specifier.replace(`@arcwise/${name}`, ".")].types);
}

function copyOf(original) {
  const known = copies.get(original);
  if (known !== undefined) return known;
  const copy = here(`dist/types/${relative(here(".."), original).replace(/[\\/]dist[\\/]/, "/")}`);
  copies.set(original, copy);
  copyImports(original, copy);
  return copy;
}

const bundle = await rolldown({
  input: here("src/index.ts"),
  platform: "browser",
  resolve: { conditionNames: ["@arcwise/source", "import", "default"] },
});
const { output } = await bundle.write({ file: here("dist/arcwise.min.js"), format: "esm", minify: true });
await bundle.close();
if (output.length !== 1 || output[0].imports.length > 0)
  throw new Error(`expected one file without imports, found ${output.map(({ fileName }) => fileName)}`);

rmSync(here("program"), { recursive: true, force: true });
cpSync(here("../../apps/cli/program"), here("program"), { recursive: true });
cpSync(here("../../apps/cli/bin/arcwise.js"), here("program/arcwise.js"));
