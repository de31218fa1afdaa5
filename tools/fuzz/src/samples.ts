import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readSplit, SAMPLE } from "@arcwise/bench/data";
import { dependencyGraph } from "@arcwise/core";
import type { GraphExample } from "@arcwise/graph-parser";

/** Returns the first sentences of the sample treebank as CoNLL-U. */
export function sampleText(sentences: number): string {
  const text = readFileSync(join(SAMPLE, "dev.conllu"), "utf8");
  return `${text.split("\n\n").slice(0, sentences).join("\n\n")}\n\n`;
}

/** Returns a few short sentences with trees. */
export const shortExamples = () =>
  readSplit(SAMPLE, "dev")
    .filter(({ sentence }) => sentence.length >= 3 && sentence.length <= 8)
    .slice(0, 4);

/** Sentences with graphs in which a word has two heads, edges as `head>modifier:label`. */
export const GRAPH_EXAMPLES: readonly GraphExample[] = [
  graphExample("She wants to sleep", "2>1:ARG0 2>4:ARG1 4>1:ARG0"),
  graphExample("Dogs bark", "2>1:ARG0"),
  graphExample("Cats see dogs", "2>1:ARG0 2>3:ARG1"),
];

function graphExample(words: string, arcs: string): GraphExample {
  const sentence = words.split(" ").map((form) => ({ form, lemma: form.toLowerCase(), upos: "X" }));
  const edges = arcs.split(" ").map((arc) => {
    const [head, modifier, label] = arc.split(/[>:]/) as [string, string, string];
    return { head: Number(head), modifier: Number(modifier), label };
  });
  const heads = [...new Set(edges.map(({ head }) => head))].sort((a, b) => a - b);
  const predicates = heads.map((position) => ({ position, sense: "01" }));
  return { sentence, graph: dependencyGraph(sentence.length, { edges, predicates }) };
}
