import {
  createParser,
  saveParser,
  type TrainingExample,
  type TrainOptions,
  trainParser,
} from "@arcwise/parser";

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

/** The sentence that is parsed. */
export const SENTENCE = [
  word("Old", "ADJ"),
  word("dogs", "NOUN"),
  word("chase", "VERB"),
  word("cats", "NOUN"),
];

/** Trains a small model. Returns its file. */
export async function trainSmall(options: TrainOptions): Promise<Uint8Array> {
  const examples = [...treebank, ...treebank, ...treebank];
  return saveParser(
    await trainParser(examples, { preset: "linear", epochs: 5, seed: 1, prune: false, ...options }),
  );
}

/** Trains a small model and parses with it. Returns heads, labels and a checksum of the model's file. */
export async function trainAndParse(options: TrainOptions): Promise<string> {
  const examples = [...treebank, ...treebank, ...treebank];
  const model = await trainParser(examples, {
    preset: "linear",
    epochs: 5,
    seed: 1,
    prune: false,
    ...options,
  });
  const { heads, labels } = createParser(model).parse(SENTENCE);
  return `${heads.join(" ")} ${labels.slice(1).join(" ")} ${checksum(saveParser(model))}`;
}

/** FNV-1a. */
function checksum(bytes: Uint8Array): number {
  let hash = 2166136261;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 16777619);
  return hash >>> 0;
}
