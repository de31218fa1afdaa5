import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import {
  type ConlluSentence,
  enhance,
  parseConllu,
  sentenceTree,
  withTree,
  writeConllu,
} from "@arcwise/conllu";
import { beforeAll, describe, expect, test } from "vitest";
import { checkpointPath } from "../src/training/training-run.ts";
import { arcwise, folderWith, TRAIN_PARSER, trainedModel, treebank } from "./support.ts";

/** What the parser must keep: comments, ranges, empty nodes, DEPS, MISC, other columns. */
const rich = [
  "# sent_id = rich",
  "# text = don't sleep",
  "1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No",
  "1\tdo\tdo\tAUX\tVBP\tMood=Ind\t_\t_\t3:aux\t_",
  "2\tn't\tnot\tPART\tRB\t_\t_\t_\t3:advmod\t_",
  "2.1\tyou\tyou\tPRON\tPRP\t_\t_\t_\t3:nsubj\t_",
  "3\tsleep\tsleep\tVERB\tVB\t_\t_\t_\t0:root\tKey=Value",
  "\n",
].join("\n");

let model: Uint8Array;
const LEARN = [...TRAIN_PARSER, "--epochs", "3"];
const train = (folder: string, ...more: string[]) =>
  arcwise([...LEARN, "--train", join(folder, "train"), "--model", join(folder, "model"), ...more]);

beforeAll(async () => {
  model = await trainedModel([...LEARN, "--train", "treebank"]);
});

/** HEAD and DEPREL of each word. */
function trees(text: string): string[][] {
  return text
    .split("\n")
    .filter((line) => /^\d+\t/.test(line))
    .map((line) => line.split("\t").slice(6, 8));
}

describe("train", () => {
  test("learns from several treebanks, as often as their weights say", async () => {
    const folder = folderWith({ train: treebank, other: treebank });
    const [file, other, model] = ["train", "other", "model"].map((name) => join(folder, name));
    const args = [...TRAIN_PARSER, "--train", file!, other!, "--model", model!, "--epochs", "1"];
    const weighted = await arcwise([...args, "--settings", "weights=1,2"]);
    expect(weighted.code).toBe(0);
    expect(weighted.err).toMatch(/^training on 90 sentences/m);
    for (const weights of ["1,2,3", "1,0", "1", "x"])
      expect((await arcwise([...args, "--settings", `weights=${weights}`])).code).toBe(2);
  });

  test("tells of each epoch, measures on a development set and leaves the model alone behind", async () => {
    const folder = folderWith({
      train: treebank,
      dev: treebank.slice(0, treebank.indexOf("# sent_id = s10")),
    });
    const { code, out, err } = await train(folder, "--dev", join(folder, "dev"));
    expect(code).toBe(0);
    expect(out).toBe("");
    expect(err).toMatch(/^training on 30 sentences \(102 words\), measuring on 10 sentences \(34 words\)$/m);
    for (const epoch of [1, 2, 3])
      expect(err).toMatch(new RegExp(`^weights ${epoch}/3: training error .* dev UAS .* LAS`, "m"));
    expect(err).toMatch(/^weights 3\/3: .*dev UAS 100.00 LAS 100.00$/m);
    expect(err).toMatch(/^wrote .*model \(\d+ kB\) after/m);
    expect(readdirSync(folder).sort()).toEqual(["dev", "model", "train"]);
  });

  test("gives the same model for the same seed, whatever the treebank is packed in", async () => {
    const folder = folderWith({ "train.gz": gzipSync(treebank) });
    const path = join(folder, "model");
    const train = [...TRAIN_PARSER, "--model", path, "--epochs", "3"];
    expect((await arcwise([...train, "--train", join(folder, "train.gz")])).code).toBe(0);
    expect(readFileSync(path).equals(model)).toBe(true);
    const argv = [...train, "--train", "-", "--seed", "2"];
    expect((await arcwise(argv, { stdin: treebank })).code).toBe(0);
    expect(readFileSync(path).equals(model)).toBe(false);
  });

  test.each(["1", "3"])("learns projective trees with parts of order %s", async (order) => {
    const folder = folderWith({ train: treebank });
    const path = join(folder, "model");
    const argv = [...TRAIN_PARSER, "--train", join(folder, "train"), "--model", path, "--epochs", "2"];
    const { code, err } = await arcwise([...argv, "--decoder", "eisner", "--order", order]);
    expect(err).toMatch(/^wrote/m);
    expect(code).toBe(0);
    expect(JSON.parse((await arcwise(["info", path, "--json"])).out)).toMatchObject({ order: Number(order) });
    expect((await arcwise(["parse", "--model", path], { stdin: treebank })).out).toBe(treebank);
  });

  test("that is interrupted and resumed gives the same model, byte for byte", async () => {
    const folder = folderWith({ train: treebank });
    const [path, checkpoint] = [join(folder, "model"), checkpointPath(join(folder, "model"))];
    const argv = [...TRAIN_PARSER, "--train", join(folder, "train"), "--model", path, "--epochs", "3"];
    const controller = new AbortController();
    const onMessage = (text: string) => {
      // The state after the epoch is kept all the same; the next sentence is the last.
      if (text.startsWith("weights 1/3")) controller.abort();
    };
    const stopped = await arcwise(argv, { signal: controller.signal, onMessage });
    expect(stopped.code).toBe(130);
    expect(stopped.err).toContain(`arcwise: stopped; ${checkpoint} is kept`);
    expect(readdirSync(folder).sort()).toEqual(["model.checkpoint", "train"]);

    const again = await arcwise(argv);
    expect(again.code).toBe(2);
    expect(again.err).toContain("add --resume");

    const resumed = await arcwise([...argv, "--resume"]);
    expect(resumed.code).toBe(0);
    expect(resumed.err).toContain(`continuing from ${checkpoint}`);
    expect(resumed.err).not.toMatch(/^weights 1\/3/m);
    expect(readFileSync(path).equals(model)).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(["model", "train"]);
  });

  test("that is interrupted before its first epoch ends keeps nothing, and --resume begins", async () => {
    const folder = folderWith({ train: treebank });
    const argv = [...LEARN, "--train", join(folder, "train"), "--model", join(folder, "model")];
    const stopped = await arcwise(argv, { signal: AbortSignal.abort() });
    expect(stopped.code).toBe(130);
    expect(readdirSync(folder)).toEqual(["train"]);
    const begun = await arcwise([...argv, "--resume"]);
    expect(begun.code).toBe(0);
    expect(begun.err).toContain("training starts from the beginning");
  });
});

describe("parse", () => {
  const parse = (folder: string, argv: string[], stdin = "") =>
    arcwise(["parse", "--model", join(folder, "model"), ...argv], { stdin });
  const bare = treebank.replaceAll(/^(\d+(?:\t[^\t\n]*){5})\t\d+\t\w+/gm, "$1\t_\t_");

  test("gives back the trees that it learned", async () => {
    const folder = folderWith({ model });
    expect(bare).not.toBe(treebank);
    const { code, out, err } = await parse(folder, ["-"], bare);
    expect(code).toBe(0);
    expect(out).toBe(treebank);
    expect(err).toMatch(/^30 sentences, 102 words in \d+\.\d\d s\n$/);
  });

  test("replaces HEAD and DEPREL, drops the graph of another tree, and keeps everything else", async () => {
    const folder = folderWith({ model });
    const { code, out } = await parse(folder, [], rich);
    expect(code).toBe(0);
    expect(trees(out).map(([head]) => Number(head))).toSatisfy(
      (heads: number[]) => heads.filter((h) => h === 0).length === 1,
    );
    const erased = out.replaceAll(/^(\d+(?:\t[^\t\n]*){5})\t\d+\t\S+/gm, "$1\t_\t_");
    const withoutGraph = rich
      .replaceAll(/^\d+\.\d.*\n/gm, "")
      .replaceAll(/^((?:[^\t\n]*\t){8})[^\t\n]*/gm, "$1_");
    expect(erased).toBe(withoutGraph);
  });

  const graph =
    "1\tAna\tAna\tPROPN\tNNP\t_\t2\tnsubj\t2:nsubj|3:nsubj\t_\n" +
    "2\tcame\tcome\tVERB\tVBD\t_\t0\troot\t0:root\tId=7\n" +
    "2.1\twent\tgo\tVERB\tVBD\t_\t_\t_\t2:conj\tCopyOf=2\n" +
    "3\tin\tin\tADV\tRB\t_\t2\tadvmod\t2:advmod\t_\n\n";

  test.each<[string[], RegExp, (tree: ConlluSentence) => ConlluSentence]>([
    [[], /DEPS of 3 words and 1 empty node .*left out.*--deps keep/, (tree) => tree],
    [["--deps", "drop"], /DEPS of 3 words and 1 empty node .*left out/, (tree) => tree],
    [
      ["--deps", "keep"],
      /^((?!DEPS).)*$/s,
      (tree) => withTree(parseConllu(graph)[0]!, sentenceTree(tree), { graph: "keep" }),
    ],
    [["--deps", "enhance"], /DEPS of 3 words and 1 empty node .*replaced/, enhance],
  ])(
    "does with the graph of DEPS what %j says, and tells how much went",
    async (flags, message, expected) => {
      const folder = folderWith({ model });
      const dropped = parseConllu((await parse(folder, [], graph)).out)[0]!;
      expect(dropped.rows.map(({ deps }) => deps)).toEqual(["_", "_", "_"]);
      const { code, out, err } = await parse(folder, flags, graph);
      expect([code, out, err]).toEqual([0, writeConllu([expected(dropped)]), expect.stringMatching(message)]);
    },
  );

  test("writes files, packed by their name", async () => {
    const folder = folderWith({ model, "in.gz": gzipSync(bare) });
    const { code, out } = await parse(folder, [join(folder, "in.gz"), "-o", join(folder, "out.gz")]);
    expect(code).toBe(0);
    expect(out).toBe("");
    expect(gunzipSync(readFileSync(join(folder, "out.gz"))).toString()).toBe(treebank);
    expect(readdirSync(folder).sort()).toEqual(["in.gz", "model", "out.gz"]);
  });

  test("can replace its own input", async () => {
    const folder = folderWith({ model, file: bare });
    expect((await parse(folder, [join(folder, "file"), "-o", join(folder, "file")])).code).toBe(0);
    expect(readFileSync(join(folder, "file"), "utf8")).toBe(treebank);
  });

  test("keeps the old output when the input is wrong, and says where", async () => {
    const folder = folderWith({ model, out: "old", in: `${bare}${bare}1\tone\n\n` });
    const { code, err } = await parse(folder, [join(folder, "in"), "-o", join(folder, "out")]);
    expect(code).toBe(1);
    const line = 2 * (bare.split("\n").length - 1) + 1;
    expect(err).toContain(`${join(folder, "in")}:${line}: `);
    expect(readFileSync(join(folder, "out"), "utf8")).toBe("old");
    expect(readdirSync(folder).sort()).toEqual(["in", "model", "out"]);
  });

  test("counts lines over blocks", async () => {
    const many = bare.repeat(60);
    expect(many.length).toBeGreaterThan(2 ** 17);
    const folder = folderWith({ model });
    const { code, err } = await parse(folder, ["-"], `${many}1\tone\n\n`);
    expect(code).toBe(1);
    expect(err).toContain(`standard input:${many.split("\n").length}: `);
  });

  test("says nothing wrong about an empty input", async () => {
    const folder = folderWith({ model });
    const { code, out, err } = await parse(folder, [], "");
    expect(code).toBe(0);
    expect(out).toBe("");
    expect(err).toMatch(/^0 sentences, 0 words in \d+\.\d\d s\n$/);
  });

  test("stops when it is asked to, without an output", async () => {
    const folder = folderWith({ model, in: bare });
    const argv = ["parse", "--model", join(folder, "model"), join(folder, "in"), "-o", join(folder, "out")];
    const { code } = await arcwise(argv, { signal: AbortSignal.abort() });
    expect(code).toBe(130);
    expect(readdirSync(folder).sort()).toEqual(["in", "model"]);
  });
});

describe("info", () => {
  test("tells how a model was trained", async () => {
    const folder = folderWith({ model });
    const { code, out } = await arcwise(["info", join(folder, "model")]);
    expect(code).toBe(0);
    for (const line of [
      "decoder: mst",
      "epochs: 3",
      "seed: 1",
      "training sentences: 30",
      `bytes: ${model.length}`,
    ]) {
      expect(out.split("\n")).toContain(line);
    }
    const json = JSON.parse((await arcwise(["info", join(folder, "model"), "--json"])).out);
    expect(json).toMatchObject({ decoder: "mst", learner: "mira", trainingWords: 102, bytes: model.length });
  });
});
