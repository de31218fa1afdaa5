import { OTHER_DATA, recognise } from "@arcwise/core/container";
import { ArcwiseError, describeValue, invalidArgument } from "@arcwise/core/errors";
import { checkArgument, satisfying } from "@arcwise/core/options";

/** The content of a file, or the address to fetch it from. */
export type EncoderFile = Uint8Array | ArrayBuffer | Blob | URL | string;

/** The files of an encoder, wherever they are. */
export interface EncoderFiles {
  /** The graph: model.onnx. */
  readonly model: EncoderFile;
  /** Weights that are stored apart from the graph: model.onnx_data. */
  readonly data?: EncoderFile | undefined;
  /** tokenizer.json */
  readonly tokenizer: EncoderFile;
  /** tokenizer_config.json */
  readonly tokenizerConfig?: EncoderFile | undefined;
  /** config.json */
  readonly config?: EncoderFile | undefined;
}

/** A file of weights that a graph names. */
interface ExternalData {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The files of an encoder as they were read. */
export interface EncoderContents {
  /** The last part of the path or address of the folder. */
  readonly name: string;
  /** Where the graph is from, for messages. */
  readonly source: string;
  readonly model: Uint8Array;
  /** The path of the graph, for a runtime that opens files by itself. */
  readonly path?: string | undefined;
  readonly data?: ExternalData | undefined;
  readonly tokenizer: JsonFile;
  readonly tokenizerConfig?: JsonFile | undefined;
  readonly config?: JsonFile | undefined;
}

/** A file that was read, and its name for messages. */
interface ReadBytes {
  readonly bytes: Uint8Array;
  readonly source: string;
}

/** A file in JSON: an object. */
export interface JsonFile extends ReadBytes {
  readonly json: Readonly<Record<string, unknown>>;
}

/** Files by their names in a folder. */
export interface EncoderFolder {
  readonly path: string;
  /** Reads a file; undefined if it does not exist. */
  read(name: string): Promise<ReadBytes | undefined>;
}

/** Names of the files in a folder, without the graph. */
const FILE_NAMES = {
  tokenizer: "tokenizer.json",
  tokenizerConfig: "tokenizer_config.json",
  config: "config.json",
} as const;
/** Name of the file of options, which code gives with its call. */
const OPTIONS_FILE = "encoder.json";

/** Returns the names that the weights of a graph may have in its folder, next to the graph. */
function dataNames(model: string): string[] {
  return [`${model}_data`, `${model}.data`];
}

/** Returns the last part of a path or an address. */
function lastPart(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== "") ?? path;
}

/** Returns the file with the options of an encoder; undefined if its folder does not have it. */
export async function readOptionsFile({ read }: EncoderFolder): Promise<JsonFile | undefined> {
  return readJson(await read(OPTIONS_FILE));
}

/**
 * Reads an encoder.
 *
 * @param model path of the graph in the folder
 */
export async function readContents(folder: EncoderFolder, model: string): Promise<EncoderContents> {
  const tokenizer = await required(folder, FILE_NAMES.tokenizer);
  const tokenizerConfig = await folder.read(FILE_NAMES.tokenizerConfig);
  const config = await folder.read(FILE_NAMES.config);
  const graph = await required(folder, model);
  return {
    name: lastPart(folder.path),
    source: graph.source,
    model: graph.bytes,
    data: await readData(folder, model, graph.bytes),
    tokenizer: jsonFile(tokenizer),
    tokenizerConfig: readJson(tokenizerConfig),
    config: readJson(config),
  };
}

function readJson(file: ReadBytes | undefined): JsonFile | undefined {
  return file && jsonFile(file);
}

async function required({ path, read }: EncoderFolder, name: string): Promise<ReadBytes> {
  const file = await read(name);
  if (file !== undefined) return file;
  const expected = "an encoder has a graph (model.onnx) and tokenizer.json";
  throw new ArcwiseError("invalid-data", `${path}: ${name} does not exist; ${expected}`, {
    file: `${path}/${name}`,
  });
}

/** Bytes from which a graph contains its weights: a smaller one may have them in a file of its own. */
const MAX_GRAPH_ALONE = 2 ** 25;

async function readData(
  { read }: EncoderFolder,
  model: string,
  graph: Uint8Array,
): Promise<ExternalData | undefined> {
  if (graph.length > MAX_GRAPH_ALONE) return undefined;
  for (const name of dataNames(model)) {
    // The graph names the file: only then it is read.
    if (!contains(graph, lastPart(name))) continue;
    const file = await read(name);
    if (file !== undefined) return { path: lastPart(name), bytes: file.bytes };
  }
  return undefined;
}

/** Returns whether bytes contain an ASCII text. O(length). */
function contains(bytes: Uint8Array, text: string): boolean {
  const codes = new TextEncoder().encode(text);
  for (let at = bytes.indexOf(codes[0]!); at >= 0; at = bytes.indexOf(codes[0]!, at + 1))
    if (codes.every((code, i) => bytes[at + i] === code)) return true;
  return false;
}

/**
 * Returns what bytes are instead of a graph or its weights; undefined if they may be one: what was fetched in its place
 * (a page, a pointer of Git LFS), what is not a model in the format of Protocol Buffers, or a model that ends before its
 * last field does. O(fields).
 *
 * @param weights the name of a file of weights, which has no fields
 */
export function foundInstead(bytes: Uint8Array, weights?: string): string | undefined {
  const found = recognise(bytes);
  if (found !== OTHER_DATA) return weights === undefined ? found : `${found} (${weights})`;
  if (weights !== undefined) return undefined;
  const { end, hasGraph } = fieldsOf(bytes);
  if (end > bytes.length) return `a file that is cut off: ${bytes.length} bytes of at least ${end}`;
  return hasGraph ? undefined : OTHER_DATA;
}

/** Number of the field of a model that has its graph. */
const GRAPH_FIELD = 7;

/**
 * Returns the offset at which the last field of a message begins or ends, also beyond the bytes, and whether there is a
 * graph among its fields; there is none where the bytes are not a message.
 */
function fieldsOf(bytes: Uint8Array): { readonly end: number; readonly hasGraph: boolean } {
  let at = 0;
  let hasGraph = false;
  const varint = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const [field, type] = [Math.floor(tag / 8), tag % 8];
    if (field === 0) return { end: 0, hasGraph: false };
    if (field === GRAPH_FIELD && type === 2) hasGraph = true;
    if (type === 0) varint();
    // The length moves the offset, and is read before it.
    else if (type === 2) at = varint() + at;
    else if (type === 1 || type === 5) at += type === 1 ? 8 : 4;
    else return { end: 0, hasGraph: false };
  }
  return { end: at, hasGraph };
}

/** Parses a file in JSON. */
export function jsonFile({ bytes, source }: ReadBytes): JsonFile {
  const text = new TextDecoder().decode(bytes);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    const found = recognise(bytes);
    throw notJson(source, found === OTHER_DATA || found === "text" ? describeValue(text) : found, cause);
  }
  if (typeof json !== "object" || json === null || Array.isArray(json))
    throw notJson(source, describeValue(json));
  return { bytes, source, json: json as JsonFile["json"] };
}

function notJson(file: string, found: string, cause?: unknown): ArcwiseError {
  const expected = "an object in JSON";
  return new ArcwiseError("invalid-data", `${file}: expected ${expected}, found ${found}`, {
    file,
    expected,
    found,
    cause,
  });
}

/** Where the files of an encoder are, outside of Node. */
export type EncoderSource = string | URL | EncoderFiles | readonly File[];

const SOURCE = satisfying<EncoderSource>(
  "the address of a folder, its files, or { model, tokenizer }",
  (value) =>
    typeof value === "string" ||
    (Array.isArray(value) && value.every((file) => file instanceof File)) ||
    (typeof value === "object" && value !== null && (value instanceof URL || "model" in value)),
);

/** Returns the files of a source as a folder. */
export function folderOf(source: EncoderSource): EncoderFolder {
  checkArgument(SOURCE, source, "onnxEncoder: source");
  if (typeof source === "string" || source instanceof URL) {
    const address = String(source);
    const path = address.endsWith("/") ? address.slice(0, -1) : address;
    return { path, read: (name) => fetchFile(`${path}/${name}`) };
  }
  return Array.isArray(source) ? chosenFolder(source) : givenFolder(source as EncoderFiles);
}

async function fetchFile(address: string): Promise<ReadBytes | undefined> {
  let response: Response;
  try {
    response = await fetch(address);
  } catch (cause) {
    throw unreachable(address, String(cause), cause);
  }
  // Servers of applications of one page send that page in place of files that do not exist.
  const isPage = /\bhtml\b/.test(response.headers.get("content-type") ?? "");
  if (response.status === 404 || isPage) return undefined;
  if (!response.ok) throw unreachable(address, `status ${response.status}`);
  return { bytes: new Uint8Array(await response.arrayBuffer()), source: address };
}

function unreachable(file: string, why: string, cause?: unknown): ArcwiseError {
  return new ArcwiseError("invalid-data", `${file}: cannot be fetched: ${why}`, { file, cause });
}

/** The path of a file that was chosen as a part of a folder; its name otherwise. */
function pathOf({ webkitRelativePath, name }: File): string {
  return webkitRelativePath || name;
}

/** A name for encoders whose files are not in a folder. */
const NAMELESS = "encoder";

function chosenFolder(files: readonly File[]): EncoderFolder {
  const [folder, ...rest] = (files[0] === undefined ? "" : pathOf(files[0])).split("/");
  return {
    path: rest.length === 0 || folder === undefined ? NAMELESS : folder,
    read: async (name) => {
      const file = files.find((one) => pathOf(one) === name || pathOf(one).endsWith(`/${name}`));
      return file && { bytes: new Uint8Array(await file.arrayBuffer()), source: pathOf(file) };
    },
  };
}

function givenFolder(files: EncoderFiles): EncoderFolder {
  return {
    path: NAMELESS,
    read: async (name) => {
      const member = memberOf(name);
      const file = member === undefined ? undefined : files[member];
      return file === undefined ? undefined : contentOf(file, name);
    },
  };
}

/** Returns the member that has a file; undefined for options. */
function memberOf(name: string): keyof EncoderFiles | undefined {
  if (name === OPTIONS_FILE) return undefined;
  const members = Object.keys(FILE_NAMES) as (keyof typeof FILE_NAMES)[];
  const other = /[_.]data$/.test(name) ? "data" : "model";
  return members.find((member) => FILE_NAMES[member] === name) ?? other;
}

async function contentOf(file: EncoderFile, name: string): Promise<ReadBytes | undefined> {
  if (typeof file === "string" || file instanceof URL) return fetchFile(String(file));
  if (file instanceof Blob) return { bytes: new Uint8Array(await file.arrayBuffer()), source: name };
  if (file instanceof ArrayBuffer) return { bytes: new Uint8Array(file), source: name };
  if (ArrayBuffer.isView(file)) return { bytes: file, source: name };
  throw invalidArgument(`onnxEncoder: ${name}`, "bytes, a Blob or an address", describeValue(file));
}
