/**
 * Counts the names that the entries of published packages export.
 *
 *     node tools/exported-names.mjs [--names]
 *
 * Prints a line per entry and the sum; with `--names`, the names as well. Names of other packages that an entry
 * hands on are not counted.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * A name that a module exports.
 *
 * @typedef {object} ExportedName
 * @property {string} name
 * @property {string} file the file that declares it, from the folder of its package
 * @property {string} declared its name there
 */

const EXPORT_FROM = /^export (?:type )?\{([^}]*)\} from "([^"]+)";$/gm;
const DECLARATION = /^export (?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm;

/**
 * Returns the entry of each module of a package: the path of its source by the name of the module.
 *
 * @param {{ readonly name?: string, readonly exports?: Readonly<Record<string, unknown>> }} manifest
 * @returns {[module: string, path: string][]}
 */
export function entriesOf({ name, exports = {} }) {
  return Object.keys(exports).map((subpath) => [
    `${name}${subpath.slice(1)}`,
    subpath === "." ? "src/index.ts" : `src/${subpath.slice(2)}/index.ts`,
  ]);
}

/**
 * Returns the names that an entry exports, names of other packages left out.
 *
 * @param {string} path the path of the entry, from the folder of its package
 * @param {string} text its source
 * @returns {ExportedName[]}
 */
export function namesOf(path, text) {
  const listed = [...text.matchAll(EXPORT_FROM)]
    .filter(([, , source]) => source.startsWith("."))
    .flatMap(([, names, source]) => {
      const file = posix.join(posix.dirname(path), source);
      const entries = names.split(",").map((entry) => entry.trim().replace(/^type /, ""));
      return entries
        .filter((entry) => entry !== "")
        .map((entry) => {
          const [declared, name = declared] = entry.split(" as ");
          return { name, file, declared };
        });
    });
  const own = [...text.matchAll(DECLARATION)].map(([, name]) => ({ name, file: path, declared: name }));
  return [...listed, ...own];
}

/** Prints the counts of all published packages of a repository. */
function main(root, withNames) {
  let sum = 0;
  const folders = ["packages", "apps"].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(root, group, name)),
  );
  for (const at of folders) {
    const manifest = JSON.parse(readFileSync(join(at, "package.json"), "utf8"));
    // Packages of models have no sources.
    if (manifest.private === true || !existsSync(join(at, "src"))) continue;
    for (const [module, path] of entriesOf(manifest)) {
      const names = namesOf(path, readFileSync(join(at, path), "utf8")).map(({ name }) => name);
      sum += names.length;
      console.log(`${String(names.length).padStart(4)}  ${module}`);
      if (withNames) console.log(`      ${names.sort().join(", ")}`);
    }
  }
  console.log(`${String(sum).padStart(4)}  in all`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main(fileURLToPath(new URL("..", import.meta.url)), process.argv.includes("--names"));
}
