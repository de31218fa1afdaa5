import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { writeBundle } from "@arcwise/core/container";
import { kept } from "../../../tools/kept-models.ts";
import { run } from "../src/run.ts";

/** A new folder, which is removed after the last test. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "arcwise-"));
}

/** A stream that keeps what is written to it. */
export function sink(onText: (text: string) => void = () => {}): Writable & {
  text(): string;
  bytes(): Buffer;
} {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      onText(chunk.toString());
      done();
    },
  });
  const bytes = () => Buffer.concat(chunks);
  return Object.assign(stream, { bytes, text: () => bytes().toString() });
}

export interface Settings {
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Called with what is written to the standard error. */
  readonly onMessage?: (text: string) => void;
}

/** Runs the command in this process. */
export async function arcwise(
  argv: readonly string[],
  settings: Settings = {},
): Promise<{ code: number; out: string; err: string; bytes: Buffer }> {
  const stdout = sink();
  const stderr = sink(settings.onMessage);
  const code = await run(argv, {
    stdin: Readable.from([Buffer.from(settings.stdin ?? "")]),
    stdout,
    stderr,
    env: settings.env ?? {},
    signal: settings.signal ?? new AbortController().signal,
  });
  return { code, out: stdout.text(), err: stderr.text(), bytes: stdout.bytes() };
}

// Commands are loaded when they are run, which takes seconds from sources: help loads all, before any test.
await arcwise(["--help", "--all"]);

/** CoNLL-U of a sentence from `form/UPOS/HEAD/DEPREL` words. */
export function conllu(id: string, words: string): string {
  const rows = words.split(" ").map((word, i) => {
    const [form, upos, head, deprel] = word.split("/");
    return `${i + 1}\t${form}\t${form!.toLowerCase()}\t${upos}\t_\t_\t${head}\t${deprel}\t_\t_\n`;
  });
  return `# sent_id = ${id}\n${rows.join("")}\n`;
}

const patterns = [
  "Cats/NOUN/2/nsubj sleep/VERB/0/root",
  "Old/ADJ/2/amod cats/NOUN/3/nsubj sleep/VERB/0/root",
  "Dogs/NOUN/2/nsubj chase/VERB/0/root cats/NOUN/2/obj",
  "Old/ADJ/2/amod dogs/NOUN/3/nsubj chase/VERB/0/root young/ADJ/5/amod cats/NOUN/3/obj",
  "They/PRON/2/nsubj sleep/VERB/0/root soundly/ADV/2/advmod ./PUNCT/2/punct",
];
/** Thirty short sentences. */
export const treebank = Array.from({ length: 30 }, (_, i) => conllu(`s${i}`, patterns[i % 5]!)).join("");

/** Trains a parser alone, for tagged words: in less time than a pipeline. */
export const TRAIN_PARSER = ["train", "--for", "tagged", "--preset", "linear", "--verbose"] as const;

/** The flag `--settings` with settings. */
export function settings(document: object): string[] {
  return ["--settings", JSON.stringify(document)];
}

/** All heads of a word are candidates. */
export const UNPRUNED = settings({ parser: { prune: false } });

/** Returns the model that a command line trains on files of a folder, `@name`: once for all tests. */
export function trainedModel(
  argv: readonly string[],
  files: Readonly<Record<string, string>> = { treebank },
): Promise<Uint8Array> {
  return kept(["command", argv, files], async () => {
    const { run, bytes } = inFolder(files);
    const { code, err } = await run("", ...argv, "--model", "@model");
    if (code !== 0) throw new Error(err);
    return bytes("model");
  });
}

/** A model file without a step: for commands that end before they use one. */
export const stepless: Uint8Array = writeBundle({ kind: "pipeline", header: {}, parts: {} });

/** The words of a command line, of which those in quotes may have spaces. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c!);
}

/** Returns a new folder with files, and the command run on them. */
export function inFolder(contents: Readonly<Record<string, string | Uint8Array>>) {
  const folder = folderWith(contents);
  const path = (name: string) => join(folder, name);
  /** The words of a command line, and more; `@name` is the path of a file, also in a setting and in a list. */
  const words = (line: string, ...more: readonly string[]) =>
    [...wordsOf(line), ...more].map((word) =>
      word.replace(/(^|[=,])@(?=[\w.])/g, (_, before) => `${before}${folder}/`),
    );
  return {
    folder,
    path,
    words,
    /** Runs the words of a command line, with settings of the run. */
    run: (line: string, ...more: readonly (string | Settings)[]) => {
      const settings = more.filter((word) => typeof word === "object");
      return arcwise(
        words(line, ...more.filter((word) => typeof word === "string")),
        Object.assign({}, ...settings),
      );
    },
    bytes: (name: string) => readFileSync(path(name)),
    text: (name: string) => readFileSync(path(name), "utf8"),
    /** The names of its files, sorted. */
    names: () => readdirSync(folder).sort(),
  };
}

/** A new folder with files, which is removed after the last test. */
export function folderWith(contents: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(folder, name), content);
  return folder;
}
