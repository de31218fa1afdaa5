import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Random } from "@arcwise/core";
import { SAMPLE } from "../data/treebanks.ts";
import { type Area, Fault, type Fuzzer, type Outcome, pick } from "./area.ts";
import { type CommandResult, checkCommand, startProcess, succeed } from "./commands.ts";

/** Writes outputs where files, links, permissions and full disks are in the way. */
export const outputs: Area = {
  name: "outputs",
  description: "commands whose output is a link, a read-only file or folder, or on a full disk",
  share: 1,
  needsProgram: true,
  prepare: async ({ folder, program }) => {
    chmodSync(folder, 0o755);
    const text = readFileSync(join(SAMPLE, "dev.conllu"), "utf8");
    const block = `${text.split("\n\n").slice(0, SENTENCES).join("\n\n")}\n\n`;
    const setting = { program: program!, folder, model: join(folder, "known.model") };
    writeFileSync(join(folder, "small.conllu"), block);
    writeFileSync(join(folder, "large.conllu"), block.repeat(REPEATED));
    await succeed(program!, trainLine(folder, setting.model));
    const expected = new Map<string, Buffer>();
    for (const [name, argv] of Object.entries(COMMANDS)) {
      const file = join(folder, `expected-${name}`);
      await succeed(program!, argv(setting, file));
      expected.set(name, readFileSync(file));
    }
    const user = await otherUser(program!);
    return new OutputFuzzer({ ...setting, expected, user, mount: user !== undefined && canMount(folder) });
  },
};

/** Sentences of the small input; repetitions of them in the large one, whose outputs fill a disk. */
const SENTENCES = 8;
const REPEATED = 30;
/** A user who is not the superuser, and may not write where only that may. */
const NOBODY = 65_534;
const DISK = "64k";
const MODES = [0o600, 0o640, 0o644, 0o400, 0o444] as const;
const PRECIOUS = Buffer.from("what was there before\n".repeat(100));

interface Files {
  readonly folder: string;
  readonly model: string;
}

function trainLine(folder: string, model: string): string[] {
  const input = join(folder, "small.conllu");
  return [
    "train",
    ..."--for tagged --preset linear --epochs 1".split(" "),
    "--train",
    input,
    "--model",
    model,
  ];
}

/** Command lines by name, for an output file. */
const COMMANDS: Readonly<Record<string, (files: Files, output: string) => string[]>> = {
  parse: ({ folder, model }, output) => [
    ...["parse", "--model", model, "-o", output],
    join(folder, "small.conllu"),
  ],
  long: ({ folder, model }, output) => [
    ...["parse", "--model", model, "-o", output],
    join(folder, "large.conllu"),
  ],
  convert: ({ folder }, output) => ["convert", "--to", "json", "-o", output, join(folder, "large.conllu")],
  text: ({ folder }, output) => ["text", "-o", output, join(folder, "small.conllu")],
  train: ({ folder }, output) => trainLine(folder, output),
  evaluate: ({ folder }, output) => {
    const input = join(folder, "large.conllu");
    return ["evaluate", input, input, "--html", output];
  },
  search: ({ folder }, output) => [
    ...["search", "{upos:NOUN}", "--output-format", "html", "-o", output],
    join(folder, "large.conllu"),
  ],
  templates: (_, output) => ["templates", "-o", output],
};

/** Returns another user that can run the program, where this one is the superuser. */
async function otherUser(program: string): Promise<number | undefined> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return undefined;
  const { code } = await startProcess(program, ["--version"], NOBODY).ended;
  return code === 0 ? NOBODY : undefined;
}

function canMount(folder: string): boolean {
  const disk = join(folder, "disk");
  mkdirSync(disk);
  try {
    mount(disk);
    unmount(disk);
    return true;
  } catch {
    return false;
  }
}

function mount(disk: string): void {
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK}`, "tmpfs", disk], { stdio: "ignore" });
}

function unmount(disk: string): void {
  execFileSync("umount", [disk], { stdio: "ignore" });
}

/** Where an output goes. */
interface Target {
  /** The path that the command gets. */
  readonly path: string;
  /** The file that it leads to; nothing where it leads nowhere. */
  readonly file: string | undefined;
}

/** Makes a target in an empty folder. */
type Situation = (folder: string, stream: Random) => Target;

/** Writes a file that is to be replaced, in some mode. */
function existing(file: string, stream: Random): string {
  writeFileSync(file, PRECIOUS);
  chmodSync(file, pick(stream, MODES));
  return file;
}

function link(path: string, target: string): string {
  symlinkSync(target, path);
  return path;
}

/** A chain of one to four links, some with absolute paths, to a file. */
function chain(folder: string, file: string, stream: Random): Target {
  let path = file;
  for (let links = 1 + stream.int(4); links > 0; links--) {
    const next = join(folder, `link-${links}`);
    path = link(next, stream.int(2) === 0 ? path : relative(folder, path));
  }
  return { path, file };
}

const SITUATIONS: Readonly<Record<string, Situation>> = {
  new: (folder) => ({ path: join(folder, "out"), file: join(folder, "out") }),
  old: (folder, stream) => {
    const file = existing(join(folder, "out"), stream);
    return { path: file, file };
  },
  links: (folder, stream) => {
    mkdirSync(join(folder, "there"));
    return chain(folder, existing(join(folder, "there", "out"), stream), stream);
  },
  dangling: (folder, stream) => chain(folder, join(folder, "missing"), stream),
  nowhere: (folder, stream) => ({
    ...chain(folder, join(folder, "no-folder", "missing"), stream),
    file: undefined,
  }),
  loop: (folder, stream) => {
    const links = 1 + stream.int(3);
    for (let i = 0; i < links; i++) link(join(folder, `link-${i}`), `link-${(i + 1) % links}`);
    return { path: join(folder, "link-0"), file: undefined };
  },
  folder: (folder) => {
    mkdirSync(join(folder, "out"));
    return { path: join(folder, "out"), file: undefined };
  },
};

interface Setting extends Files {
  readonly program: string;
  /** The outputs of all commands. */
  readonly expected: ReadonlyMap<string, Buffer>;
  /** A user other than the superuser. */
  readonly user: number | undefined;
  /** Whether disks can be mounted. */
  readonly mount: boolean;
}

/** The state of the folder of a trial before a command. */
interface Before {
  readonly content: Buffer | undefined;
  readonly mode: number | undefined;
  readonly links: ReadonlyMap<string, string>;
}

class OutputFuzzer implements Fuzzer {
  readonly #setting: Setting;
  readonly #counts = new Map<string, number>();
  #trial = 0;

  constructor(setting: Setting) {
    this.#setting = setting;
  }

  async try(stream: Random): Promise<Outcome> {
    const { folder, user, mount: mounts } = this.#setting;
    const own = join(folder, `trial-${this.#trial++}`);
    mkdirSync(own, { mode: 0o755 });
    const place = pick(stream, ["plain", user === undefined ? "plain" : "closed", mounts ? "full" : "plain"]);
    const kind = pick(stream, Object.keys(SITUATIONS));
    const command = pick(stream, Object.keys(COMMANDS));
    const name = `${command}, ${kind}, ${place}`;
    this.#counts.set(place, (this.#counts.get(place) ?? 0) + 1);
    if (place === "full") mount(own);
    try {
      const target = SITUATIONS[kind]!(own, stream);
      if (place === "closed") this.#close(own, stream.int(2) === 0);
      return await this.#write(own, { name, command, target, place });
    } finally {
      if (place === "full") unmount(own);
      rmSync(own, { recursive: true, force: true });
    }
  }

  notes(): string {
    const { user, mount: mounts } = this.#setting;
    const counts = Array.from(this.#counts, ([place, count]) => `${place} ${count}`).join(", ");
    const left = user === undefined ? "no other user, " : "";
    return `${counts}${left || !mounts ? ` (${left}${mounts ? "" : "no full disks"})` : ""}`;
  }

  /** Gives the folders to the other user, or keeps them, so that this user cannot write into them. */
  #close(own: string, isOpen: boolean): void {
    if (!isOpen) return;
    for (const folder of foldersOf(own)) chownSync(folder, NOBODY, NOBODY);
  }

  async #write(
    own: string,
    { name, command, target, place }: { name: string; command: string; target: Target; place: string },
  ): Promise<Outcome> {
    const { program, expected, user } = this.#setting;
    const before = stateOf(own, target);
    const argv = COMMANDS[command]!(this.#setting, target.path);
    const running = startProcess(program, argv, place === "closed" ? user : undefined);
    const wide = await watched(running.ended, own, before.mode ?? 0o666 & ~process.umask());
    const result = await running.ended;
    const fail = (what: string) => new Fault(`${name}: ${what}; ended with ${result.code}: ${result.err}`);
    if (wide !== undefined) throw fail(`wider mode: ${wide}`);
    if (result.code !== 2) checkCommand(argv, result, undefined);
    if (result.code === 0 && statSync(target.path).isDirectory()) {
      if (command !== "convert") throw fail("only convert writes to a folder");
      checkFolder(target.path, expected.get(command)!, fail);
      return "survived";
    }
    this.#checkFiles(own, { target, before, result, fail, expected: expected.get(command)! });
    if (target.file === undefined && result.code === 0) throw fail("nothing can have been written");
    return result.code === 0 ? "survived" : "refused";
  }

  #checkFiles(own: string, { target, before, result, fail, expected }: Check): void {
    const after = stateOf(own, target);
    const isDone = result.code === 0;
    const wanted = isDone ? expected : before.content;
    const isEqual = wanted === undefined ? after.content === undefined : after.content?.equals(wanted);
    if (!isEqual) throw fail(isDone ? "the output is not complete" : "the old file has changed");
    if (before.mode !== undefined && before.mode !== after.mode)
      throw fail(`mode ${before.mode.toString(8)} became ${after.mode?.toString(8)}`);
    for (const [path, leadsTo] of before.links)
      if (after.links.get(path) !== leadsTo) throw fail(`the link ${path} is another one`);
    const left = filesOf(own).filter((path) => path.endsWith(".tmp"));
    if (left.length > 0) throw fail(`left ${left.join(", ")}`);
    const checkpoint = `${target.file}.checkpoint`;
    const others = filesOf(own).filter(
      (path) => !before.links.has(path) && path !== target.file && (isDone || path !== checkpoint),
    );
    if (others.length > 0) throw fail(`wrote ${others.join(", ")}`);
  }
}

/** Checks that each sentence has a file of its own. */
function checkFolder(folder: string, list: Buffer, fail: Check["fail"]): void {
  const sentencesIn = (content: Buffer) => JSON.parse(content.toString()) as object[];
  const sorted = (sentences: object[]) => sentences.map((sentence) => JSON.stringify(sentence)).sort();
  const found = filesOf(folder).map((path) => sentencesIn(readFileSync(path)));
  const isOneEach = found.every(({ length }) => length === 1);
  if (!isOneEach || !isDeepStrictEqual(sorted(found.flat()), sorted(sentencesIn(list))))
    throw fail("the files are not the sentences");
}

interface Check {
  readonly target: Target;
  readonly before: Before;
  readonly result: CommandResult;
  readonly expected: Buffer;
  readonly fail: (what: string) => Fault;
}

/** Returns the paths of all files in a folder. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesOf(path) : [path];
  });
}

/** Returns a folder and those in it. */
function foldersOf(folder: string): string[] {
  const inner = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [folder, ...inner.flatMap(({ name }) => foldersOf(join(folder, name)))];
}

function stateOf(own: string, { file }: Target): Before {
  const links = filesOf(own).filter((path) => lstatSync(path).isSymbolicLink());
  const found = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false });
  return {
    content: found && readFileSync(file!),
    mode: found && found.mode & 0o7777,
    links: new Map(links.map((path) => [path, readlinkSync(path)])),
  };
}

/** Returns a temporary file that had more permissions than `mode` while a command ran, if there was one. */
async function watched(ended: Promise<unknown>, own: string, mode: number): Promise<string | undefined> {
  let isRunning = true;
  const stop = () => {
    isRunning = false;
  };
  ended.then(stop, stop);
  let wide: string | undefined;
  while (isRunning) {
    for (const folder of foldersOf(own)) {
      for (const name of readdirSync(folder)) {
        const own = name.includes(".checkpoint.") ? 0o666 & ~process.umask() : mode;
        const found = name.endsWith(".tmp")
          ? lstatSync(join(folder, name), { throwIfNoEntry: false })
          : undefined;
        if (found && (found.mode & 0o777 & ~own) !== 0)
          wide ??= `${name} ${(found.mode & 0o777).toString(8)}`;
      }
    }
    await wait(1);
  }
  return wide;
}
