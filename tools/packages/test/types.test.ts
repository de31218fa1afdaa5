import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { compilerOf, ROOT, run } from "../project.ts";

const { folder, packages } = inject("project");

/** The lowest and the newest supported version. */
const VERSIONS = ["typescript-5.7", "typescript"].map(compilerOf);

const STRICT = {
  target: "ES2022",
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  noEmit: true,
};
const RESOLUTIONS = [
  { module: "nodenext", moduleResolution: "nodenext" },
  { module: "esnext", moduleResolution: "bundler" },
];
// A model is data, which has no types.
const modules = packages.flatMap((pkg) => pkg.modules).filter((name) => !name.endsWith(".model"));
const forBrowsers = modules.filter((name) => !/\/node(\/|$)|^@arcwise\/cli/.test(name));

/** Writes a module that imports others whole, so that all their declarations are checked. */
function writeImports(file: string, names: readonly string[]): void {
  const imports = names.map((name, i) => `import * as m${i} from "${name}";`);
  const used = `export const all = [${names.map((_, i) => `m${i}`).join(", ")}];`;
  writeFileSync(join(folder, file), [...imports, used, ""].join("\n"));
}

it("the lowest version is that of the README", () => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const [major, minor] = VERSIONS[0]!.version.split(".");
  expect(readme).toContain(`TypeScript ${major}.${minor} or later`);
});

describe.each(VERSIONS)("TypeScript $version", ({ program }) => {
  describe.each(RESOLUTIONS)("with resolution $moduleResolution", (resolution) => {
    function compile(name: string, files: readonly string[], more: object): string {
      const compilerOptions = { ...STRICT, ...resolution, ...more };
      writeFileSync(join(folder, `${name}.json`), JSON.stringify({ compilerOptions, files }));
      return run(process.execPath, [program, "-p", `${name}.json`], folder).output;
    }

    it("accepts the declarations of all modules in Node", () => {
      writeImports("all.ts", modules);
      expect(compile("node", ["all.ts"], { types: ["node"] })).toBe("");
    });

    it("accepts those for browsers without types of Node", () => {
      writeImports("browser.ts", forBrowsers);
      const options = { types: [], lib: ["ES2022", "DOM", "DOM.Iterable"] };
      expect(compile("browser", ["browser.ts", "page/train.ts", "page/parse.ts"], options)).toBe("");
    });
  });
});
