/**
 * Measures the bundles that the READMEs state: minified by rolldown for browsers, and compressed by gzip at
 * level 9.
 *
 *     node tools/bundle-sizes.mjs [--write] [--root DIRECTORY]
 *
 * The rows are the rows of tables with the columns `imports`, `minified` and `gzipped`: names of modules, or files that are
 * built, `NAME` of `dist/FOLDER` next to the document, with what they import; `*` stands for all. Without `--write`, a
 * figure that is more than 5 % away from the measured one is an error; with it, the figures are replaced.
 * Reads the packages as they are published: build them first.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { packageFolders } from "./package-folders.mjs";

const workspace = fileURLToPath(new URL("..", import.meta.url));
/** The benchmark depends on all packages: imports are resolved from there. */
const ENTRY = join(workspace, "apps/bench/bundle-entry.js");
/** A figure may be wrong by 5 % or, since figures are rounded, by 0.1 kB. */
const tolerance = (size) => Math.max(0.1, 0.05 * size);

const HEADER = /^\| imports \| minified \| gzipped \|\n\|[-:| ]+\|\n((?:\|.*\|\n)+)/gm;
const ROW = /^\| (.*) \| ([\d.]+) kB \| ([\d.]+) kB \|$/;

/** What a row says of files that are built: their names without hashes, and their folder. */
const BUILT = /^(`.+`) of `(dist(?:\/[^`]+)?)`$/;
const IMPORTED = /(?:from|import)[`'"]\.\/([^`'"]+)[`'"]/g;

/** Returns the module of a row: `a`, `b` of `MODULE`, `c` of `OTHER`. */
function moduleOf(imports) {
  const statements = [];
  let names = [];
  for (const [, word] of imports.matchAll(/`([^`]+)`/g)) {
    if (word.startsWith("@")) {
      statements.push(`export { ${names.join(", ")} } from "${word}";`);
      names = [];
    } else names.push(word);
  }
  if (statements.length === 0 || names.length > 0) {
    throw new Error(`expected "\`name\` of \`module\`" in a table of bundles, found "${imports}"`);
  }
  return statements.join("\n");
}

/** Returns the sizes of a bundle of the module, in kB of 1000 bytes. */
async function measure(source) {
  const bundle = await rolldown({
    input: ENTRY,
    cwd: workspace,
    platform: "browser",
    resolve: { conditionNames: ["import", "default"] },
    plugins: [{ name: "entry", load: (id) => (id === ENTRY ? source : null), resolveId: entryOnly }],
  });
  const { output } = await bundle.generate({ format: "esm", minify: true });
  await bundle.close();
  if (output.length !== 1) throw new Error(`expected one file, found ${output.length}: ${source}`);
  const { code } = output[0];
  return [code.length, gzipSync(code, { level: 9 }).length].map((bytes) => bytes / 1000);
}

/** Returns the sizes of scripts and style sheets of a folder and of what they import, each compressed alone, in kB. */
function measureFiles(names, folder) {
  const built = readdirSync(folder).filter((file) => /\.(js|css)$/.test(file));
  const files = new Set();
  for (const name of names) {
    const found = built.filter((file) => name === "*" || file === name || file.startsWith(`${name}-`));
    if (found.length === 0) throw new Error(`expected a file "${name}" in ${folder}, found none`);
    for (const file of found) files.add(file);
  }
  const sizes = [0, 0];
  for (const file of files) {
    const code = readFileSync(join(folder, file), "utf8");
    for (const [, imported] of code.matchAll(IMPORTED)) files.add(imported);
    sizes[0] += Buffer.byteLength(code) / 1000;
    sizes[1] += gzipSync(code, { level: 9 }).length / 1000;
  }
  return sizes;
}

function entryOnly(id) {
  return id === ENTRY ? id : null;
}

/** Returns a row with measured figures, and whether the stated ones are within the tolerance. */
async function checkRow(row, folder) {
  const [, imports, ...stated] = ROW.exec(row) ?? [];
  if (imports === undefined) throw new Error(`expected "| imports | N kB | N kB |", found "${row}"`);
  const [, names, built] = BUILT.exec(imports) ?? [];
  const measured =
    built === undefined
      ? await measure(moduleOf(imports))
      : measureFiles(
          Array.from(names.matchAll(/`([^`]+)`/g), ([, name]) => name),
          join(folder, built),
        );
  const fits = measured.every((size, i) => Math.abs(size - Number(stated[i])) <= tolerance(size));
  const [minified, gzipped] = measured.map((size) => size.toFixed(1));
  return { row: `| ${imports} | ${minified} kB | ${gzipped} kB |`, fits };
}

/** Checks the tables of a document in a folder. Returns the number of rows, the wrong ones, and the corrected text. */
async function checkDocument(text, folder) {
  const wrong = [];
  let rows = 0;
  let corrected = text;
  for (const [, body] of text.matchAll(HEADER)) {
    for (const stated of body.trimEnd().split("\n")) {
      const { row, fits } = await checkRow(stated, folder);
      rows++;
      if (!fits) wrong.push({ stated, row });
      corrected = corrected.replace(stated, row);
    }
  }
  return { rows, wrong, corrected };
}

const { values } = parseArgs({ options: { root: { type: "string" }, write: { type: "boolean" } } });
const root = resolve(values.root ?? workspace);
let count = 0;
try {
  for (const folder of ["", ...packageFolders(root)]) {
    const path = posix.join(folder, "README.md");
    if (!existsSync(join(root, path))) continue;
    const text = readFileSync(join(root, path), "utf8");
    const { rows, wrong, corrected } = await checkDocument(text, join(root, folder));
    count += rows;
    if (values.write && corrected !== text) writeFileSync(join(root, path), corrected);
    if (values.write) continue;
    for (const { stated, row } of wrong)
      console.error(`${path}: stated   ${stated}\n${path}: measured ${row}`);
    if (wrong.length > 0) process.exitCode = 1;
  }
  console.log(`${count} bundles measured`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
