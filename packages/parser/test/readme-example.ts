import { createParser, loadModel, saveModel, type TrainingExample, trainParser } from "@arcwise/parser";

// Three annotated sentences, three times. Position 0 is the artificial root, words are 1..n.
const word = (form: string, upos: string) => ({ form, lemma: form.toLowerCase(), upos });
const treebank: TrainingExample[] = [
  {
    sentence: [word("Dogs", "NOUN"), word("bark", "VERB")],
    tree: { heads: Int32Array.of(-1, 2, 0), labels: ["", "nsubj", "root"] },
  },
  {
    sentence: [word("Cats", "NOUN"), word("chase", "VERB"), word("mice", "NOUN")],
    tree: { heads: Int32Array.of(-1, 2, 0, 2), labels: ["", "nsubj", "root", "obj"] },
  },
  {
    sentence: [word("Old", "ADJ"), word("cats", "NOUN"), word("sleep", "VERB")],
    tree: { heads: Int32Array.of(-1, 2, 3, 0), labels: ["", "amod", "nsubj", "root"] },
  },
];
const examples = [...treebank, ...treebank, ...treebank];
const model = await trainParser(examples, { epochs: 5, seed: 1, prune: false });

// A model is a file of bytes.
const parser = createParser(loadModel(saveModel(model)));

const sentence = [word("Old", "ADJ"), word("dogs", "NOUN"), word("chase", "VERB"), word("cats", "NOUN")];
const { heads, labels } = parser.parse(sentence);
console.log(heads.join(" ")); // -1 2 3 0 3
console.log(labels.slice(1).join(" ")); // amod nsubj root obj

// The next best trees, and how probable each head is: more than by chance, of four possible ones.
const ranked = parser.kBest(sentence, 3);
console.log(ranked.length, ranked[0]!.score > ranked[1]!.score); // 3 true
const { headProbabilities } = parser.marginals(sentence);
console.log(headProbabilities.slice(1).every((p) => p > 1 / 4)); // true

// Somebody knows better: "dogs" is the root, and "cats" is not an object.
const constraints = { heads: [-1, -1, 0, -1, -1], forbiddenLabels: [[4, "obj"]] as [number, string][] };
const constrained = parser.parse(sentence, { constraints });
console.log(constrained.heads[2], constrained.labels[4] === "obj"); // 0 false
