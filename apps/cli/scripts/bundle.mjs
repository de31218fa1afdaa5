/**
 * Joins the modules of the command and of the other packages into a few files in `program`: what
 * `bin/arcwise.js` and its threads run. Node needs a third of a second to find and link five hundred modules,
 * which is more than a small file takes to parse. `dist` keeps what other packages import.
 *
 * All files lie in one folder, since threads are started by `new URL("./FILE.js", import.meta.url)`; that
 * folder lies next to `dist`, since the version is read from `../package.json`.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const program = here("program");
const packages = here("../../packages");
/** The modules from which threads import jobs, by name: see `Job` of packages/jobs. */
const jobs = readdirSync(packages)
  .flatMap((name) => filesOf(`${packages}/${name}/src`))
  .filter((file) => file.endsWith("-jobs.ts"));

/** Returns all files of a folder and the folders in it; none if there is no such folder. */
function filesOf(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true }).map((file) => `${folder}/${file}`);
}

rmSync(program, { recursive: true, force: true });
const bundle = await rolldown({
  input: {
    main: here("src/main.ts"),
    "command-thread": here("src/command-thread.ts"),
    "job-worker": `${packages}/jobs/src/node/job-worker.ts`,
    ...Object.fromEntries(jobs.map((file) => [basename(file, ".ts"), file])),
  },
  platform: "node",
  // Packages that are installed by those who use them, and that apps/cli/src/modules imports.
  external: ["commander", "cli-progress", /^@arcwise\/(?:cluster|encoder-onnx|server)/],
  resolve: { conditionNames: ["@arcwise/source", "node", "import", "default"] },
});
/** What the main thread needs of a pipeline that runs in other threads: it loads no model. */
const CONNECTION =
  /tokenize\/src\/conllu\.ts|pipeline\/src\/(?:analysis-output|elsewhere|input-counts|inputs|model-parts|remote|run-options|runner|node\/(?:model-names|open|pipeline-jobs|published-models))\.ts$/;
const { output } = await bundle.write({
  dir: program,
  format: "esm",
  chunkFileNames: "[name].js",
  // Names stay, for traces of errors.
  minify: { compress: false, mangle: false },
  advancedChunks: {
    includeDependenciesRecursively: false,
    groups: [
      { name: "connection", test: CONNECTION },
      { name: "foundation", test: /core\/src\/(?:container|encoders|errors|messages|node|options)\// },
    ],
  },
});
await bundle.close();
for (const file of ["connection.js", "foundation.js"]) refuseCycles(output, file);

/** @throws Error when a file imports itself by way of others: what they need of it would not be there yet */
function refuseCycles(chunks, file) {
  const importsOf = new Map(chunks.map(({ fileName, imports }) => [fileName, imports]));
  const seen = new Set();
  const visit = (name, path) => {
    if (name === file && path.length > 0) {
      const cycle = [...path, name].join(", ");
      throw new Error(
        `program: expected no cycle of imports, found ${cycle}; put their modules into one group`,
      );
    }
    if (seen.has(name)) return;
    seen.add(name);
    for (const one of importsOf.get(name) ?? []) visit(one, [...path, name]);
  };
  visit(file, []);
}

/** The modules that a file names for threads to run; paths with placeholders are of texts. */
const THREADS = /new URL\("\.\/([^"$]*)"/g;
/** An import of the file of a thread. */
const STARTED = /from ?"\.\/([\w-]+-(?:worker|thread)\.js)"/g;
for (const file of readdirSync(program).filter((name) => name.endsWith(".js"))) {
  const code = readFileSync(`${program}/${file}`, "utf8");
  for (const [, thread] of code.matchAll(STARTED))
    throw new Error(`${file} imports ${thread}, which would begin its work: keep what both need in a group`);
  for (const [, thread] of code.matchAll(THREADS)) {
    if (!existsSync(`${program}/${thread}`))
      throw new Error(`${file} starts ${thread}, which is not bundled`);
  }
}
