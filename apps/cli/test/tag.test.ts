import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { arcwise, folderWith, settings, TRAIN_PARSER, trainedModel, treebank } from "./support.ts";

let tagger: Uint8Array;
const train = (folder: string, ...more: string[]) =>
  arcwise([
    ...["tag", "train", "--train", join(folder, "train"), "--model", join(folder, "tagger")],
    ...["--epochs", "3", ...more],
  ]);

beforeAll(async () => {
  tagger = await trainedModel(["tag", "train", "--train", "treebank", "--epochs", "3"]);
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
    const folder = folderWith({ train: treebank, dev: treebank });
    const { code, out, err } = await train(folder, "--dev", join(folder, "dev"), "--verbose");
    expect([code, out]).toEqual([0, ""]);
    for (const epoch of [1, 2, 3])
      expect(err).toMatch(new RegExp(`^tagger, upos ${epoch}/3: training error of upos`, "m"));
    expect(err).toMatch(/^tagger done after .* s; .* dev upos 100.00; .* dev lemma 100.00$/m);
    expect(readdirSync(folder).sort()).toEqual(["dev", "tagger", "train"]);
  });

  test("writes the same bytes for the same seed", async () => {
    const folder = folderWith({ train: treebank });
    await train(folder);
    expect(readFileSync(join(folder, "tagger")).equals(tagger)).toBe(true);
  });
});

describe("tag train --gazetteer", () => {
  test("keeps lists of names in the tagger, which tag run needs no files for", async () => {
    const folder = folderWith({ train: treebank, names: "\nthe dog\n cat \n", tagger: "" });
    const { code, err } = await train(folder, "--gazetteer", join(folder, "names"));
    expect([code, err]).toEqual([0, expect.stringContaining("wrote")]);
    expect(readFileSync(join(folder, "tagger")).equals(tagger)).toBe(false);
    const run = await arcwise(["tag", "run", "--model", join(folder, "tagger")], { stdin: untagged });
    expect(column(run.out, 3)).toEqual(column(treebank, 3));
  });

  test("refuses files without names, and the tagger file for a list", async () => {
    const folder = folderWith({ train: treebank, names: "\n" });
    const list = (name: string) => train(folder, "--gazetteer", join(folder, name));
    expect((await list("names")).err).toContain("expected a name on each line, found none");
    expect((await list("tagger")).code).toBe(2);
  });
});

describe("tag run", () => {
  test("fills in its columns and keeps everything else", async () => {
    const folder = folderWith({ tagger });
    const { code, out, err } = await arcwise(["tag", "run", "--model", join(folder, "tagger")], {
      stdin: untagged,
    });
    expect(code).toBe(0);
    expect(out).toBe(treebank);
    expect(err).toMatch(/^30 sentences, 102 words in \d+\.\d\d s$/m);
  });

  test("names the file and line of what is wrong", async () => {
    const folder = folderWith({ tagger, broken: tagger.subarray(0, 100), input: "1\tA\n\n" });
    const bad = await arcwise(["tag", "run", "--model", join(folder, "tagger"), join(folder, "input")]);
    expect([bad.code, bad.out]).toEqual([1, ""]);
    expect(bad.err).toContain("input:1");
    const cut = await arcwise(["tag", "run", "--model", join(folder, "broken"), join(folder, "input")]);
    expect(cut.code).toBe(1);
    expect(cut.err).toMatch(/broken: model file is cut short/);
  });
});

describe("with a parser", () => {
  test("parse --tagger tags what it parses; a parser learns from jackknifed tags", async () => {
    const folder = folderWith({ tagger, train: treebank });
    const file = (name: string) => join(folder, name);
    const trained = await arcwise([
      ...[
        ...TRAIN_PARSER,
        "--train",
        file("train"),
        "--dev",
        file("train"),
        "--model",
        file("parser"),
        "--epochs",
        "2",
      ],
      ...[...settings({ jackknife: 3 }), "--threads", "1"],
    ]);
    expect(trained.err).toMatch(/^tags of parts, part 3, lemma \d\/\d: /m);
    expect(trained.err).toMatch(/^weights 2\/2: .* dev UAS .* LAS/m);
    expect(trained.code).toBe(0);
    const parse = (input: string, ...more: string[]) =>
      arcwise(["parse", "--model", file("parser"), ...more], { stdin: input });
    const [known, tagged] = [await parse(treebank), await parse(untagged, "--tagger", file("tagger"))];
    expect(tagged.code).toBe(0);
    expect(tagged.out).toBe(known.out);
    expect(column(tagged.out, 3)).toEqual(column(treebank, 3));
  });

  test("more parts than sentences are refused", async () => {
    const folder = folderWith({ train: treebank });
    const files = ["--train", join(folder, "train"), "--model", join(folder, "model")];
    const { code, err } = await arcwise([...TRAIN_PARSER, ...files, ...settings({ jackknife: 31 })]);
    expect(code).toBe(1);
    expect(err).toContain("at least 31 sentences");
  });
});
