import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { PROGRAM as BENCH } from "../../apps/bench/src/run.ts";
import { COMMANDS } from "../../apps/cli/src/commands/groups.ts";
import { arcwise, sink } from "../../apps/cli/test/support.ts";
import { PROGRAM as EXPERIMENTS } from "../../apps/experiments/src/run.ts";
import { fuzzCommand } from "../fuzz/src/command.ts";
import { notPrinted, programsOf, type ShellLine, shellLines } from "../src/shell-lines.ts";

const root = join(import.meta.dirname, "../..");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Readonly<Record<string, string>>;
};

/** All documents but the notes, which keep the commands of their time. */
const lines = execFileSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((path) => path !== "" && !/^docs\/notes\/|^\.changeset\//.test(path))
  .flatMap((path) => shellLines(path, readFileSync(join(root, path), "utf8")));

describe("shell lines", () => {
  test("are in indented blocks and blocks of sh, with what they print", () => {
    const text =
      "a\n\n    $ npx a \\\n      --b\n    out\n\n    x = 1\n\n```sh\nnpm b\n```\n\n```js\nnpm c\n```\n\n    npx d # e\n\nprints\n\n```txt\n f\n```\n\n# g\n\n```txt\nh\n```\n";
    expect(shellLines("p", text)).toEqual([
      { path: "p", number: 3, command: "npx a --b", shown: ["    out"] },
      { path: "p", number: 10, command: "npm b", shown: [] },
      { path: "p", number: 17, command: "npx d # e", shown: [" f"] },
    ]);
  });

  test("have programs with words", () => {
    expect(programsOf(`A=1 a "b c" 'd "e"' < f | g "\\"" > h && i; j # k`)).toEqual([
      ["a", "b c", 'd "e"'],
      ["g", '"'],
      ["i"],
      ["j"],
    ]);
  });

  test("print what is shown, in order", () => {
    expect(notPrinted([" a", "b"], "x\n  a \nb\n")).toEqual([]);
    expect(notPrinted(["b", "a"], "a\nb\n")).toEqual(["a"]);
  });
});

/** Thrown when a command line was read and its action would begin. */
class Reached extends Error {}

/** Reads a command line. Returns what is wrong with it: options or commands that do not exist, values, arguments. */
async function faultOf(program: Command, words: readonly string[]): Promise<string | undefined> {
  program.hook("preAction", () => {
    throw new Reached();
  });
  try {
    await program.parseAsync(words, { from: "user" });
    return "no command";
  } catch (error) {
    return error instanceof Reached ? undefined : (error as Error).message;
  }
}

function emptyProgram(): Command {
  return new Command().exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
}

async function arcwiseFault(words: readonly string[]): Promise<string | undefined> {
  const [name = ""] = words;
  if (/^(--version|--help|help)$/.test(name) || words.includes("--help")) return undefined;
  if (!Object.hasOwn(COMMANDS, name)) return `unknown command ${name}`;
  const io = { stdin: process.stdin, stdout: sink(), stderr: sink(), env: {}, signal: AbortSignal.abort() };
  const program = emptyProgram();
  const made = (await COMMANDS[name]!())(io, () => {}).copyInheritedSettings(program);
  for (const sub of made.commands) sub.copyInheritedSettings(made);
  return (await faultOf(program.addCommand(made), words)) ?? settingsFault(words);
}

/** Returns what is wrong with the settings of a training. Those that name files are checked where they are run. */
async function settingsFault(words: readonly string[]): Promise<string | undefined> {
  const train = words.indexOf("train");
  const settings = words.flatMap((word, i) => (words[i - 1] === "--settings" ? [word] : []));
  const own = settings.filter((text) => /=|^\{/.test(text) && !/\.(json|mjs|model)"?/.test(text));
  if (train < 0 || own.length === 0) return undefined;
  const presets = words.flatMap((word, i) => (words[i - 1] === "--preset" ? ["--preset", word] : []));
  const purpose = words.flatMap((word, i) => (words[i - 1] === "--for" && i > train ? ["--for", word] : []));
  const start = words[0] === "plan" ? ["train"] : [...words.slice(0, train + 1), ...purpose];
  const given = own.flatMap((text) => ["--settings", text]);
  const { code, err } = await arcwise([...start, ...presets, ...given, "--print-settings"]);
  return code === 0 ? undefined : err;
}

function ownProgramFault(
  { commands }: typeof BENCH | typeof EXPERIMENTS,
  words: readonly string[],
): Promise<string | undefined> | undefined {
  if (words.at(-1) === "--help") return undefined;
  // The guide adds this decoder to the registry.
  words = words.map((word) => (word === "beam-search" ? "mst" : word));
  const program = emptyProgram();
  const io = {
    stdout: sink(),
    stderr: sink(),
    env: {},
    argv: words,
    runParser: () => Promise.reject(new Error("not run")),
  };
  for (const command of commands) program.addCommand(command(io).copyInheritedSettings(program));
  return faultOf(program, words);
}

/** Returns what is wrong with the words of a program; undefined if nothing is, or the program is not of this project. */
async function wordsFault([program, ...words]: readonly string[]): Promise<string | undefined> {
  if (program === "arcwise") return arcwiseFault(words);
  if (program === "npx") return words[0] === "arcwise" ? arcwiseFault(words.slice(1)) : npxFault(words[0]!);
  if (program === "node") return fileFault(words[0]!);
  if (program !== "npm") return undefined;
  const script = words[0] === "run" ? words[1]! : words[0]!;
  if (words[0] === "run" && !Object.hasOwn(scripts, script)) return `no script ${script}`;
  const args = words.slice(words.indexOf("--") + 1);
  if (script === "bench") return ownProgramFault(BENCH, args);
  if (script === "start") return ownProgramFault(BENCH, [script, ...(words.includes("--") ? args : [])]);
  if (script === "fuzz") {
    const program = emptyProgram();
    const command = fuzzCommand({ stdout: sink(), stderr: sink() }).copyInheritedSettings(program);
    return faultOf(program.addCommand(command), [script, ...args]);
  }
  return script === "experiments" ? ownProgramFault(EXPERIMENTS, args) : undefined;
}

/** Before the first release, npm has no package of this project. */
function installationFault(words: readonly string[]): string | undefined {
  const own = words.filter((word) => /^(?:@arcwise\/[\w-]+|arcwise)$/.test(word));
  return words[0] === "npm" && words[1] === "install" && own.length > 0
    ? `npm has no ${own.join(" ")}`
    : undefined;
}

function npxFault(name: string): string | undefined {
  return existsSync(join(root, "node_modules/.bin", name)) ? undefined : `no program ${name}`;
}

/** Files of documents are in the clone, or written by its reader. */
function fileFault(file: string): string | undefined {
  return !file.includes("/") || existsSync(join(root, file)) ? undefined : `no file ${file}`;
}

test.each<[string, string, RegExp | undefined]>([
  ["an option that no command has", "arcwise train --train a --model m --shards 10", /--shards/],
  ["a setting that does not exist", "arcwise train --train a --model m --settings parser.shard=1", /shard/],
  ["a value of another kind", "arcwise train --train a --model m --settings parser.shards=3", /count/],
  ["an unknown command", "npx arcwise pase english", /pase/],
  ["an option of a measurement", "npm run bench -- diff a b --quiet", /--quiet/],
  ["an unknown script", "npm run packs -- /tmp/a", /packs/],
  ["a file that is not there", "node tools/none.mjs", /none/],
  [
    "a command that exists",
    "npx arcwise parse english letters.txt -o a.html | arcwise validate -",
    undefined,
  ],
])("%s: %s", async (_, command, fault) => {
  const faults = await Promise.all(programsOf(command).map(wordsFault));
  if (fault === undefined) expect(faults.filter((one) => one !== undefined)).toEqual([]);
  else expect(faults.join("\n")).toMatch(fault);
});

test("documents have shell lines", () => {
  expect(lines.length).toBeGreaterThan(250);
});

test.each(lines.map((line) => [`${line.path}:${line.number}`, line] as const))(
  "%s has commands and options that exist",
  async (_, { path, command }: ShellLine) => {
    const faults = await Promise.all(programsOf(command).map(wordsFault));
    // READMEs of packages are read on npm, after a release.
    if (!/README\.md$/.test(path) || path === "README.md")
      faults.push(...programsOf(command).map((words) => installationFault(words)));
    expect(
      faults.filter((fault) => fault !== undefined),
      command,
    ).toEqual([]);
  },
);

/** The sources of programs and packages without comments: what is left may be shown to a user. */
const texts = execFileSync("git", ["ls-files", "apps/*/src/*.ts", "packages/*/src/*.ts"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((path) => path !== "" && existsSync(join(root, path)))
  .map((path) => {
    const source = readFileSync(join(root, path), "utf8");
    return { path, text: source.replaceAll(/\/\*.*?\*\/|^\s*\/\/.*$/gms, "") };
  });

/** Returns what the sources advise: the first group of each match of a pattern that is not known, with its file. */
function unknownAdvice(pattern: RegExp, known: ReadonlySet<string>, folder = ""): string[] {
  return texts
    .filter(({ path }) => path.startsWith(folder))
    .flatMap(({ path, text }) =>
      [...text.matchAll(pattern)]
        .filter(([, name]) => !known.has(name!))
        .map(([, name]) => `${path}: ${name}`),
    );
}

describe("messages advise what exists", () => {
  test("scripts", () => {
    expect(unknownAdvice(/npm run ([\w:-]+)/g, new Set(Object.keys(scripts)))).toEqual([]);
  });

  test("commands", () => {
    // Words that follow the name in a sentence.
    const prose = ["itself", "wrote", "body", "from"];
    expect(unknownAdvice(/\barcwise ([a-z]+)/g, new Set([...Object.keys(COMMANDS), ...prose]))).toEqual([]);
  });

  test("options", async () => {
    const io = { stdin: process.stdin, stdout: sink(), stderr: sink(), env: {}, signal: AbortSignal.abort() };
    const all = await Promise.all(Object.values(COMMANDS).map(async (load) => (await load())(io, () => {})));
    const own = all
      .flatMap((command) => [command, ...command.commands])
      .flatMap(({ options }) => options.flatMap(({ long }) => [long!, long!.replace(/^--no-/, "--")]));
    // Options of the program, of npm, curl, git, Slurm, Kubernetes and the client of UDPipe.
    const others = [
      "all",
      "help",
      "version",
      "global",
      "data-binary",
      "service",
      "dirty",
      "array",
      "job-name",
      "fetch",
      "requeue",
      "test",
    ];
    const known = new Set([...own, ...others.map((name) => `--${name}`)]);
    expect(unknownAdvice(/(?<![\w-])(--(?!aw-)[a-z][\w-]+)/g, known, "apps/cli/")).toEqual([]);
  });

  test("packages", () => {
    const npm = texts.filter(({ text }) => /npm install (?!\$|--)/.test(text)).map(({ path }) => path);
    // Cards of models are for readers on npm.
    expect(npm.filter((path) => path !== "apps/cli/src/model-package/model-card.ts")).toEqual([]);
  });
});
