import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
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
import fc from "fast-check";
import { type Area, Fault, type Outcome } from "./area.ts";
import { type CommandResult, checkCommand, startProcess, succeed } from "./programs.ts";
import { sampleText } from "./samples.ts";

/** Sentences of the small input; repetitions of them in the large one, whose outputs fill a disk. */
const SENTENCES = 8;
const REPEATED = 30;
/** A user who is not the superuser, and may not write where only that may. */
const NOBODY = 65_534;
const PRECIOUS = Buffer.from("what was there before\n".repeat(100));

/** Command lines by name; SMALL, LARGE, MODEL and OUT stand for files. */
const COMMANDS: Readonly<Record<string, string>> = {
  parse: "parse --model MODEL -o OUT SMALL",
  long: "parse --model MODEL -o OUT LARGE",
  convert: "convert --to json -o OUT LARGE",
  text: "text -o OUT SMALL",
  train: "train --for tagged --preset linear --epochs 1 --train SMALL --model OUT",
  evaluate: "evaluate LARGE LARGE --html OUT",
  search: "search {upos:NOUN} --output-format html -o OUT LARGE",
  templates: "templates -o OUT",
};

/** Returns a command line of files in a folder. */
function lineOf(command: string, folder: string, out: string): string[] {
  const files: Readonly<Record<string, string>> = {
    SMALL: join(folder, "small.conllu"),
    LARGE: join(folder, "large.conllu"),
    MODEL: join(folder, "known.model"),
    OUT: out,
  };
  return COMMANDS[command]!.split(" ").map((word) => files[word] ?? word);
}

/** Where an output goes: the path that the command gets, and the file that it leads to, if it leads to one. */
interface Target {
  readonly path: string;
  readonly file: string | undefined;
}

interface OutputInput {
  readonly command: string;
  readonly situation: string;
  /** An own folder, a folder of another user, or a full disk. */
  readonly place: "plain" | "closed" | "full";
  /** The mode of the file that is to be replaced. */
  readonly mode: number;
  /** For each link on the path, whether it is absolute. */
  readonly links: readonly boolean[];
  /** Whether the other user may write into a closed folder. */
  readonly isOpen: boolean;
}

/** Writes a file that is to be replaced. */
function existing(file: string, mode: number): string {
  writeFileSync(file, PRECIOUS);
  chmodSync(file, mode);
  return file;
}

/** A chain of links to a file. */
function chain(folder: string, file: string, { links }: OutputInput): Target {
  let path = file;
  for (const [k, isAbsolute] of links.entries()) {
    const next = join(folder, `link-${k}`);
    symlinkSync(isAbsolute ? path : relative(folder, path), next);
    path = next;
  }
  return { path, file };
}

/** Makes a target in an empty folder. */
const SITUATIONS: Readonly<Record<string, (folder: string, input: OutputInput) => Target>> = {
  new: (folder) => ({ path: join(folder, "out"), file: join(folder, "out") }),
  old: (folder, { mode }) => {
    const file = existing(join(folder, "out"), mode);
    return { path: file, file };
  },
  links: (folder, input) => {
    mkdirSync(join(folder, "there"));
    return chain(folder, existing(join(folder, "there", "out"), input.mode), input);
  },
  dangling: (folder, input) => chain(folder, join(folder, "missing"), input),
  nowhere: (folder, input) => ({ ...chain(folder, join(folder, "no-folder", "f"), input), file: undefined }),
  loop: (folder, { links }) => {
    for (const i of links.keys()) symlinkSync(`link-${(i + 1) % links.length}`, join(folder, `link-${i}`));
    return { path: join(folder, "link-0"), file: undefined };
  },
  folder: (folder) => {
    mkdirSync(join(folder, "out"));
    return { path: join(folder, "out"), file: undefined };
  },
};

/** Writes outputs where files, links, permissions and full disks are in the way. */
export const outputs: Area<OutputInput> = {
  name: "outputs",
  description: "commands whose output is a link, a read-only file or folder, or on a full disk",
  share: 1,
  isSlow: true,
  prepare: async ({ folder }) => {
    chmodSync(folder, 0o755);
    writeFileSync(join(folder, "small.conllu"), sampleText(SENTENCES));
    writeFileSync(join(folder, "large.conllu"), sampleText(SENTENCES).repeat(REPEATED));
    await succeed(lineOf("train", folder, join(folder, "known.model")));
    const expected = new Map<string, Buffer>();
    for (const name of Object.keys(COMMANDS)) {
      const file = join(folder, `expected-${name}`);
      await succeed(lineOf(name, folder, file));
      expected.set(name, readFileSync(file));
    }
    const hasUser = await hasOtherUser();
    const canFill = hasUser && canMount(folder);
    const places: OutputInput["place"][] = ["plain"];
    if (hasUser) places.push("closed");
    if (canFill) places.push("full");
    const counts = new Map<string, number>();
    return {
      inputs: fc.record({
        command: fc.constantFrom(...Object.keys(COMMANDS)),
        situation: fc.constantFrom(...Object.keys(SITUATIONS)),
        place: fc.constantFrom(...places),
        mode: fc.constantFrom(0o600, 0o640, 0o644, 0o400, 0o444),
        links: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
        isOpen: fc.boolean(),
      }),
      async try(input) {
        counts.set(input.place, (counts.get(input.place) ?? 0) + 1);
        const own = mkdtempSync(join(folder, "trial-"));
        chmodSync(own, 0o755);
        if (input.place === "full") mount(own);
        try {
          return await write(own, { folder, input, expected: expected.get(input.command)! });
        } finally {
          if (input.place === "full") unmount(own);
          rmSync(own, { recursive: true, force: true });
        }
      },
      notes: () => {
        const tried = Array.from(counts, ([place, count]) => `${place} ${count}`).join(", ");
        return tried + (hasUser ? "" : ", no other user") + (canFill ? "" : ", no full disks");
      },
    };
  },
};

/** Returns whether there is another user that can run the program: where this one is the superuser. */
async function hasOtherUser(): Promise<boolean> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  return (await startProcess(["--version"], NOBODY).ended).code === 0;
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
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], { stdio: "ignore" });
}

function unmount(disk: string): void {
  execFileSync("umount", [disk], { stdio: "ignore" });
}

interface Writing {
  readonly folder: string;
  readonly input: OutputInput;
  /** The complete output. */
  readonly expected: Buffer;
}

async function write(own: string, { folder, input, expected }: Writing): Promise<Outcome> {
  const { command, situation, place } = input;
  const target = SITUATIONS[situation]!(own, input);
  if (place === "closed" && input.isOpen) for (const path of foldersOf(own)) chownSync(path, NOBODY, NOBODY);
  const before = stateOf(own, target);
  const argv = lineOf(command, folder, target.path);
  const running = startProcess(argv, place === "closed" ? NOBODY : undefined);
  const wide = await watched(running.ended, own, before.mode ?? 0o666 & ~process.umask());
  const result = await running.ended;
  const fail = (what: string) =>
    new Fault(`${command}, ${situation}, ${place}: ${what}; ended with ${result.code}: ${result.err}`);
  if (wide !== undefined) throw fail(`wider mode: ${wide}`);
  if (result.code !== 2) checkCommand(argv, result, undefined);
  if (result.code === 0 && statSync(target.path).isDirectory()) {
    if (command !== "convert") throw fail("only convert writes to a folder");
    if (!isSplit(target.path, expected)) throw fail("the files are not the sentences");
    return "survived";
  }
  checkFiles(own, { target, before, result, fail, expected });
  if (target.file === undefined && result.code === 0) throw fail("nothing can have been written");
  return result.code === 0 ? "survived" : "refused";
}

interface Check {
  readonly target: Target;
  readonly before: ReturnType<typeof stateOf>;
  readonly result: CommandResult;
  readonly expected: Buffer;
  readonly fail: (what: string) => Fault;
}

function checkFiles(own: string, { target, before, result, fail, expected }: Check): void {
  const after = stateOf(own, target);
  const isDone = result.code === 0;
  const wanted = isDone ? expected : before.content;
  const isEqual = wanted === undefined ? after.content === undefined : after.content?.equals(wanted);
  if (!isEqual) throw fail(isDone ? "the output is not complete" : "the old file has changed");
  if (before.mode !== undefined && before.mode !== after.mode)
    throw fail(`mode ${before.mode.toString(8)} became ${after.mode?.toString(8)}`);
  for (const [path, leadsTo] of before.links)
    if (after.links.get(path) !== leadsTo) throw fail(`the link ${path} is another one`);
  const others = filesOf(own).filter(
    (path) =>
      !before.links.has(path) &&
      path !== target.file &&
      (isDone || !path.startsWith(`${target.file}.checkpoint/`)),
  );
  if (others.length > 0) throw fail(`left ${others.join(", ")}`);
}

/** Returns whether each sentence has a file of its own. */
function isSplit(folder: string, list: Buffer): boolean {
  const sentencesIn = (content: Buffer) => JSON.parse(content.toString()) as object[];
  const sorted = (sentences: object[]) => sentences.map((sentence) => JSON.stringify(sentence)).sort();
  const found = filesOf(folder).map((path) => sentencesIn(readFileSync(path)));
  return (
    found.every(({ length }) => length === 1) &&
    isDeepStrictEqual(sorted(found.flat()), sorted(sentencesIn(list)))
  );
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

function stateOf(own: string, { file }: Target) {
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
    for (const path of filesOf(own)) {
      if (!path.endsWith(".tmp")) continue;
      const allowed = path.includes(".checkpoint/") ? 0o666 & ~process.umask() : mode;
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found && (found.mode & 0o777 & ~allowed) !== 0)
        wide ??= `${path} ${(found.mode & 0o777).toString(8)}`;
    }
    await wait(1);
  }
  return wide;
}
