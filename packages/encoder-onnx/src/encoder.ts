import type { Encoder, EncoderIdentity } from "@arcwise/core/encoders";
import { ArcwiseError, invalidArgument } from "@arcwise/core/errors";
import { type Complete, checkArgument, list, string } from "@arcwise/core/options";
import type { EncoderContents } from "./files.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { type Graph, type HiddenStates, loadGraph, type PieceSequence } from "./graph.ts";
import type { ENCODER_OPTIONS } from "./options.ts";
import { chosenOutputs } from "./outputs.ts";
import type { OnnxRuntime } from "./runtime.ts";
import { type WordTokeniser, wordTokeniser } from "./tokeniser.ts";
import { batchesOf, type Window, windowsOf } from "./windows.ts";

type Options = Complete<typeof ENCODER_OPTIONS>;

/** Maximum number of pieces of a word that are read. */
const MAX_PIECES = 64;
/** Maximum length of a window unless the user asks for more: the cost of a piece grows with the length. */
const DEFAULT_LENGTH = 512;
/** Milliseconds of work between two turns of the event loop. */
const TURN = 50;
/** Distance, as a share of their length, from which vectors of a sequence alone and in a batch are not the same. */
const SAME = { cpu: 1e-5, webgpu: 1e-3 } as const;

/** The parts of an encoder. */
interface Parts {
  readonly graph: Graph;
  readonly tokeniser: WordTokeniser;
  readonly outputs: readonly string[];
  readonly width: number;
  /** Pieces of words per window. */
  readonly capacity: number;
  /** Pieces per batch. */
  readonly batchTokens: number;
  readonly pieces: "mean" | "first";
}

/** Words of a sentence that are read together. */
interface WindowSequence extends PieceSequence {
  readonly sentence: number;
  readonly window: Window;
  /** The place of the first piece of each word of the window, and of what follows the last. */
  readonly places: readonly number[];
}

/** Makes the encoder of files that were read. */
export async function createEncoder(
  runtime: OnnxRuntime,
  contents: EncoderContents,
  options: Options,
): Promise<Encoder> {
  const tokeniser = wordTokeniser(contents);
  const firstPosition = startOfPositions(contents);
  const { padding, before, after } = tokeniser;
  const maxLength = lengthOf(contents, firstPosition, options);
  const capacity = maxLength - before.length - after.length;
  if (capacity < 1)
    throw invalidArgument("onnxEncoder: maxLength", "more than the special pieces", String(maxLength));
  const { device, threads } = options;
  const graph = await loadGraph(runtime, contents, { padding, firstPosition, device, threads });
  try {
    const outputs = chosenOutputs(graph.outputNames, options);
    const { pieces } = options;
    const identity = await fingerprintOf(contents, { outputs, pieces, maxLength, firstPosition });
    const { width, areGroupsSound } = await tried(
      graph,
      { tokeniser, source: contents.tokenizer.source },
      outputs,
      SAME[device],
    );
    const batchTokens = areGroupsSound ? options.batchTokens : 1;
    const parts = { graph, tokeniser, outputs, width, capacity, batchTokens, pieces };
    return encoderOf({ name: options.name ?? contents.name, ...identity }, parts);
  } catch (error) {
    await graph.close();
    throw error;
  }
}

function encoderOf(identity: Omit<EncoderIdentity, "width">, parts: Parts): Encoder {
  const { graph, width } = parts;
  // Runtimes of WebAssembly run one graph at a time.
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  return {
    ...identity,
    width,
    encode: async (sentences, { signal } = {}) => {
      checkArgument(list(list(string)), sentences, "encode: sentences");
      signal?.throwIfAborted();
      if (isClosed) throw invalidArgument("encode", "an encoder that is not closed", "a closed one");
      const turn = last.then(() => encode(parts, sentences, signal));
      last = turn.catch(() => {});
      return turn;
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      await last;
      await graph.close();
    },
  };
}

async function encode(
  parts: Parts,
  sentences: readonly (readonly string[])[],
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  const vectors = sentences.map((words) => new Float32Array(words.length * parts.width));
  const sequences = sentences.flatMap((words, s) => sequencesOf(parts, words, s));
  let lastTurn = performance.now();
  for (const batch of batchesOf(sequences, parts.batchTokens)) {
    signal?.throwIfAborted();
    if (performance.now() - lastTurn >= TURN) {
      // WebAssembly computes in this thread: events, such as the end of the signal, need a turn.
      await new Promise<void>((resolve) => setTimeout(resolve));
      signal?.throwIfAborted();
      lastTurn = performance.now();
    }
    const states = await parts.graph.run(batch, parts.outputs);
    for (const [i, sequence] of batch.entries())
      addVectors(vectors[sequence.sentence]!, sequence, states, i, parts.pieces);
  }
  signal?.throwIfAborted();
  return vectors;
}

/** Returns the windows of a sentence as sequences of pieces. */
function sequencesOf(
  { tokeniser, capacity }: Parts,
  words: readonly string[],
  sentence: number,
): WindowSequence[] {
  const limit = Math.min(MAX_PIECES, Math.max(1, capacity >> 2));
  const pieces = words.map((word) => tokeniser.pieces(word).slice(0, limit));
  const lengths = pieces.map(({ length }) => length);
  return windowsOf(lengths, capacity).map((window) => {
    const places = [tokeniser.before.length];
    for (let word = window.first; word < window.end; word++) places.push(places.at(-1)! + lengths[word]!);
    const ids = pieces.slice(window.first, window.end).flat();
    return { ...withSpecialPieces(tokeniser, ids), sentence, window, places };
  });
}

function withSpecialPieces({ before, after, type }: WordTokeniser, ids: readonly number[]): PieceSequence {
  const all = [...before, ...ids.map((id) => ({ id, type })), ...after];
  return { length: all.length, ids: all.map(({ id }) => id), types: all.map((piece) => piece.type) };
}

/** Writes the mean over outputs and pieces for each word that belongs to a window. */
function addVectors(
  vectors: Float32Array,
  { window, places }: WindowSequence,
  { outputs, longest, width }: HiddenStates,
  row: number,
  pieces: "mean" | "first",
): void {
  const sum = new Float64Array(width);
  for (let word = window.ownFirst; word < window.ownEnd; word++) {
    const first = places[word - window.first]!;
    const end = pieces === "first" ? first + 1 : places[word - window.first + 1]!;
    sum.fill(0);
    for (const states of outputs)
      for (let piece = first; piece < end; piece++) {
        const from = (row * longest + piece) * width;
        for (let k = 0; k < width; k++) sum[k]! += states[from + k]!;
      }
    const count = outputs.length * (end - first);
    for (let k = 0; k < width; k++) vectors[word * width + k] = sum[k]! / count;
  }
}

/** Models that number positions from the padding piece onwards. */
const NUMBERED_FROM_PADDING = /roberta|camembert|mpnet|longformer|xmod|data2vec|esm/;

/** Returns the position of the first piece. */
function startOfPositions({ config }: EncoderContents): number {
  const { model_type: type, pad_token_id: padding } = config?.json ?? {};
  if (typeof type !== "string" || !NUMBERED_FROM_PADDING.test(type)) return 0;
  return (Number.isInteger(padding) ? (padding as number) : 1) + 1;
}

/** Returns the maximum number of pieces per window. */
function lengthOf(
  { config, tokenizerConfig }: EncoderContents,
  firstPosition: number,
  { maxLength }: Options,
): number {
  const { max_position_embeddings: positions } = config?.json ?? {};
  const { model_max_length: stated } = tokenizerConfig?.json ?? {};
  const limits = [
    ...(typeof positions === "number" && positions > firstPosition ? [positions - firstPosition] : []),
    ...(typeof stated === "number" && stated > 0 ? [stated] : []),
  ];
  const limit = Math.min(...limits, Number.MAX_SAFE_INTEGER);
  if (maxLength === undefined) return Math.min(limit, DEFAULT_LENGTH);
  if (maxLength <= limit) return maxLength;
  const expected = `at most ${limit}, as config.json and tokenizer_config.json state`;
  const message = `onnxEncoder: maxLength: expected ${expected}, found ${maxLength}`;
  throw new ArcwiseError("invalid-option", message, { at: "maxLength", expected, found: String(maxLength) });
}

/**
 * Runs the graph: returns the width of its outputs, and whether a sequence has the same vectors alone and in a batch. It
 * does not if the graph rounds numbers by the maximum of the whole batch (`DynamicQuantizeLinear`).
 */
async function tried(
  graph: Graph,
  { tokeniser, source }: { readonly tokeniser: WordTokeniser; readonly source: string },
  outputs: readonly string[],
  tolerance: number,
): Promise<{ width: number; areGroupsSound: boolean }> {
  const spread = (count: number) =>
    Array.from({ length: count }, (_, i) => Math.floor(((i + 1) * tokeniser.size) / (count + 1)));
  const sequences = [spread(5), spread(16)].map((ids) => withSpecialPieces(tokeniser, ids));
  const grouped = await graph.run(sequences, outputs);
  await graph.run([withSpecialPieces(tokeniser, [tokeniser.lastId])], outputs).catch((cause: Error) => {
    // A graph refuses what its table of embeddings lacks.
    const message = `${source}: the graph does not read its piece ${tokeniser.lastId}: ${cause.message}`;
    throw new ArcwiseError("invalid-data", message, { file: source, cause });
  });
  let areGroupsSound = true;
  for (const [row, sequence] of sequences.entries()) {
    const alone = await graph.run([sequence], outputs);
    areGroupsSound &&= isNear(alone, grouped, row, tolerance);
  }
  return { width: grouped.width, areGroupsSound };
}

/** Returns whether a sequence alone has the states of a row of a batch. */
function isNear(alone: HiddenStates, grouped: HiddenStates, row: number, tolerance: number): boolean {
  const from = row * grouped.longest * grouped.width;
  return alone.outputs.every((states, output) => {
    const others = grouped.outputs[output]!;
    let [distance, norm] = [0, 0];
    for (let i = 0; i < states.length; i++) {
      const [state, difference] = [states[i]!, states[i]! - others[from + i]!];
      distance += difference * difference;
      norm += state * state;
    }
    return distance <= tolerance * tolerance * norm;
  });
}
