import { Visitor } from "oxc-parser";
import { isNamed, parsed } from "./syntax.ts";

/** One module that a file imports or re-exports from. */
export interface ImportOf {
  readonly specifier: string;
  /** The names that are imported; `*` for a namespace, a default import or a whole module. */
  readonly names: readonly string[];
}

/** Imports and uses of globals of a source file. */
export interface Inspection {
  readonly imports: readonly ImportOf[];
  /** Global names that are read, out of those requested, in order of appearance. */
  readonly globals: readonly string[];
  /** Whether `Math.random` is used: as a member, by its name in brackets, or by destructuring. */
  readonly usesMathRandom: boolean;
}

/**
 * Parses a TypeScript file and lists its imports (static, dynamic, re-exports, types) and the uses of the
 * given global names.
 *
 * @throws SyntaxError when the file does not parse, or has an import() of an expression outside of `src/node`
 */
export function inspect(path: string, text: string, globalNames: ReadonlySet<string>): Inspection {
  const { program, module } = parsed(path, text);
  const imports: ImportOf[] = module.staticImports.map(({ moduleRequest, entries }) => ({
    specifier: moduleRequest.value,
    names: entries.map((entry) => entry.importName.name ?? "*"),
  }));
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, importName } of entries) {
      if (moduleRequest !== null)
        imports.push({ specifier: moduleRequest.value, names: [importName.name ?? "*"] });
    }
  }
  const globals: string[] = [];
  let usesMathRandom = false;
  const names = new Set<object>();
  new Visitor({
    ImportExpression: ({ source }) => {
      if (source.type !== "Literal") {
        // Modules given by the user are loaded in `src/node`, and in `src/modules` by jobs.
        if (/^src\/(?:node|modules)\//.test(path)) return;
        throw new SyntaxError(`${path}: expected a literal as the argument of import()`);
      }
      imports.push({ specifier: String(source.value), names: ["*"] });
    },
    TSImportType: ({ source }) => {
      imports.push({ specifier: source.value, names: ["*"] });
    },
    MemberExpression: (node) => {
      const { object, property } = node;
      if (!node.computed) names.add(property);
      const name = property.type === "Literal" ? property.value : "name" in property ? property.name : "";
      if (isNamed(object, "Math") && name === "random") usesMathRandom = true;
    },
    Property: ({ key, computed }) => {
      if (!computed) names.add(key);
    },
    VariableDeclarator: ({ id, init }) => {
      if (init === null || !isNamed(init, "Math") || id.type !== "ObjectPattern") return;
      usesMathRandom ||= id.properties.some(
        (p) => p.type === "Property" && "name" in p.key && p.key.name === "random",
      );
    },
    Identifier: (node) => {
      if (globalNames.has(node.name) && !names.has(node)) globals.push(node.name);
    },
  }).visit(program);
  return { imports, globals, usesMathRandom };
}
