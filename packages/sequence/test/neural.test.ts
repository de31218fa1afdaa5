import { random } from "@arcwise/core";
import { describe, expect, test } from "vitest";
import type { LabelledSentence } from "../src/index.ts";
import { createNeuralLabeller, type NeuralShape, trainNeural } from "../src/neural/index.ts";
import { networkOf } from "../src/neural/neural-model.ts";

const kinds: Readonly<Record<string, Omit<NeuralShape, "templates">>> = {
  "feed-forward, one layer": { kind: "feed-forward", embedding: 4, hidden: [8] },
  "feed-forward, two layers": { kind: "feed-forward", embedding: 4, hidden: [8, 4] },
  "feed-forward, beam of 4": { kind: "feed-forward", embedding: 4, hidden: [8], beam: 4 },
  "recurrent, greedy": { kind: "recurrent", embedding: 4, hidden: [8] },
  "recurrent, beam of 4": { kind: "recurrent", embedding: 4, hidden: [8], beam: 4 },
};

/**
 * Words whose label depends on the previous label: x is A after B and at the beginning, and B after A; y is
 * C.
 */
function alternating(seed: number, count: number): LabelledSentence[] {
  const rng = random(seed);
  return Array.from({ length: count }, () => {
    const labels: string[] = [];
    const sentence = Array.from({ length: 1 + rng.int(6) }, () => {
      const form = rng.int(4) === 0 ? "y" : "x";
      labels.push(form === "y" ? "C" : labels.at(-1) === "A" ? "B" : "A");
      return { form };
    });
    return { sentence, labels };
  });
}

describe.each(Object.entries(kinds))("%s", (_name, shape) => {
  test("has the gradient of finite differences", () => {
    const full = { ...shape, templates: ["word", "word-1"] };
    const network = networkOf(full, [5, 4], 3, true);
    const { parameters } = network;
    const rng = random(2);
    network.initialize(1);
    for (let k = 0; k < parameters.size; k++) parameters.values[k]! += 0.3 * rng.normal();
    for (const n of [1, 2, 5]) {
      const rows = Int32Array.from({ length: 2 * n }, (_, k) => rng.int(k % 2 === 0 ? 5 : 4));
      const gold = Int32Array.from({ length: n }, () => rng.int(3));
      parameters.gradients.fill(0);
      network.loss(rows, gold);
      const gradients = parameters.gradients.slice();
      const lossAt = (k: number, step: number) => {
        const was = parameters.values[k]!;
        parameters.values[k] = was + step;
        const loss = network.loss(rows, gold);
        parameters.values[k] = was;
        return loss;
      };
      // Scores are 32-bit floats, with errors of 1e-6: divided by the width 2^-6 some 1e-4, as the next term
      // of the series.
      for (let k = 0; k < parameters.size; k++) {
        const difference = (lossAt(k, 2 ** -7) - lossAt(k, -(2 ** -7))) * 2 ** 6;
        expect(Math.abs(gradients[k]! - difference)).toBeLessThan(1e-3 * (1 + Math.abs(difference)));
      }
      const touched = new Set(network.lookups(rows, gold).entries);
      const { entries, units } = network.embeddings;
      for (let k = 0; k < entries * units; k++) {
        if (!touched.has(Math.floor(k / units))) expect(gradients[k]).toBe(0);
      }
    }
  });

  test("learns labels that depend on the previous label", async () => {
    const losses: number[] = [];
    const model = await trainNeural(alternating(1, 150), {
      ...shape,
      hidden: shape.hidden!.map(() => 8),
      embedding: 8,
      templates: ["word"],
      epochs: 12,
      rate: 0.01,
      onEpoch: (_epoch, loss) => losses.push(loss),
    });
    expect(losses.at(-1)).toBeLessThan(losses[0]! / 4);
    const labeller = createNeuralLabeller(model);
    for (const { sentence, labels } of alternating(9, 40)) expect(labeller.label(sentence)).toEqual(labels);
    expect(labeller.label([])).toEqual([]);
  });

  test("learns the same parameters from the same seed", async () => {
    const options = { ...shape, templates: ["word"], epochs: 1 };
    const [one, two] = [
      await trainNeural(alternating(1, 10), options),
      await trainNeural(alternating(1, 10), options),
    ];
    expect(two.parameters).toEqual(one.parameters);
    const other = await trainNeural(alternating(1, 10), { ...options, seed: 2 });
    expect(other.parameters).not.toEqual(one.parameters);
  });
});

test.each<[string, Partial<NeuralShape>, string]>([
  ["three hidden layers", { hidden: [4, 4, 4] }, "one or two hidden layers, got 3"],
  ["two layers of a recurrent network", { kind: "recurrent", hidden: [4, 4] }, "one layer, got 2"],
  ["a layer without units", { hidden: [0] }, "multiple of 4, got 0"],
  ["a width that is not a multiple of 4", { embedding: 6 }, "multiple of 4, got 6"],
  ["a beam of width 0 of chains", { kind: "feed-forward", beam: 0 }, "beam must be an integer >= 1"],
  ["a beam of width 0", { kind: "recurrent", beam: 0 }, "beam must be an integer >= 1"],
  ["templates with labels", { templates: ["label-1 word"] }, "reads words, not labels"],
])("refuses %s", async (_what, change, message) => {
  const options = { kind: "feed-forward" as const, templates: ["word"], ...change };
  await expect(trainNeural(alternating(1, 3), options)).rejects.toThrow(message);
});
