/**
 * Joins the modules of the package in the current directory into one file an entry, and files of what entries
 * share: `dist/index.js`, `dist/node/index.js`, and so on, with source maps. Node needs more time to find and
 * link five hundred modules than to read them. Removes what an earlier build left in `dist`; `tsc` adds the
 * declarations, a file a module.
 *
 *     node ../../tools/package-modules.mjs [--whole]
 *
 * Entries are the exports of its `package.json`, the modules that a module starts as a thread by
 * `new URL("./NAME-worker.js", import.meta.url)`, and `NAME-jobs.ts`, from which threads import jobs. With `--whole` the
 * modules of all other packages of the repository are joined as well, without white space and source maps.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { argv } from "node:process";
import { parseSync } from "oxc-parser";
import { rolldown } from "rolldown";

const SOURCES = "src";
/** The mark of a call without side effects. */
const PURE = "/* @__PURE__ */ ";
/** Names stay, for traces of errors. */
const SMALLER = { compress: false, mangle: false };
const manifest = JSON.parse(readFileSync("package.json", "utf8"));

/** The modules of exports. */
const exported = Object.values(manifest.exports).flatMap((entry) => entry["@arcwise/source"] ?? []);
const whole = argv.includes("--whole");
/** The packages of the repository that are joined, but this one. */
const joined = whole ? packagesBelow({ dependencies: manifest.devDependencies }) : [];
const input = Object.fromEntries([
  ...[...exported.map((file) => relative(SOURCES, file)), ...threadsOf(SOURCES)].map((file) => [
    file.replace(whole ? /(?:\/index)?\.ts$/ : /\.ts$/, ""),
    join(SOURCES, file),
  ]),
  // A thread is looked for next to the file that starts it: with all packages, in one folder.
  ...joined.flatMap((folder) =>
    threadsOf(`${folder}/${SOURCES}`).map((file) => [basename(file, ".ts"), join(folder, SOURCES, file)]),
  ),
]);

/** Returns the modules of a folder that run as threads. */
function threadsOf(folder) {
  return readdirSync(folder, { recursive: true }).filter((file) => /-(?:worker|jobs)\.ts$/.test(file));
}

/** Returns the folders of the packages of the repository that a package depends on, in steps as well. */
function packagesBelow({ dependencies = {} }, folders = new Set()) {
  for (const name of Object.keys(dependencies).filter((name) => name.startsWith("@arcwise/"))) {
    const folder = ["../../packages", "../../apps"]
      .map((group) => `${group}/${name.split("/")[1]}`)
      .find((folder) => existsSync(`${folder}/${SOURCES}`));
    if (folder === undefined || folders.has(folder)) continue;
    folders.add(folder);
    packagesBelow(JSON.parse(readFileSync(`${folder}/package.json`, "utf8")), folders);
  }
  return [...folders];
}

rmSync("dist", { recursive: true, force: true });
const bundle = await rolldown({
  input,
  external: whole ? /^(?!@arcwise\/)[^./]/ : /^[^./]/,
  platform: "neutral",
  resolve: { conditionNames: ["@arcwise/source", "import", "default"] },
  plugins: [{ name: "pure-constants", transform: withPureConstants }],
});
const { output } = await bundle.write({
  dir: "dist",
  format: "esm",
  sourcemap: !whole,
  minify: whole && SMALLER,
  chunkFileNames: "[name].js",
});
await bundle.close();

/** A thread is looked for next to the file that starts it. */
for (const { fileName, code } of output.filter(({ type }) => type === "chunk")) {
  for (const [, thread] of code.matchAll(/new URL\("\.\/([\w-]+\.js)", ?import\.meta\.url\)/g)) {
    const neighbour = join(dirname(fileName), thread);
    if (!output.some((file) => file.fileName === neighbour))
      throw new Error(`${manifest.name}: ${basename(fileName)} starts ${thread}, which is not next to it`);
  }
}

/**
 * Marks what makes the constants of a module as free of side effects, which `sideEffects: false` of package.json
 * promises of whole modules: bundlers then leave out the constants that nobody uses, although modules are joined.
 *
 * @param {string} code
 * @param {string} file
 */
function withPureConstants(code, file) {
  if (!file.endsWith(".ts")) return null;
  /** Texts to insert, by offset. */
  const inserted = new Map();
  for (const statement of parseSync(file, code).program.body) {
    const { declarations = [] } = statement.declaration ?? statement;
    for (const { init } of declarations) {
      const { calls, readsMembers } = evaluated(init);
      for (const start of calls) inserted.set(start, PURE);
      // Bundlers know of no mark for reading a member or spreading a list, which might call anything.
      if (!readsMembers) continue;
      inserted.set(init.start, `${PURE}(() => (${inserted.get(init.start) ?? ""}`);
      inserted.set(init.end, "))()");
    }
  }
  let made = "";
  let from = 0;
  for (const [at, text] of [...inserted].sort(([a], [b]) => a - b)) {
    made += code.slice(from, at) + text;
    from = at;
  }
  return { code: made + code.slice(from), map: null };
}

/**
 * Returns the offsets of the calls that are made when an expression is evaluated, and whether members are read or lists
 * spread: functions are left out.
 */
function evaluated(node, found = { calls: [], readsMembers: false }) {
  if (typeof node !== "object" || node === null || /Function|^Class|^TS.*Type/.test(node.type ?? ""))
    return found;
  if (node.type === "CallExpression" || node.type === "NewExpression") found.calls.push(node.start);
  if (node.type === "MemberExpression" || node.type === "SpreadElement") found.readsMembers = true;
  for (const child of Object.values(node)) evaluated(child, found);
  return found;
}
