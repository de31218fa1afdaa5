import { createHash } from "node:crypto";
import { availableParallelism } from "node:os";
import { basename } from "node:path";
import type { ChunkFormat, ParseChunksOptions, ParsedChunk } from "@arcwise/cluster";
import { counted } from "@arcwise/core/errors";
import { addCounts, noInput } from "@arcwise/pipeline";
import { type DepsSetting, fitWatch, graphNote, lineNotes } from "../analysis/input-fit.ts";
import type { AnalysisInput } from "../analysis/inputs.ts";
import { EXIT, UsageError } from "../errors.ts";
import { given, type PlannedOutput } from "../files/file-plan.ts";
import { planFolder } from "../files/folder.ts";
import { decodedText, fileBytes, runningText } from "../files/input.ts";
import { type Io, printLine } from "../files/io.ts";
import { jsonText, openOutput, writeOutput } from "../files/output.ts";
import { loadCluster } from "../modules/packages.ts";
import { openPlace, type PlaceArguments } from "./places.ts";

/** The model, input files, output folder and options of a run over files. */
export interface FileParsing extends PlaceArguments {
  /** A model file. */
  readonly model: string;
  /** Files. */
  readonly inputs: readonly AnalysisInput[];
  readonly format: ChunkFormat;
  /** The folder of the results. */
  readonly output: string;
  readonly tags: "given" | "predicted";
  readonly deps?: DepsSetting | undefined;
  /** The option that gives words their tags, with its value: for advice. */
  readonly tagOption: string;
  readonly threads?: number | undefined;
}

interface ManifestChunk {
  readonly sentences: number;
  readonly words: number;
  /** Sentences that could not be parsed. */
  readonly failed: number;
  readonly bytes: number;
  readonly sha256: string;
  /** Why the chunk has no sentences. */
  readonly error?: string | undefined;
}

interface ManifestFile extends Omit<ManifestChunk, "error"> {
  readonly input: string;
  readonly output: string;
  readonly chunks: readonly ManifestChunk[];
}

/**
 * Parses files in chunks by the workers of a queue, or by threads without one. Writes a file of the same name for
 * each, with its sentences in their order, and `manifest.json`. Chunks whose results are in the store are not parsed
 * again. Notes for each file how many graphs were left out, and warns of input that does not fit the model.
 *
 * @returns the exit code: incomplete when sentences or chunks could not be parsed
 */
export async function parseFiles(io: Io, options: FileParsing): Promise<number> {
  const { inputs, output: folder } = options;
  const names = outputNames(inputs, options.format);
  const model = await fileBytes(options.model);
  const place = await openPlace(io, options, options.threads ?? availableParallelism());
  try {
    const files = given({ "the model": options.model, "the input": inputs.map(({ path }) => path!) });
    const { outputs } = await planFolder(io, { inputs: files, folder, names: [...names, MANIFEST] });
    const parsed: ManifestFile[] = [];
    for (const [k, input] of inputs.entries()) {
      const { tags, format, deps, tagOption } = options;
      const target = outputs[names[k]!]!;
      const file = await parseFile(io, { tags, format, deps, tagOption, input, target, model, place });
      parsed.push(file);
      printLine(
        io,
        `${input.name}: ${counted(file.sentences, "sentence")}, ${counted(file.words, "word")}${losses(file)}`,
      );
    }
    const manifest = {
      model: createHash("sha256").update(model).digest("hex"),
      tags: options.tags,
      files: parsed,
    };
    await writeOutput(io, outputs[MANIFEST]!, jsonText(manifest));
    return parsed.some((file) => losses(file) !== "") ? EXIT.incomplete : EXIT.ok;
  } finally {
    await place.close();
  }
}

const MANIFEST = "manifest.json";

/** Returns the names of the results: files of CoNLL-U keep their names, results of text are named as CoNLL-U. */
function outputNames(inputs: readonly AnalysisInput[], format: ChunkFormat): string[] {
  const names = inputs.map(({ path }) => {
    const name = basename(path!);
    return format === "conllu" ? name : name.replace(/(\.txt)?(\.gz)?$/, ".conllu$2");
  });
  checkNames(names);
  return names;
}

/** @throws UsageError when two results would have one name */
export function checkNames(paths: readonly string[]): void {
  const names = paths.map((path) => basename(path));
  const wrong = names.find((name, k) => names.indexOf(name) < k || name === MANIFEST || name === "-");
  if (wrong === undefined) return;
  throw new UsageError(
    `--queue and --store write a file into --output for each input: expected files of different names, got ${wrong}`,
  );
}

function losses({ failed, chunks }: ManifestFile): string {
  const broken = chunks.filter(({ error }) => error !== undefined);
  const all = [
    failed > 0 ? `; ${counted(failed, "sentence")} could not be parsed` : "",
    broken.length > 0
      ? `; ${counted(broken.length, "chunk")} left out, the first one since: ${broken[0]!.error}`
      : "",
  ];
  return all.join("");
}

interface OneFile extends Pick<FileParsing, "tags" | "format" | "deps" | "tagOption"> {
  readonly input: AnalysisInput;
  readonly target: PlannedOutput;
  readonly model: Uint8Array;
  readonly place: ParseChunksOptions["place"];
}

async function parseFile(io: Io, file: OneFile): Promise<ManifestFile> {
  const { cutChunks, cutText, LINES_OF, parseChunks } = await loadCluster();
  const { input, target, format, tagOption, ...others } = file;
  const isText = format !== "conllu";
  const notes = lineNotes(io, isText ? LINES_OF[format] : false);
  const text = notes.counted(textOf(input, format), input.name);
  const isCut = isText && format !== "lines";
  const parts = isCut ? cutText(text, file.model, { lines: LINES_OF[format] }) : cutChunks(text, format);
  const outputs = parseChunks(parts, { ...others, format, signal: io.signal });
  const output = await openOutput(io, target);
  const hash = createHash("sha256");
  const chunks: ManifestChunk[] = [];
  const watch = chunkWatch(io, file);
  try {
    for await (const chunk of outputs) {
      await output.write(chunk.text);
      hash.update(chunk.text);
      chunks.push(manifestChunk(chunk));
      watch.add(chunk);
    }
    await output.close();
    notes.print();
    watch.end();
  } catch (error) {
    await output.abandon();
    throw error;
  }
  const sum = (name: "sentences" | "words" | "failed" | "bytes") =>
    chunks.reduce((total, chunk) => total + chunk[name], 0);
  return {
    input: basename(input.path!),
    output: basename(target.path),
    sentences: sum("sentences"),
    words: sum("words"),
    failed: sum("failed"),
    bytes: sum("bytes"),
    sha256: hash.digest("hex"),
    chunks,
  };
}

/** Adds up the counts of the chunks of a file; in the end prints what was left out, and how the file fits the model. */
function chunkWatch(io: Io, { input, tags, format, deps, tagOption: option }: OneFile) {
  const total = noInput();
  let facts: ParsedChunk["facts"];
  return {
    add(chunk: ParsedChunk): void {
      addCounts(total, chunk.counts);
      facts ??= chunk.facts;
    },
    end(): void {
      const note = graphNote(total, deps, tags === "given" ? undefined : facts?.graphs);
      if (note !== undefined) printLine(io, `arcwise: ${input.name}: ${note}`);
      if (facts?.columns === undefined) return;
      const tagged = tags === "given" && format === "conllu" ? [] : facts.tagged;
      const warn = (text: string) => printLine(io, `arcwise: ${text}`);
      const fit = fitWatch(input.name, facts.columns, { tagged, option, strict: false, warn });
      fit.add(total);
      fit.check();
    },
  };
}

function manifestChunk({ text, sentences, words, failed, error }: ParsedChunk): ManifestChunk {
  const sha256 = createHash("sha256").update(text).digest("hex");
  return { sentences, words, failed, bytes: Buffer.byteLength(text), sha256, error };
}

function textOf({ bytes, name }: AnalysisInput, format: ChunkFormat): AsyncGenerator<string> {
  const read = { bytes: bytes(), file: name };
  return format === "conllu" ? decodedText(read) : runningText(read);
}
