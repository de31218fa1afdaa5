import { random } from "@arcwise/core";
import { describe, expect, test } from "vitest";
import type { LabelledSentence } from "../src/index.ts";
import { createNeuralLabeller, type NeuralShape, trainNeural } from "../src/neural/index.ts";
import { networkOf } from "../src/neural/neural-model.ts";

const kinds: Readonly<Record<string, Omit<NeuralShape, "templates">>> = {
  "feed-forward, one layer": { kind: "feed-forward", embedding: 4, hidden: [8] },
  "feed-forward, two layers": { kind: "feed-forward", embedding: 4, hidden: [8, 4] },
  "feed-forward, beam of 4": { kind: "feed-forward", embedding: 4, hidden: [8], beam: 4 },
  "feed-forward, pairs of words": { kind: "feed-forward", embedding: 4, hidden: [8], pairs: "words" },
  lstm: { kind: "lstm", embedding: 4, hidden: [4] },
  "lstm, pairs of words": { kind: "lstm", embedding: 4, hidden: [4], pairs: "words" },
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
    for (let k = 0; k < parameters.size; k++) parameters.values[k] += 0.3 * rng.normal();
    for (const n of [1, 2, 5]) {
      const rows = Int32Array.from({ length: 2 * n }, (_, k) => rng.int(k % 2 === 0 ? 5 : 4));
      const gold = Int32Array.from({ length: n }, () => rng.int(3));
      parameters.gradients.fill(0);
      const touched = new Set(network.learn(rows, gold).rows);
      const gradients = parameters.gradients.slice();
      const lossAt = (k: number, step: number) => {
        const was = parameters.values[k];
        parameters.values[k] = was + step;
        const { loss } = network.learn(rows, gold);
        parameters.values[k] = was;
        return loss;
      };
      // Scores are 32-bit floats, with errors of 1e-6: divided by the width 2^-6 some 1e-4, as the next term
      // of the series.
      for (let k = 0; k < parameters.size; k++) {
        const difference = (lossAt(k, 2 ** -7) - lossAt(k, -(2 ** -7))) * 2 ** 6;
        expect(Math.abs(gradients[k] - difference)).toBeLessThan(1e-3 * (1 + Math.abs(difference)));
      }
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
    expect(losses.at(-1)).toBeLessThan(losses[0] / 4);
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
  ["three hidden layers", { hidden: [4, 4, 4] }, "one or two layers, got 3"],
  ["two layers of a recurrent network", { kind: "recurrent", hidden: [4, 4] }, "one layer, got 2"],
  ["two layers of an LSTM", { kind: "lstm", hidden: [4, 4] }, "one layer, got 2"],
  ["pairs of a recurrent network", { kind: "recurrent", pairs: "words" }, "no scores of pairs"],
  ["a layer without units", { hidden: [0] }, "multiple of 4, got 0"],
  ["a width that is not a multiple of 4", { embedding: 6 }, "multiple of 4, got 6"],
  ["a beam of width 0 of chains", { kind: "feed-forward", beam: 0 }, "beam must be an integer >= 1"],
  ["a beam of width 0", { kind: "recurrent", beam: 0 }, "beam must be an integer >= 1"],
  ["templates with labels", { templates: ["label-1 word"] }, "reads words, not labels"],
])("refuses %s", async (_what, change, message) => {
  const options = { kind: "feed-forward" as const, templates: ["word"], ...change };
  await expect(trainNeural(alternating(1, 3), options)).rejects.toThrow(message);
});

test("an LSTM learns labels that depend on words far away, which a window does not show", async () => {
  const rng = random(3);
  const examples = Array.from({ length: 60 }, (): LabelledSentence => {
    const first = rng.int(2) === 0 ? "left" : "right";
    const forms = [first, ...Array.from({ length: 3 + rng.int(3) }, () => "the"), "turn"];
    return {
      sentence: forms.map((form) => ({ form })),
      labels: forms.map((form) => (form === "turn" ? first : "O")),
    };
  });
  const lossOf = async (kind: "lstm" | "feed-forward") => {
    const losses: number[] = [];
    await trainNeural(examples, {
      kind,
      embedding: 8,
      hidden: [8],
      templates: ["word"],
      epochs: 25,
      rate: 0.01,
      onEpoch: (_epoch, loss) => losses.push(loss),
    });
    return losses.at(-1)!;
  };
  expect(await lossOf("lstm")).toBeLessThan(0.02);
  // The last label is one of two, and labels between do not carry which.
  expect(await lossOf("feed-forward")).toBeGreaterThan(0.5);
});

test("scores of pairs that depend on words learn when the label before counts", async () => {
  // After x a word has the label of the word before, after y the other label; the first label is drawn.
  const rng = random(4);
  const examples = Array.from({ length: 200 }, (): LabelledSentence => {
    const labels = [rng.int(2) === 0 ? "A" : "B"];
    const forms = [labels[0].toLowerCase()];
    for (let i = 0; i < 4; i++) {
      const form = rng.int(2) === 0 ? "x" : "y";
      labels.push((form === "x") === (labels.at(-1) === "A") ? "A" : "B");
      forms.push(form);
    }
    return { sentence: forms.map((form) => ({ form })), labels };
  });
  const wrongOf = async (pairs: "labels" | "words") => {
    const shape = { kind: "feed-forward", embedding: 8, hidden: [8], templates: ["word"], pairs } as const;
    const model = await trainNeural(examples.slice(0, 150), { ...shape, epochs: 15, rate: 0.01 });
    const labeller = createNeuralLabeller(model);
    return examples.slice(150).filter(({ sentence, labels }) => {
      return labeller.label(sentence).join() !== labels.join();
    }).length;
  };
  expect(await wrongOf("words")).toBe(0);
  expect(await wrongOf("labels")).toBeGreaterThan(25);
});
