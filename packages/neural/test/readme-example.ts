import { random } from "@arcwise/core";
import {
  Adam,
  denseAt,
  denseBackward,
  denseForward,
  denseSize,
  fillNormal,
  MatrixMemory,
  Parameters,
  softmaxLosses,
} from "@arcwise/neural";

// Exclusive or: two bits and two zeros, since rows are padded to a multiple of 4; class 1 where the bits
// differ.
const examples = [0, 0, 0, 0, /**/ 0, 1, 0, 0, /**/ 1, 0, 0, 0, /**/ 1, 1, 0, 0];
const classes = Int32Array.from([0, 1, 1, 0]);
const [inputs, units, outputs] = [4, 8, 4];

// All parameters are one range of memory; each layer lies at an offset in it.
const memory = new MatrixMemory();
const size = denseSize(inputs, units) + denseSize(units, outputs);
const parameters = new Parameters(memory, size, true);
const hidden = denseAt(parameters.first, inputs, units, "tanh");
const output = denseAt(parameters.first + denseSize(inputs, units), units, outputs, "none");
const stream = random(1);
for (const { weights, inputs, outputs } of [hidden, output]) {
  fillNormal(memory.values, weights, inputs * outputs, 1 / Math.sqrt(inputs), stream);
}
const adam = new Adam(parameters);

/** One epoch over all examples: scores, loss, gradients, a step. Returns the loss before the step. */
function learn(): number {
  const mark = memory.mark;
  const x = memory.matrix(4, inputs);
  memory.values.set(examples, x.at);
  const first = denseForward(memory, hidden, x, 4);
  const second = denseForward(memory, output, first.outputs, 4);

  const ofScores = memory.matrix(4, outputs);
  const ofUnits = memory.matrix(4, units);
  const ofInputs = memory.matrix(4, inputs);
  const loss = softmaxLosses(memory.values, second.outputs, ofScores, classes, 2);
  const gradient = parameters.gradient;
  denseBackward(memory, output, second, { outputs: ofScores, inputs: ofUnits, parameters: gradient });
  denseBackward(memory, hidden, first, { outputs: ofUnits, inputs: ofInputs, parameters: gradient });
  memory.release(mark);

  adam.update(adam.begin(0.05), 0, parameters.size, 1 / 4);
  return loss / 4;
}

/** The class with the higher score. */
function classify(first: number, second: number): number {
  const mark = memory.mark;
  const x = memory.matrix(1, inputs);
  memory.values.set([first, second], x.at);
  const scores = denseForward(memory, output, denseForward(memory, hidden, x, 1).outputs, 1).outputs;
  const found = memory.values[scores.at + 1]! > memory.values[scores.at]! ? 1 : 0;
  memory.release(mark);
  return found;
}

const before = learn();
for (let epoch = 1; epoch < 100; epoch++) learn();
console.log(before > 0.5, learn() < 0.01); // true true
console.log(classify(0, 0), classify(0, 1), classify(1, 0), classify(1, 1)); // 0 1 1 0
