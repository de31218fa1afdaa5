import { random } from "@arcwise/core";
import {
  type BiaffineShape,
  biaffineAt,
  biaffineSize,
  type DenseShape,
  denseAt,
  denseSize,
  LANES,
  type LstmShape,
  lstmAt,
  lstmSize,
  type Matrix,
  matrix,
} from "@arcwise/neural";
import { type LabelShape, labelLayerAt, labelLayerSize } from "./label-layer.ts";

/** Layers of recurrent units, each of which reads in both directions. */
export const LAYERS = 2;

/** Units that a network has at most. */
export const MOST_UNITS = 1024;

/** Rows of matrices are as long as the units are many, and are multiplied `LANES` at a time. */
export function isUnits(units: unknown): units is number {
  return (
    Number.isInteger(units) &&
    (units as number) >= LANES &&
    (units as number) % LANES === 0 &&
    (units as number) <= MOST_UNITS
  );
}

/** How large a network is. */
export interface NetworkShape {
  /** Features of words that have an embedding. */
  readonly features: number;
  /** Length of embeddings, of states, and of what stands for a head and for a modifier: a multiple of 4. */
  readonly units: number;
  readonly labels: number;
}

/** The parameters of a network, in the order in which they lie. */
export interface Places {
  readonly embeddings: Matrix;
  /** How many numbers the embeddings are, which come first. */
  readonly ofEmbeddings: number;
  readonly layers: readonly (readonly [LstmShape, LstmShape])[];
  readonly head: DenseShape;
  readonly modifier: DenseShape;
  readonly biaffine: BiaffineShape;
  readonly labels: LabelShape;
  readonly size: number;
}

/** Where the parameters of a network lie that begin at a place. */
export function placesAt(first: number, { features, units, labels }: NetworkShape): Places {
  let at = first;
  const take = (length: number): number => {
    at += length;
    return at - length;
  };
  const embeddings = matrix(take(features * units), units);
  const layers = Array.from({ length: LAYERS }, (_, layer) => {
    const inputs = layer === 0 ? units : 2 * units;
    const direction = (backward: boolean) => lstmAt(take(lstmSize(inputs, units)), inputs, units, backward);
    return [direction(false), direction(true)] as const;
  });
  const dense = () => denseAt(take(denseSize(2 * units, units)), 2 * units, units);
  return {
    embeddings,
    ofEmbeddings: features * units,
    layers,
    head: dense(),
    modifier: dense(),
    biaffine: biaffineAt(take(biaffineSize(units)), units),
    labels: labelLayerAt(take(labelLayerSize(2 * units, units, labels)), 2 * units, units, labels),
    size: at - first,
  };
}

/** Number of parameters. */
export function networkSize(shape: NetworkShape): number {
  return placesAt(0, shape).size;
}

/** The stream of random numbers for parameters. */
const INITIAL = 0x1e7;
/** Some ten embeddings are summed for a word. */
const EMBEDDING_DEVIATION = 0.15;

/** Writes random parameters: the same seed gives the same. Biases are 0, but for those of forget gates. */
export function initialParameters(values: Float32Array, places: Places, seed: number): void {
  const { embeddings, ofEmbeddings, layers, head, modifier, biaffine, labels } = places;
  const stream = random(seed).fork(INITIAL);
  const normal = ({ at }: Matrix, length: number, deviation: number) => {
    for (let i = at; i < at + length; i++) values[i] = deviation * stream.normal();
  };
  normal(embeddings, ofEmbeddings, EMBEDDING_DEVIATION);
  for (const { inputs, units, input, state, bias } of layers.flat()) {
    normal(input, inputs * 4 * units, 1 / Math.sqrt(inputs + units));
    normal(state, units * 4 * units, 1 / Math.sqrt(inputs + units));
    // Gates that forget nothing at first let slopes reach far (Gers, Schmidhuber and Cummins 2000).
    values.fill(1, bias.at + units, bias.at + 2 * units);
  }
  for (const { weights, inputs, outputs } of [head, modifier]) {
    normal(weights, inputs * outputs, 1 / Math.sqrt(inputs));
  }
  const { units } = biaffine;
  normal(biaffine.weights, units * units, 0.1 / Math.sqrt(units));
  normal(labels.head, 2 * labels.inputs * units, 1 / Math.sqrt(2 * labels.inputs));
  normal(labels.labels, units * labels.columns, 1 / Math.sqrt(units));
}
