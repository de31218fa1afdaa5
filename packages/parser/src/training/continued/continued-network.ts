import { type EncodedSentence, WordFeatures } from "@arcwise/core/features";
import { type DenseShape, denseLayer } from "@arcwise/neural";
import { CHARACTERS } from "../../scoring/network/character-features.ts";
import {
  type Layers,
  layersAt,
  type NetworkShape,
  networkSize,
  parameterRows,
} from "../../scoring/network/network-layout.ts";
import { type QuantizedNetwork, shapeOf } from "../../scoring/network/quantized-network.ts";
import { restoreRows } from "../../scoring/quantize-rows.ts";
import type { NetworkState } from "../network-state.ts";
import type { NetworkTask } from "../network-task.ts";
import { extendScores } from "./extended-scores.ts";

/** The task of a network that is continued. */
export interface ContinuedTask extends Pick<NetworkTask, "codes" | "sentences" | "shape" | "templates"> {
  /** The sentences, encoded by the vocabularies of the stored network. */
  readonly known: readonly EncodedSentence[];
}

/** The parameters of a network. */
interface Member {
  readonly values: Float32Array;
  readonly shape: NetworkShape;
  readonly layers: Layers;
}

/**
 * Returns the state from which the training of a stored network is continued: its parameters, in the layout of the network
 * with more features and labels.
 *
 * A form or lemma that becomes known begins with the embedding of unknown ones, and other new features with 0: words have
 * the scores that they had. O(parameters + features of the sentences).
 */
export function continuedState(stored: QuantizedNetwork, task: ContinuedTask): NetworkState {
  const { configuration, codes } = stored;
  const { shape } = task;
  const { members = 1 } = configuration;
  const known = shapeOf(configuration, codes.length, stored);
  const all = restoredParameters(stored, known);
  const parameters = new Float32Array(members * networkSize(shape));
  const sources = embeddingSources(codes, task);
  const memberOf = (values: Float32Array, of: NetworkShape, member: number): Member => {
    const size = networkSize(of);
    const own = values.subarray(member * size, (member + 1) * size);
    return { values: own, shape: of, layers: layersAt(0, of) };
  };
  for (let member = 0; member < members; member++)
    copyParameters(memberOf(all, known, member), memberOf(parameters, shape, member), sources);
  return { epoch: 0, steps: 0, parameters };
}

/** Returns the parameters of all members of a stored network, in sequence. */
function restoredParameters({ values, scales }: QuantizedNetwork, shape: NetworkShape): Float32Array {
  const all = new Float32Array(values.length);
  const rows = parameterRows(shape);
  const size = networkSize(shape);
  let row = 0;
  for (let first = 0; first < values.length; first += size) {
    for (const { from, end, width } of rows) {
      const count = (end - from) / width;
      const part = (vector: Int8Array) => vector.subarray(first + from, first + end);
      const stored = { values: part(values), scales: scales.subarray(row, row + count), width };
      restoreRows(stored, all.subarray(first + from, first + end));
      row += count;
    }
  }
  return all;
}

/** Returns for each feature the index of the stored feature whose embedding it begins with; -1: it begins with 0. */
function embeddingSources(stored: Int32Array, task: ContinuedTask): Int32Array {
  const indices = new Map(Array.from(stored, (code, index) => [code, index]));
  const before = codesBefore(task);
  return task.codes.map((code) => indices.get(code) ?? indices.get(before.get(code) ?? code) ?? -1);
}

/** Returns the codes that features had before words became known, by their codes after it. */
function codesBefore({ sentences, known, templates }: ContinuedTask): ReadonlyMap<number, number> {
  const own = templates.filter((template) => template !== CHARACTERS);
  const [before, after] = [new WordFeatures(own), new WordFeatures(own)];
  const found = new Map<number, number>();
  for (const [s, sentence] of sentences.entries()) {
    before.prepare(known[s]);
    after.prepare(sentence);
    // Each template has as many features of a word as before.
    const end = after.start[sentence.n + 1];
    for (let k = 0; k < end; k++)
      if (after.codes[k] !== before.codes[k]) found.set(after.codes[k], before.codes[k]);
  }
  return found;
}

function copyParameters(known: Member, more: Member, sources: Int32Array): void {
  const [from, to] = [known.layers, more.layers];
  const { units } = from.embeddings;
  const copy = (source: number, at: number, length: number) =>
    more.values.set(known.values.subarray(source, source + length), at);
  const copyDense = (source: DenseShape, at: DenseShape) =>
    copy(source.weights.at, at.weights.at, denseLayer.size(source.inputs, source.outputs));
  for (const [row, source] of sources.entries()) if (source >= 0) copy(source * units, row * units, units);
  const encoderAt = from.embeddings.entries * units;
  copy(encoderAt, to.embeddings.entries * units, from.labels.scores.weights.at - encoderAt);
  const scoresOf = ({ values, layers, shape: { labels } }: Member) => ({
    values,
    layer: layers.labels.scores,
    widths: { labels, parts: [] },
  });
  extendScores(scoresOf(known), scoresOf(more));
  for (const [c, column] of from.columns.entries()) {
    const own = to.columns[c];
    copyDense(column.hidden, own.hidden);
    extendScores(
      { values: known.values, layer: column.scores, widths: column },
      { values: more.values, layer: own.scores, widths: own },
    );
  }
  if (from.vectors) copyDense(from.vectors, to.vectors!);
  if (from.encoded) copyDense(from.encoded, to.encoded!);
}
