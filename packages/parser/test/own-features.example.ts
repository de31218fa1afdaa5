import {
  createParser,
  readTemplates,
  type TreeFeatures,
  testTreeFeatures,
  trainParser,
} from "@arcwise/parser";

// Templates: what a JSON file holds. One is added to the built-in templates of arcs, one is left out.
const templates = readTemplates(`{
  "arc": { "add": ["h.upos h.Number m.upos m.Number"], "remove": ["h.suffix m.suffix"] }
}`);

// Features of whole trees: how many subjects a verb has. They depend on its modifiers alone.
const subjects: TreeFeatures = {
  name: "subjects",
  features: {
    subjects: {
      scope: "modifiers",
      *features(tree, word) {
        if (tree.word(word).upos !== "VERB") return;
        const nominative = tree.modifiers(word).filter((m) => tree.feature(m, "Case") === "Nom");
        yield `${Math.min(nominative.length, 2)} ${tree.feature(word, "Number")}`;
      },
    },
  },
};

const noun = (form: string, value: string) => ({ form, upos: "NOUN", feats: `Case=${value}|Number=Sing` });
const sentence = [
  noun("canis", "Nom"),
  noun("felem", "Acc"),
  { form: "videt", upos: "VERB", feats: "Number=Sing" },
];
const tree = { heads: Int32Array.of(-1, 3, 3, 0), labels: ["", "nsubj", "obj", "root"] };
testTreeFeatures(subjects, [sentence]);

const options = {
  order: 2,
  decoder: "hillclimb",
  prune: false,
  epochs: 3,
  templates,
  global: subjects,
} as const;
const model = await trainParser([{ sentence, tree }], options);
console.log(createParser(model, { global: subjects }).parse(sentence).heads.join(" ")); // -1 3 3 0
