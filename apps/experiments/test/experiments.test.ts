import { describe, expect, it, test } from "vitest";
import { labelled } from "../src/maxent/corpora.ts";
import { COLLINS_TASKS, collinsMaxent, collinsPerceptron } from "../src/maxent/measure-collins.ts";
import { placeNames } from "../src/sequences/places.ts";

test("places are countries in Spanish and cities of time zones", () => {
  const names = placeNames();
  for (const name of ["España", "Alemania", "Madrid", "Buenos Aires"]) expect(names).toContain(name);
  expect(new Set(names).size).toBe(names.length);
});

describe("the experiments of Collins", () => {
  const sentence = (words: string, tags: string, labels: string) =>
    labelled({
      sentence: words.split(" ").map((form, i) => ({ form, xpos: tags.split(" ")[i]! })),
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
    const corpus = { train, dev: train, test: train.slice(1) };
    const rows = await collinsPerceptron(COLLINS_TASKS[0]!, corpus, 0, 1);
    expect(rows).toHaveLength(2 * 20);
    for (const { iterations, dev } of rows) if (iterations > 10) expect(dev).toBe(1);
  });
});
