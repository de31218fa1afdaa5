import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readWordVectors } from "@arcwise/parser";
import { expect, test } from "vitest";
import { arcwise, folderWith, settings, treebank } from "./support.ts";

const TEXT = "The ship's captain sails.\nA ship sails.\n\n".repeat(20);
const SMALL = ["--min-count", "1", "--dimension", "4", "--epochs", "2", "--verbose"];

test("vectors writes a file that train reads, the same for the same seed", async () => {
  const folder = folderWith({ a: TEXT, b: "ships sail, ships sail\n" });
  const [a, b, one, two] = ["a", "b", "one", "two"].map((name) => join(folder, name)) as [
    string,
    ...string[],
  ];
  const { code, err } = await arcwise(["vectors", "--text", a, b!, "--out", one!, ...SMALL]);
  expect([code, err]).toEqual([
    0,
    expect.stringMatching(
      /vectors 2\/2: loss per word \d\.\d+\nvectors done after .* s; loss.*\nwrote 10 vectors after/,
    ),
  ]);
  const { dimension, words, values } = await readWordVectors(readFileSync(one!, "utf8").split("\n"));
  expect([dimension, words, values.length]).toEqual([
    4,
    ["sails", ".", "The", "ship's", "captain", "A", "ship", "ships", "sail", ","],
    40,
  ]);
  await arcwise(["vectors", "--text", a, b!, "--out", two!, ...SMALL]);
  expect(readFileSync(two!)).toEqual(readFileSync(one!));
});

test("vectors takes words between spaces, and those of a model's tokeniser", async () => {
  const folder = folderWith({ text: TEXT, train: treebank });
  const path = (name: string) => join(folder, name);
  const words = async (...options: string[]) => {
    const { code, err } = await arcwise([
      "vectors",
      "--text",
      path("text"),
      "--out",
      path("out"),
      ...SMALL,
      ...options,
    ]);
    if (code !== 0) throw new Error(err);
    return readFileSync(path("out"), "utf8")
      .split("\n")
      .slice(1, -1)
      .map((line) => line.split(" ")[0]);
  };
  expect(await words("--spaces", "--objective", "cbow")).toEqual([
    "sails.",
    "The",
    "ship's",
    "captain",
    "A",
    "ship",
  ]);
  const files = ["--train", path("train"), "--model", path("model")];
  await arcwise([
    "train",
    ...settings({ preset: "linear", jackknife: 2, parser: { epochs: 1 } }),
    "--threads",
    "1",
    ...files,
  ]);
  expect(await words("--model", path("model"), "--no-ngrams")).toContain("captain");
});

test("vectors of a lexicon say which attributes words have; train reads them", async () => {
  const lexicon = "dog\tdogs\tN;PL\ndog\tdog\tN;SG\nrun\truns\tV;3;SG\nrun\tdogs\tV\n";
  const folder = folderWith({ lexicon, bad: "dog\tdogs\tN;PL\ndogs N\n", train: treebank });
  const path = (name: string) => join(folder, name);
  const run = (...options: string[]) => arcwise(["vectors", "--out", path("out"), ...options]);
  expect(await run("--lexicon", path("lexicon"), "--min-count", "2")).toMatchObject({
    code: 0,
    err: "wrote vectors of 3 words: 3 attributes\n",
  });
  expect(readFileSync(path("out"), "utf8")).toBe("3 3\ndogs 1 0 1\ndog 1 1 0\nruns 0 1 1\n");
  const short = settings({ preset: "linear", parser: { epochs: 1, network: { units: 8, epochs: 1 } } });
  const options = [...short, "--threads", "1"];
  const files = ["--train", path("train"), "--model", path("model"), "--vectors", path("out")];
  expect((await arcwise(["train", "--for", "tagged", ...files, ...options])).code).toBe(0);

  rmSync(path("out"));
  expect(await run("--lexicon", path("bad"))).toMatchObject({
    code: 1,
    err: expect.stringContaining("bad:2: expected lemma, form and attributes"),
  });
  expect(await run("--lexicon", path("missing"))).toMatchObject({ code: 1 });
  expect(await run("--lexicon", path("lexicon"), "--text", path("train"))).toMatchObject({ code: 2 });
  expect(await run("--lexicon", path("lexicon"), "--dimension", "5")).toMatchObject({ code: 2 });
  expect(await run()).toMatchObject({ code: 2, err: expect.stringContaining("--lexicon") });
  expect(existsSync(path("out"))).toBe(false);
});

test("vectors refuses texts without frequent words, models without tokenisers, invalid options", async () => {
  const folder = folderWith({ text: "a b c", bad: Uint8Array.of(0xff, 0xfe) });
  const out = join(folder, "out");
  const run = (...options: string[]) => arcwise(["vectors", "--out", out, ...options]);
  expect(await run("--text", join(folder, "text"))).toMatchObject({
    code: 1,
    err: expect.stringContaining("text: expected words that occur 5 times, found none"),
  });
  expect(await run("--text", join(folder, "bad"))).toMatchObject({
    code: 1,
    err: expect.stringContaining("UTF-8"),
  });
  expect(await run("--text", join(folder, "text"), "--model", join(folder, "text"))).toMatchObject({
    code: 1,
  });
  expect(await run("--text", join(folder, "text"), "--dimension", "0")).toMatchObject({ code: 2 });
  expect(await run("--text", join(folder, "missing"))).toMatchObject({ code: 1 });
  expect(existsSync(out)).toBe(false);
});
