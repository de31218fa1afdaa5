import { crf } from "@arcwise/learn";
import {
  chunkScores,
  createLabeller,
  createTagger,
  type LabelledSentence,
  loadTagger,
  saveTagger,
  trainChain,
  trainTagger,
} from "@arcwise/sequence";

/** A sentence of `form/label` words. */
function labelled(text: string): LabelledSentence {
  const words = text.split(" ").map((word) => word.split("/") as [form: string, label: string]);
  return { sentence: words.map(([form]) => ({ form })), labels: words.map(([, label]) => label) };
}

const examples = [
  "Ada/B-PER Lovelace/I-PER wrote/O to/O London/B-LOC",
  "Charles/B-PER Babbage/I-PER lived/O in/O London/B-LOC",
  "They/O met/O Ada/B-PER in/O New/B-LOC York/I-LOC",
  "Grace/B-PER Hopper/I-PER worked/O in/O New/B-LOC York/I-LOC",
].map(labelled);

// A conditional random field: templates define features of nearby words and of the previous label.
const templates = ["bias", "word", "word-1", "word+1", "shape", "shape shape+1", "suffix2", "label-1"];
const model = await trainChain(examples, {
  templates,
  bio: true,
  epochs: 30,
  learner: (dimension) => crf(dimension, { l2: 1e-3 }),
});

const labeller = createLabeller(model);
const words = "Grace Lovelace lived in York".split(" ").map((form) => ({ form }));
console.log(labeller.label(words).join(" ")); // B-PER I-PER O O B-LOC

// Probabilities, other analyses, and labels that are known in advance.
const [grace] = labeller.marginals(words);
console.log(grace![0]!.label, grace![0]!.probability > 0.8); // B-PER true
console.log(labeller.kBest(words, 3).length); // 3
const known = [undefined, "B-LOC", undefined, undefined, undefined];
console.log(labeller.label(words, { known }).slice(0, 2).join(" ")); // B-PER B-LOC

// Precision, recall and F1 as in the CoNLL shared tasks.
const gold = examples.map(({ labels }) => labels);
const found = examples.map(({ sentence }) => labeller.label(sentence));
console.log(chunkScores(gold, found).f1); // 1

// A tagger: all columns of CoNLL-U at once, saved to a file.
const tagger = await trainTagger([
  [
    { form: "Birds", upos: "NOUN", lemma: "bird" },
    { form: "sing", upos: "VERB", lemma: "sing" },
  ],
]);
const [bird] = createTagger(loadTagger(saveTagger(tagger))).tag([{ form: "Birds" }]);
console.log(bird!.upos, bird!.lemma); // NOUN bird
