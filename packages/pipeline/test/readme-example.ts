import { parseConllu } from "@arcwise/conllu";
import { createPipeline, loadPipeline, savePipeline, trainPipeline } from "@arcwise/pipeline";

// Usually a treebank is read from a file; this one is made of 60 sentences such as "Ann sings now."
const words = ["Ann Bob Cats Dogs She", "sings sleeps runs", "now well here often"].map((list) =>
  list.split(" "),
);
const treebank = words[0]!.flatMap((subject) =>
  words[1]!.flatMap((verb) =>
    words[2]!.map(
      (adverb) => `1 ${subject} ${subject.toLowerCase()} NOUN _ _ 2 nsubj _ _
2 ${verb} ${verb.slice(0, -1)} VERB _ _ 0 root _ _
3 ${adverb} ${adverb} ADV _ _ 2 advmod _ SpaceAfter=No
4 . . PUNCT _ _ 2 punct _ _
`,
    ),
  ),
);
const sentences = parseConllu(treebank.join("\n").replaceAll(" ", "\t"));

// Tokeniser, tagger and parser, learned together and kept as one file.
const model = await trainPipeline(sentences, { seed: 1, jackknife: 2, parser: { epochs: 5 } });
const pipeline = createPipeline(loadPipeline(savePipeline(model)));

for (const { rows } of pipeline.run("Dogs sleeps well. She runs often.")) {
  console.log(
    rows.flatMap((row) => (row.kind === "word" ? `${row.form}/${row.upos}/${row.head}` : [])).join(" "),
  );
}
// Dogs/NOUN/2 sleeps/VERB/0 well/ADV/2 ./PUNCT/2
// She/NOUN/2 runs/VERB/0 often/ADV/2 ./PUNCT/2

// Text that arrives in chunks.
for await (const { comments } of pipeline.stream(["Cats ru", "ns now.\n\n", "Bob sings here."])) {
  console.log(comments.at(-1));
}
// # text = Cats runs now.
// # text = Bob sings here.
