import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "@arcwise/core";
import { type Area, Fault, type FuzzContext, type Fuzzer, type Outcome, pick } from "./area.ts";
import { checkCommand, runHere, startProcess } from "./commands.ts";
import { type HeaderPatch, patched } from "./corpus.ts";
import { type Forgery, putTogether, takeApart } from "./forge.ts";
import { type Subject, trainSubjects } from "./models.ts";

/** A modified sound file with correct lengths and checksum. */
export interface CraftedFile {
  /** A description of the change in one line. */
  readonly name: string;
  make(): Uint8Array;
}

/** Replacements of each value of a header. */
const VALUES: readonly unknown[] = [
  null,
  true,
  "",
  "__proto__",
  "a\nb",
  -1,
  0.5,
  1e300,
  2 ** 53,
  [],
  [[]],
  {},
  { length: 2 ** 31 },
];

/** Number of elements of a list that are replaced: the first ones represent the others. */
const MAX_ELEMENTS = 2;

type Path = HeaderPatch["path"];

/** Yields the paths to all values of a header, for lists to the first elements only. */
function* pathsOf(value: unknown, path: Path): Generator<Path> {
  yield path;
  if (typeof value !== "object" || value === null) return;
  const keys = Object.keys(value);
  for (const key of Array.isArray(value) ? keys.slice(0, MAX_ELEMENTS) : keys) {
    const inner = (value as Readonly<Record<string, unknown>>)[key];
    yield* pathsOf(inner, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}

interface Listed {
  readonly sections: readonly { readonly name: string }[];
}

/**
 * Returns all crafted files of a sound one: each value of its header replaced, each field removed, an unknown
 * field in each object, and sections duplicated, unknown, missing, reordered, and with other sizes and types.
 */
export function craftedFiles(file: Uint8Array): readonly CraftedFile[] {
  const sound = takeApart(file);
  const { sections } = sound.json as Listed;
  const files: CraftedFile[] = [];
  const patch = (op: HeaderPatch["op"], path: Path, value?: unknown) => {
    const name = `${op} ${path.join(".")}${op === "remove" ? "" : ` ${JSON.stringify(value)}`}`;
    files.push({ name, make: () => patched(sound, [{ op, path, value }]) });
  };
  for (const top of ["header", "sections", "kind"]) {
    for (const path of pathsOf((sound.json as Readonly<Record<string, unknown>>)[top], [top])) {
      for (const value of VALUES) patch("replace", path, value);
      if (path.length > 1 && typeof path.at(-1) === "string") patch("remove", path);
      if (path[0] === "header") patch("add", [...path, "__proto__"], { bits: 1 });
    }
  }
  for (const [k, { name }] of sections.entries()) {
    const body = sound.bodies[k]!;
    const more = (other: string): Forgery => ({
      json: { ...(sound.json as object), sections: [...sections, { ...sections[k], name: other }] },
      bodies: [...sound.bodies, body],
    });
    files.push({ name: `section ${name} twice`, make: () => putTogether(more(name)) });
    files.push({ name: `section ${name} as "more"`, make: () => putTogether(more("more")) });
    const without: Forgery = {
      json: { ...(sound.json as object), sections: sections.toSpliced(k, 1) },
      bodies: sound.bodies.toSpliced(k, 1),
    };
    files.push({ name: `no section ${name}`, make: () => putTogether(without) });
    const cut = { ...sound, bodies: sound.bodies.with(k, body.subarray(0, body.length >> 1)) };
    files.push({ name: `half of section ${name}`, make: () => putTogether(cut) });
  }
  return files.filter(({ make }) => isMade(make));
}

/** Returns whether a patch applies: values other than objects have no fields. */
function isMade(make: () => Uint8Array): boolean {
  try {
    make();
    return true;
  } catch {
    return false;
  }
}

/** Kinds of files that are crafted: all that train quickly. */
const SUBJECTS = ["first order", "second order", "network", "network alone", "graphs", "tagger"];

/** Returns command lines that read a file. */
export function readersOf(file: string, words: string, out: string): readonly (readonly string[])[] {
  return [
    ["parse", "--model", file, "-o", out, words],
    ["parse", "--model", words, "--tagger", file, "-o", out, words],
    ["tag", "run", "--model", file, "-o", out, words],
    ["info", file],
    ["info", "--json", file],
    ["evaluate", words, file],
    ["validate", file],
  ];
}

const WORDS = `# sent_id = s\n${["1\tDogs\tdog\tNOUN", "2\tbark\tbark\tVERB"]
  .map((row, k) => `${row}\t_\t_\t${k === 0 ? "2\tnsubj" : "0\troot"}\t_\t_`)
  .join("\n")}\n\n`;

/** Passes crafted model files to processes of the command. */
export const crafted: Area = {
  name: "crafted",
  description: "model files with each field and section replaced, a process each: exit code and one line",
  share: 2,
  needsProgram: true,
  prepare: async (context) => new CraftedFuzzer(context, await trainSubjects(SUBJECTS)),
};

class CraftedFuzzer implements Fuzzer {
  readonly #context: FuzzContext;
  readonly #files: readonly (readonly CraftedFile[])[];
  readonly #codes = new Map<number | string, number>();

  constructor(context: FuzzContext, subjects: readonly Subject[]) {
    this.#context = context;
    this.#files = subjects.map(({ file }) => craftedFiles(file));
    writeFileSync(join(context.folder, "words.conllu"), WORDS);
  }

  async try(stream: Random): Promise<Outcome> {
    const { folder, program } = this.#context;
    const { name, make } = pick(stream, pick(stream, this.#files));
    const [file, words, out] = ["model", "words.conllu", "out"].map((part) => join(folder, part));
    const bytes = make();
    writeFileSync(file!, bytes);
    const argv = pick(stream, readersOf(file!, words!, out!));
    const result = await (program === undefined ? runHere(argv) : startProcess(program, argv).ended);
    this.#codes.set(result.code, (this.#codes.get(result.code) ?? 0) + 1);
    rmSync(out!, { force: true });
    try {
      checkCommand(argv, result, bytes);
    } catch (error) {
      throw new Fault(`${name}: ${(error as Error).message}`, bytes, error);
    }
    return result.code === 0 ? "survived" : "refused";
  }

  notes(): string {
    const codes = [...this.#codes].sort(([a], [b]) => Number(a) - Number(b));
    return `exit codes: ${codes.map(([code, count]) => `${code} ${count} times`).join(", ")}`;
  }
}
