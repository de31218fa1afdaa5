// @module-tag slow
import { createHash } from "node:crypto";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { arcwise, built, builtIn } from "./program.ts";
import { conllu, settings, TRAIN_PARSER, treebank, UNPRUNED, wordsOf } from "./support.ts";

const isRun = built && existsSync(new URL("../../../packages/cluster/dist/index.js", import.meta.url));

describe.skipIf(!isRun)("several machines, by the built command (skipped before npm run build)", () => {
  const { run, words, path, bytes, text } = builtIn({ train: treebank });
  const shards = "--settings parser.shards.count=2 --settings parser.shards.mixes=1";
  const TRAIN = `${TRAIN_PARSER.join(" ")} --train @train --epochs 1 ${shards}`;

  beforeAll(async () => {
    expect((await run(`${TRAIN} --model @model --threads 1`, ...UNPRUNED)).code).toBe(0);
  });

  test("train --store gives the same model", async () => {
    const trained = await run(`${TRAIN} --model @same --store @store`, ...UNPRUNED);
    expect(trained).toMatchObject({ code: 0 });
    expect(bytes("same").equals(bytes("model"))).toBe(true);
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
    for (const more of ["--model @whole", "--model @stepped --store @steps --threads 2"])
      expect(await run(`train --train @train ${more}`, ...quick)).toMatchObject({ code: 0 });
    expect(bytes("stepped").equals(bytes("whole"))).toBe(true);
  });

  test("the processes of a plan, which share a store, give the same model", async () => {
    const training = words(`${TRAIN} --model @third --store @prepared`, ...UNPRUNED);
    const plan = await run("plan --for make --processes 2 --", ...training);
    expect(plan.code).toBe(0);
    const processes = [...plan.out.matchAll(/^\tarcwise (.*)$/gm)].map(([, line]) => wordsOf(line!));
    expect(processes.map((own) => own.slice(-2))).toEqual([
      ["--queue", "0/2"],
      ["--queue", "1/2"],
    ]);
    const ended = await Promise.all(processes.map((own) => arcwise(...own)));
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    expect(bytes("third").equals(bytes("model"))).toBe(true);
    expect(existsSync(path("third.checkpoint"))).toBe(false);
  });

  test("step parse-chunk and step evaluate do what parse and evaluate do", async () => {
    const parse = "step parse-chunk --store @single --model @model --format conllu --tags given --chunk";
    const parsed = await run(`${parse} @train`);
    expect(parsed.code).toBe(0);
    expect((await run("parse @model @train --threads 1")).out).toBe(parsed.out);
    writeFileSync(path("parsed.conllu"), parsed.out);
    const { metrics } = JSON.parse((await run("evaluate @train @parsed.conllu --json")).out);
    const evaluate = "step evaluate --store @single --gold @train --from tagged --model @model";
    const evaluated = await run(evaluate);
    expect(JSON.parse(evaluated.out).metrics).toEqual(metrics);
    expect(await run(evaluate)).toMatchObject({ code: 0, out: evaluated.out });
    writeFileSync(path("broken"), "1\tx\n\n");
    expect((await run(`${parse} @broken`)).code).toBe(1);
  });

  test("parse --store writes what parse writes, with a manifest", async () => {
    writeFileSync(path("a.conllu"), treebank);
    writeFileSync(path("b.conllu"), conllu("x", "Dogs/NOUN/2/nsubj bark/VERB/0/root"));
    const stored = await run("parse @model @a.conllu @b.conllu --store @store --threads 1 -o @out");
    expect(stored).toMatchObject({ code: 0 });
    expect(readdirSync(path("out")).sort()).toEqual(["a.conllu", "b.conllu", "manifest.json"]);
    const manifest = JSON.parse(text("out/manifest.json"));
    for (const [k, input] of ["@a.conllu", "@b.conllu"].entries()) {
      const { out } = await run(`parse @model ${input} --threads 1`);
      const { output, sha256, failed } = manifest.files[k];
      expect(text(`out/${output}`)).toBe(out);
      expect(sha256).toBe(createHash("sha256").update(out).digest("hex"));
      expect(failed).toBe(0);
    }
  });

  test.each(["", "--deps keep", "--deps enhance"])(
    "parse --store does with DEPS what %j says, and notes it, and warns of input that does not fit",
    async (flags) => {
      const graphs = treebank
        .replaceAll(/^((?:[^\t\n]*\t){3})[^\t\n]*/gm, "$1_")
        .replaceAll(/^((?:[^\t\n]*\t){8})[^\t\n]*/gm, "$10:root");
      writeFileSync(path("graphs.conllu"), graphs);
      const parse = `parse @model @graphs.conllu --threads 1 ${flags}`;
      const here = await run(parse);
      const stored = await run(`${parse} --store @graphs -o @graphs-out`);
      expect([here.code, stored.code]).toEqual([0, 0]);
      expect(text("graphs-out/graphs.conllu")).toBe(here.out);
      const notes = ({ err }: typeof here) => [
        /DEPS of .*/.exec(err)?.[0],
        /of the words, .* lack [^,]*/.exec(err)?.[0],
      ];
      expect(notes(stored)).toEqual(notes(here));
      expect(notes(stored)[1]).toBeDefined();
      expect(notes(stored)[0] === undefined).toBe(flags === "--deps keep");
    },
  );

  test("parse --store of text writes what parse writes, also across chunks and with --lines", async () => {
    const quick = settings({
      preset: "linear",
      jackknife: 2,
      parser: { terms: ["features"], epochs: 1, prune: false },
    });
    expect(await run("train --train @train --model @text", ...quick)).toMatchObject({ code: 0 });
    // More characters than a chunk has.
    const paragraph = "Dogs bark. The cat sleeps \u{1f600} at night.\n \r\n";
    writeFileSync(
      path("a.txt"),
      `${paragraph.repeat(8)}\n\nCats${" ".repeat(2 ** 20)}sleep.\n\n${paragraph}Dogs\nbark\n`,
    );
    // No blank line, and more characters than two chunks have.
    writeFileSync(
      path("b.txt"),
      `${`Dogs bark. ${" ".repeat(2 ** 20)}The cat\nsleeps. `.repeat(3)}\n\nCats\n`,
    );
    for (const [name, flags, chunks] of [
      ["a", "", 2],
      ["a", "--lines", 2],
      ["b", "", undefined],
    ] as const) {
      const parse = `parse @text @${name}.txt --threads 1 ${flags}`;
      expect(await run(`${parse} --store @texts -o @parsed`)).toMatchObject({ code: 0 });
      expect(text(`parsed/${name}.conllu`)).toBe((await run(parse)).out);
      const manifest = JSON.parse(text("parsed/manifest.json"));
      if (chunks !== undefined) expect(manifest.files[0].chunks).toHaveLength(chunks);
    }
  });
});
