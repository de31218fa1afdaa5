// @module-tag slow
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { arcwise, built } from "./program.ts";
import { conllu, settings, TRAIN_PARSER, treebank, UNPRUNED, wordsOf } from "./support.ts";

const isRun = built && existsSync(new URL("../../../packages/cluster/dist/index.js", import.meta.url));

describe.skipIf(!isRun)("several machines, by the built command (skipped before npm run build)", () => {
  const folder = mkdtempSync(join(tmpdir(), "arcwise-machines-"));
  const file = (name: string) => join(folder, name);
  const training = [
    ...TRAIN_PARSER,
    "--train",
    file("train"),
    "--epochs",
    "1",
    "--settings",
    "parser.shards.count=2",
    ...UNPRUNED,
  ];
  const mixes = ["--settings", '{"parser": {"shards": {"mixes": 1}}}'];

  beforeAll(async () => {
    writeFileSync(file("train"), treebank);
    const trained = await arcwise(...training, ...mixes, "--model", file("model"), "--threads", "1");
    expect(trained.code).toBe(0);
  });

  test("train --store gives the same model", async () => {
    const trained = await arcwise(...training, ...mixes, "--model", file("same"), "--store", file("store"));
    expect(trained).toMatchObject({ code: 0 });
    expect(readFileSync(file("same")).equals(readFileSync(file("model")))).toBe(true);
  });

  test("train --for text --store gives the same model, with a network and tags of parts", async () => {
    const quick = settings({
      preset: "linear",
      jackknife: 2,
      tokenizer: { epochs: 1 },
      parser: {
        epochs: 1,
        network: { units: 8, members: 2, epochs: 2 },
        prune: false,
        shards: { count: 2, mixes: 1 },
      },
    });
    const text = ["train", "--train", file("train"), ...quick];
    for (const more of [[], ["--store", file("steps"), "--threads", "2"]]) {
      const trained = await arcwise(...text, ...more, "--model", file(more.length > 0 ? "stepped" : "whole"));
      expect(trained).toMatchObject({ code: 0 });
    }
    expect(readFileSync(file("stepped")).equals(readFileSync(file("whole")))).toBe(true);
  });

  test("the processes of a plan, which share a store, give the same model", async () => {
    const words = [...training, ...mixes, "--model", file("third"), "--store", file("prepared")];
    const plan = await arcwise("plan", "--for", "make", "--processes", "2", "--", ...words);
    expect(plan.code).toBe(0);
    const processes = [...plan.out.matchAll(/^\tarcwise (.*)$/gm)].map(([, line]) => wordsOf(line!));
    expect(processes.map((own) => own.slice(-2))).toEqual([
      ["--queue", "0/2"],
      ["--queue", "1/2"],
    ]);
    const ended = await Promise.all(processes.map((own) => arcwise(...own)));
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    expect(readFileSync(file("third")).equals(readFileSync(file("model")))).toBe(true);
    expect(existsSync(file("third.checkpoint"))).toBe(false);
  });

  test("step parse-chunk and step evaluate do what parse and evaluate do", async () => {
    const store = ["--store", file("single")];
    const parse = [...store, "--model", file("model"), "--format", "conllu", "--tags", "given"];
    const parsed = await arcwise("step", "parse-chunk", ...parse, "--chunk", file("train"));
    expect(parsed.code).toBe(0);
    expect((await arcwise("parse", file("model"), file("train"), "--threads", "1")).out).toBe(parsed.out);
    writeFileSync(file("parsed.conllu"), parsed.out);
    const { metrics } = JSON.parse(
      (await arcwise("evaluate", file("train"), file("parsed.conllu"), "--json")).out,
    );
    const evaluate = ["step", "evaluate", ...store, "--gold", file("train"), "--from", "tagged"];
    const evaluated = await arcwise(...evaluate, "--model", file("model"));
    expect(JSON.parse(evaluated.out).metrics).toEqual(metrics);
    const same = await arcwise(...evaluate, "--model", file("model"));
    expect(same).toMatchObject({ code: 0, out: evaluated.out });
    writeFileSync(file("broken"), "1\tx\n\n");
    expect((await arcwise("step", "parse-chunk", ...parse, "--chunk", file("broken"))).code).toBe(1);
  });

  test("parse --store writes what parse writes, with a manifest", async () => {
    writeFileSync(file("a.conllu"), treebank);
    writeFileSync(file("b.conllu"), conllu("x", "Dogs/NOUN/2/nsubj bark/VERB/0/root"));
    const inputs = [file("a.conllu"), file("b.conllu")];
    const options = ["--store", file("store"), "--threads", "1", "-o", file("out")];
    expect(await arcwise("parse", file("model"), ...inputs, ...options)).toMatchObject({ code: 0 });
    expect(readdirSync(file("out")).sort()).toEqual(["a.conllu", "b.conllu", "manifest.json"]);
    const manifest = JSON.parse(readFileSync(file("out/manifest.json"), "utf8"));
    for (const [k, input] of inputs.entries()) {
      const { out } = await arcwise("parse", file("model"), input, "--threads", "1");
      const { output, sha256, failed } = manifest.files[k];
      expect(readFileSync(join(file("out"), output), "utf8")).toBe(out);
      expect(sha256).toBe(createHash("sha256").update(out).digest("hex"));
      expect(failed).toBe(0);
    }
  });

  test.each([[[]], [["--deps", "keep"]], [["--deps", "enhance"]]])(
    "parse --store does with DEPS what %j says, and notes it, and warns of input that does not fit",
    async (flags) => {
      const graphs = treebank
        .replaceAll(/^((?:[^\t\n]*\t){3})[^\t\n]*/gm, "$1_")
        .replaceAll(/^((?:[^\t\n]*\t){8})[^\t\n]*/gm, "$10:root");
      writeFileSync(file("graphs.conllu"), graphs);
      const given = ["parse", file("model"), file("graphs.conllu"), "--threads", "1", ...flags];
      const here = await arcwise(...given);
      const stored = await arcwise(...given, "--store", file("graphs"), "-o", file("graphs-out"));
      expect([here.code, stored.code]).toEqual([0, 0]);
      expect(readFileSync(file("graphs-out/graphs.conllu"), "utf8")).toBe(here.out);
      const notes = ({ err }: typeof here) => [
        /DEPS of .*/.exec(err)?.[0],
        /of the words, .* lack [^,]*/.exec(err)?.[0],
      ];
      expect(notes(stored)).toEqual(notes(here));
      expect(notes(stored)[1]).toBeDefined();
      expect(notes(stored)[0] === undefined).toBe(flags[1] === "keep");
    },
  );

  test("parse --store of text writes what parse writes, also across chunks and with --lines", async () => {
    const quick = settings({
      preset: "linear",
      jackknife: 2,
      parser: { terms: ["features"], epochs: 1, prune: false },
    });
    const made = await arcwise("train", "--train", file("train"), ...quick, "--model", file("text"));
    expect(made).toMatchObject({ code: 0 });
    // More characters than a chunk has.
    const paragraph = "Dogs bark. The cat sleeps \u{1f600} at night.\n \r\n";
    writeFileSync(
      file("a.txt"),
      `${paragraph.repeat(8)}\n\nCats${" ".repeat(2 ** 20)}sleep.\n\n${paragraph}Dogs\nbark\n`,
    );
    // No blank line, and more characters than two chunks have.
    writeFileSync(
      file("b.txt"),
      `${`Dogs bark. ${" ".repeat(2 ** 20)}The cat\nsleeps. `.repeat(3)}\n\nCats\n`,
    );
    for (const more of [[], ["--lines"]]) {
      const store = ["--store", file("texts"), "--threads", "1", "-o", file("parsed")];
      const parsed = await arcwise("parse", file("text"), file("a.txt"), ...store, ...more);
      expect(parsed).toMatchObject({ code: 0 });
      const { out } = await arcwise("parse", file("text"), file("a.txt"), "--threads", "1", ...more);
      expect(readFileSync(join(file("parsed"), "a.conllu"), "utf8")).toBe(out);
      const manifest = JSON.parse(readFileSync(file("parsed/manifest.json"), "utf8"));
      expect(manifest.files[0].chunks).toHaveLength(2);
    }
    const store = ["--store", file("texts"), "--threads", "1", "-o", file("parsed")];
    expect(await arcwise("parse", file("text"), file("b.txt"), ...store)).toMatchObject({ code: 0 });
    const { out } = await arcwise("parse", file("text"), file("b.txt"), "--threads", "1");
    expect(readFileSync(join(file("parsed"), "b.conllu"), "utf8")).toBe(out);
  });
});
