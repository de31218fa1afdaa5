import { loadPipeline } from "@arcwise/pipeline";
import { createTagger } from "@arcwise/sequence";
import { describe, expect, test } from "vitest";
import { inFolder, settings, TRAIN_PARSER, treebank } from "./support.ts";

const QUICK = settings({
  preset: "fast",
  tokenizer: { epochs: 1 },
  parser: { network: { units: 8, embeddingUnits: 8, epochs: 1 } },
});
const silver = treebank.replaceAll("sleep", "run").replaceAll("Sleep", "Run");

/** Trains on two files; returns how it ended, and its folder. */
async function train(line: string, ...options: readonly string[]) {
  const at = inFolder({ train: treebank, silver });
  return { ...(await at.run(`train ${line} --model @model --threads 1`, ...options)), ...at };
}

describe("train --silver", () => {
  test("names the treebank in the model, after the files of --train", async () => {
    const { code, err, run } = await train("--train @train --silver @silver", ...QUICK);
    expect([code, err]).toEqual([0, expect.stringMatching(/^training on 60 sentences$/m)]);
    const info = JSON.parse((await run("info --json @model")).out);
    expect(info.treebanks).toEqual([
      { name: "train", sentences: 30, weight: 1 },
      { name: "silver", sentences: 30, weight: 1, silver: true },
    ]);
  });

  test("is one more treebank for a parser alone, which has no tokeniser", async () => {
    const short = [...TRAIN_PARSER.slice(1), "--epochs", "1"];
    const [own, other] = await Promise.all(
      ["--train @train --silver @silver", "--train @train @silver"].map((line) => train(line, ...short)),
    );
    expect(own!.bytes("model").equals(other!.bytes("model"))).toBe(true);
  });

  test.each([
    ["1", 2],
    ["1,2,3", 2],
    ["2,0.5", 0],
  ])("has a weight of its own: %s", async (weights, expected) => {
    const { code } = await train(
      "--train @train --silver @silver",
      ...QUICK,
      "--settings",
      `weights=${weights}`,
    );
    expect(code).toBe(expected);
  });
});

const lexicon = "1\tgeese\tgoose\tNOUN\t_\tNumber=Plur\t_\t_\t_\t_\n\n";

test("train --lexicon takes words without trees, of which lemmas are learned", async () => {
  const { run, bytes } = inFolder({ train: treebank, lexicon });
  const files = "--train @train --lexicon @lexicon --model @model --threads 1";
  const { code, err } = await run(`train ${files}`, ...QUICK);
  expect([code, err]).toEqual([0, expect.stringMatching(/^training on 30 sentences$/m)]);
  const { tagger } = loadPipeline(bytes("model"));
  expect(createTagger(tagger!).lemma!({ form: "geese", upos: "NOUN", feats: "Number=Plur" })).toBe("goose");
});
