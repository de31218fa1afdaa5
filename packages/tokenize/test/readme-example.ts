import { parseConllu, writeConllu } from "@arcwise/conllu";
import {
  createTokenizer,
  loadTokenizer,
  saveTokenizer,
  tokenizedSentence,
  trainTokenizer,
} from "@arcwise/tokenize";

// Usually a treebank is read from a file; this one is made of 90 sentences. Rows are ID, FORM and MISC.
const row = (line: string) => {
  const [id, form, misc] = line.split(" ");
  return [id, form, ..."_______", misc].join("\t");
};
const treebank = ["Ann", "Mr. Ho", "The dog"].flatMap((subject) =>
  ["sleeps", "sings", "can't swim"].flatMap((verb) =>
    ["home", "now", "there", "well", "too"].flatMap((adverb) =>
      [".", "!"].map((end) => {
        const rows: string[] = [];
        let id = 0;
        for (const form of [...subject.split(" "), ...verb.split(" "), adverb]) {
          const misc = form === adverb ? "SpaceAfter=No" : "_";
          if (form === "can't")
            rows.push(`${id + 1}-${id + 2} ${form} ${misc}`, `${++id} ca _`, `${++id} n't _`);
          else rows.push(`${++id} ${form} ${misc}`);
        }
        rows.push(`${++id} ${end} _`);
        return `${rows.map(row).join("\n")}\n`;
      }),
    ),
  ),
);
const model = await trainTokenizer(parseConllu(treebank.join("\n")), { seed: 1, epochs: 20 });

// The model as bytes, for a file.
const tokenizer = createTokenizer(loadTokenizer(saveTokenizer(model)));
for (const { tokens } of tokenizer.tokenize("Mr. Ho sings well! Ann can't sleep now.")) {
  console.log(tokens.map(({ form, start, end }) => `${form} ${start}:${end}`).join(" "));
}
// Mr. 0:3 Ho 4:6 sings 7:12 well 13:17 ! 17:18
// Ann 19:22 can't 23:28 sleep 29:34 now 35:38 . 38:39

// Text that arrives in chunks, as CoNLL-U.
let text = "";
for await (const sentence of tokenizer.stream(["The dog ca", "n't swim.\n\nAnn", " sleeps."])) {
  text += writeConllu([tokenizedSentence(sentence, 1)]);
}
console.log(text.split("\n").slice(5, 8).join(" ").replaceAll("\t_", ""));
// 3-4	can't	TokenRange=8:13 3	ca 4	n't
