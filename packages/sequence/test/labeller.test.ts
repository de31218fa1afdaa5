import { crf } from "@arcwise/learn";
import { describe, expect, test } from "vitest";
import { bioForbidden } from "../src/chunks/bio.ts";
import { createLabeller, type LabelledSentence, trainChain } from "../src/index.ts";
import { scoreLabelling } from "../src/inference/chain-problem.ts";
import { viterbi } from "../src/inference/viterbi.ts";

const sentences: LabelledSentence[] = [
  ["the old dog ran home", "B-NP I-NP I-NP O O"],
  ["dogs ran to the park", "B-NP O O B-NP I-NP"],
  ["ran", "O"],
  ["the dog the park", "B-NP I-NP B-NP I-NP"],
].map(([text, labels]) => ({
  sentence: text!.split(" ").map((form) => ({ form })),
  labels: labels!.split(" "),
}));

const words = (text: string) => text.split(" ").map((form) => ({ form }));

describe.each([
  ["order 2", ["bias", "word", "word-1", "label-1"]],
  ["order 2 with input", ["bias", "word", "label-1", "label-1 word"]],
  ["order 3", ["bias", "word", "label-1", "label-1 label-2"]],
  ["order 1", ["bias", "word", "word-1"]],
])("a labeller of %s", (_name, templates) => {
  const trained = trainChain(sentences, { templates, bio: true, epochs: 5, learner: (d) => crf(d) });

  test("returns the same labels as a new instance after sentences of any length", async () => {
    const model = await trained;
    const used = createLabeller(model);
    for (const text of ["ran", "the dog ran to the old park", "dogs", "the park ran the dog"]) {
      const fresh = createLabeller(model);
      expect(used.label(words(text))).toEqual(fresh.label(words(text)));
      expect(used.marginals(words(text))).toEqual(fresh.marginals(words(text)));
      expect(viterbi(used.problem(words(text))).score).toBe(viterbi(fresh.problem(words(text))).score);
    }
  });

  test("returns only valid BIO labels, also among the k best", async () => {
    const labeller = createLabeller(await trained);
    const { labels } = labeller;
    const forbidden = bioForbidden(labels);
    const found = labeller.kBest(words("park old ran the"), 30);
    expect(found.length).toBeGreaterThan(10);
    for (const { labels: one } of found) {
      for (const [i, label] of one.entries()) {
        const before = i === 0 ? labels.length : labels.indexOf(one[i - 1]);
        expect(forbidden[before * labels.length + labels.indexOf(label)]).toBe(0);
      }
    }
    expect(labeller.label(words("park old ran the"))).toEqual(found[0].labels);
  });

  test("keeps known labels", async () => {
    const labeller = createLabeller(await trained);
    const known = [undefined, "B-NP", "I-NP"];
    expect(labeller.label(words("ran ran ran"), { known }).slice(1)).toEqual(["B-NP", "I-NP"]);
    expect(labeller.marginals(words("ran ran ran"), { known })[1]).toEqual([
      { label: "B-NP", probability: 1 },
    ]);
    expect(() => labeller.label(words("a b"), { known: ["O", "I-NP"] })).toThrow("forbidden");
    expect(() => labeller.label(words("a"), { known: ["I-VP"] })).toThrow(
      'word 1: the model has no label "I-VP"',
    );
    expect(() => labeller.label(words("a"), { known: [] })).toThrow("expected 1 known labels, got 0");
  });

  test("finds the best labels with a wide beam", async () => {
    const model = await trained;
    const [exact, beam] = [createLabeller(model), createLabeller(model, { beam: 20 })];
    for (const { sentence } of sentences) expect(beam.label(sentence)).toEqual(exact.label(sentence));
  });
});

test("a maximum-entropy Markov model: labellings have probabilities that sum to 1", async () => {
  const model = await trainChain(sentences, {
    templates: ["bias", "word", "label-1", "label-1 word"],
    normalisation: "local",
    epochs: 20,
    learner: (d) => crf(d),
  });
  const labeller = createLabeller(model);
  const problem = labeller.problem(words("the old dog"));
  const L = labeller.labels.length;
  let sum = 0;
  for (let a = 0; a < L; a++) {
    for (let b = 0; b < L; b++)
      for (let c = 0; c < L; c++) sum += Math.exp(scoreLabelling(problem, [a, b, c]));
  }
  expect(sum).toBeCloseTo(1, 10);
  expect(labeller.label(sentences[0].sentence)).toEqual(sentences[0].labels);
});

test("a sentence without words has no labels", async () => {
  const labeller = createLabeller(await trainChain(sentences, { templates: ["word"], epochs: 1 }));
  expect(labeller.label([])).toEqual([]);
  expect(labeller.marginals([])).toEqual([]);
  expect(labeller.kBest([], 2)).toEqual([{ labels: [], score: 0 }]);
});

describe("training refuses", () => {
  const wrong = [{ sentence: words("a b"), labels: ["X"] }];
  test.each<[string, () => Promise<unknown>, string]>([
    ["nothing", () => trainChain([], { templates: ["word"] }), "at least one sentence"],
    [
      "a missing label",
      () => trainChain(wrong, { templates: ["word"] }),
      "sentence 1: expected 2 labels, got 1",
    ],
    ["an unknown piece", () => trainChain(sentences, { templates: ["wrod"] }), '"wrod" is not a piece'],
    ["label-2 alone", () => trainChain(sentences, { templates: ["label-2"] }), "label-2 requires label-1"],
    ["a piece twice", () => trainChain(sentences, { templates: ["word word"] }), "has a piece twice"],
    [
      "a duplicate template",
      () => trainChain(sentences, { templates: ["word", "word"] }),
      "expected each template once",
    ],
    [
      "words that are rare and frequent",
      () => trainChain(sentences, { templates: ["rare frequent word"] }),
      "exclude each other",
    ],
  ])("%s", async (_what, run, message) => {
    await expect(run()).rejects.toThrow(message);
  });
});
