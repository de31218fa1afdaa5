import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript-5.7";
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
const forBrowsers = modules.filter((name) => !/\/node(\/|$)/.test(name));

/** Returns a function that asks the language service what an editor shows of the last use of a name in a module. */
function hovers(text: string): (name: string) => { readonly type: string; readonly text: string } {
  const file = join(folder, "hover.ts");
  writeFileSync(file, text);
  const service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) => {
      const content = ts.sys.readFile(path);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => folder,
    getCompilationSettings: () => ({
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      strict: true,
    }),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  return (name) => {
    const info = service.getQuickInfoAtPosition(file, text.lastIndexOf(`${name}:`));
    return {
      type: ts.displayPartsToString(info?.displayParts),
      text: ts.displayPartsToString(info?.documentation),
    };
  };
}

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
      expect(
        compile("browser", ["browser.ts", "page/train.ts", "page/parse.ts", "page/encode.ts"], options),
      ).toBe("");
    });
  });
});

describe("options in an editor", () => {
  const shown = hovers(`import type { DrawOptions } from "@arcwise/draw";
const drawing: DrawOptions = { width: 5, layout: "tree", isStandalone: false };
export { drawing };`);

  it.each([
    ["width", "Default: no limit."],
    ["layout", 'Default: "arcs".'],
    ["isStandalone", "Default: true."],
  ])("%s has its help and its default", (name, standard) => {
    const { type, text } = shown(name);
    expect(type).toMatch(new RegExp(`^\\(property\\) ${name}\\?: `));
    expect(text).toMatch(/^[A-Z]\w+ /);
    expect(text.endsWith(standard)).toBe(true);
  });
});
