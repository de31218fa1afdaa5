import { parseConllu } from "@arcwise/conllu";
import { dependencyGraph, type Sentence } from "@arcwise/core";
import { trainGraphParser } from "@arcwise/graph-parser";
import { trainParser } from "@arcwise/parser";
import { trainTagger } from "@arcwise/sequence";
import { trainTokenizer } from "@arcwise/tokenize";
import { describe, expect, test } from "vitest";

/*
 * What no column can hold is trained by programs alone: files have no tabs in their columns. Each of these
 * was learned and saved, and could not be loaded.
 */
const sentence: Sentence = [
  { form: "Dogs", lemma: "dog", upos: "NOUN", xpos: "NNS", feats: "Number=Plur" },
  { form: "bark", lemma: "bark", upos: "VERB", xpos: "VBP", feats: "Mood=Ind" },
];
const heads = Int32Array.of(-1, 2, 0);
const changed = (change: Partial<Sentence[number]>): Sentence[] => [
  [sentence[0]!, { ...sentence[1]!, ...change }],
];
const graphs = (label: string, sense: string) => {
  const edges = [{ head: 2, modifier: 1, label }];
  const graph = dependencyGraph(2, { edges, predicates: [{ position: 2, sense }] });
  return [{ sentence, graph }];
};
const conllu = (word: string) => {
  const [read] = parseConllu(
    "1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t1\tdep\t_\t_\n\n",
  );
  return [{ ...read!, rows: read!.rows.map((row) => (row.form === "b" ? { ...row, form: word } : row)) }];
};

describe.each(["a\tb", "a\nb", "a\rb"])("%j is refused before training", (text) => {
  test.each<[what: string, at: string, train: () => Promise<unknown>]>([
    [
      "as the label of an arc",
      "labels[0]",
      () =>
        trainParser([{ sentence, tree: { heads, labels: ["", text, "root"] } }], {
          preset: "linear",
          epochs: 1,
        }),
    ],
    [
      "as the label of an edge",
      "labels[0]",
      () => trainGraphParser(graphs(text, ""), { preset: "linear", epochs: 1 }),
    ],
    [
      "as a sense",
      "senses.lemmas[0][1]",
      () => trainGraphParser(graphs("A", text), { preset: "linear", epochs: 1 }),
    ],
    ["as a tag", "labels[1]", () => trainTagger(changed({ xpos: text }), { columns: ["xpos"] })],
    ["as features", "labels[1]", () => trainTagger(changed({ feats: text }), { columns: ["feats"] })],
    ["as a lemma", "lemma", () => trainTagger(changed({ lemma: text }), { columns: ["lemma"] })],
    ["as a form with a lemma", "form", () => trainTagger(changed({ form: text }), { columns: ["lemma"] })],
    ["as a word of a multiword token", "form", () => trainTokenizer(conllu(text), { epochs: 1 })],
  ])("%s", async (_what, at, train) => {
    const reported: unknown[] = [];
    const error = await train().then(
      () => reported,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({
      code: "invalid-data",
      at,
      expected: "a text without tabs and line ends",
      found: JSON.stringify(text),
    });
  });
});
