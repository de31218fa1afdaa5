import { perceptron } from "@arcwise/learn";
import { expect, test } from "vitest";
import { createLabeller, type LabelledSentence, prepareChain } from "../src/index.ts";
import { scoreLabelling } from "../src/inference/chain-problem.ts";

const WORDS = "the man saw the dog".split(" ");
const sentence = WORDS.map((form) => ({ form }));
const tagged = (tags: string): LabelledSentence => ({ sentence, labels: tags.split(" ") });

// Collins 2002, section 2.2: the features are the words with their tags, and the trigrams of tags.
test("the perceptron's update of the paper's example, where saw/V was tagged saw/N", () => {
  const { task, model } = prepareChain([tagged("D N V D N")], { templates: ["form", "label-1 label-2"] });
  const names = model(new Float32Array(task.dimension)).configuration.labels;
  const wrong = Int32Array.from("D N N D N".split(" "), (tag) => names.indexOf(tag));
  const learner = perceptron(task.dimension);
  expect(learner.update({ ...task, decode: () => wrong }, 0).cost).toBe(1);

  const { values } = learner.weights;
  expect([...values].filter((value) => value === 1)).toHaveLength(4);
  expect([...values].filter((value) => value === -1)).toHaveLength(4);
  expect([...values].filter((value) => value !== 0)).toHaveLength(8);

  const labeller = createLabeller(model(values));
  const scoreOf = (words: string, tags: string): number => {
    const problem = labeller.problem(words.split(" ").map((form) => ({ form })));
    return scoreLabelling(
      problem,
      tags.split(" ").map((tag) => names.indexOf(tag)),
    );
  };
  const emissions = names.flatMap((tag) =>
    ["the", "man", "saw", "dog"].map((word) => [`${tag} ${word}`, scoreOf(word, tag)] as const),
  );
  const trigrams = names.flatMap((a) =>
    names.flatMap((b) => names.map((c) => [`${a} ${b} ${c}`, scoreOf("? ? ?", `${a} ${b} ${c}`)] as const)),
  );
  const changed = Object.fromEntries([...emissions, ...trigrams].filter(([, score]) => score !== 0));
  expect(changed).toEqual({
    "V saw": 1,
    "D N V": 1,
    "N V D": 1,
    "V D N": 1,
    "N saw": -1,
    "D N N": -1,
    "N N D": -1,
    "N D N": -1,
  });
  expect(labeller.label(sentence).join(" ")).toBe("D N V D N");
});
