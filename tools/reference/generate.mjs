/**
 * Writes the API reference of all published packages to reports/reference, from their doc comments.
 *
 *     npm run reference
 *
 * The modules are those of the `exports` of each package.json, read from their sources.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Application, Converter } from "typedoc";

const root = fileURLToPath(new URL("../..", import.meta.url));
const out = process.argv[2] ?? join(root, "reports", "reference");

/**
 * Returns the source files of the modules of all published packages, the modules of `arcwise` first. A name has its
 * page under the first module that exports it.
 */
function entryPoints() {
  const folders = ["packages", "apps"].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(root, group, name)),
  );
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
  titleLink: "../index.html",
  navigationLinks: {
    Guide: "../guide/first-steps.html",
    Choosing: "../choosing.html",
    Reference: "../reference/index.html",
    Results: "../results/index.html",
    Explanation: "../explanation/parsing.html",
  },
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
const project = await app.convert();
if (project === undefined || app.logger.hasErrors()) process.exitCode = 1;
else await app.generateDocs(project, out);
if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exitCode = 1;
