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
import { arcwise, folderWith, inFolder, TRAIN_PARSER, trainedModel, treebank } from "./support.ts";

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
const TRAIN = "train --for tagged --preset linear --verbose --train @train --model @model";

beforeAll(async () => {
  model = await trainedModel([...TRAIN_PARSER, "--epochs", "3", "--train", "@treebank"]);
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
    const { run } = inFolder({ train: treebank, other: treebank });
    const train = (weights: string) =>
      run(
        `train --for tagged --preset linear --train @train @other --model @model --epochs 1 --settings weights=${weights}`,
      );
    const weighted = await train("1,2");
    expect(weighted.code).toBe(0);
    expect(weighted.err).toMatch(/^training on 90 sentences/m);
    for (const weights of ["1,2,3", "1,0", "1", "x"]) expect((await train(weights)).code).toBe(2);
  });

  test("tells of each epoch, measures on a development set and leaves the model alone behind", async () => {
    const dev = treebank.slice(0, treebank.indexOf("# sent_id = s10"));
    const { run, names } = inFolder({ train: treebank, dev });
    const { code, out, err } = await run(`${TRAIN} --epochs 3 --dev @dev`);
    expect(code).toBe(0);
    expect(out).toBe("");
    expect(err).toMatch(/^training on 30 sentences \(102 words\), measuring on 10 sentences \(34 words\)$/m);
    for (const epoch of [1, 2, 3])
      expect(err).toMatch(new RegExp(`^weights ${epoch}/3: training error .* dev UAS .* LAS`, "m"));
    expect(err).toMatch(/^weights 3\/3: .*dev UAS 100.00 LAS 100.00$/m);
    expect(err).toMatch(/^wrote .*model \(\d+ kB\) after/m);
    expect(names()).toEqual(["dev", "model", "train"]);
  });

  test("gives the same model for the same seed, whatever the treebank is packed in", async () => {
    const { run, bytes } = inFolder({ train: gzipSync(treebank) });
    expect((await run(`${TRAIN} --epochs 3`)).code).toBe(0);
    expect(bytes("model").equals(model)).toBe(true);
    expect((await run(`${TRAIN.replace("@train", "-")} --epochs 3 --seed 2`, { stdin: treebank })).code).toBe(
      0,
    );
    expect(bytes("model").equals(model)).toBe(false);
  });

  test.each(["1", "3"])("learns projective trees with parts of order %s", async (order) => {
    const { run } = inFolder({ train: treebank });
    const { code, err } = await run(`${TRAIN} --epochs 2 --decoder eisner --order ${order}`);
    expect(err).toMatch(/^wrote/m);
    expect(code).toBe(0);
    expect(JSON.parse((await run("info @model --json")).out)).toMatchObject({ order: Number(order) });
    expect((await run("parse --model @model", { stdin: treebank })).out).toBe(treebank);
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
    const { run, names } = inFolder({ train: treebank });
    const argv = `${TRAIN} --epochs 3`;
    expect((await run(argv, { signal: AbortSignal.abort() })).code).toBe(130);
    expect(names()).toEqual(["train"]);
    const begun = await run(`${argv} --resume`);
    expect(begun.code).toBe(0);
    expect(begun.err).toContain("training starts from the beginning");
  });
});

describe("parse", () => {
  const parse = (stdin: string, ...flags: string[]) =>
    inFolder({ model }).run("parse --model @model", ...flags, { stdin });
  const bare = treebank.replaceAll(/^(\d+(?:\t[^\t\n]*){5})\t\d+\t\w+/gm, "$1\t_\t_");

  test("gives back the trees that it learned", async () => {
    expect(bare).not.toBe(treebank);
    const { code, out, err } = await parse(bare, "-");
    expect(code).toBe(0);
    expect(out).toBe(treebank);
    expect(err).toMatch(/^30 sentences, 102 words in \d+\.\d\d s\n$/);
  });

  test("replaces HEAD and DEPREL, drops the graph of another tree, and keeps everything else", async () => {
    const { code, out } = await parse(rich);
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
      const dropped = parseConllu((await parse(graph)).out)[0]!;
      expect(dropped.rows.map(({ deps }) => deps)).toEqual(["_", "_", "_"]);
      const { code, out, err } = await parse(graph, ...flags);
      expect([code, out, err]).toEqual([0, writeConllu([expected(dropped)]), expect.stringMatching(message)]);
    },
  );

  test("writes files, packed by their name", async () => {
    const { run, bytes, names } = inFolder({ model, "in.gz": gzipSync(bare) });
    const { code, out } = await run("parse --model @model @in.gz -o @out.gz");
    expect([code, out]).toEqual([0, ""]);
    expect(gunzipSync(bytes("out.gz")).toString()).toBe(treebank);
    expect(names()).toEqual(["in.gz", "model", "out.gz"]);
  });

  test("can replace its own input", async () => {
    const { run, text } = inFolder({ model, file: bare });
    expect((await run("parse --model @model @file -o @file")).code).toBe(0);
    expect(text("file")).toBe(treebank);
  });

  test("keeps the old output when the input is wrong, and says where", async () => {
    const { run, path, text, names } = inFolder({ model, out: "old", in: `${bare}${bare}1\tone\n\n` });
    const { code, err } = await run("parse --model @model @in -o @out");
    expect(code).toBe(1);
    const line = 2 * (bare.split("\n").length - 1) + 1;
    expect(err).toContain(`${path("in")}:${line}: `);
    expect(text("out")).toBe("old");
    expect(names()).toEqual(["in", "model", "out"]);
  });

  test("counts lines over blocks", async () => {
    const many = bare.repeat(60);
    expect(many.length).toBeGreaterThan(2 ** 17);
    const { code, err } = await parse(`${many}1\tone\n\n`, "-");
    expect(code).toBe(1);
    expect(err).toContain(`standard input:${many.split("\n").length}: `);
  });

  test("says nothing wrong about an empty input", async () => {
    const { code, out, err } = await parse("");
    expect(code).toBe(0);
    expect(out).toBe("");
    expect(err).toMatch(/^0 sentences, 0 words in \d+\.\d\d s\n$/);
  });

  test("stops when it is asked to, without an output", async () => {
    const { run, names } = inFolder({ model, in: bare });
    const { code } = await run("parse --model @model @in -o @out", { signal: AbortSignal.abort() });
    expect(code).toBe(130);
    expect(names()).toEqual(["in", "model"]);
  });
});

test("info tells how a model was trained", async () => {
  const { run } = inFolder({ model });
  const { code, out } = await run("info @model");
  expect(code).toBe(0);
  for (const line of ["decoder: mst", "epochs: 3", "seed: 1", "training sentences: 30"])
    expect(out.split("\n")).toContain(line);
  expect(out.split("\n")).toContain(`bytes: ${model.length}`);
  const json = JSON.parse((await run("info @model --json")).out);
  expect(json).toMatchObject({ decoder: "mst", learner: "mira", trainingWords: 102, bytes: model.length });
});
