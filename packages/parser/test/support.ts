import { readFileSync } from "node:fs";
import { type Arcs, heads, isTree, type Sentence } from "@arcwise/core";
import { buildEncoder } from "@arcwise/core/features";
import { expect } from "vitest";
import type { Parser, Reading, TrainingExample } from "../src/index.ts";
import { LabelSet } from "../src/model/model.ts";

/** Sentences of the sample treebank with their trees: ranges and empty nodes left out, `_` as absent. */
export function sample(split: "train" | "dev" | "test"): TrainingExample[] {
  const url = new URL(`../../../apps/bench/sample/${split}.conllu`, import.meta.url);
  return readFileSync(url, "utf8")
    .split("\n\n")
    .map((block) => block.split("\n").filter((line) => /^\d+\t/.test(line)))
    .filter((lines) => lines.length > 0)
    .map((lines) => {
      const rows = lines.map((line) => line.split("\t").map((column) => (column === "_" ? "" : column)));
      return {
        sentence: rows.map(([, form, lemma, upos, xpos, feats]) => ({
          form: form!,
          lemma: lemma!,
          upos: upos!,
          xpos: xpos!,
          feats: feats!,
        })),
        tree: {
          heads: Int32Array.from([-1, ...rows.map((row) => Number(row[6]))]),
          labels: ["", ...rows.map((row) => row[7]!)],
        },
      };
    });
}

/** An example in writing: `form/TAG` words, their heads, their labels. */
export function example(words: string, tree: string, labels: string): TrainingExample {
  const sentence: Sentence = words.split(" ").map((word) => {
    const [form, upos] = word.split("/") as [string, string];
    return { form, lemma: form.toLowerCase(), upos };
  });
  return { sentence, tree: { heads: heads(tree), labels: ["", ...labels.split(" ")] } };
}

/** The last one is not projective. */
export const TREEBANK = [
  example("Dogs/NOUN bark/VERB loudly/ADV", "2 0 2", "nsubj root advmod"),
  example("The/DET dog/NOUN sees/VERB cats/NOUN", "2 3 0 3", "det nsubj root obj"),
  example("She/PRON sees/VERB the/DET cat/NOUN now/ADV", "2 0 4 2 2", "nsubj root det obj advmod"),
  example("Cats/NOUN she/PRON now/ADV sees/VERB", "3 4 0 3", "obj nsubj root advmod"),
];

/** Examples as codes: their sentences, gold trees and labels, in the order of their names. */
export function encoded(examples: readonly TrainingExample[], minimum?: number) {
  const encoder = buildEncoder(
    examples.map(({ sentence }) => sentence),
    minimum,
  );
  const labels = new LabelSet([...new Set(examples.flatMap(({ tree }) => tree.labels.slice(1)))].sort());
  return {
    ...{ encoder, labels },
    sentences: examples.map(({ sentence }) => encoder.encode(sentence)),
    golds: examples.map(({ tree }) => labels.encode(tree)),
  };
}

/** Matches errors of a code. */
export const withCode = (code: string): object => expect.objectContaining({ code }) as object;

/** The reading of one sentence. */
export function readingOf(parser: Parser, sentence: Sentence): Reading {
  return parser.read([sentence])[0]!;
}

/** All trees over the candidate arcs, with one root. */
export function treesOver({ n, start, head }: Arcs): Int32Array[] {
  let found: number[][] = [[-1]];
  for (let m = 1; m <= n; m++) {
    const own = [...head.subarray(start[m]!, start[m + 1]!)];
    found = found.flatMap((tree) => own.map((h) => [...tree, h]));
  }
  return found.map((tree) => Int32Array.from(tree)).filter((tree) => isTree(tree));
}

/** All candidate arcs as [head, modifier]. */
export function pairs({ head, modifier }: Arcs): [number, number][] {
  return Array.from(head, (h, a) => [h, modifier[a]!]);
}
