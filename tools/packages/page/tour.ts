import { mstDecoder } from "@arcwise/decode-mst";
import { createParser, loadParser } from "@arcwise/parser";
import {
  ArcwiseError,
  createPipeline,
  drawSvg,
  drawText,
  loadPipeline,
  modelParts,
  readConllu,
  savePipeline,
  trainPipeline,
} from "arcwise";

/** 60 sentences such as "Ann sings now." */
const TREEBANK = ["Ann", "Bob", "Cats", "Dogs", "She"]
  .flatMap((subject) => ["sings", "sleeps", "runs"].map((verb) => [subject, verb] as const))
  .flatMap(([subject, verb]) =>
    ["now", "well", "here", "often"].map(
      (adverb) => `1 ${subject} ${subject.toLowerCase()} NOUN _ _ 2 nsubj _ _
2 ${verb} ${verb.slice(0, -1)} VERB _ _ 0 root _ _
3 ${adverb} ${adverb} ADV _ _ 2 advmod _ SpaceAfter=No
4 . . PUNCT _ _ 2 punct _ _
`,
    ),
  )
  .join("\n")
  .replaceAll(" ", "\t");

/** Trains a pipeline. Returns its file. */
export async function trainSmallPipeline(): Promise<Uint8Array> {
  const sentences = [...readConllu(TREEBANK)];
  return savePipeline(
    await trainPipeline(sentences, { preset: "linear", settings: { jackknife: 2, parser: { epochs: 5 } } }),
  );
}

/** Uses a pipeline in all ways. Returns what it found, a line each. */
export async function tour(bytes: Uint8Array): Promise<string[]> {
  const found: string[] = [];

  // Text to trees.
  const nlp = createPipeline(loadPipeline(bytes));
  for (const sentence of nlp.run("Cats sings now. Dogs runs well.")) {
    for (const word of sentence.words) {
      found.push(`${word.form} ${word.upos} ${word.deprel} ${word.head?.form ?? "ROOT"}`);
    }
  }
  const { signal } = new AbortController();
  for await (const sentence of nlp.stream(["Cats ru", "ns now."], { onError: "skip", signal })) {
    found.push(sentence.text, drawText(sentence), `${drawSvg(sentence).length} characters`);
  }

  // Words are given, or words and tags.
  found.push(
    `${
      nlp.annotate([
        ["Cats", "sings"],
        ["Dogs", "runs"],
      ]).length
    } sentences`,
  );
  const [given] = nlp.annotate(readConllu("1\tCats\t_\tX\t_\t_\t_\t_\t_\t_\n\n"), { tags: "given" });
  found.push(`${given!.words[0]!.upos} ${given!.words[0]!.deprel}`);

  // More than the best tree: a reading is a value.
  const [reading] = nlp.read("Cats sings now.");
  found.push(reading!.best().heads.join(" "));
  found.push(`${reading!.kBest(5).length} trees`);
  found.push(`${reading!.marginals().headProbabilities.length} probabilities`);
  found.push(reading!.best({ constraints: { heads: [-1, 0, -1, -1, -1] } }).heads.join(" "));
  found.push(`${reading!.problem().arcs.n} words`);

  // Parts by themselves, with a decoder of one's own.
  const parser = createParser(loadParser(modelParts(bytes).parts.parser!), { decoder: mstDecoder() });
  found.push(
    parser
      .parse([
        { form: "Cats", upos: "NOUN" },
        { form: "sing", upos: "VERB" },
      ])
      .heads.join(" "),
  );

  try {
    createPipeline({}).run("Cats");
  } catch (error) {
    if (error instanceof ArcwiseError) found.push(error.code);
  }
  return found;
}
