import { ArcwiseError, describeValue, invalidArgument } from "@arcwise/core/errors";

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

/** A file in JSON: an object. */
export interface JsonFile {
  readonly bytes: Uint8Array;
  readonly source: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/** Names of the files in a folder, without the graph. */
export const FILE_NAMES = {
  tokenizer: "tokenizer.json",
  tokenizerConfig: "tokenizer_config.json",
  config: "config.json",
} as const;

/** Returns the names that the weights of a graph may have in its folder, next to the graph. */
export function dataNames(model: string): string[] {
  return [`${model}_data`, `${model}.data`];
}

/** Returns the last part of a path or an address. */
export function lastPart(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== "") ?? path;
}

/** Reads a file by its name in a folder; undefined if it does not exist. `source` is its whole name, for messages. */
export type ReadFile = (
  name: string,
) => Promise<{ readonly bytes: Uint8Array; readonly source: string } | undefined>;

/**
 * Reads an encoder from a folder.
 *
 * @throws ArcwiseError `invalid-data` that names a file that is missing or is not JSON
 */
export async function readContents(
  read: ReadFile,
  folder: string,
  model: string,
): Promise<Omit<EncoderContents, "path">> {
  const tokenizer = await required(read, folder, FILE_NAMES.tokenizer);
  const tokenizerConfig = await read(FILE_NAMES.tokenizerConfig);
  const config = await read(FILE_NAMES.config);
  const graph = await required(read, folder, model);
  return {
    name: lastPart(folder),
    source: graph.source,
    model: graph.bytes,
    data: await readData(read, model, graph.bytes),
    tokenizer: jsonFile(tokenizer),
    tokenizerConfig: tokenizerConfig && jsonFile(tokenizerConfig),
    config: config && jsonFile(config),
  };
}

async function required(read: ReadFile, folder: string, name: string) {
  const file = await read(name);
  if (file !== undefined) return file;
  const expected = `an encoder has ${name} and ${FILE_NAMES.tokenizer}`;
  throw new ArcwiseError("invalid-data", `${folder}: ${name} does not exist; ${expected}`, {
    file: `${folder}/${name}`,
  });
}

/** Bytes from which a graph contains its weights: a smaller one may have them in a file of its own. */
const MAX_GRAPH_ALONE = 2 ** 25;

async function readData(read: ReadFile, model: string, graph: Uint8Array): Promise<ExternalData | undefined> {
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

/** Parses a file in JSON. @throws ArcwiseError `invalid-data` unless it contains an object */
export function jsonFile({
  bytes,
  source,
}: {
  readonly bytes: Uint8Array;
  readonly source: string;
}): JsonFile {
  const text = new TextDecoder().decode(bytes);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw notJson(source, describeValue(text), cause);
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

/**
 * Reads an encoder from the address of a folder, from files that a user chose, or from files one by one.
 *
 * @throws ArcwiseError `invalid-data` that names a file that is missing, cannot be fetched or is not JSON
 */
export async function fetchContents(
  source: string | URL | EncoderFiles | readonly File[],
  model: string,
): Promise<EncoderContents> {
  if (typeof source === "string" || source instanceof URL) {
    const address = String(source);
    const folder = address.endsWith("/") ? address.slice(0, -1) : address;
    return readContents((name) => fetchFile(`${folder}/${name}`), folder, model);
  }
  return Array.isArray(source)
    ? readContents(among(source), folderOf(source), model)
    : givenContents(source as EncoderFiles);
}

async function fetchFile(address: string) {
  let response: Response;
  try {
    response = await fetch(address);
  } catch (cause) {
    throw new ArcwiseError("invalid-data", `${address}: cannot be fetched: ${cause}`, {
      file: address,
      cause,
    });
  }
  if (response.status === 404) return undefined;
  if (!response.ok)
    throw new ArcwiseError("invalid-data", `${address}: cannot be fetched: status ${response.status}`, {
      file: address,
    });
  return { bytes: new Uint8Array(await response.arrayBuffer()), source: address };
}

/** The path of a file that was chosen as a part of a folder; its name otherwise. */
function pathOf({ webkitRelativePath, name }: File): string {
  return webkitRelativePath || name;
}

function folderOf(files: readonly File[]): string {
  const [folder, ...rest] = (files[0] === undefined ? "" : pathOf(files[0])).split("/");
  return rest.length === 0 || folder === undefined ? "encoder" : folder;
}

function among(files: readonly File[]): ReadFile {
  return async (name) => {
    const file = files.find((one) => pathOf(one) === name || pathOf(one).endsWith(`/${name}`));
    return file && { bytes: new Uint8Array(await file.arrayBuffer()), source: file.name };
  };
}

async function givenContents(files: EncoderFiles): Promise<EncoderContents> {
  const read = async (member: keyof EncoderFiles, standard: string) => {
    const file = files[member];
    return file === undefined ? undefined : contentOf(file, member, standard);
  };
  const tokenizer = await read("tokenizer", FILE_NAMES.tokenizer);
  const tokenizerConfig = await read("tokenizerConfig", FILE_NAMES.tokenizerConfig);
  const config = await read("config", FILE_NAMES.config);
  const model = await read("model", "model.onnx");
  const data = await read("data", "model.onnx_data");
  if (model === undefined || tokenizer === undefined)
    throw invalidArgument("onnxEncoder: files", "model and tokenizer", describeValue(files));
  return {
    name: "encoder",
    source: model.source,
    model: model.bytes,
    data: data && { path: lastPart(data.source), bytes: data.bytes },
    tokenizer: jsonFile(tokenizer),
    tokenizerConfig: tokenizerConfig && jsonFile(tokenizerConfig),
    config: config && jsonFile(config),
  };
}

async function contentOf(file: EncoderFile, member: string, standard: string) {
  if (typeof file === "string" || file instanceof URL) {
    const found = await fetchFile(String(file));
    if (found !== undefined) return found;
    throw new ArcwiseError("invalid-data", `${file}: does not exist`, { file: String(file) });
  }
  if (file instanceof Blob)
    return {
      bytes: new Uint8Array(await file.arrayBuffer()),
      source: "name" in file ? String(file.name) : standard,
    };
  if (file instanceof ArrayBuffer) return { bytes: new Uint8Array(file), source: standard };
  if (ArrayBuffer.isView(file)) return { bytes: file, source: standard };
  throw invalidArgument(`onnxEncoder: files.${member}`, "bytes, a Blob or an address", describeValue(file));
}
