import { readFile } from "node:fs/promises";
import { parseConllu, sentenceTree, sentenceWords, withTree, writeConllu } from "@arcwise/conllu";
import { createParser, trainParser } from "@arcwise/parser";
import { readModel, writeModel } from "@arcwise/parser/node";

// Train on a treebank and keep the model.
const treebank = parseConllu(await readFile("train.conllu", "utf8"));
const examples = treebank.map((s) => ({ sentence: sentenceWords(s), tree: sentenceTree(s) }));
await writeModel("my.model", await trainParser(examples, { decoder: "mst", epochs: 10, seed: 1 }));

// Parse tagged words.
const parser = createParser(await readModel("my.model"));
const { heads, labels } = parser.parse([
  { form: "Cats", lemma: "cat", upos: "NOUN", feats: "Number=Plur" },
  { form: "sleep", lemma: "sleep", upos: "VERB", feats: "Mood=Ind|Tense=Pres|VerbForm=Fin" },
]);
console.log(heads, labels); // position 0 is the artificial root, words are 1..n

// Parse a file: everything but HEAD and DEPREL is kept.
const sentences = parseConllu(await readFile("input.conllu", "utf8"));
console.log(writeConllu(sentences.map((s) => withTree(s, parser.parse(sentenceWords(s))))));

export { heads, labels };
