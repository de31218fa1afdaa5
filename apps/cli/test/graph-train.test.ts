import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseConllu, parseSdp, sdpGraph, sdpWords, sentenceId, sentenceWords } from "@arcwise/conllu";
import { type GraphTrainOptions, saveGraphParser, trainGraphParser } from "@arcwise/graph-parser";
import { readGraphParserFile } from "@arcwise/graph-parser/node";
import { beforeAll, describe, expect, test } from "vitest";
import { kept } from "../../../tools/kept-models.ts";
import { arcwise, folderWith, inFolder, settings, trainedModel } from "./support.ts";

/** Rows of a sentence of SDP columns, as `form/TAG/flag+FRAME/ARG...` words. */
function sdp(id: string, words: string): string {
  const rows = words.split(" ").map((word, i) => {
    const [form, tag, frame, ...args] = word.split("/");
    const pred = frame === "_" ? "-\t_" : `+\t${frame}`;
    return [i + 1, form, form!.toLowerCase(), tag, "-", pred, ...args].join("\t");
  });
  return `#${id}\n${rows.join("\n")}\n\n`;
}

const patterns = [
  "Cats/NNS/_/ARG0/ARG0 want/VBP/want.01/_/_ to/TO/_/_/_ sleep/VB/sleep.01/ARG1/_",
  "Dogs/NNS/_/ARG0/ARG0 try/VBP/try.01/_/_ to/TO/_/_/_ bark/VB/bark.01/ARG1/_",
  "Dogs/NNS/_/ARG0 chase/VBP/chase.01/_ cats/NNS/_/ARG1",
  "Birds/NNS/_/ARG0 sing/VBP/sing.01/_",
  "Yes/UH/_",
];
const graphs = Array.from({ length: 20 }, (_, i) => sdp(`s${i}`, patterns[i % 5]!)).join("");
const bare = graphs.replaceAll(/^(\d.*?\t-)\t[-+]\t.*$/gm, "$1\t-\t_");

/** The same words with trees; other sentences before and between them. */
function treesOf(text: string): string {
  const heads = ["2 0 4 2", "2 0 4 2", "2 0 2", "2 0", "0"];
  const other = "# sent_id = other\n1\tNo\tno\t_\tUH\t_\t0\troot\t_\t_\n\n";
  return text
    .split("\n\n")
    .slice(0, -1)
    .map((sentence, s) => {
      const [id, ...rows] = sentence.split("\n");
      const lines = rows.map((row, i) => {
        const [number, form, lemma, tag] = row.split("\t");
        const head = heads[s % 5]!.split(" ")[i];
        const columns = [number, form, lemma, "_", tag, "_", head, head === "0" ? "root" : "dep", "_", "_"];
        return columns.join("\t");
      });
      return `${s % 3 === 0 ? other : ""}# sent_id = ${id!.slice(1)}\n${lines.join("\n")}\n\n`;
    })
    .join("");
}

/** Enhanced dependencies: the subject of the first verb is that of the second one, too. */
const enhanced = Array.from({ length: 12 }, (_, i) => {
  const [noun, verb] = [["Cats", "want"] as const, ["Dogs", "try"] as const][i % 2]!;
  const rows = [
    [noun, "NOUN", 2, "nsubj", "2:nsubj|4:nsubj:xsubj"],
    [verb, "VERB", 0, "root", "0:root"],
    ["to", "PART", 4, "mark", "4:mark"],
    ["sleep", "VERB", 2, "xcomp", "2:xcomp"],
  ] as const;
  const lines = rows.map(([form, upos, head, deprel, deps], k) =>
    [k + 1, form, form.toLowerCase(), upos, "_", "_", head, deprel, deps, "_"].join("\t"),
  );
  return `# sent_id = e${i}\n${lines.join("\n")}\n\n`;
}).join("");

/** Sources have no threads. */
const TRAIN = ["train", "--for", "graphs", "--threads", "1"] as const;
const QUICK = ["--preset", "linear", "--epochs", "3", "--verbose"];

describe("graphs of an SDP file", () => {
  let model: Buffer;

  beforeAll(async () => {
    const { run, path, bytes } = inFolder({ "train.sdp": graphs });
    const argv = "train --for graphs --threads 1 --train @train.sdp --dev @train.sdp --model @model";
    const { code, err } = await run(argv, ...QUICK);
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/^training on 20 sentences \(56 words\), measuring/),
    ]);
    expect(err).toMatch(
      /\nweights 3\/3: loss per sentence \d\.\d{4}, dev labelled F1 100.00\nweights done after .*\nwrote /,
    );
    expect(existsSync(path("model.checkpoint"))).toBe(false);
    model = bytes("model");
  }, 60_000);

  test("are found in words, and everything else is kept", async () => {
    const { code, out, err } = await inFolder({ model, "in.sdp": bare }).run("parse --model @model @in.sdp");
    expect([code, out]).toEqual([0, graphs]);
    expect(err).toMatch(/^20 sentences, 56 words in /);
  });

  test("of 2014, too, without senses", async () => {
    const old = bare.replaceAll(/\t_$/gm, "");
    const { code, out } = await inFolder({ model }).run("parse --model @model", { stdin: old });
    expect(code).toBe(0);
    expect(out.split("\n")[1]).toBe("1\tCats\tcats\tNNS\t-\t-\tARG0\tARG0");
  });

  test("are written as the ending of the output says", async () => {
    const { run, text } = inFolder({ model, "in.sdp": bare });
    for (const [name, start] of [
      ["out.sdp", graphs.slice(0, 40)],
      ["out.conllu", "# sent_id = s0\n1\tCats\t"],
      ["out.json", '[\n{"id":"s0"'],
      ["out.svg", "<svg "],
    ] as const) {
      expect((await run(`parse --model @model @in.sdp -o @${name}`)).code).toBe(0);
      expect(text(name).slice(0, start.length)).toBe(start);
    }
  });

  test("come with a report before the ID, once", async () => {
    const report = "parse --model @model --report --decoder ad3";
    const { out } = await inFolder({ model }).run(report, { stdin: bare });
    const counts = "# iterations = 0\n# nodes = 0\n# cuts = 0\n";
    expect(out).toMatch(
      new RegExp(`^# status = optimal\n# score = (\\d+\\.\\d{4})\n# bound = \\1\n${counts}#s0\n1\tCats`),
    );
    const again = await inFolder({ model }).run(report, { stdin: out });
    expect(again.out).toBe(out);
  });

  test.each<[string, number, string, RegExp]>([
    ["a file of another format", 1, "@in.conllu", /in.conllu: expected SDP, found CoNLL-U/],
    ["an option for trees", 2, "@in.sdp --kbest 2", /--kbest requires a model of trees/],
    ["a second input", 2, "@in.sdp @bad.sdp", /a model of graphs parses one input, found 2/],
    ["a decoder that is none", 2, "@in.sdp --decoder mst", /built in: basic, ad3/],
    ["an option of another decoder", 2, "@in.sdp --restarts 3", /restarts requires a decoder that takes it/],
    ["a damaged file", 1, "@bad.sdp", /bad\.sdp:3: .*sdp-flag/],
    ["a file that is not there", 1, "@no.sdp", /no\.sdp: no such file/],
    ["an output in place of the model", 2, "@in.sdp -o @model", /--output would replace --model/],
    ["an output of an unknown ending", 2, "@in.sdp -o a.pdf", /a\.pdf: expected .*\.sdp/],
  ])("%s is refused", async (_what, code, flags, message) => {
    const bad = bare.replace("VBP\t-\t-", "VBP\t-\t?");
    const { run, bytes } = inFolder({ model, "in.sdp": bare, "bad.sdp": bad, "in.conllu": enhanced });
    const { err, ...ended } = await run(`parse --model @model ${flags}`);
    expect(ended).toMatchObject({ code, out: "" });
    expect(err).toMatch(message);
    expect(bytes("model").equals(model)).toBe(true);
  });

  test("info describes their model", async () => {
    const { out } = await inFolder({ model }).run("info @model");
    for (const line of ["kind: graph model", "graphs: semantic", "decoder: basic", "training sentences: 20"])
      expect(out.split("\n")).toContain(line);
  });
});

test("trees of another file are found by the IDs of sentences, in training and parsing", async () => {
  const { run } = inFolder({ "a.sdp": graphs, "in.sdp": bare, "trees.conllu": treesOf(graphs) });
  const train = "train --for graphs --threads 1 --train @a.sdp --dev @a.sdp --model @model";
  const trained = await run(`${train} --settings trees=@trees.conllu,@trees.conllu`, ...QUICK);
  expect(trained.code).toBe(0);
  const { code, out } = await run("parse --model @model @in.sdp --trees @trees.conllu");
  expect([code, out]).toEqual([0, graphs]);
  const without = await run("parse --model @model @in.sdp");
  expect([without.code, without.out]).toEqual([1, ""]);
  expect(without.err).toContain(
    "in.sdp:1: expected basic trees, with which the model was trained: give --trees",
  );
}, 60_000);

describe("tags of another file", () => {
  /** Which of two nouns is the argument is known by UPOS and FEATS alone; the file has more sentences. */
  const pairs = Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? ["Ag", "Pat"] : ["Pat", "Ag"]));
  const semantic = pairs
    .map(([first], i) => {
      const roles = first === "Ag" ? ["ARG0", "_"] : ["_", "ARG0"];
      return sdp(`t${i}`, `x${i}/N/_/${roles[0]} y${i}/N/_/${roles[1]} acts/V/act.01/_`);
    })
    .join("");
  const tagged = pairs
    .map((roles, i) => {
      const rows = [
        ...roles.map((role, k) => [`${"xy"[k]}${i}`, "NOUN", "N", `Role=${role}`]),
        ["acts", "VERB", "V", "_"],
      ];
      const lines = rows.map(
        ([form, upos, xpos, feats], k) => `${k + 1}\t${form}\t_\t${upos}\t${xpos}\t${feats}`,
      );
      const other = `# sent_id = other${i}\n1\tNo\t_\tX\t_\t_\t_\t_\t_\t_\n\n`;
      return `${other}# sent_id = t${i}\n${lines.map((line) => `${line}\t_\t_\t_\t_`).join("\n")}\n\n`;
    })
    .join("");
  const untagged = semantic.replaceAll(/^(\d.*?\t-)\t[-+]\t.*$/gm, "$1\t-\t_");
  const words = parseConllu(tagged).flatMap((one) =>
    sentenceId(one)!.startsWith("t") ? [sentenceWords(one)] : [],
  );
  const examples = parseSdp(semantic).map((one, s) => ({
    sentence: sdpWords(one).map((word, i) => ({
      ...words[s]![i]!,
      form: word.form,
      lemma: word.lemma ?? "",
    })),
    graph: sdpGraph(one),
  }));
  const files = { "a.sdp": semantic, "in.sdp": untagged, "words.conllu": tagged };
  const LEARN = "train --for graphs --threads 1 --train @a.sdp --model @m --preset linear";
  const PARSE = "parse --model @m @in.sdp";

  const withWords = () =>
    trainedModel([...TRAIN, "--train", "@a.sdp", "--preset", "linear", "--settings", "words=@words.conllu"], {
      "a.sdp": semantic,
      "words.conllu": tagged,
    });

  test("UPOS, XPOS and FEATS come from there, in training, measuring and parsing", async () => {
    const { run, bytes } = inFolder(files);
    const words = "--settings words=@words.conllu,@words.conllu";
    const { code, err } = await run(`${LEARN} --dev @a.sdp ${words}`);
    expect([code, err]).toEqual([0, expect.stringMatching(/dev labelled F1 100\.00\nwrote /)]);
    const expected = await kept(["graphs", examples, { preset: "linear" }], async () =>
      saveGraphParser(await trainGraphParser(examples, { preset: "linear" })),
    );
    expect(bytes("m").equals(expected)).toBe(true);
    const parsed = await run(`${PARSE} --words @words.conllu`);
    expect([parsed.code, parsed.out]).toEqual([0, semantic]);
    const without = await run(PARSE);
    expect(without.out).not.toBe(semantic);
    expect(without.err).toMatch(
      /in\.sdp: of the words, 100 % lack features \(FEATS\).*tag them first, or give --words/,
    );
    expect((await run(`${PARSE} --strict`)).code).toBe(1);
  });

  test("go with trees of the same file or of another one", async () => {
    const heads = tagged.replaceAll(/^(\d)(\t.*)\t_\t_\t_\t_$/gm, (_row, id, rest) => {
      const head = id === "3" || rest.startsWith("\tNo") ? 0 : 3;
      return `${id}${rest}\t${head}\t${head === 0 ? "root" : "dep"}\t_\t_`;
    });
    const { run } = inFolder({ ...files, "trees.conllu": heads });
    const settings = "--settings words=@words.conllu --settings trees=@trees.conllu";
    expect((await run(`${LEARN} ${settings}`)).code).toBe(0);
    for (const words of ["words.conllu", "trees.conllu"])
      expect((await run(`${PARSE} --words @${words} --trees @trees.conllu`)).out).toBe(semantic);
  });

  test.each<[string, string, RegExp]>([
    [
      "one is missing",
      tagged.split("# sent_id = t9")[0]!,
      /\.sdp:\d+: expected the words of this sentence in the other file/,
    ],
    [
      "another word",
      tagged.replace("\tx1\t", "\tz1\t"),
      /sentence t1: word 1: expected "x1" as in .*found "z1"/,
    ],
    [
      "a word is missing",
      tagged.replace(/3\tacts.*\n/, ""),
      /sentence t0: expected 3 words as in .*, found 2/,
    ],
  ])("are refused when %s", async (_what, damaged, message) => {
    const { run, names } = inFolder({ ...files, "bad.conllu": damaged });
    const training = await run(`${LEARN} --settings words=@bad.conllu`);
    expect([training.code, names().includes("m")]).toEqual([1, false]);
    expect(training.err).toMatch(message);
    const { run: runIn } = inFolder({ ...files, "bad.conllu": damaged, m: await withWords() });
    const parsing = await runIn(`${PARSE} --words @bad.conllu`);
    expect([parsing.code, parsing.out]).toEqual([1, ""]);
    expect(parsing.err).toMatch(message);
  });
});

test("enhanced dependencies are learned from DEPS, with the trees of the same file", async () => {
  const { run } = inFolder({ "a.conllu": enhanced });
  const train = "train --for graphs --threads 1 --train @a.conllu --model @model --settings trees=columns";
  expect((await run(train, ...QUICK)).code).toBe(0);
  const words = enhanced.replaceAll(/\t[^\t]*\t_$/gm, "\t_\t_");
  const { code, out } = await run("parse --model @model", { stdin: words });
  expect([code, out]).toEqual([0, enhanced]);
  const untreed = words.replaceAll(/\t\d\t\w+(\t_\t_)$/gm, "\t_\t_$1");
  const refused = await run("parse --model @model", { stdin: untreed });
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(/standard input:2: .*invalid-head/);
});

describe("without options, graphs are learned as trainGraphParser does by default", {
  tags: "slow",
  timeout: 60_000,
}, () => {
  const few = graphs.slice(0, graphs.indexOf(`#s${2 * patterns.length}\n`));
  const examples = parseSdp(few).map((one) => ({ sentence: sdpWords(one), graph: sdpGraph(one) }));
  const trained = async (...options: readonly string[]) => {
    const { run, bytes } = inFolder({ "a.sdp": few });
    expect((await run("train --for graphs --threads 1 --train @a.sdp --model @m", ...options)).code).toBe(0);
    return bytes("m");
  };
  const isSame = async (model: Buffer, options: GraphTrainOptions) =>
    model.equals(saveGraphParser(await trainGraphParser(examples, options)));

  /** Without a network, a training takes a tenth of the time. */
  const fast = { preset: "linear" } as const;
  const trainedFast = (...options: readonly string[]) => trained("--preset", "linear", ...options);

  test("with the same learner and epochs", async () => {
    const short = { network: { epochs: 2 } };
    expect(await isSame(await trained(...settings(short)), short)).toBe(true);
    const model = await trainedFast(...settings({ learner: "mira" }));
    expect(await isSame(model, { ...fast, learner: "mira" })).toBe(true);
    expect(await isSame(model, fast)).toBe(false);
  });

  test("and with parts, all epochs but two without them", async () => {
    const parts = { ...fast, parts: ["sibling"] } as const;
    const model = await trainedFast("--settings", "parts=sibling");
    expect(await isSame(model, parts)).toBe(true);
    expect(await isSame(model, { ...parts, epochs: 8, basicEpochs: 6 })).toBe(true);
    expect(await isSame(model, { ...parts, basicEpochs: 0 })).toBe(false);
    const given = await trainedFast(
      "--settings",
      "parts=sibling",
      "--epochs",
      "3",
      ...settings({ basicEpochs: 0 }),
    );
    expect(await isSame(given, { ...parts, epochs: 3, basicEpochs: 0 })).toBe(true);
    const one = await trainedFast("--settings", "parts=sibling", "--epochs", "1");
    expect(await isSame(one, { ...parts, epochs: 1, basicEpochs: 0 })).toBe(true);
    const batch = await trainedFast("--settings", "parts=sibling", ...settings({ learner: "frank-wolfe" }));
    expect(await isSame(batch, { ...parts, learner: "frank-wolfe", epochs: 8 })).toBe(true);
  });
});

test("a training that is interrupted goes on to the same bytes", async () => {
  const folder = folderWith({ "a.sdp": graphs });
  const options = [
    ...["--verbose", "--epochs", "4", "--settings", "parts=full"],
    ...settings({ network: { units: 8, epochs: 2, weight: 0.4 } }),
  ];
  const train = (name: string) => [
    ...[...TRAIN, "--train", join(folder, "a.sdp"), "--model", join(folder, name)],
    ...options,
  ];
  const whole = await trainedModel([...TRAIN, "--train", "@a.sdp", ...options], {
    "a.sdp": graphs,
  });
  writeFileSync(join(folder, "whole"), whole);
  const { network } = await readGraphParserFile(join(folder, "whole"));
  expect(network?.configuration).toMatchObject({ weight: 0.4 });
  const controller = new AbortController();
  const stopped = await arcwise(train("model"), {
    signal: controller.signal,
    onMessage: (text) => {
      if (text.startsWith("weights 2/4")) controller.abort();
    },
  });
  expect(stopped.code).toBe(130);
  expect(stopped.err).toContain("model.checkpoint is kept: the same command with --resume continues");
  expect((await arcwise(train("model"))).err).toContain(
    "add --resume to continue that training, or delete the folder",
  );
  const resumed = await arcwise([...train("model"), "--resume"]);
  expect(resumed.err).not.toContain("weights 1/4");
  expect(readFileSync(join(folder, "model")).equals(whole)).toBe(true);
  writeFileSync(join(folder, "other.checkpoint"), "no state");
  const damaged = await arcwise([...train("other"), "--resume"]);
  expect([damaged.code, damaged.err]).toEqual([1, expect.stringContaining("other.checkpoint: ")]);
}, 60_000);

test("word vectors are read for the network, of the words of the graphs and the first others", async () => {
  const { run, path } = inFolder({ "a.sdp": graphs, "words.vec": "3 2\nthe 1 0\nxyz 0 1\nzyx 1 1\n" });
  const vectors = settings({
    network: { units: 8, epochs: 1 },
    epochs: 1,
    vectors: { file: path("words.vec"), limit: 1 },
  });
  const train = "train --for graphs --threads 1 --train @a.sdp --model @model";
  const { code, err } = await run(train, ...vectors);
  expect([code, err]).toEqual([0, expect.any(String)]);
  const { network, description } = await readGraphParserFile(path("model"));
  expect(network?.vectors?.dimension).toBe(2);
  expect(description).toMatchObject({ network: { vectors: { dimension: 2 } } });
  const none = await run(`${train} --preset linear --settings vectors.file=v`);
  expect([none.code, none.err]).toEqual([2, expect.stringContaining("word vectors require a network")]);
});
