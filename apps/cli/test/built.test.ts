// @module-tag slow
import type { ChildProcess } from "node:child_process";
import { existsSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, test } from "vitest";
import { arcwise, built, type Ended, start } from "./program.ts";
import { conllu, settings, TRAIN_PARSER, temporaryFolder } from "./support.ts";

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
  const folder = { path: "" };
  const file = (name: string) => join(folder.path, name);

  let model: Buffer;

  /** A folder with the treebank, the input and, when it is asked for, a model. */
  function prepare(withModel: boolean): void {
    folder.path = temporaryFolder();
    writeFileSync(file("train"), treebank);
    writeFileSync(file("input"), input);
    if (withModel) writeFileSync(file("model"), model);
  }

  beforeAll(async () => {
    prepare(false);
    await arcwise(...TRAIN_PARSER, "--train", file("train"), "--model", file("model"), "--epochs", "1");
    model = readFileSync(file("model"));
  }, 60_000);

  test("parses on several threads to the same output in the same order", async () => {
    prepare(true);
    expect(input.length).toBeGreaterThan(10 * 2 ** 16);
    const [one, three] = await Promise.all(
      ["1", "3"].map((threads) =>
        arcwise("parse", "--model", file("model"), file("input"), "--threads", threads, "--force-threads"),
      ),
    );
    expect(one!.code).toBe(0);
    expect(three!.code).toBe(0);
    expect(three!.out).toBe(one!.out);
    expect(three!.out.length).toBeGreaterThan(input.length / 2);
    expect(three!.err).toMatch(/^4000 sentences, \d+ words in \d+\.\d\d s: \d+ words per second\n$/);
  });

  test.each(["tree", "svg", "html"])(
    "draws all sentences in their order on two threads: %s",
    async (format) => {
      prepare(true);
      writeFileSync(file("some"), input.slice(0, input.indexOf("# sent_id = s600\n")));
      const [one, two] = await Promise.all(
        [[], ["--threads", "2", "--force-threads"]].map((threads) =>
          arcwise("parse", file("model"), file("some"), "--output-format", format, ...threads),
        ),
      );
      expect({ code: two!.code, isSame: two!.out === one!.out }).toEqual({ code: 0, isSame: true });
      const forms = [...readFileSync(file("some"), "utf8").matchAll(/^\d+\t(\S+)/gm)].map(([, form]) => form);
      const drawn = format === "tree" ? /(\S+) +[A-Z]+ +\w+$/gm : /class="form"[^>]*>([^<]*)/g;
      const onScreens = one!.out.replace(/<div class="narrow">.*?<\/div>/gs, "");
      expect([...onScreens.matchAll(drawn)].map(([, form]) => form)).toEqual(forms);
    },
  );

  test("gives several analyses, probabilities and constraints to threads, too", async () => {
    prepare(true);
    const known = input.replaceAll(/^(\d+(?:\t[^\t\n]*){5})\t(\d+)\t\w+/gm, (_row, start, head) =>
      start.startsWith("2\t") ? `${start}\t${head}\t_` : `${start}\t_\t_`,
    );
    writeFileSync(file("known"), known);
    const more = ["--kbest", "2", "--marginals", "--constraints", file("known"), "--decoder", "eisner"];
    const [one, two] = await Promise.all(
      ["1", "2"].map((threads) =>
        arcwise("parse", "--model", file("model"), file("input"), "--threads", threads, ...more),
      ),
    );
    expect(one!.code).toBe(0);
    expect(two!.out).toBe(one!.out);
    expect(one!.out.match(/^# kbest = 1\/[12]$/gm)).toHaveLength(4000);
    expect(one!.out).toMatch(/^2\t.*\t0\troot\t_\tArcP=1\.0000$/m);
    const usage = [
      "parse",
      "--model",
      file("model"),
      file("input"),
      "--threads",
      "2",
      "--constraints",
      file("train"),
    ];
    const refused = await arcwise(...usage);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain(`${file("input")}:`);
    expect(refused.err).toContain("expected constraints for this sentence");
  });

  test("tells of an error in a thread as in one: file, line and no stack trace", async () => {
    prepare(true);
    writeFileSync(file("bad"), `${input}1\tone\n\n${input}`);
    const line = input.split("\n").length;
    const argv = ["parse", "--model", file("model"), file("bad"), "-o", file("out"), "--threads", "2"];
    const { code, err } = await arcwise(...argv);
    expect(code).toBe(1);
    expect(err).toContain(`arcwise: ${file("bad")}:${line}: `);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
    expect(readdirSync(folder.path).sort()).toEqual(["bad", "input", "model", "train"]);
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
    {
      timeout: 60_000,
    },
    async (threads) => {
      prepare(true);
      const few = input.slice(0, input.indexOf("# sent_id = s12"));
      writeFileSync(file("few"), few);
      writeFileSync(file("greedy.mjs"), greedyDecoder);
      const options = ["--decoder", file("greedy.mjs"), "--threads", threads, "--force-threads"];
      const argv = ["parse", "--model", file("model"), ...options, file("few"), "-o", file("out")];
      const { child, ended } = start(argv, { NODE_OPTIONS: "--max-old-space-size=64" });
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
            const place = `${file("few")}:${line}: sentence ${id}`;
            return expect.stringContaining(`arcwise: ${place}: not parsed: out of memory`);
          }),
      );
      expect(code).toBe(4);
      const kept = [...readFileSync(file("out"), "utf8").matchAll(/# sent_id = (\w+)/g)].map(([, id]) => id);
      expect(kept).toEqual(ids.filter((_, i) => !isLost(i)));
      expect(kept.length).toBeLessThan(ids.length);
    },
  );

  test("refuses a folder as the standard input", async () => {
    const { ended } = start(["validate", "-"], {}, openSync(folder.path, "r"));
    const err = expect.stringContaining("standard input: is a directory");
    expect(await ended).toMatchObject({ code: 1, err });
  });

  test("refuses a damaged model on several threads", async () => {
    prepare(false);
    writeFileSync(file("model"), "no model");
    const { code, err } = await arcwise("parse", "--model", file("model"), file("input"), "--threads", "2");
    expect(code).toBe(1);
    expect(err).toMatch(/^arcwise: .*model: .*\n$/);
  });

  test("trains a network in parallel with the weights to the same model, also when it is interrupted", async () => {
    prepare(false);
    const argv = [...TRAIN_PARSER, "--train", file("train"), "--dev", file("train"), "--epochs", "3"];
    const own = [...argv, ...settings({ parser: { network: { units: 8, epochs: 12, members: 3 } } })];
    const losses = new Set<string>();
    for (const threads of ["1", "2", "4"]) {
      const options = ["--model", file(`model${threads}`), "--threads", threads];
      const { code, err } = await arcwise(...own, ...options);
      expect(code).toBe(0);
      expect(err).toMatch(/^weights 3\/3: training error .* dev UAS/m);
      expect(err).toMatch(/^network 12\/12: loss/m);
      losses.add(err.match(/^network \d.*$/gm)!.join());
      expect(readFileSync(file(`model${threads}`)).equals(readFileSync(file("model1")))).toBe(true);
    }
    expect(losses.size).toBe(1);
    const stopped = start([...own, "--model", file("stopped"), "--threads", "4"]);
    stopped.child.stderr?.on("data", (chunk: Buffer) => {
      if (chunk.toString().includes("network 3/12")) stopped.child.kill("SIGINT");
    });
    expect((await stopped.ended).code).toBe(130);
    expect((await arcwise(...own, "--model", file("stopped"), "--resume")).code).toBe(0);
    expect(readFileSync(file("stopped")).equals(readFileSync(file("model1")))).toBe(true);
  });

  test("trains and parses with a module of whole-tree features, on several threads the same", {
    timeout: 120_000,
  }, async () => {
    prepare(false);
    writeFileSync(file("features.mjs"), ownFeatures);
    const own = ["--global", file("features.mjs")];
    const argv = [
      ...TRAIN_PARSER,
      "--train",
      file("train"),
      "--epochs",
      "1",
      "--decoder",
      "hillclimb",
      "--order",
      "1",
    ];
    const shards = settings({ parser: { shards: { count: 2 }, prune: false, global: file("features.mjs") } });
    const trained = await Promise.all(
      ["1", "2"].map((threads) =>
        arcwise(...argv, ...shards, "--model", file(`model${threads}`), "--threads", threads),
      ),
    );
    for (const { code, err } of trained) expect({ code, err }).toMatchObject({ code: 0 });
    expect(readFileSync(file("model2")).equals(readFileSync(file("model1")))).toBe(true);

    const parse = (...more: string[]) => arcwise("parse", "--model", file("model1"), file("train"), ...more);
    const [one, two, none] = await Promise.all([
      parse(...own),
      parse(...own, "--threads", "2", "--force-threads"),
      parse(),
    ]);
    expect(one).toMatchObject({ code: 0 });
    expect(one!.out.match(/^# sent_id/gm)).toHaveLength(40);
    expect(two!.out).toBe(one!.out);
    expect(none!.code).not.toBe(0);
    expect(none!.err).toContain('features of whole trees of the module "valency"');
    expect(none!.err).toContain("--global");
  });

  test("ends on Ctrl-C while it waits for input", async () => {
    prepare(true);
    const { child, ended } = start(["parse", "--model", file("model"), "-o", file("out")]);
    child.stdin?.write(treebank);
    // The output is opened when the model is loaded and the input is waited for.
    const isOpen = () => readdirSync(folder.path).some((name) => name.endsWith(".tmp"));
    while (!isOpen()) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
    expect(existsSync(file("out"))).toBe(false);
  });

  test.each(["convert", "parse"])(
    "ends on Ctrl-C while %s takes over the signals of its program",
    async (name) => {
      prepare(true);
      // Each process sends itself the signal when a listener goes.
      const preload = `let sent = false; process.prependListener("removeListener", (name) => {
      if (name === "SIGINT" && !sent) process.kill(process.pid, (sent = true) && "SIGINT"); });`;
      const module = `data:text/javascript,${encodeURIComponent(preload)}`;
      const options = name === "parse" ? ["--model", file("model")] : ["--to", "json"];
      const { ended } = start([name, ...options, "-"], { NODE_OPTIONS: `--import ${module}` });
      expect((await ended).code).toBe(130);
    },
  );

  /** Starts to parse a sentence that takes hours, and resolves when that has begun. */
  async function parseLongSentence(): Promise<{ child: ChildProcess; ended: Promise<Ended> }> {
    prepare(false);
    const training = ["--epochs", "1", "--model", file("slow")];
    await arcwise(...TRAIN_PARSER, "--train", file("train"), ...training);
    const long = Array.from({ length: 1500 }, (_, i) => `noun${i % 5}/NOUN/${i}/${i === 0 ? "root" : "obj"}`);
    writeFileSync(file("long"), conllu("long", long.join(" ")));
    const endless = ["--decoder", "hillclimb", "--restarts", "100000000"];
    const started = start(["parse", "--model", file("slow"), ...endless, file("long"), "-o", file("out")]);
    // The model is loaded by then, on a busy machine too, and the search goes on for hours.
    await new Promise((resolve) => setTimeout(resolve, 6000));
    expect(started.child.exitCode).toBe(null);
    return started;
  }

  test("ends within a second on Ctrl-C in a long sentence, which held up the signal", {
    timeout: 60_000,
  }, async () => {
    const { child, ended } = await parseLongSentence();
    const begin = performance.now();
    child.kill("SIGINT");
    expect(await ended).toEqual({ code: 130, out: "", err: "arcwise: stopped\n" });
    // 500 ms are given to the command; the rest is for a machine that has more to do.
    expect(performance.now() - begin).toBeLessThan(2000);
    expect(readdirSync(folder.path).sort()).toEqual(["input", "long", "slow", "train"]);
  });

  test("ends at once on the second Ctrl-C", { timeout: 60_000 }, async () => {
    const { child, ended } = await parseLongSentence();
    child.kill("SIGINT");
    setTimeout(() => child.kill("SIGTERM"), 50);
    const begin = performance.now();
    // A signal that arrives while the process is already ending ends it without an exit code.
    expect([130, null]).toContain((await ended).code);
    expect(performance.now() - begin).toBeLessThan(450);
    expect(readdirSync(folder.path).sort()).toEqual(["input", "long", "slow", "train"]);
  });

  test("loads one model for three sentences, however many threads it may use", async () => {
    prepare(true);
    writeFileSync(file("input"), treebank.slice(0, treebank.indexOf("# sent_id = s3")));
    const argv = ["parse", "--model", file("model"), file("input"), "--threads", "16", "--force-threads"];
    const begin = performance.now();
    const { code, err } = await arcwise(...argv);
    expect([code, err]).toEqual([0, expect.stringContaining("3 sentences")]);
    const many = performance.now() - begin;
    await arcwise(...argv.slice(0, 4));
    // Sixteen threads took ten times as long as one.
    expect(many).toBeLessThan(3 * (performance.now() - begin - many) + 500);
  });

  test("ends quietly when nobody reads its output any more", async () => {
    prepare(true);
    const { child, ended } = start(["parse", "--model", file("model"), file("input")]);
    // The text that was cut off is of no interest.
    ended.catch(() => {});
    const messages = text(child.stderr!);
    child.stdout?.once("data", () => child.stdout?.destroy());
    const code = await new Promise((resolve) => child.once("exit", resolve));
    expect(code).toBe(0);
    expect(await messages).toBe("");
  });
});
