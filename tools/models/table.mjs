import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readRecipe, recipeNames } from "./recipe.mjs";

/**
 * Writes the rows of a table of results for the packages that exist, by their `figures.json`; rows of other packages
 * stay as they are. A package has a row for each of its treebanks.
 *
 * @param {string} file the table: JSON with `rows`
 * @param {(name: string) => string} folderOf the folder of the package of a recipe
 */
export function writeTable(file, folderOf) {
  const table = JSON.parse(readFileSync(file, "utf8"));
  const rows = recipeNames().flatMap((name) => {
    const { package: packageName } = readRecipe(name);
    const figures = join(folderOf(name), "figures.json");
    if (!existsSync(figures)) return table.rows.filter(([first]) => first === `\`${packageName}\``);
    const { treebanks } = JSON.parse(readFileSync(figures, "utf8"));
    const size = `${(packedSize(folderOf(name)) / 1e6).toFixed(1)} MB`;
    return treebanks.map((treebank) => [`\`${packageName}\``, ...rowOf(treebank, size)]);
  });
  writeFileSync(file, `${JSON.stringify({ ...table, rows }, undefined, 2)}\n`);
}

function rowOf({ name, version, sentences, figures, wordsPerSecond }, size) {
  const [{ Words, Sentences, UPOS, LAS }] = figures;
  const scores = [Words, Sentences, UPOS, LAS].map((score) => score.toFixed(2));
  const train = sentences.train.toLocaleString("en");
  return [`${name} ${version}`, train, size, ...scores, wordsPerSecond.toLocaleString("en")];
}

/** Returns the bytes of the tarball of a package. */
function packedSize(folder) {
  const options = { cwd: folder, encoding: "utf8", shell: process.platform === "win32" };
  const { status, stdout, stderr } = spawnSync("npm", ["pack", "--dry-run", "--json"], options);
  if (status !== 0) throw new Error(`npm pack: ${stderr}`);
  return JSON.parse(stdout)[0].size;
}
