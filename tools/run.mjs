/**
 * Runs the scripts of the root package.json. Each installs and builds what it needs first.
 *
 * - `node tools/run.mjs start [TEXT]`: parses English, and shows how right the trees of real sentences are
 * - `node tools/run.mjs test`: lints, type-checks and tests
 * - `node tools/run.mjs packages`: packs what would be published, installs it elsewhere, tests it there
 * - `node tools/run.mjs ci`: `test`, then `packages`; ends with the counts of both
 * - `node tools/run.mjs build`
 * - `node tools/run.mjs bench -- ARGS`: runs the benchmark
 * - `node tools/run.mjs experiments -- NAME ARGS`: measures a claim of a paper
 * - `node tools/run.mjs fuzz -- ARGS`: looks for faults
 * - `node tools/run.mjs reference`: writes the API reference to reports/reference
 * - `node tools/run.mjs site`: builds the site from docs/ and the READMEs, into docs/.vitepress/dist
 * - `node tools/run.mjs cut-version`: merges the waiting changesets into the next version and the change logs
 * - `node tools/run.mjs release [-- --dry-run]`: publishes the version of the checkout, or only packs it
 * - `node tools/run.mjs release-model -- NAME [--dry-run]`: publishes a model that `model` made, or only packs it
 * - `node tools/run.mjs model -- NAME --treebank FOLDER`: trains a model and writes its package
 * - `node tools/run.mjs kernels`: assembles the WebAssembly kernels of packages/neural
 *
 * It requires only Node, npm and git: until `install` has run, only Node's own modules may be imported. Steps
 * run in order; the first that fails ends the run with its exit code.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const manifest = readJson(join(root, "package.json"));
/** Reports of the test runner by task. */
const testReports = {
  test: join(root, "reports", "tests.json"),
  packages: join(root, "reports", "packages.json"),
};
const benchProgram = join(root, "apps", "bench", "bin", "arcwise-bench.js");
const installStamp = join(root, "node_modules", ".arcwise-installed");

/** Thrown when a step fails, with its name and the exit code of its program. */
class StepFailed extends Error {
  constructor(step, code) {
    super(step);
    this.step = step;
    this.code = code;
  }
}

function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Ends the run when Node is older than `engines.node` (">=MAJOR.MINOR") of the root package.json. */
function checkNode() {
  const wanted = manifest.engines.node;
  const [major, minor] = wanted.replace(">=", "").split(".").map(Number);
  const [hasMajor, hasMinor] = process.versions.node.split(".").map(Number);
  if (hasMajor > major || (hasMajor === major && hasMinor >= minor)) return;
  console.error(`Arcwise needs Node ${wanted}; this is Node ${process.versions.node} (${process.execPath}).`);
  process.exit(1);
}

function workspaceFolders() {
  return ["packages", "apps"].flatMap((group) =>
    readdirSync(join(root, group), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && existsSync(join(root, group, entry.name, "package.json")))
      .map((entry) => join(root, group, entry.name)),
  );
}

/** Returns the file of a program of an installed package, so that neither a shell nor PATH is needed. */
function programOf(dependency, program = dependency) {
  const folder = join(root, "node_modules", dependency);
  const { bin } = readJson(join(folder, "package.json"));
  return join(folder, typeof bin === "string" ? bin : bin[program]);
}

/** Whether each step is one line, and what its programs print is shown only when they fail. */
let isQuiet = false;

function run(step, command, args, options = {}) {
  const isHidden = isQuiet && options.isShown !== true;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? root,
      stdio: isHidden ? ["ignore", "pipe", "pipe"] : "inherit",
      shell: options.shell ?? false,
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1", ...options.env },
    });
    const hidden = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => hidden.push(chunk));
    child.on("error", (error) => {
      console.error(`${command}: ${error.message}`);
      reject(new StepFailed(step, 1));
    });
    child.on("close", (code, signal) => {
      if (code === 0) return resolve();
      if (isHidden) process.stderr.write(Buffer.concat([Buffer.from("\n"), ...hidden]));
      reject(new StepFailed(step, code ?? (signal === "SIGINT" ? 130 : 1)));
    });
  });
}

function node(step, file, args, options) {
  return run(step, process.execPath, [file, ...args], options);
}

/** Runs a command line with the pinned pnpm on the PATH, which npm downloads if it is not cached. */
function withPnpm(step, command, args) {
  const npm = ["exec", "--yes", `--package=${manifest.packageManager}`, "--", command, ...args];
  // npm passes its own path to scripts; otherwise (plain `node tools/run.mjs`), npm is on the PATH.
  const npmFile = process.env.npm_execpath;
  if (npmFile?.endsWith("npm-cli.js")) return node(step, npmFile, npm);
  return run(step, "npm", npm, { shell: process.platform === "win32" });
}

/** Runs a step, and prints its name before and its time after it. */
async function timed(name, work) {
  if (isQuiet) process.stdout.write(`${name} ... `);
  else console.log(`\n> ${name}`);
  const start = performance.now();
  try {
    await work();
  } catch (error) {
    if (error instanceof StepFailed) console.log(`> ${name}: failed after ${seconds(start)}`);
    throw error;
  }
  console.log(isQuiet ? seconds(start) : `> ${name}: ${seconds(start)}`);
}

function seconds(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}

/** Returns a digest of everything that determines what is installed. */
function installDigest() {
  const files = ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml"].map((name) => join(root, name));
  for (const folder of workspaceFolders()) files.push(join(folder, "package.json"));
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}`);
  for (const file of files) hash.update(relative(root, file)).update("\0").update(readFileSync(file));
  return hash.digest("hex");
}

function isInstalled(digest) {
  return existsSync(installStamp) && readFileSync(installStamp, "utf8") === digest;
}

async function install() {
  const digest = installDigest();
  if (isInstalled(digest)) return;
  await timed("install", async () => {
    await withPnpm("install", "pnpm", [
      "install",
      "--frozen-lockfile",
      "--config.confirm-modules-purge=false",
    ]);
    writeFileSync(installStamp, digest);
  });
}

/** Builds all packages, or those that a filter of turbo selects. */
function build(filter = []) {
  // turbo runs each package's build through pnpm, which need not be installed on the machine.
  const options = ["--output-logs=errors-only", "--no-update-notifier", ...filter];
  const turbo = [programOf("turbo"), "run", "build", ...options];
  return timed("build", () => withPnpm("build", process.execPath, turbo));
}

async function start() {
  isQuiet = true;
  await install();
  await build(["--filter=@arcwise/bench..."]);
  await node("start", benchProgram, ["start", ...process.argv.slice(3)], { isShown: true });
}

async function test() {
  rmSync(testReports.test, { force: true });
  await install();
  await timed("lint", () => node("lint", programOf("@biomejs/biome", "biome"), lintArguments()));
  await timed("type-check", () =>
    node("type-check", programOf("typescript", "tsc"), ["-b", "tsconfig.strict.json"]),
  );
  await build();
  await timed("test", () => node("test", programOf("vitest"), vitestArguments(testReports.test)));
  await timed("unused code", () => node("unused code", programOf("knip"), []));
}

async function packages() {
  rmSync(testReports.packages, { force: true });
  await install();
  await build();
  const config = ["--config", join(root, "tools", "packages", "vitest.config.ts")];
  const vitest = [programOf("vitest"), ...vitestArguments(testReports.packages), ...config];
  // pnpm packs the packages.
  await timed("published packages", () => withPnpm("published packages", process.execPath, vitest));
}

/** Runs both, so that a failure of the first does not hide those of the second. */
async function ci() {
  let failure;
  for (const part of [test, packages]) {
    try {
      await part();
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error;
      console.error(`\n> ${error.step}: failed`);
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
}

function lintArguments() {
  const colours = process.stdout.isTTY ? [] : ["--colors=off"];
  return ["ci", "--error-on-warnings", ...colours, "."];
}

function vitestArguments(report) {
  return ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
}

/**
 * Returns the counts of a report of the test runner; a file that failed before its tests counts as one
 * failure. Without a report, the tests did not run: one failure.
 */
function testCounts(file) {
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 };
  const report = readJson(file);
  const broken = report.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  );
  const skipped = report.numPendingTests + report.numTodoTests;
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length, skipped };
}

/** The reports that the last line of a task sums up. */
const COUNTED = {
  test: [testReports.test],
  packages: [testReports.packages],
  ci: [testReports.test, testReports.packages],
};

/** Prints the last lines of tasks that test. */
function printCounts(reports) {
  const counts = reports.map(testCounts);
  const sum = (key) => counts.reduce((total, count) => total + count[key], 0);
  if (!reports.every(existsSync)) console.log("\nNot all tests ran.");
  if (sum("skipped") > 0) console.log(`\n${sum("skipped")} skipped (the tests say why)`);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
}

/** Cuts the next version: package.json and CHANGELOG.md of every package, and the lock file. */
async function cutVersion() {
  await install();
  await timed("version", () => node("version", programOf("@changesets/cli", "changeset"), ["version"]));
  await timed("lock file", () => withPnpm("lock file", "pnpm", ["install", "--lockfile-only"]));
}

/**
 * Publishes all packages whose version is not published yet, with the address of the remote in their
 * manifests, which are changed in the working tree. A dry run packs them, and asks no registry.
 */
async function release(args) {
  await install();
  await build();
  const isDry = args.includes("--dry-run");
  const hasRemote = spawnSync("git", ["remote", "get-url", "origin"], { cwd: root }).status === 0;
  if (!isDry || hasRemote) {
    await node("addresses", join(root, "tools", "release-metadata.mjs"), []);
  }
  const publish = isDry
    ? ["pnpm", "publish", "--recursive", "--dry-run", "--force", "--no-git-checks"]
    : [process.execPath, programOf("@changesets/cli", "changeset"), "publish"];
  await timed("publish", () => withPnpm("publish", publish[0], publish.slice(1)));
}

/** Publishes the package that the task `model` wrote, with the address of the remote. */
async function releaseModel([name, ...args]) {
  const folder = join(root, "reports", "models", name ?? "", "package");
  if (!existsSync(join(folder, "package.json"))) {
    console.error(`${folder}: expected a package; write it by: npm run model -- NAME --fetch`);
    throw new StepFailed("package", 1);
  }
  const isDry = args.includes("--dry-run");
  if (!isDry) await node("addresses", join(root, "tools", "release-metadata.mjs"), []);
  const publish = ["publish", folder, ...(isDry ? ["--dry-run"] : [])];
  await timed("publish", () => run("publish", "npm", publish, { shell: process.platform === "win32" }));
}

const tasks = {
  start,
  test,
  packages,
  ci,
  reference: async () => {
    await install();
    await node("reference", join(root, "tools", "reference", "generate.mjs"), []);
  },
  site: async () => {
    await install();
    await build();
    const docs = join(root, "docs");
    await timed("site", () =>
      node("site", join(docs, "node_modules/vitepress/bin/vitepress.js"), ["build", docs]),
    );
    await node("reference", join(root, "tools", "reference", "generate.mjs"), [
      join(docs, ".vitepress", "dist", "api"),
    ]);
    console.log(`The site is in ${join(docs, ".vitepress", "dist")}.`);
  },
  pnpm: (args) => withPnpm("pnpm", "pnpm", args),
  "cut-version": cutVersion,
  release,
  "release-model": releaseModel,
  build: async () => {
    await install();
    await build();
  },
  bench: async (args) => {
    await install();
    await build();
    await node("bench", benchProgram, args);
  },
  experiments: async (args) => {
    await install();
    await build();
    await node("experiments", join(root, "apps", "experiments", "bin", "arcwise-experiments.js"), args);
  },
  fuzz: async (args) => {
    await install();
    await build();
    await node("fuzz", benchProgram, ["fuzz", ...args]);
  },
  model: async (args) => {
    await install();
    await build();
    await node("model", join(root, "tools", "model.mjs"), args);
  },
  kernels: async () => {
    await install();
    await node("kernels", join(root, "packages", "neural", "kernels", "assemble.mjs"), []);
  },
};

async function main([name, ...args]) {
  const task = Object.hasOwn(tasks, name ?? "") ? tasks[name] : undefined;
  if (task === undefined) {
    console.error(`usage: node tools/run.mjs ${Object.keys(tasks).join("|")}`);
    return 2;
  }
  checkNode();
  const begin = performance.now();
  try {
    await task(args[0] === "--" ? args.slice(1) : args);
    console.log(`${isQuiet ? "" : "\n"}${name}: done in ${seconds(begin)}`);
    return 0;
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    console.error(`\n${name}: the step "${error.step}" failed (exit code ${error.code})`);
    return error.code;
  } finally {
    if (Object.hasOwn(COUNTED, name)) printCounts(COUNTED[name]);
  }
}

process.exitCode = await main(process.argv.slice(2));
