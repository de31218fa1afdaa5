import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import {
  parseConll2009,
  parseConllu,
  parseConllX,
  readConllu,
  validateText,
  writeConll2009,
  writeConllu,
  writeConllX,
} from "@arcwise/conllu";
import type { Random } from "@arcwise/core";
import { evaluateConllu } from "@arcwise/evaluate";
import { readTemplates, readWordVectors, saveParser, trainParser } from "@arcwise/parser";
import { readSplit, SAMPLE } from "../data/treebanks.ts";
import { type Area, Fault, type FuzzContext, type Fuzzer, type Outcome, pick, refusalOf } from "./area.ts";
import { checkCommand, runHere, startProcess } from "./commands.ts";
import { decode, encode, mutateBytes, mutateJson, mutateText } from "./mutations.ts";
import { withFewerLines } from "./reductions.ts";

/** Names of errors that refuse a file. */
export const FILE_REFUSALS: ReadonlySet<string> = new Set([
  "ConlluError",
  "InvalidSentence",
  "SentenceMismatch",
  "TextMismatch",
  "TemplateError",
  "WordVectorError",
]);

/** Number of sentences of the documents that are mutated. */
const SENTENCES = 5;
/** One in this many trials is a command in this process, or a process of its own. */
const EVERY_COMMAND = 20;
const EVERY_PROCESS = 150;

const TEMPLATES = {
  comment: "a document",
  arc: { add: ["h.upos m.Case"], remove: ["h.lemma m.lemma"] },
  pruner: ["h.upos m.upos", "h.upos m.upos between.upos"],
  parts: { nextSibling: ["h.upos m.upos s.upos"], grandparent: { add: ["g.upos h.upos m.upos"] } },
  labeller: { arc: ["h.upos m.upos"], tree: ["h.upos m.upos tree.place"] },
  global: { span: [] },
};

/** A file format with an example and its readers. */
export interface FileFormat {
  readonly name: string;
  readonly example: string;
  mutate(example: string, stream: Random): Uint8Array;
  /** Reads bytes by all functions of the format. */
  read(bytes: Uint8Array): void | Promise<void>;
}

function readEverything(bytes: Uint8Array, gold: string): void {
  const text = decode(bytes);
  let count = 0;
  for (const { message } of validateText(text)) {
    count++;
    if (/[\n\r]/.test(message)) throw new Fault(`a finding of two lines: ${JSON.stringify(message)}`, bytes);
  }
  const written = writeConllu(parseConllu(text));
  if (writeConllu(parseConllu(written)) !== written) throw new Fault("is written otherwise again", bytes);
  const valid = text.replaceAll("\r\n", "\n").replace(/^\ufeff/, "");
  if (count === 0 && valid.endsWith("\n\n") && written !== valid) {
    throw new Fault("is valid, and not written back byte for byte", bytes);
  }
  evaluateConllu(parseConllu(gold), parseConllu(text));
}

async function drain(source: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of source);
}

async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
}

/** Returns the formats, with examples made of a CoNLL-U text. */
export function fileFormats(conllu: string): readonly FileFormat[] {
  const words = conllu.split("\n").map((line) => (/^\d+\t/.test(line) ? line.split("\t") : undefined));
  const inColumns = (columns: (row: string[]) => string[]) =>
    `${words.map((row) => (row ? columns(row).join("\t") : "")).join("\n")}\n\n`.replaceAll(
      /\n{3,}/g,
      "\n\n",
    );
  const x = inColumns((row) => [...row.slice(0, 8), "_", "_"]).trimStart();
  const nine = inColumns(([id, form, lemma, upos, , feats, head, label]) =>
    [id, form, lemma, lemma, upos, upos, feats, feats, head, head, label, label, "_", "_"].map((f) => f!),
  ).trimStart();
  return [
    { name: "CoNLL-U", example: conllu, mutate: mutateText, read: (bytes) => readEverything(bytes, conllu) },
    {
      name: "CoNLL-U in chunks",
      example: conllu,
      mutate: mutateText,
      read: (bytes) => drain(readConllu(chunks(bytes))),
    },
    {
      name: "CoNLL-X",
      example: x,
      mutate: mutateText,
      read: (bytes) => void writeConllX(parseConllX(decode(bytes))),
    },
    {
      name: "CoNLL-2009",
      example: nine,
      mutate: mutateText,
      read: (bytes) => void writeConll2009(parseConll2009(decode(bytes))),
    },
    {
      name: "vectors",
      example: "4 3\nthe 1 2 3\nof 0.5 -1e-3 2\na 0 0 0\nin 1 1 1\n",
      mutate: (example, stream) => mutateText(example.replaceAll(" ", "\t"), stream),
      read: async (bytes) => void (await readVectors(bytes)),
    },
    {
      name: "templates",
      example: JSON.stringify(TEMPLATES),
      mutate: (example, stream) => {
        const bytes = encode(JSON.stringify(mutateJson(JSON.parse(example), stream)) ?? "");
        return stream.int(4) === 0 ? mutateBytes(bytes, stream) : bytes;
      },
      read: (bytes) => void readTemplates(decode(bytes)),
    },
  ];
}

function readVectors(bytes: Uint8Array): Promise<unknown> {
  return readWordVectors(decode(bytes).split("\n"));
}

/** Passes damaged files of all formats to functions and commands. */
export const files: Area = {
  name: "files",
  description: "damaged files of all formats, through the functions and the commands that read them",
  share: 3,
  prepare: async (context) => {
    const text = readFileSync(join(SAMPLE, "dev.conllu"), "utf8");
    const example = `${text.split("\n\n").slice(0, SENTENCES).join("\n\n")}\n\n`;
    const model = await trainParser(readSplit(SAMPLE, "dev").slice(0, SENTENCES), {
      preset: "linear",
      epochs: 1,
    });
    writeFileSync(join(context.folder, "model"), saveParser(model));
    writeFileSync(join(context.folder, "gold.conllu"), example);
    return new FileFuzzer(context, example);
  },
};

class FileFuzzer implements Fuzzer {
  readonly #context: FuzzContext;
  readonly #formats: readonly FileFormat[];
  /** The format of the last trial; undefined when it was a command. */
  #last: FileFormat | undefined;

  constructor(context: FuzzContext, example: string) {
    this.#context = context;
    this.#formats = fileFormats(example);
  }

  async try(stream: Random): Promise<Outcome> {
    this.#last = undefined;
    if (stream.int(EVERY_PROCESS) === 0 && this.#context.program !== undefined)
      return this.#command(stream, true);
    if (stream.int(EVERY_COMMAND) === 0) return this.#command(stream, false);
    const format = pick(stream, this.#formats);
    this.#last = format;
    return readFormat(format, format.mutate(format.example, stream));
  }

  async shrink(fault: Fault): Promise<Fault> {
    const format = this.#last;
    return format === undefined ? fault : withFewerLines(fault, (bytes) => readFormat(format, bytes));
  }

  async #command(stream: Random, isProcess: boolean): Promise<Outcome> {
    const { folder, program } = this.#context;
    const isPacked = stream.int(6) === 0;
    const file = join(folder, isPacked ? "input.conllu.gz" : "input.conllu");
    const mutated = mutateText(this.#formats[0]!.example, stream);
    const packed = isPacked ? new Uint8Array(gzipSync(mutated)) : mutated;
    const bytes = isPacked && stream.int(2) === 0 ? mutateBytes(packed, stream) : packed;
    writeFileSync(file, bytes);
    const out = join(folder, "out");
    const argv = pick(stream, commandLines(folder, file, out));
    const result = await (isProcess ? startProcess(program!, argv).ended : runHere(argv));
    checkCommand(argv, result, bytes);
    checkOutput(argv, result.code, out, bytes);
    rmSync(file);
    return result.code === 0 ? "survived" : "refused";
  }
}

/** Reads bytes as a format. @throws Fault */
export async function readFormat(format: FileFormat, bytes: Uint8Array): Promise<Outcome> {
  try {
    await format.read(bytes);
    return "survived";
  } catch (error) {
    return refusalOf(FILE_REFUSALS, bytes, error);
  }
}

function commandLines(folder: string, file: string, out: string): readonly string[][] {
  const [model, gold] = [join(folder, "model"), join(folder, "gold.conllu")];
  return [
    ["parse", "--model", model, "-o", out, file],
    ["parse", "--model", model, "-o", out, "--kbest", "3", "--marginals", file],
    ["parse", "--model", model, "-o", out, "--constraints", file, gold],
    ["evaluate", gold, file],
    ["evaluate", file, gold],
    ["validate", file],
    ["info", file],
    ["train", "--for", "tagged", "--train", file, "--model", out, "--epochs", "1"],
    ["tag", "train", "--train", file, "--model", out, "--epochs", "1"],
  ];
}

/** Checks that the output exists if and only if the command succeeded, and is complete. */
function checkOutput(argv: readonly string[], code: number | string, out: string, input: Uint8Array): void {
  if (!argv.includes(out)) return;
  const exists = existsSync(out);
  if (code === 0 && !exists) throw new Fault(`arcwise ${argv.join(" ")}: wrote nothing`, input);
  if (code === 1 && exists) throw new Fault(`arcwise ${argv.join(" ")}: failed, and wrote its output`, input);
  if (exists && argv[0] === "parse") {
    try {
      parseConllu(readFileSync(out, "utf8"));
    } catch (error) {
      throw new Fault(`arcwise ${argv.join(" ")}: wrote what is not CoNLL-U`, input, error);
    }
  }
  rmSync(out, { force: true });
  rmSync(`${out}.checkpoint`, { force: true });
}
