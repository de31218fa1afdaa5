import { dependencyGraph } from "@arcwise/core";
import type { TrainingWarning } from "@arcwise/core/training";
import { expect, test } from "vitest";
import { graphTrainingWarnings } from "../src/graph-warnings.ts";
import { type GraphExample, trainGraphParser } from "../src/index.ts";

/** A graph of words, with edges such as `1>2:agent`. */
function example(words: string, edges: string): GraphExample {
  const sentence = words.split(" ").map((form) => ({ form, upos: "X" }));
  const all = edges.split(" ").map((edge) => {
    const [, head, modifier, label] = /^(\d+)>(\d+):(.*)$/.exec(edge)!;
    return { head: Number(head), modifier: Number(modifier), label: label! };
  });
  return { sentence, graph: dependencyGraph(sentence.length, { edges: all }) };
}

const PLAIN = example("Ann sings", "0>2:root 2>1:agent");
const LOOP = example("self control", "0>2:root 2>2:agent 2>1:mod");
const IDENTIFIERS = Array.from({ length: 40 }, (_, k) => example("a b", `0>2:id${2 * k} 2>1:id${2 * k + 1}`));
const TAGS = IDENTIFIERS.map(({ graph }, k) => ({
  graph,
  sentence: [
    { form: "a", xpos: `x${2 * k}` },
    { form: "b", xpos: `x${2 * k + 1}` },
  ],
}));

test.each<[string, GraphExample[], Pick<TrainingWarning, "code" | "count" | "total">[]]>([
  ["nothing", [PLAIN], []],
  ["edges from a word to itself", [PLAIN, LOOP], [{ code: "self-loops", count: 1, total: 2 }]],
  ["a label for each edge", IDENTIFIERS, [{ code: "distinct-values", count: 80, total: 80 }]],
  [
    "a tag for each word",
    TAGS,
    [
      { code: "distinct-values", count: 80, total: 80 },
      { code: "distinct-values", count: 80, total: 80 },
    ],
  ],
])("a training of graphs warns of %s", async (_, examples, expected) => {
  const found = graphTrainingWarnings(examples);
  expect(found).toMatchObject(expected);
  expect(found).toHaveLength(expected.length);
  const heard: TrainingWarning[] = [];
  const options = { preset: "linear", epochs: 1 } as const;
  await trainGraphParser(examples, { ...options, onWarning: (warning) => void heard.push(warning) });
  expect(heard).toEqual(found);
});
