import { readConllu, sentenceTree, sentenceWords, validate, withTree } from "@arcwise/conllu";
import { expect, test } from "vitest";
import { createParser, type TrainingExample } from "../src/index.ts";
import { trainedParser } from "./fast-training.ts";

/** Sentences of words `FORM/LEMMA/UPOS/HEAD/DEPREL`, one sentence per line. */
function treebank(text: string): TrainingExample[] {
  const sentences = text
    .trim()
    .split("\n")
    .map((line, s) => {
      const rows = line
        .trim()
        .split(" ")
        .map((word, i) => {
          const [form, lemma, upos, head, deprel] = word.split("/");
          return [i + 1, form, lemma, upos, "_", "_", head, deprel, "_", "_"].join("\t");
        });
      return `# sent_id = ${s}\n${rows.join("\n")}\n\n`;
    });
  return Array.from(readConllu(sentences.join("")), (sentence) => ({
    sentence: sentenceWords(sentence),
    tree: sentenceTree(sentence),
  }));
}

const VERBS = ["sings", "sleeps", "runs", "waits"];
const each = (line: (verb: string, i: number) => string) => VERBS.map(line).join("\n");

test.each([
  [
    "forms that are hidden",
    each(() => "_/_/NOUN/2/nsubj _/_/VERB/0/root _/_/ADV/2/advmod _/_/PUNCT/2/punct"),
  ],
  [
    "other relations of the root, which depend on the sentence",
    each((verb, i) =>
      i % 2 === 0
        ? `Ann/ann/subst/2/SUBJ ${verb}/${verb}/verb/0/FINV now/now/adv/2/ADV ././clb/2/IP`
        : "often/often/adv/2/ADV Ann/ann/subst/0/FRAG ././clb/2/IP",
    ),
  ],
  [
    "two sentences",
    "Ann/ann/NOUN/2/nsubj sings/sings/VERB/0/root ././PUNCT/2/punct\n" +
      "Bob/bob/NOUN/2/nsubj runs/runs/VERB/0/root ././PUNCT/2/punct",
  ],
  [
    "tags of its own, and no lemmas",
    each((verb) => `Ann/_/N+prop/2/suj ${verb}/_/V:fin/0/root now/_/ADV:t/2/mod ./_/PONCT/2/ponct`),
  ],
])("a treebank with %s is learned", async (_, text) => {
  const examples = treebank(text);
  const parser = createParser(await trainedParser(examples, { epochs: 3 }));
  for (const { sentence, tree } of examples) {
    const { heads, labels } = parser.parse(sentence);
    expect({ heads, labels }).toEqual(tree);
  }
});

test("a partial tree is completed: the rest of the sentence stays, with empty nodes", async () => {
  const examples = treebank(
    "Ann/ann/PRON/2/nsubj dug/dig/VERB/0/root yams/yam/NOUN/2/obj ././PUNCT/2/punct\n" +
      "Ann/ann/PRON/3/nsubj too/too/ADV/1/advmod dug/dig/VERB/0/root ././PUNCT/3/punct",
  );
  const parser = createParser(await trainedParser(examples, { epochs: 2 }));
  const [partial] = readConllu(
    [
      "# sent_id = p1",
      "# text = Me too dug roots.",
      "1\tMe\tme\tPRON\t_\t_\t3\tnsubj\t_\tGloss=me",
      "2\ttoo\ttoo\tADV\t_\t_\t_\t_\t_\tGloss=also",
      "3\tdug\t_\tVERB\t_\t_\t0\troot\t_\tGloss=root-DIG",
      "3.1\troot\troot\tNOUN\t_\t_\t_\t_\t3:obj\tGloss=root",
      "4\troots\t_\tNOUN\t_\t_\t3\tobj\t_\tGloss=|SpaceAfter=No",
      "5\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\t_",
      "\n",
    ].join("\n"),
  );
  const constraints = { heads: [-1, -1, 4, -1, 0, -1], labels: ["", "", "advmod", "", "", "foo:bar"] };
  const tree = parser.parse(sentenceWords(partial!), { constraints });
  const parsed = withTree(partial!, tree);
  const words = parsed.rows.filter((row) => row.kind === "word");
  expect(words.map(({ head }) => head)).toMatchObject({ 1: 4, 3: 0 });
  expect(words.map(({ deprel }) => deprel)).toMatchObject({ 1: "advmod", 4: "foo:bar" });
  expect([...validate([parsed], { level: 1 })]).toEqual([]);
  for (const [r, row] of parsed.rows.entries()) {
    const before = partial!.rows[r]!;
    expect({ ...row, head: 0, deprel: "_" }).toEqual({ ...before, head: 0, deprel: "_" });
  }
});
