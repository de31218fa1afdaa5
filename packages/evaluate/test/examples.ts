import { type ConlluSentence, parseConllu } from "@arcwise/conllu";
import { type DependencyTree, heads, type Word } from "@arcwise/core";
import type { TreePair } from "../src/index.ts";

/**
 * Parses sentences in a short form: a line per row, columns separated by spaces. `2 dogs dog NOUN Number=Plur
 * 4 nsubj` is a word (DEPS may follow), `2-3 didn't` a multiword token; an empty line separates sentences.
 */
export function ud(text: string): ConlluSentence[] {
  const lines = text
    .trim()
    .split("\n")
    .map((line) => row(line.trim()));
  return parseConllu(`${lines.join("\n")}\n\n`);
}

function row(line: string): string {
  if (line === "" || line.startsWith("#")) return line;
  const [id, form, lemma = "_", upos = "_", feats = "_", head = "_", deprel = "_", deps = "_"] =
    line.split(/ +/);
  return [id, form, lemma, upos, "_", feats, head, deprel, deps, "_"].join("\t");
}

/** Parses a tree from its heads and labels. */
export function tree(headsText: string, labelsText: string): DependencyTree {
  return { heads: heads(headsText), labels: ["", ...labelsText.split(" ")] };
}

/** Parses words from `form/TAG form/TAG ...`. */
export function words(text: string): Word[] {
  return text.split(" ").map((word) => {
    const slash = word.lastIndexOf("/");
    return slash < 0 ? { form: word } : { form: word.slice(0, slash), upos: word.slice(slash + 1) };
  });
}

/** Two sentences, whose scores were computed by hand in the tests that use them. */
export const PAIRS: readonly TreePair[] = [
  {
    // she -> saw, saw = root, a -> dog, big -> dog, dog -> saw, . -> saw
    words: words("she/PRON saw/VERB a/DET big/ADJ dog/NOUN ./PUNCT"),
    gold: tree("2 0 5 5 2 2", "nsubj root det amod obj punct"),
    predicted: tree("2 0 4 5 2 5", "nsubj root det amod nmod punct"),
  },
  {
    // here -> is, is = root: right but for the label of here
    words: words("here/ADV is/VERB"),
    gold: tree("2 0", "advmod:lmod root"),
    predicted: tree("2 0", "advmod root"),
  },
];
