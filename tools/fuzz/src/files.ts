import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { readSplit, SAMPLE } from "@arcwise/bench/data";
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
import { evaluateConllu } from "@arcwise/evaluate";
import { readTemplates, readWordVectors, saveParser, trainParser } from "@arcwise/parser";
import fc from "fast-check";
import { type Area, Fault, type FuzzContext, type Outcome, refusalOf, type Trials } from "./area.ts";
import { PAST_TEXTS } from "./corpus.ts";
import { byteEdits, decode, editBytes, editText, encode, textEdits } from "./edits.ts";
import { editJson, jsonEdits, pathsOf } from "./json-edits.ts";
import { checkCommand, runHere, startProcess } from "./programs.ts";
import { sampleText } from "./samples.ts";

/** Names of errors that refuse a file. */
const REFUSALS = [
  ...["ConlluError", "InvalidSentence", "SentenceMismatch", "TextMismatch"],
  ...["TemplateError", "WordVectorError"],
];
/** Number of sentences of the documents that are edited. */
const SENTENCES = 5;

const TEMPLATES = {
  comment: "a document",
  arc: { add: ["h.upos m.Case"], remove: ["h.lemma m.lemma"] },
  pruner: ["h.upos m.upos", "h.upos m.upos between.upos"],
  parts: { nextSibling: ["h.upos m.upos s.upos"], grandparent: { add: ["g.upos h.upos m.upos"] } },
  labeller: { arc: ["h.upos m.upos"], tree: ["h.upos m.upos tree.place"] },
  global: { span: [] },
};

/** A file format with its damaged files and its readers. */
interface FileFormat {
  readonly files: fc.Arbitrary<Uint8Array>;
  /** Reads bytes by all functions of the format. */
  read(bytes: Uint8Array): unknown;
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
  if (count === 0 && valid.endsWith("\n\n") && written !== valid)
    throw new Fault("is valid, and not written back byte for byte", bytes);
  evaluateConllu(parseConllu(gold), parseConllu(text));
}

async function drain(source: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of source);
}

async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
}

/** Returns the formats by name, with examples made of a CoNLL-U text. */
function fileFormats(conllu: string): Readonly<Record<string, FileFormat>> {
  const rows = conllu.split("\n").map((line) => (/^\d+\t/.test(line) ? line.split("\t") : undefined));
  const inColumns = (columns: (row: string[]) => (string | undefined)[]) =>
    rows
      .map((row) => (row ? columns(row).join("\t") : ""))
      .join("\n")
      .replaceAll(/\n{3,}/g, "\n\n")
      .trimStart();
  const x = inColumns((row) => [...row.slice(0, 8), "_", "_"]);
  const nine = inColumns(([id, form, lemma, upos, , feats, head, label]) => [
    ...[id, form, lemma, lemma, upos, upos, feats, feats, head, head, label, label, "_", "_"],
  ]);
  const edited = (text: string) => textEdits.map((edits) => editText(text, edits));
  const templates = fc
    .tuple(jsonEdits([...pathsOf(TEMPLATES)]), fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, byteEdits))
    .map(([edits, bytes]) => editBytes(encode(JSON.stringify(editJson(TEMPLATES, edits)) ?? ""), bytes));
  return {
    "CoNLL-U": { files: edited(conllu), read: (bytes) => readEverything(bytes, conllu) },
    "CoNLL-U in chunks": { files: edited(conllu), read: (bytes) => drain(readConllu(chunks(bytes))) },
    "CoNLL-X": { files: edited(x), read: (bytes) => writeConllX(parseConllX(decode(bytes))) },
    "CoNLL-2009": { files: edited(nine), read: (bytes) => writeConll2009(parseConll2009(decode(bytes))) },
    vectors: {
      files: edited("4\t3\nthe\t1\t2\t3\nof\t0.5\t-1e-3\t2\na\t0\t0\t0\nin\t1\t1\t1\n"),
      read: (bytes) => readWordVectors(decode(bytes).split("\n")),
    },
    templates: { files: templates, read: (bytes) => readTemplates(decode(bytes)) },
  };
}

/** A file, read by functions, or by a command in this process or in its own. */
interface FileInput {
  readonly format: string;
  readonly bytes: Uint8Array;
  readonly by: "functions" | "command" | "process";
  /** Which command. */
  readonly line: number;
  /** Whether a command gets a gzip file, and edits of that. */
  readonly packed: Parameters<typeof editBytes>[1] | undefined;
}

/** Passes damaged files of all formats to functions and commands. */
export const files: Area<FileInput> = {
  name: "files",
  description: "damaged files of all formats, through the functions and the commands that read them",
  share: 3,
  prepare: async ({ folder }) => {
    const examples = readSplit(SAMPLE, "dev").slice(0, SENTENCES);
    const model = await trainParser(examples, { preset: "linear", epochs: 1 });
    const conllu = sampleText(SENTENCES);
    writeFileSync(join(folder, "model"), saveParser(model));
    writeFileSync(join(folder, "gold.conllu"), conllu);
    return fileTrials({ folder }, fileFormats(conllu));
  },
};

function fileTrials(
  { folder }: FuzzContext,
  formats: Readonly<Record<string, FileFormat>>,
): Trials<FileInput> {
  const functions = fc.constant("functions" as const);
  const inputs = Object.entries(formats).map(([format, { files }]) =>
    fc.record({
      ...{ format: fc.constant(format), bytes: files, line: fc.nat(8) },
      packed: fc.option(byteEdits, { nil: undefined }),
      by:
        format === "CoNLL-U"
          ? fc.oneof(
              { weight: 20, arbitrary: functions },
              { weight: 8, arbitrary: fc.constant("command" as const) },
              { weight: 1, arbitrary: fc.constant("process" as const) },
            )
          : functions,
    }),
  );
  const past = { by: "functions", line: 0, packed: undefined } as const;
  return {
    inputs: fc.oneof(...inputs),
    examples: PAST_TEXTS.map(([, format, text]) => ({ format, bytes: encode(text), ...past })),
    async try({ format, bytes, by, line, packed }) {
      if (by !== "functions")
        return readByCommand(folder, { bytes, packed, line, isProcess: by === "process" });
      try {
        await formats[format]!.read(bytes);
        return "survived";
      } catch (error) {
        return refusalOf(REFUSALS, bytes, error);
      }
    },
  };
}

async function readByCommand(
  folder: string,
  {
    bytes: text,
    packed,
    line,
    isProcess,
  }: Omit<FileInput, "format" | "by"> & { readonly isProcess: boolean },
): Promise<Outcome> {
  const file = join(folder, packed === undefined ? "input.conllu" : "input.conllu.gz");
  const bytes = packed === undefined ? text : editBytes(new Uint8Array(gzipSync(text)), packed);
  writeFileSync(file, bytes);
  const out = join(folder, "out");
  const lines = commandLines(folder, file, out);
  const argv = lines[line % lines.length]!;
  const result = await (isProcess ? startProcess(argv).ended : runHere(argv));
  checkCommand(argv, result, bytes);
  checkOutput(argv, result.code, out, bytes);
  rmSync(file);
  return result.code === 0 ? "survived" : "refused";
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
    ["train", "--for", "tagged", "--preset", "linear", "--train", file, "--model", out, "--epochs", "1"],
    ["tag", "train", "--train", file, "--model", out, "--epochs", "1"],
  ];
}

/** Checks that the output exists if and only if the command succeeded, and is complete. */
function checkOutput(argv: readonly string[], code: number | string, out: string, input: Uint8Array): void {
  if (!argv.includes(out)) return;
  const exists = existsSync(out);
  const fault = (what: string, cause?: unknown) =>
    new Fault(`arcwise ${argv.join(" ")}: ${what}`, input, cause);
  if (code === 0 && !exists) throw fault("wrote nothing");
  if (code === 1 && exists) throw fault("failed, and wrote its output");
  if (exists && argv[0] === "parse") {
    try {
      parseConllu(readFileSync(out, "utf8"));
    } catch (error) {
      throw fault("wrote what is not CoNLL-U", error);
    }
  }
  for (const path of [out, `${out}.checkpoint`]) rmSync(path, { recursive: true, force: true });
}
