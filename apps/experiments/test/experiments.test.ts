import { trainMaxent } from "@arcwise/learn/maxent";
import { describe, expect, it } from "vitest";
import { chunkingContexts, NO_LABEL, withOrder } from "../src/maxent/contexts.ts";
import type { LabelledSentence } from "../src/maxent/corpora.ts";
import { MarkovLabeller, markovDesign } from "../src/maxent/markov.ts";
import { COLLINS_TASKS, collinsMaxent, collinsPerceptron } from "../src/maxent/measure-collins.ts";
import { gazetteerMarks, placeNames } from "../src/sequences/places.ts";

describe("a gazetteer", () => {
  it("has countries in Spanish and cities of time zones", () => {
    const names = placeNames();
    for (const name of ["España", "Alemania", "Madrid", "Buenos Aires"]) expect(names).toContain(name);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each([
    ["en Nueva Zelanda y Peru .", "O B I O B O"],
    // The longest name counts; a name begins with a capital.
    ["Nueva Zelanda Nueva peru", "B I O O"],
    ["", ""],
  ])("marks the longest names in %j", (text, marks) => {
    const mark = gazetteerMarks(["Perú", "Nueva Zelanda", "Nueva Zelanda del Sur", "Zelanda"]);
    const forms = text.split(" ").filter((form) => form !== "");
    expect(mark(forms).join(" ")).toBe(marks);
  });
});

describe("contexts of an order", () => {
  const none: LabelledSentence = { words: ["a"], tags: ["A"], labels: ["X"] };

  it("have the k-grams of labels up to it", () => {
    const before = (distance: number): string => ["X", "Y"][distance - 1] ?? NO_LABEL;
    const history = (order: number) => withOrder(chunkingContexts(), order).history(none, 0, before);
    expect(history(1)).toEqual([]);
    expect(history(2)).toEqual(["k1 X"]);
    expect(history(4)).toEqual(["k1 X", "k2 X Y", `k3 X Y ${NO_LABEL}`]);
  });

  it("learn what lower orders cannot: a label that depends on the fourth before", () => {
    const labels = "X X Y X Y Y X X Y X Y Y X X Y X Y Y X X Y X Y Y".split(" ");
    const period: LabelledSentence = { words: labels.map(() => "w"), tags: labels.map(() => "W"), labels };
    const corpus = { train: [period], test: [period] };
    const scoreOf = (order: number): number => {
      const contexts = withOrder({ words: () => ["w"], history: () => [] }, order);
      const design = markovDesign(corpus.train, contexts, 1);
      const { weights } = trainMaxent(design, { iterations: 50, variance: 100 });
      const found = new MarkovLabeller(design, contexts, 1).label(period, weights);
      return found.filter((label, i) => label === labels[i]).length;
    };
    expect(scoreOf(5)).toBe(labels.length);
    expect(scoreOf(2)).toBeLessThan(labels.length);
  });
});

describe("the experiments of Collins", () => {
  const sentence = (words: string, tags: string, labels: string): LabelledSentence => ({
    words: words.split(" "),
    tags: tags.split(" "),
    labels: labels.split(" "),
  });
  const train = [
    sentence("the dog saw a cat", "D N V D N", "B-NP I-NP B-VP B-NP I-NP"),
    sentence("a cat ran", "D N V", "B-NP I-NP B-VP"),
    sentence("dogs saw", "N V", "B-NP B-VP"),
  ];

  it.each(COLLINS_TASKS)("measure $name after each number of iterations", async (task) => {
    const corpus = { train, test: train };
    const rows = [...(await collinsPerceptron(task, corpus, 0, 1)), ...collinsMaxent(task, corpus, 0, "cd")];
    expect(rows.map(({ learner, iterations }) => `${learner} ${iterations}`)).toEqual([
      ...[6, 10, 17, 20].flatMap((epoch) => [`averaged perceptron ${epoch}`, `perceptron ${epoch}`]),
      ...[5, 100, 200].map((iteration) => `maximum entropy, cd ${iteration}`),
    ]);
    // All can be learned by heart.
    for (const { iterations, score } of rows) if (iterations > 10) expect(score).toBe(1);
    expect((await collinsPerceptron(task, corpus, 100, 1)).at(-1)!.score).toBeLessThan(1);
  });

  it("measure all epochs if there are development sentences", async () => {
    const rows = await collinsPerceptron(
      COLLINS_TASKS[0]!,
      { train, dev: train, test: train.slice(1) },
      0,
      1,
    );
    expect(rows).toHaveLength(2 * 20);
    for (const { iterations, dev } of rows) if (iterations > 10) expect(dev).toBe(1);
  });
});
