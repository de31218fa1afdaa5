/**
 * Writes the API reference of all published packages to reports/reference, from their doc comments.
 *
 *     npm run reference
 *
 * The modules are the entries of `exports` of each package.json, read from their sources.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Application, Comment, Converter, ReflectionKind } from "typedoc";
import ts from "typescript";
import { optionText } from "../document-options.mjs";
import { packageFolders } from "../package-folders.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const out = process.argv[2] ?? join(root, "reports", "reference");

/**
 * Returns the source files of the modules of all published packages, the modules of `arcwise` first. A name has its
 * page under the first module that exports it.
 */
function entryPoints() {
  const folders = packageFolders(root).map((folder) => join(root, folder));
  const entries = folders.flatMap((folder) => {
    const { name, private: isPrivate, exports } = manifestIn(folder);
    // Packages of models have no sources.
    if (isPrivate === true || !existsSync(join(folder, "src"))) return [];
    return Object.values(exports).map((target) => ({ name, file: join(folder, target["@arcwise/source"]) }));
  });
  const isFirst = ({ name }) => name === "arcwise";
  return [...entries.filter(isFirst), ...entries.filter((entry) => !isFirst(entry))].map(({ file }) => file);
}

function manifestIn(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

const app = await Application.bootstrap({
  name: "Arcwise",
  entryPoints: entryPoints(),
  basePath: root,
  tsconfig: join(root, "tsconfig.json"),
  out,
  readme: "none",
  sortEntryPoints: false,
  groupOrder: ["Functions", "Classes", "Interfaces", "Type Aliases", "Variables", "References"],
  // The design and the links of the site, of which these pages are a part.
  customCss: join(root, "tools", "reference", "style.css"),
  customJs: join(root, "tools", "reference", "theme.js"),
  favicon: join(root, "docs", "public", "favicon.svg"),
  // These links stand in pages of folders at different depths.
  titleLink: "/index.html",
  navigationLinks: {
    Guide: "/guide/first-steps.html",
    Choosing: "/guide/choosing.html",
    Reference: "/reference/index.html",
    Results: "/results/index.html",
    Explanation: "/explanation/parsing.html",
  },
  // The links of classes to this page lead to anchors that a script makes.
  includeHierarchySummary: false,
  disableSources: true,
  excludePrivate: true,
  hideGenerator: true,
  // Types are checked by the compiler of the repository.
  skipErrorChecking: true,
  validation: { invalidLink: true, notExported: false },
});
// A module has the name by which it is imported, not the folder of its source.
app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
  for (const module of project.children ?? []) {
    module.name = module.name.replace(
      /^((?:packages|apps)\/[^/]+)\/src/,
      (_, folder) => manifestIn(join(root, folder)).name,
    );
  }
});
// An option has the help and the default of its row, and what the comment of the row adds.
app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
  if (!reflection.kindOf(ReflectionKind.Property)) return;
  const row = rowOf(context.getSymbolFromReflection(reflection)?.declarations?.[0], context.checker);
  const help = row && textOf(memberOf(row, "help"));
  if (help === undefined) return;
  const standard = textOf(memberOf(row, "defaultHelp")) ?? memberOf(row, "default")?.getText();
  const more = Comment.combineDisplayParts(reflection.comment?.summary ?? []);
  delete reflection.defaultValue;
  reflection.comment = new Comment([{ kind: "text", text: optionText({ help, more, standard }) }]);
});

/** Returns the object literal of a declaration, or of the constant that it names; undefined for others. */
function rowOf(declaration, checker) {
  let node = declaration?.initializer;
  while (node !== undefined && (ts.isAsExpression(node) || ts.isParenthesizedExpression(node)))
    node = node.expression;
  if (node === undefined || ts.isObjectLiteralExpression(node)) return node;
  let symbol = checker.getSymbolAtLocation(node);
  if (symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  const target = symbol?.valueDeclaration;
  return target === undefined || target === declaration ? undefined : rowOf(target, checker);
}

function memberOf(row, name) {
  return row.properties.find((member) => ts.isPropertyAssignment(member) && member.name.getText() === name)
    ?.initializer;
}

/** Returns the text of literals; undefined for other expressions. */
function textOf(node) {
  if (node === undefined) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isBinaryExpression(node)) return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined || right === undefined ? undefined : left + right;
}

const project = await app.convert();
if (project === undefined || app.logger.hasErrors()) process.exitCode = 1;
else await app.generateDocs(project, out);
if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exitCode = 1;
