import { beforeAll, describe, expect, test } from "vitest";
import { inFolder, trainedModel, treebank } from "./support.ts";

let tagger: Uint8Array;
const TRAIN = "tag train --train @train --model @tagger --epochs 3";

beforeAll(async () => {
  tagger = await trainedModel(["tag", "train", "--train", "@treebank", "--epochs", "3"]);
});

/** A column of all words. */
const column = (text: string, index: number): string[] =>
  text
    .split("\n")
    .filter((line) => /^\d+\t/.test(line))
    .map((line) => line.split("\t")[index]!);

/** The treebank without lemmas and tags. */
const untagged = treebank.replace(/^(\d+\t[^\t]+)\t[^\t]+\t[^\t]+/gm, "$1\t_\t_");

describe("tag train", () => {
  test("tells of each epoch, measures on a development set and leaves the tagger alone behind", async () => {
    const { run, names } = inFolder({ train: treebank, dev: treebank });
    const { code, out, err } = await run(`${TRAIN} --dev @dev --verbose`);
    expect([code, out]).toEqual([0, ""]);
    for (const epoch of [1, 2, 3])
      expect(err).toMatch(new RegExp(`^tagger, upos ${epoch}/3: training error of upos`, "m"));
    expect(err).toMatch(/^tagger done after .* s; .* dev upos 100.00; .* dev lemma 100.00$/m);
    expect(names()).toEqual(["dev", "tagger", "train"]);
  });

  test("writes the same bytes for the same seed", async () => {
    const { run, bytes } = inFolder({ train: treebank });
    await run(TRAIN);
    expect(bytes("tagger").equals(tagger)).toBe(true);
  });
});

test("tag train --gazetteer keeps lists of names in the tagger, which tag run needs no files for", async () => {
  const { run, bytes } = inFolder({ train: treebank, names: "\nthe dog\n cat \n", tagger: "" });
  const { code, err } = await run(`${TRAIN} --gazetteer @names`);
  expect([code, err]).toEqual([0, expect.stringContaining("wrote")]);
  expect(bytes("tagger").equals(tagger)).toBe(false);
  const { out } = await run("tag run --model @tagger", { stdin: untagged });
  expect(column(out, 3)).toEqual(column(treebank, 3));
});

describe("tag run", () => {
  test("fills in its columns and keeps everything else", async () => {
    const { code, out, err } = await inFolder({ tagger }).run("tag run --model @tagger", { stdin: untagged });
    expect([code, out]).toEqual([0, treebank]);
    expect(err).toMatch(/^30 sentences, 102 words in \d+\.\d\d s$/m);
  });

  test.each([
    ["tagger", /input:1/],
    ["broken", /broken: model file is cut short/],
  ])("names the file and line of what is wrong: %s", async (model, message) => {
    const { run } = inFolder({ tagger, broken: tagger.subarray(0, 100), input: "1\tA\n\n" });
    const { code, out, err } = await run(`tag run --model @${model} @input`);
    expect([code, out, err]).toEqual([1, "", expect.stringMatching(message)]);
  });
});

test("parse --tagger tags what it parses; a parser learns from jackknifed tags", async () => {
  const { run } = inFolder({ tagger, train: treebank });
  const line =
    "train --for tagged --preset linear --verbose --train @train --dev @train --model @parser --epochs 2";
  const trained = await run(`${line} --settings jackknife=3 --threads 1`);
  expect(trained.err).toMatch(/^tags of parts, part 3, lemma \d\/\d: /m);
  expect(trained.err).toMatch(/^weights 2\/2: .* dev UAS .* LAS/m);
  expect(trained.code).toBe(0);
  const known = await run("parse --model @parser", { stdin: treebank });
  const tagged = await run("parse --model @parser --tagger @tagger", { stdin: untagged });
  expect(tagged.code).toBe(0);
  expect(tagged.out).toBe(known.out);
  expect(column(tagged.out, 3)).toEqual(column(treebank, 3));
});
