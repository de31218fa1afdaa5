// @module-tag slow
import { existsSync, openSync } from "node:fs";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, test } from "vitest";
import { built, builtIn, start } from "./program.ts";
import { conllu, settings, TRAIN_PARSER } from "./support.ts";

/** The words of sentence i, which has 3 to 9 of them. */
function words(i: number): string {
  const objects = Array.from({ length: i % 7 }, (_, k) => `noun${(i * k) % 5}/NOUN/2/obj`);
  return ["They/PRON/2/nsubj", `verb${i % 3}/VERB/0/root`, ...objects, "./PUNCT/2/punct"].join(" ");
}

const treebank = Array.from({ length: 40 }, (_, i) => conllu(`s${i}`, words(i))).join("");
const input = Array.from({ length: 4000 }, (_, i) => conllu(`s${i}`, words(i))).join("");

/** A module of whole-tree features: how many modifiers a verb has. */
const ownFeatures = `
const features = (tree, h) => (tree.word(h).upos === "VERB" ? [String(tree.modifiers(h).length)] : []);
export default { name: "valency", features: { valency: { scope: "modifiers", features } } };
`;

// `npm test` builds first; after `npm run build` the tests of one package run these as well.
describe.skipIf(!built)("the built command (skipped before npm run build)", () => {
  let model: Buffer;
  const TRAIN = `${TRAIN_PARSER.join(" ")} --train @train`;

  const folderOf = (contents: Readonly<Record<string, string | Uint8Array>> = { model }) =>
    builtIn({ train: treebank, input, ...contents });

  beforeAll(async () => {
    const { run, bytes } = folderOf({});
    await run(`${TRAIN} --model @model --epochs 1`);
    model = bytes("model");
  }, 60_000);

  test("parses on several threads to the same output in the same order", async () => {
    const { run } = folderOf();
    expect(input.length).toBeGreaterThan(10 * 2 ** 16);
    const [one, three] = await Promise.all(
      ["1", "3"].map((threads) => run(`parse --model @model @input --threads ${threads} --force-threads`)),
    );
    expect(one!.code).toBe(0);
    expect(three).toMatchObject({ code: 0, out: one!.out });
    expect(three!.out.length).toBeGreaterThan(input.length / 2);
    expect(three!.err).toMatch(/^4000 sentences, \d+ words in \d+\.\d\d s: \d+ words per second\n$/);
  });

  test.each(["tree", "svg", "html"])(
    "draws all sentences in their order on two threads: %s",
    async (format) => {
      const some = input.slice(0, input.indexOf("# sent_id = s600\n"));
      const { run } = folderOf({ model, some });
      const [one, two] = await Promise.all(
        ["", "--threads 2 --force-threads"].map((threads) =>
          run(`parse @model @some --output-format ${format} ${threads}`),
        ),
      );
      expect({ code: two!.code, isSame: two!.out === one!.out }).toEqual({ code: 0, isSame: true });
      const forms = [...some.matchAll(/^\d+\t(\S+)/gm)].map(([, form]) => form);
      const drawn = format === "tree" ? /(\S+) +[A-Z]+ +\w+$/gm : /class="form"[^>]*>([^<]*)/g;
      const onScreens = one!.out.replace(/<div class="narrow">.*?<\/div>/gs, "");
      expect([...onScreens.matchAll(drawn)].map(([, form]) => form)).toEqual(forms);
    },
  );

  test("gives several analyses, probabilities and constraints to threads, too", async () => {
    const known = input.replaceAll(/^(\d+(?:\t[^\t\n]*){5})\t(\d+)\t\w+/gm, (_row, start, head) =>
      start.startsWith("2\t") ? `${start}\t${head}\t_` : `${start}\t_\t_`,
    );
    const { run, path } = folderOf({ model, known });
    const parse = "parse --model @model @input --kbest 2 --marginals --constraints @known --decoder eisner";
    const [one, two] = await Promise.all(["1", "2"].map((threads) => run(`${parse} --threads ${threads}`)));
    expect(one!.code).toBe(0);
    expect(two!.out).toBe(one!.out);
    expect(one!.out.match(/^# kbest = 1\/[12]$/gm)).toHaveLength(4000);
    expect(one!.out).toMatch(/^2\t.*\t0\troot\t_\tArcP=1\.0000$/m);
    const refused = await run("parse --model @model @input --threads 2 --constraints @train");
    expect(refused.code).toBe(1);
    expect(refused.err).toContain(`${path("input")}:`);
    expect(refused.err).toContain("expected constraints for this sentence");
  });

  test("tells of an error in a thread as in one: file, line and no stack trace", async () => {
    const { run, path, names } = folderOf({ model, bad: `${input}1\tone\n\n${input}` });
    const line = input.split("\n").length;
    const { code, err } = await run("parse --model @model @bad -o @out --threads 2");
    expect(code).toBe(1);
    expect(err).toContain(`arcwise: ${path("bad")}:${line}: `);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
    expect(names()).toEqual(["bad", "input", "model", "train"]);
  });

  /** A decoder whose memory runs out in sentences of seven words, and in no others. */
  const greedyDecoder = `
export default () => ({
  name: "greedy",
  trees: "any",
  singleRoot: true,
  handles: new Set(),
  decode({ arcs }) {
    const rows = [];
    while (arcs.n === 7) rows.push(new Array(1000).fill(rows.length));
    const heads = Int32Array.from({ length: arcs.n + 1 }, (_, m) => m - 1);
    return { heads, score: 0, bound: Infinity };
  },
});
`;

  test.each(["1", "2"])(
    "a sentence in which memory runs out costs itself alone, with --threads %s",
    { timeout: 60_000 },
    async (threads) => {
      const few = input.slice(0, input.indexOf("# sent_id = s12"));
      const at = folderOf({ model, few, "greedy.mjs": greedyDecoder });
      const { child, ended } = at.start(
        `parse --model @model --decoder @greedy.mjs --threads ${threads} --force-threads @few -o @out`,
        [],
        { NODE_OPTIONS: "--max-old-space-size=64" },
      );
      child.stdin?.end();
      const { code, err } = await ended;
      const ids = [...few.matchAll(/# sent_id = (\w+)/g)].map(([, id]) => id);
      const isLost = (i: number) => i % 7 === 4;
      const lines = few.split("\n");
      expect(err.split("\n").filter((line) => line.startsWith("arcwise: "))).toEqual(
        ids
          .filter((_, i) => isLost(i))
          .map((id) => {
            const line = lines.indexOf(`# sent_id = ${id}`) + 1;
            const place = `${at.path("few")}:${line}: sentence ${id}`;
            return expect.stringContaining(`arcwise: ${place}: not parsed: out of memory`);
          }),
      );
      expect(code).toBe(4);
      const kept = [...at.text("out").matchAll(/# sent_id = (\w+)/g)].map(([, id]) => id);
      expect(kept).toEqual(ids.filter((_, i) => !isLost(i)));
      expect(kept.length).toBeLessThan(ids.length);
    },
  );

  test("refuses a folder as the standard input", async () => {
    const { ended } = start(["validate", "-"], {}, openSync(folderOf().folder, "r"));
    const err = expect.stringContaining("standard input: is a directory");
    expect(await ended).toMatchObject({ code: 1, err });
  });

  test("refuses a damaged model on several threads", async () => {
    const { run } = folderOf({ model: "no model" });
    const { code, err } = await run("parse --model @model @input --threads 2");
    expect(code).toBe(1);
    expect(err).toMatch(/^arcwise: .*model: .*\n$/);
  });

  test("trains a network in parallel with the weights to the same model, also when it is interrupted", async () => {
    const { run, start, bytes } = folderOf({});
    const network = "--settings parser.network.units=8 --settings parser.network.epochs=12";
    const own = `${TRAIN} --dev @train --epochs 3 ${network} --settings parser.network.members=3`;
    const losses = new Set<string>();
    for (const threads of ["1", "2", "4"]) {
      const { code, err } = await run(`${own} --model @model${threads} --threads ${threads}`);
      expect(code).toBe(0);
      expect(err).toMatch(/^weights 3\/3: training error .* dev UAS/m);
      expect(err).toMatch(/^network 12\/12: loss/m);
      losses.add(err.match(/^network \d.*$/gm)!.join());
      expect(bytes(`model${threads}`).equals(bytes("model1"))).toBe(true);
    }
    expect(losses.size).toBe(1);
    const stopped = start(`${own} --model @stopped --threads 4`);
    stopped.child.stderr?.on("data", (chunk: Buffer) => {
      if (chunk.toString().includes("network 3/12")) stopped.child.kill("SIGINT");
    });
    expect((await stopped.ended).code).toBe(130);
    expect((await run(`${own} --model @stopped --resume`)).code).toBe(0);
    expect(bytes("stopped").equals(bytes("model1"))).toBe(true);
  });

  test("trains and parses with a module of whole-tree features, on several threads the same", {
    timeout: 120_000,
  }, async () => {
    const { run, path, bytes } = folderOf({ "features.mjs": ownFeatures });
    const shards = settings({ parser: { shards: { count: 2 }, prune: false, global: path("features.mjs") } });
    const train = `${TRAIN} --epochs 1 --decoder hillclimb --order 1`;
    const trained = await Promise.all(
      ["1", "2"].map((threads) => run(`${train} --model @model${threads} --threads ${threads}`, ...shards)),
    );
    for (const { code, err } of trained) expect({ code, err }).toMatchObject({ code: 0 });
    expect(bytes("model2").equals(bytes("model1"))).toBe(true);

    const own = "--global @features.mjs";
    const [one, two, none] = await Promise.all(
      [own, `${own} --threads 2 --force-threads`, ""].map((more) =>
        run(`parse --model @model1 @train ${more}`),
      ),
    );
    expect(one).toMatchObject({ code: 0 });
    expect(one!.out.match(/^# sent_id/gm)).toHaveLength(40);
    expect(two!.out).toBe(one!.out);
    expect(none!.code).not.toBe(0);
    expect(none!.err).toContain('features of whole trees of the module "valency"');
    expect(none!.err).toContain("--global");
  });

  test("ends on Ctrl-C while it waits for input", async () => {
    const at = folderOf();
    const { child, ended } = at.start("parse --model @model -o @out");
    child.stdin?.write(treebank);
    // The output is opened when the model is loaded and the input is waited for.
    const isOpen = () => at.names().some((name) => name.endsWith(".tmp"));
    while (!isOpen()) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
    expect(existsSync(at.path("out"))).toBe(false);
  });

  test.each(["convert", "parse"])(
    "ends on Ctrl-C while %s takes over the signals of its program",
    async (name) => {
      // Each process sends itself the signal when a listener goes.
      const preload = `let sent = false; process.prependListener("removeListener", (name) => {
      if (name === "SIGINT" && !sent) process.kill(process.pid, (sent = true) && "SIGINT"); });`;
      const module = `data:text/javascript,${encodeURIComponent(preload)}`;
      const options = name === "parse" ? "--model @model" : "--to json";
      const { ended } = folderOf().start(`${name} ${options} -`, [], { NODE_OPTIONS: `--import ${module}` });
      expect((await ended).code).toBe(130);
    },
  );

  /** Starts to parse a sentence that takes hours, and resolves when that has begun. */
  async function parseLongSentence() {
    const words = Array.from(
      { length: 1500 },
      (_, i) => `noun${i % 5}/NOUN/${i}/${i === 0 ? "root" : "obj"}`,
    );
    const { start, names } = folderOf({ model, long: conllu("long", words.join(" ")) });
    const endless = "--decoder hillclimb --restarts 100000000";
    const started = start(`parse --model @model ${endless} @long -o @out`);
    // The model is loaded by then, on a busy machine too, and the search goes on for hours.
    await new Promise((resolve) => setTimeout(resolve, 6000));
    expect(started.child.exitCode).toBe(null);
    return { ...started, names };
  }

  test("ends within a second on Ctrl-C in a long sentence, which held up the signal", {
    timeout: 60_000,
  }, async () => {
    const { child, ended, names } = await parseLongSentence();
    const begin = performance.now();
    child.kill("SIGINT");
    expect(await ended).toEqual({ code: 130, out: "", err: "arcwise: stopped\n" });
    // 500 ms are given to the command; the rest is for a machine that has more to do.
    expect(performance.now() - begin).toBeLessThan(2000);
    expect(names()).toEqual(["input", "long", "model", "train"]);
  });

  test("ends at once on the second Ctrl-C", { timeout: 60_000 }, async () => {
    const { child, ended, names } = await parseLongSentence();
    child.kill("SIGINT");
    setTimeout(() => child.kill("SIGTERM"), 50);
    const begin = performance.now();
    // A signal that arrives while the process is already ending ends it without an exit code.
    expect([130, null]).toContain((await ended).code);
    expect(performance.now() - begin).toBeLessThan(450);
    expect(names()).toEqual(["input", "long", "model", "train"]);
  });

  test("loads one model for three sentences, however many threads it may use", async () => {
    const { run } = folderOf({ model, input: treebank.slice(0, treebank.indexOf("# sent_id = s3")) });
    const begin = performance.now();
    const { code, err } = await run("parse --model @model @input --threads 16 --force-threads");
    expect([code, err]).toEqual([0, expect.stringContaining("3 sentences")]);
    const many = performance.now() - begin;
    await run("parse --model @model @input");
    // Sixteen threads took ten times as long as one.
    expect(many).toBeLessThan(3 * (performance.now() - begin - many) + 500);
  });

  test("ends quietly when nobody reads its output any more", async () => {
    const { child, ended } = folderOf().start("parse --model @model @input");
    // The text that was cut off is of no interest.
    ended.catch(() => {});
    const messages = text(child.stderr!);
    child.stdout?.once("data", () => child.stdout?.destroy());
    const code = await new Promise((resolve) => child.once("exit", resolve));
    expect(code).toBe(0);
    expect(await messages).toBe("");
  });
});
