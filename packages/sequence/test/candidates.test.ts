import { random } from "@arcwise/core";
import { expect, test } from "vitest";
import { bestCandidates } from "../src/chain/best-candidates.ts";
import { createLabeller, type LabelledSentence, trainChain } from "../src/index.ts";
import { viterbi } from "../src/inference/viterbi.ts";
import { latticeOf } from "./brute-force.ts";

test("bestCandidates keeps the highest scores in the order of labels, of equal ones the lower label", () => {
  const lattice = latticeOf([[0, 2, 5], [1], [0, 1, 2, 3]]);
  const scores = Float64Array.from([1, 3, 2, -9, 4, 4, 5, 4]);
  const best = bestCandidates(lattice, scores, 2);
  expect([...best.start]).toEqual([0, 2, 3, 5]);
  expect([...best.labels]).toEqual([2, 5, 1, 0, 2]);
  expect([...scores.subarray(0, 5)]).toEqual([3, 2, -9, 4, 5]);
  expect(bestCandidates(best, scores, 2)).toBe(best);
});

/** Sentences of words with 300 labels, most of which occur once. */
function manyLabels(): LabelledSentence[] {
  const rng = random(3);
  return Array.from({ length: 300 }, (_, s) => {
    const labels = [`L${s}`, ...Array.from({ length: 5 }, () => `L${rng.int(10)}`)];
    return { sentence: labels.map((label) => ({ form: `w${label}` })), labels };
  });
}

const training = trainChain(manyLabels(), {
  templates: ["bias", "form", "suffix1", "shape", "form-1", "label-1"],
  dictionary: [{ template: "form", minimum: 1 }],
  pairs: "observed",
  epochs: 2,
});
const unknown = ["αβ", "γδε", "wL4", "ζ"].map((form) => ({ form }));

test("words that a dictionary does not know have the most frequent labels as candidates", async () => {
  const labeller = createLabeller(await training);
  const { lattice } = labeller.problem(unknown);
  expect([...lattice.start]).toEqual([0, 256, 512, 513, 769]);
  expect([...lattice.labels.subarray(0, 256)]).toEqual(Array.from({ length: 256 }, (_, label) => label));
  const known = labeller.labels[299];
  expect(labeller.label(unknown, { known: [known, undefined, undefined, undefined] })[0]).toBe(known);
});

test("a labeller that considers fewer candidates finds the best labels of those", async () => {
  const model = await training;
  const exact = createLabeller(model, { candidates: Infinity });
  const names = (labels: Int32Array) => [...labels].map((label) => exact.labels[label]);
  expect(exact.label(unknown)).toEqual(names(viterbi(exact.problem(unknown)).labels));
  expect(createLabeller(model).label(unknown)).toEqual(exact.label(unknown));
  const problem = exact.problem(unknown);
  const { start, labels } = problem.lattice;
  const alone = Array.from({ length: 4 }, (_, i) => {
    const scores = problem.scores.subarray(start[i], start[i + 1]);
    return exact.labels[labels[start[i] + scores.indexOf(Math.max(...scores))]];
  });
  expect(createLabeller(model, { candidates: 1 }).label(unknown)).toEqual(alone);
});

test.each([0, 1.5, -1, Number.NaN])("refuses %s candidates", async (candidates) => {
  const model = await training;
  expect(() => createLabeller(model, { candidates })).toThrow("candidates must be an integer >= 1");
});
