import { crf } from "@arcwise/learn";
import { expect, test } from "vitest";
import { createLabeller, trainChain } from "../src/index.ts";

// Lafferty, McCallum and Pereira 2001, section 2: r has label 1 in rib, 4 in rob; after 1 comes only 2, after 4
// only 5.
const letters = (word: string) => [...word].map((form) => ({ form }));
const examples = ["rib 123", "rib 123", "rob 453"].map((line) => {
  const [word, labels] = line.split(" ") as [string, string];
  return { sentence: letters(word), labels: [...labels] };
});

/** Returns the labels of rob, their probability, and the wrong labels of the examples. */
async function found(normalisation: "local" | "global") {
  const model = await trainChain(examples, {
    templates: ["label-1", "label-1 word"],
    normalisation,
    epochs: 2000,
    learner: (dimension) => crf(dimension, { l2: 1e-6 }),
  });
  const labeller = createLabeller(model);
  const wrong = examples.map(({ sentence, labels }) => {
    return labeller.label(sentence).filter((label, i) => label !== labels[i]).length;
  });
  const [first] = labeller.marginals(letters("rob"));
  return {
    rob: labeller.label(letters("rob")).join(" "),
    wrong: wrong.reduce((sum, one) => sum + one, 0),
    first: Object.fromEntries(first!.map(({ label, probability }) => [label, probability])),
  };
}

test("a maximum-entropy Markov model ignores the vowel of rob: 2 of 9 labels are wrong", async () => {
  const { rob, wrong, first } = await found("local");
  expect({ rob, wrong }).toEqual({ rob: "1 2 3", wrong: 2 });
  // The shares of the first labels in the examples, since no later letter changes them.
  expect(first["1"]).toBeCloseTo(2 / 3, 1);
  expect(first["4"]).toBeCloseTo(1 / 3, 1);
});

test("a conditional random field with the same features makes no error", async () => {
  const { rob, wrong, first } = await found("global");
  expect({ rob, wrong }).toEqual({ rob: "4 5 3", wrong: 0 });
  expect(first["4"]).toBeGreaterThan(0.9);
});
