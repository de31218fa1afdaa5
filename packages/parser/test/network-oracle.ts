import type { DenseShape, EncoderShape, Matrix } from "@arcwise/neural";
import type { ArcNetwork } from "../src/scoring/network/arc-network.ts";
import { layersAt } from "../src/scoring/network/network-layout.ts";

type Vector = readonly number[];

/**
 * The scores of a network for one sentence by its formulas, word by word in 64 bits: without the batches,
 * kernels and buffers of `ArcNetwork`.
 *
 * @param words embeddings of each position, the root first
 */
export function naiveScores(network: ArcNetwork, words: readonly (readonly number[])[]) {
  const { values } = network.memory;
  const layers = layersAt(network.parameters.first, network.shape);
  const { units, embeddingUnits = units, hiddenUnits = units, labels } = network.shape;
  const at = ({ at: first, row }: Matrix, i: number, j: number) => values[first + i * row + j]!;
  const range = (length: number) => Array.from({ length }, (_, i) => i);
  const affine = (x: Vector, weights: Matrix, bias: Matrix | undefined, outputs: number): number[] =>
    range(outputs).map((j) =>
      x.reduce((sum, value, i) => sum + value * at(weights, i, j), bias ? at(bias, 0, j) : 0),
    );
  const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));
  const leaky = (x: number) => (x < 0 ? 0.1 * x : x);

  function lstm(
    inputs: readonly Vector[],
    { input, state, bias, backward }: EncoderShape["layers"][number][number],
  ): Vector[] {
    const order = backward ? range(inputs.length).reverse() : range(inputs.length);
    const states: Vector[] = [];
    let before: Vector = range(units).map(() => 0);
    let cells: Vector = before;
    for (const t of order) {
      const own = affine(inputs[t]!, input, bias, 4 * units);
      const gates = affine(before, state, undefined, 4 * units).map((sum, j) => sum + own[j]!);
      const gate = (which: number, k: number) => gates[which * units + k]!;
      cells = cells.map(
        (cell, k) => sigmoid(gate(1, k)) * cell + sigmoid(gate(0, k)) * Math.tanh(gate(2, k)),
      );
      before = cells.map((cell, k) => sigmoid(gate(3, k)) * Math.tanh(cell));
      states[t] = before;
    }
    return states;
  }

  let states: Vector[] = words.map((rows) =>
    range(embeddingUnits).map((k) => rows.reduce((sum, row) => sum + at(layers.embeddings.table, row, k), 0)),
  );
  for (const [forward, backward] of layers.encoder.layers) {
    const [there, back] = [lstm(states, forward), lstm(states, backward)];
    states = there.map((state, t) => [...state, ...back[t]!]);
  }
  const dense = ({ weights, bias }: DenseShape) =>
    states.map((state) => affine(state, weights, bias, hiddenUnits).map(leaky));
  const [heads, modifiers] = [dense(layers.head), dense(layers.modifier)];
  const { biaffine } = layers;
  return {
    head: (h: number, m: number): number => {
      const turned = affine(modifiers[m]!, biaffine.weights, undefined, hiddenUnits);
      const distance = Math.max(-31, Math.min(31, h - m));
      return heads[h]!.reduce(
        (sum, value, k) => sum + value * (turned[k]! + at(biaffine.head, 0, k)),
        at(biaffine.distance, 0, 31 + distance),
      );
    },
    labels: (h: number, m: number): number[] => {
      const { pair, scores } = layers.labels;
      const ofHead = affine(states[h]!, pair.first, pair.bias, hiddenUnits);
      const ofModifier = affine(states[m]!, pair.second, undefined, hiddenUnits);
      const sum = ofModifier.map((x, k) => leaky(x + ofHead[k]!));
      return affine(sum, scores.weights, scores.bias, labels);
    },
  };
}
