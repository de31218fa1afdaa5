import { random } from "@arcwise/core";
import {
  biaffineLayer,
  denseLayer,
  dropout,
  elmanLayer,
  embeddingLayer,
  encoderLayers,
  gatherSentence,
  type Matrix,
  MatrixMemory,
  multiplyInPlace,
  Parameters,
  pairLayer,
  roundLayers,
  rowsOf,
  scatterSentence,
  sentenceBatch,
  sequenceRows,
} from "@arcwise/neural";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type LayerCase, layerCases, type Sizes } from "./layer-cases.ts";

const width = fc.constantFrom(4, 8, 12);
const sizes: fc.Arbitrary<Sizes> = fc.record({
  inputs: width,
  units: width,
  lengths: fc
    .array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 })
    .map((lengths) => lengths.toSorted((a, b) => b - a)),
  seed: fc.integer({ min: 0, max: 1e6 }),
});

/** Returns the sum of all outputs, each times a fixed random number, which is the gradient of the output. */
function lossOf({ memory, forward, firstRow = 0 }: LayerCase, seed: number) {
  const { outputs, rows, backward } = forward();
  const stream = random(seed);
  const gradients = memory.matrix(rows, outputs.row);
  let loss = 0;
  for (let i = 0; i < rows * outputs.row; i++) {
    const factor = Math.fround(stream.normal());
    if (i < firstRow * outputs.row) continue;
    memory.values[gradients.at + i] = factor;
    loss += factor * memory.values[outputs.at + i];
  }
  return { loss, addGradients: (inputs: Matrix) => backward(gradients, inputs) };
}

/**
 * Half the width of the wider of two central differences: 2^-6. Outputs are 32-bit sums of up to a hundred
 * terms of size 1, with an error of some 1e-6; divided by the width that is below 1e-4 of noise. The error of
 * a central difference is a multiple of the width's square, and a recurrent layer of random weights has third
 * derivatives of several hundreds; Richardson's extrapolation from two widths removes that term.
 */
const STEP = 2 ** -6;
const TOLERANCE = 2e-3;

/** Compares gradients with finite differences: of the parameters, and then the inputs, that are chosen. */
function checkGradients(layer: LayerCase, seed: number, choose: (size: number) => Iterable<number>) {
  const { memory, parameters, inputs, inputRows } = layer;
  const inputLength = inputRows * inputs.row;
  const mark = memory.mark;
  const { addGradients } = lossOf(layer, seed);
  const ofInputs = memory.matrix(inputRows, inputs.row);
  addGradients(ofInputs);
  const analytic = [
    ...parameters.gradients,
    ...memory.values.subarray(ofInputs.at, ofInputs.at + inputLength),
  ];
  for (const i of choose(parameters.size + inputLength)) {
    const at = i < parameters.size ? parameters.first + i : inputs.at + i - parameters.size;
    const was = memory.values[at];
    const lossAt = (value: number) => {
      memory.values[at] = value;
      memory.release(mark);
      const { loss } = lossOf(layer, seed);
      const used = memory.values[at];
      memory.values[at] = was;
      return { loss, used };
    };
    const central = (step: number) => {
      const [above, below] = [lossAt(was + step), lossAt(was - step)];
      return (above.loss - below.loss) / (above.used - below.used);
    };
    const [wide, narrow] = [central(STEP), central(STEP / 2)];
    const difference = (4 * narrow - wide) / 3;
    expect(Math.abs(difference - analytic[i])).toBeLessThan(TOLERANCE * (2 + Math.abs(difference)));
  }
}

describe.each(Object.entries(layerCases))("%s", (_name, make) => {
  test("computes its formulas", () => {
    const property = fc.property(sizes, (own) => {
      const layer = make(own);
      const { outputs, rows } = layer.forward();
      const expected = layer.expected();
      expect(expected).toHaveLength(rows);
      for (const [r, row] of expected.entries()) {
        for (const [k, value] of row.entries()) {
          const found = layer.memory.values[outputs.at + r * outputs.row + k];
          expect(Math.abs(found - value)).toBeLessThan(1e-5 * Math.max(1, Math.abs(value)));
        }
      }
    });
    fc.assert(property, { numRuns: 40 });
  });

  test("has the gradients of finite differences", () => {
    const property = fc.property(sizes, (own) => {
      const stream = random(own.seed + 1);
      checkGradients(make(own), own.seed, (size) => Array.from({ length: 24 }, () => stream.int(size)));
    });
    fc.assert(property, { numRuns: 25 });
  });

  test("adds to existing gradients", () => {
    const layer = make({ inputs: 4, units: 8, lengths: [3, 2], seed: 5 });
    const { memory, parameters, inputs, inputRows } = layer;
    const ofInputs = memory.matrix(inputRows, inputs.row);
    const both = () => [
      ...parameters.gradients,
      ...memory.values.subarray(ofInputs.at, ofInputs.at + inputRows * inputs.row),
    ];
    lossOf(layer, 1).addGradients(ofInputs);
    const once = both();
    lossOf(layer, 1).addGradients(ofInputs);
    for (const [i, value] of both().entries()) expect(value).toBeCloseTo(2 * once[i], 3);
    expect(once.some((value) => value !== 0)).toBe(true);
  });
});

test("a biaffine form has the gradients of finite differences at distances that share weights", () => {
  const layer = layerCases.biaffine({ inputs: 4, units: 4, lengths: [40], seed: 3 });
  checkGradients(layer, 3, () => Array.from({ length: layer.parameters.size }, (_, i) => i));
});

test("a layer reads each sequence of a batch as it reads it alone", () => {
  const lengths = [6, 3, 1];
  const caseOf = (own: number[]) => layerCases.encoder({ inputs: 8, units: 4, lengths: own, seed: 3 });
  const rowsOfCase = ({ memory, forward }: LayerCase) => {
    const { outputs, rows } = forward();
    return Array.from({ length: rows }, (_, r) =>
      memory.values.slice(outputs.at + 8 * r, outputs.at + 8 * r + 8),
    );
  };
  const together = caseOf(lengths);
  const expected = rowsOfCase(together);
  for (const [s, length] of lengths.entries()) {
    const alone = caseOf([length]);
    const own = sequenceRows(sentenceBatch(lengths), s);
    for (const [t, r] of own.entries()) {
      const from = together.inputs.at + 8 * r;
      alone.memory.values.set(together.memory.values.subarray(from, from + 8), alone.inputs.at + 8 * t);
    }
    expect(rowsOfCase(alone)).toEqual(Array.from(own, (r) => expected[r]));
  }
});

test("single steps of an Elman layer compute the states of a whole sequence", () => {
  const memory = new MatrixMemory();
  const parameters = new Parameters(memory, elmanLayer.size(4, 8), false);
  const stream = random(8);
  for (let i = 0; i < parameters.size; i++) parameters.values[i] = 0.5 * stream.normal();
  const shape = elmanLayer.at(parameters.first, 4, 8);
  const x = memory.matrix(5, 4);
  for (let i = 0; i < 20; i++) memory.values[x.at + i] = stream.normal();
  const { states } = elmanLayer.forward(memory, shape, sentenceBatch([5]), x);
  let state = memory.matrix(1, 8);
  for (let t = 0; t < 5; t++) {
    state = elmanLayer.step(memory, shape, { ...x, at: x.at + 4 * t }, state, 1);
    const expected = memory.values.subarray(states.at + 8 * t, states.at + 8 * t + 8);
    expect([...memory.values.subarray(state.at, state.at + 8)]).toEqual([...expected]);
  }
});

test.each([
  ["dense", () => denseLayer.at(0, 4, 6, "none"), "outputs"],
  ["dense", () => denseLayer.at(0, 0, 4, "none"), "inputs"],
  ["elman", () => elmanLayer.at(0, 2, 4), "inputs"],
  ["encoder", () => encoderLayers.at(0, { inputs: 4, units: 6, layers: 1 }), "units"],
  ["biaffine", () => biaffineLayer.at(0, 7), "units"],
  ["pairs", () => pairLayer.at(0, 4, 1.5), "units"],
  ["embedding", () => embeddingLayer.at(0, 3, 6), "units"],
])("%s refuses widths that are not multiples of 4", (_name, make, named) => {
  expect(make).toThrow(`${named} must be a positive multiple of 4`);
});

describe("dropout", () => {
  test("drops the share of its rate, keeps the mean, and returns its factors", () => {
    const memory = new MatrixMemory();
    const length = 8_000;
    const entries = memory.matrix(1, length);
    memory.values.fill(1, entries.at, entries.at + length);
    const mask = dropout(memory, entries, length, 0.3, random(1));
    const numbers = memory.values.subarray(entries.at, entries.at + length);
    // The deviations of the two are 0.005 and 0.007.
    expect(numbers.filter((value) => value === 0).length / length).toBeCloseTo(0.3, 1);
    expect(numbers.reduce((sum, value) => sum + value, 0) / length).toBeCloseTo(1, 1);
    expect(memory.values.subarray(mask.at, mask.at + length)).toEqual(numbers);
    multiplyInPlace(memory.values, entries, mask, length);
    const kept = Math.fround(1 / 0.7);
    expect(new Set(numbers)).toEqual(new Set([0, Math.fround(kept * kept)]));
  });
});

describe("a batch", () => {
  test("gathers a sequence, and scatters it back", () => {
    const memory = new MatrixMemory();
    const batch = sentenceBatch([3, 2, 2]);
    expect([...batch.start]).toEqual([0, 3, 6, 7]);
    const rows = memory.matrix(7, 4);
    for (let i = 0; i < 28; i++) memory.values[rows.at + i] = i;
    const second = gatherSentence(memory, batch, rows, 1);
    expect([...memory.values.subarray(second.at, second.at + 8)]).toEqual([4, 5, 6, 7, 16, 17, 18, 19]);
    const into = memory.matrix(7, 4);
    for (const s of [0, 1, 2]) {
      scatterSentence(memory.values, batch, into, gatherSentence(memory, batch, rows, s), s);
    }
    expect(memory.values.subarray(into.at, into.at + 28)).toEqual(
      memory.values.subarray(rows.at, rows.at + 28),
    );
  });

  test.each([[[2, 3]], [[1, 0]]])("refuses the lengths %s", (lengths) => {
    expect(() => sentenceBatch(lengths)).toThrow("lengths in descending order");
  });
});

test("an encoder reads the states of its forward pass, to the bit", () => {
  const lengths = fc
    .array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 })
    .map((own) => own.toSorted((a, b) => b - a));
  const property = fc.property(lengths, width, width, fc.boolean(), (own, inputs, units, isRounded) => {
    const memory = new MatrixMemory();
    const widths = { inputs, units, layers: 2 };
    const shape = encoderLayers.at(memory.allocate(encoderLayers.size(widths)), widths);
    const batch = sentenceBatch(own);
    const rows = rowsOf(batch);
    const x = memory.matrix(rows, inputs);
    const stream = random(rows);
    for (let i = 0; i < memory.mark; i++) memory.values[i] = stream.normal();
    if (isRounded) roundLayers(memory, encoderLayers.weights(shape));
    const rates = { inputs: 0, layers: 0, stream };
    const { states } = encoderLayers.forward(memory, shape, batch, x, rates);
    // What is allocated next has had other entries.
    memory.values.fill(Number.NaN, memory.mark);
    const entries = ({ at, row }: Matrix) => memory.values.slice(at, at + rows * row);
    expect(encoderLayers.read(memory, shape, batch, x).map(entries)).toEqual(states.map(entries));
  });
  fc.assert(property, { numRuns: 60 });
});
