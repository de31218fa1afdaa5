import { dependencyGraph, SparseVector } from "@arcwise/core";
import { buildEncoder, GRAPH_TEMPLATES } from "@arcwise/core/features";
import { describe, expect, test } from "vitest";
import { SenseScorer, senseInventory } from "../src/graph-senses.ts";
import { senseTask } from "../src/sense-task.ts";
import { trainSenses } from "../src/train-senses.ts";

/** Words that are their own lemmas, the sense of the second one, and the label of its edge to the third. */
function example(words: string, sense: string, label: string) {
  const sentence = words.split(" ").map((form) => ({ form, lemma: form, upos: "X" }));
  const edges = [{ head: 2, modifier: 3, label }];
  const predicates = [{ position: 2, sense }];
  return { sentence, graph: dependencyGraph(sentence.length, { edges, predicates }) };
}

/**
 * "run" has three senses, "see" one; words decide between two of "run", the label of its argument about the
 * third.
 */
const EXAMPLES = [
  example("we run home", "run.02", "ARGM"),
  example("they run home", "run.02", "ARGM"),
  example("dogs run home", "run.02", "ARGM"),
  example("we run shops", "run.01", "ARG1"),
  example("they run shops", "run.01", "ARG1"),
  example("dogs run shops", "run.07", "ARG2"),
  example("we see shops", "see.01", "ARG1"),
];
const { predicates, pairs } = GRAPH_TEMPLATES.senses;
const CONFIGURATION = { predicates, pairs, bits: 14 };

function prepared() {
  const encoder = buildEncoder(
    EXAMPLES.map(({ sentence }) => sentence),
    1,
  );
  return EXAMPLES.map(({ sentence: words, graph }) => ({ words, sentence: encoder.encode(words), ...graph }));
}

describe("senses of predicates", () => {
  test("are listed by lemma, most frequent first, with a pattern for other lemmas", () => {
    const inventory = senseInventory(EXAMPLES);
    expect(inventory.lemmas).toEqual([
      ["run", "run.02", "run.01", "run.07"],
      ["see", "see.01"],
    ]);
    expect(inventory.pattern).toBe("*.02");
    const scorer = new SenseScorer(inventory, CONFIGURATION);
    const [, , , , , , last] = prepared();
    const words = [{ form: "we" }, { form: "Sing" }, { form: "$&" }];
    scorer.prepare({ ...last!, words });
    expect(scorer.candidates(2)).toEqual(["sing.02"]);
    expect(scorer.candidates(3)).toEqual(["$&.02"]);
    expect(scorer.best(2, { values: new Float32Array(2 ** 14), scale: 1 })).toBe("sing.02");
  });

  test("are learned from words and arguments", async () => {
    const inputs = prepared();
    const { inventory, configuration, weights } = (await trainSenses(
      EXAMPLES,
      inputs.map(({ sentence }) => sentence),
      { seed: 1 },
    ))!;
    const scorer = new SenseScorer(inventory, configuration);
    const found = inputs.map((input) => {
      scorer.prepare(input);
      return scorer.best(2, weights);
    });
    expect(found).toEqual(EXAMPLES.map(({ graph }) => graph.predicates[0]!.sense));
    // With the argument of another label, the same words have another sense.
    const shops = inputs[5]!;
    scorer.prepare({ ...shops, edges: [{ head: 2, modifier: 3, label: "ARG1" }] });
    expect(scorer.best(2, weights)).toBe("run.01");
  });

  test("are absent from a model when the graphs have none", async () => {
    const plain = EXAMPLES.map(({ sentence, graph }) => ({
      sentence,
      graph: { ...graph, predicates: [{ position: 2, sense: "" }] },
    }));
    const sentences = prepared().map(({ sentence }) => sentence);
    expect(await trainSenses(plain, sentences, { seed: 1 })).toBeUndefined();
  });
});

test("the gradient of the likelihood of senses is that of finite differences", () => {
  const scorer = new SenseScorer(senseInventory(EXAMPLES), CONFIGURATION);
  const task = senseTask(prepared(), scorer, 2 ** CONFIGURATION.bits);
  expect(task.size).toBe(6);
  const weights = Float64Array.from({ length: task.dimension }, (_, i) => Math.sin(i) / 10);
  const gradient = new SparseVector(64);
  const { loss, cost } = task.expectations!(5, weights, gradient);
  expect(cost).toBeCloseTo(1 - Math.exp(-loss), 12);
  const step = 1e-5;
  for (let k = 0; k < gradient.size; k += 7) {
    const i = gradient.indices[k]!;
    const lossAt = (value: number) => {
      const moved = weights.slice();
      moved[i] = value;
      return task.expectations!(5, moved, new SparseVector(64)).loss;
    };
    const difference = (lossAt(weights[i]! + step) - lossAt(weights[i]! - step)) / (2 * step);
    expect(gradient.get(i)).toBeCloseTo(-difference, 6);
  }
});

test("the difference of senses is that of their features, and costs 1 a wrong one", () => {
  const scorer = new SenseScorer(senseInventory(EXAMPLES), CONFIGURATION);
  const task = senseTask(prepared(), scorer, 2 ** CONFIGURATION.bits);
  const weights = Float32Array.from({ length: task.dimension }, (_, i) => Math.cos(i));
  for (let example = 0; example < task.size; example++) {
    const chosen = task.decode(example, weights, false);
    const difference = new SparseVector(64);
    const cost = task.difference(example, chosen, difference);
    const gold = scorer.candidates(2).indexOf(EXAMPLES[example]!.graph.predicates[0]!.sense);
    const scores = scorer.scores(2, { values: weights, scale: 1 });
    expect(cost).toBe(chosen[0] === gold ? 0 : 1);
    expect(difference.dot(weights)).toBeCloseTo(scores[gold]! - scores[chosen[0]!]!, 3);
    expect(scores[chosen[0]!]).toBe(Math.max(...scores));
  }
});
