import { dependencyGraph } from "@arcwise/core";
import type { GraphExample } from "../src/index.ts";

/** `form/TAG` words, edges `head>modifier:label`, and predicates `position=sense`. */
export function example(words: string, edges: string, predicates: string, heads?: string): GraphExample {
  const sentence = words.split(" ").map((word) => {
    const [form, upos] = word.split("/") as [string, string];
    return { form, lemma: form.toLowerCase(), upos, xpos: upos };
  });
  const graph = dependencyGraph(sentence.length, {
    edges: edges.split(" ").map((edge) => {
      const [, head, modifier, label] = /^(\d+)>(\d+):(.*)$/.exec(edge)!;
      return { head: Number(head), modifier: Number(modifier), label: label! };
    }),
    predicates: predicates.split(" ").map((text) => {
      const [position, sense] = text.split("=") as [string, string];
      return { position: Number(position), sense };
    }),
  });
  const tree = heads?.split(" ").map(Number);
  const syntax = tree && {
    heads: Int32Array.from([-1, ...tree]),
    labels: ["", ...tree.map((h) => `l${h > 0}`)],
  };
  return { sentence, graph, syntax };
}

/** One word is an argument of two predicates, another of none. */
export const GRAPHS = [
  example(
    "She/PRON wants/VERB to/PART sleep/VERB",
    "2>1:ARG0 2>4:ARG1 4>1:ARG0",
    "2=want.01 4=sleep.01",
    "2 0 4 2",
  ),
  example(
    "He/PRON tries/VERB to/PART sing/VERB",
    "2>1:ARG0 2>4:ARG1 4>1:ARG0",
    "2=try.01 4=sing.01",
    "2 0 4 2",
  ),
  example("Dogs/NOUN bark/VERB", "2>1:ARG0", "2=bark.01", "2 0"),
  example("Cats/NOUN see/VERB dogs/NOUN", "2>1:ARG0 2>3:ARG1", "2=see.01", "2 0 2"),
  example("She/PRON sees/VERB the/DET cat/NOUN", "2>1:ARG0 2>4:ARG1", "2=see.01", "2 0 4 2"),
  example("The/DET dog/NOUN sleeps/VERB", "3>2:ARG0", "3=sleep.01", "2 3 0"),
];
/** The same without trees. */
export const PLAIN = GRAPHS.map(({ sentence, graph }) => ({ sentence, graph }));
