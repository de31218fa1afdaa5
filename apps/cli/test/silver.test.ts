import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadPipeline } from "@arcwise/pipeline";
import { createTagger } from "@arcwise/sequence";
import { describe, expect, test } from "vitest";
import { arcwise, folderWith, settings, TRAIN_PARSER, treebank } from "./support.ts";

const QUICK = settings({
  preset: "fast",
  tokenizer: { epochs: 1 },
  parser: { network: { units: 8, embeddingUnits: 8, epochs: 1 } },
});
const silver = treebank.replaceAll("sleep", "run").replaceAll("Sleep", "Run");

/** Trains on two files; returns how it ended, and the path of its model. */
async function train(flag: "--silver" | undefined, ...options: readonly string[]) {
  const folder = folderWith({ train: treebank, silver });
  const [file, other, model] = [join(folder, "train"), join(folder, "silver"), join(folder, "model")];
  const files = ["--train", file, ...(flag ? [flag] : []), other, "--model", model, "--threads", "1"];
  return { ...(await arcwise([...options, ...files])), model };
}

describe("train --silver", () => {
  test("names the treebank in the model, after the files of --train", async () => {
    const { code, err, model } = await train("--silver", "train", ...QUICK);
    expect([code, err]).toEqual([0, expect.stringMatching(/^training on 60 sentences$/m)]);
    const info = JSON.parse((await arcwise(["info", "--json", model])).out);
    expect(info.treebanks).toEqual([
      { name: "train", sentences: 30, weight: 1 },
      { name: "silver", sentences: 30, weight: 1, silver: true },
    ]);
  });

  test("is one more treebank for a parser alone, which has no tokeniser", async () => {
    const models = await Promise.all(
      (["--silver", undefined] as const).map((flag) => train(flag, ...TRAIN_PARSER, "--epochs", "1")),
    );
    const [own, other] = models.map(({ model }) => readFileSync(model));
    expect(own!.equals(other!)).toBe(true);
  });

  test.each([
    ["1", 2],
    ["1,2,3", 2],
    ["2,0.5", 0],
  ])("has a weight of its own: %s", async (weights, expected) => {
    const { code } = await train("--silver", "train", ...QUICK, "--settings", `weights=${weights}`);
    expect(code).toBe(expected);
  });

  test("names the file that has no sentences", async () => {
    const folder = folderWith({ train: treebank, silver: "" });
    const files = ["--train", join(folder, "train"), "--silver", join(folder, "silver")];
    const { code, err } = await arcwise(["train", ...files, "--model", join(folder, "model")]);
    expect([code, err]).toEqual([1, expect.stringMatching(/silver.*expected sentences to learn from/)]);
  });
});

describe("train --lexicon", () => {
  const lexicon = "1\tgeese\tgoose\tNOUN\t_\tNumber=Plur\t_\t_\t_\t_\n\n";

  test("takes words without trees, of which lemmas are learned", async () => {
    const folder = folderWith({ train: treebank, lexicon });
    const [file, words, model] = ["train", "lexicon", "model"].map((name) => join(folder, name));
    const files = ["--train", file!, "--lexicon", words!, "--model", model!, "--threads", "1"];
    const { code, err } = await arcwise(["train", ...QUICK, ...files]);
    expect([code, err]).toEqual([0, expect.stringMatching(/^training on 30 sentences$/m)]);
    const { tagger } = loadPipeline(readFileSync(model!));
    expect(createTagger(tagger!).lemma!({ form: "geese", upos: "NOUN", feats: "Number=Plur" })).toBe("goose");
  });

  test("requires the training of a tagger", async () => {
    const folder = folderWith({ train: treebank, lexicon });
    const [file, words, model] = ["train", "lexicon", "model"].map((name) => join(folder, name));
    const files = ["--train", file!, "--lexicon", words!, "--model", model!];
    expect(await arcwise([...TRAIN_PARSER, ...files])).toMatchObject({ code: 2 });
  });
});
