import { beforeAll, describe, expect, test } from "vitest";
import { conllu, inFolder, settings, TRAIN_PARSER, trainedModel, treebank, UNPRUNED } from "./support.ts";

/** Models by how they were trained. */
const models = new Map<string, Uint8Array>();

async function train(name: string, ...options: string[]): Promise<void> {
  models.set(
    name,
    await trainedModel([...TRAIN_PARSER, "--train", "@treebank", "--epochs", "2", ...options]),
  );
}

beforeAll(async () => {
  await train("mst");
  await train("whole", ...UNPRUNED);
  await train("third", "--decoder", "projective", "--order", "3", ...UNPRUNED);
  const whole = settings({ parser: { prune: false, global: true } });
  await train("climb", "--decoder", "hillclimb", "--order", "2", ...whole);
  await train("dual", "--decoder", "ad3", "--order", "2", ...UNPRUNED);
});

function parse(files: Readonly<Record<string, string>>, argv: string[], stdin: string, model = "mst") {
  return inFolder({ ...files, model: models.get(model)! }).run("parse --model @model", ...argv, { stdin });
}

/** The columns of each word. */
function rows(text: string): string[][] {
  return text
    .split("\n")
    .filter((line) => /^\d+\t/.test(line))
    .map((line) => line.split("\t"));
}

const sentences = (text: string) => text.split("\n\n").filter((sentence) => sentence !== "");
const trees = (text: string) => sentences(text).map((one) => String(rows(one).map((row) => row[6])));

const document = [
  "# newdoc id = d",
  "# newpar",
  "# sent_id = s1",
  "# text = Old cats sleep",
  "1-2\tOldcats\t_\t_\t_\t_\t_\t_\t_\t_",
  "1\tOld\told\tADJ\t_\t_\t_\t_\t_\tSpaceAfter=No",
  "2\tcats\tcats\tNOUN\t_\t_\t_\t_\t_\tAlign=1|ArcP=0.5|Gloss=x",
  "3\tsleep\tsleep\tVERB\t_\t_\t_\t_\t_\t_",
  "\n",
].join("\n");

const ALL = ["whole", "third", "climb", "dual"];

describe.each(ALL)("parse --kbest with the model %s", (model) => {
  test("writes the k best analyses, best first, each as a sentence", async () => {
    const { code, out, err } = await parse({}, ["--kbest", "4"], document, model);
    expect(code).toBe(0);
    expect(err).toMatch(/^1 sentence, 3 words/);
    const found = sentences(out);
    expect(found).toHaveLength(4);
    const best = (await parse({}, [], document, model)).out;
    expect(trees(out)[0]).toBe(trees(best)[0]);
    expect(new Set(trees(out)).size).toBe(4);
    const scores = found.map((one) => Number(/^# score = (-?\d+\.\d{4})$/m.exec(one)![1]));
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    for (const [i, one] of found.entries()) {
      expect(one).toMatch(new RegExp(`^# sent_id = s1-k${i + 1}$`, "m"));
      expect(one).toMatch(new RegExp(`^# kbest = ${i + 1}/4$`, "m"));
      expect(one).toContain("# text = Old cats sleep\n");
      expect(one).toContain("\n1-2\tOldcats\t");
      expect(one.includes("# newdoc id = d") && one.includes("# newpar")).toBe(i === 0);
    }
  });

  test("writes as many as there are, and none twice", async () => {
    const { out } = await parse({}, ["--kbest", "1000"], conllu("s", "Cats/NOUN/2/x sleep/VERB/0/y"), model);
    const found = sentences(out);
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThanOrEqual(2);
    expect(found[0]).toContain(`# kbest = 1/${found.length}`);
    expect(new Set(trees(out)).size).toBe(found.length);
  });
});

test("parse --uncertain lists arcs with a low probability, by the lines of the input", async () => {
  const { code, out, err } = await parse({}, ["--uncertain", "1"], document, "whole");
  const low = rows(out).filter((row) => Number(/ArcP=([\d.]+)/.exec(row[9]!)![1]) < 1);
  const lines = err.split("\n").filter((line) => line.includes(": probability 0."));
  expect([code, lines.length]).toEqual([0, low.length]);
  const first = document.split("\n").findIndex((line) => line.startsWith("1\t")) + 1;
  for (const [i, row] of low.entries()) {
    expect(lines[i]).toContain(`standard input:${first + Number(row[0]) - 1}: sentence s1: word ${row[0]} `);
  }
  expect(low.length).toBeGreaterThan(0);
  expect((await parse({}, ["--uncertain", "0"], document, "whole")).err).not.toContain("probability");
  expect((await parse({}, ["--uncertain", "2"], document, "whole")).code).toBe(2);
});

describe.each(ALL)("parse --marginals with the model %s", (model) => {
  test("writes the probability of each arc to MISC, in order", async () => {
    const { code, out } = await parse({}, ["--marginals"], document, model);
    expect(code).toBe(0);
    const miscs = rows(out).map((row) => row[9]!);
    const p = "ArcP=[01]\\.\\d{4}";
    expect(miscs[0]).toMatch(new RegExp(`^${p}\\|SpaceAfter=No$`));
    expect(miscs[1]).toMatch(new RegExp(`^Align=1\\|${p}\\|Gloss=x$`));
    expect(miscs[2]).toMatch(new RegExp(`^${p}$`));
    expect(out).toContain("\n1-2\tOldcats\t_\t_\t_\t_\t_\t_\t_\t_\n");
    const probabilities = miscs.map((misc) => Number(/ArcP=([\d.]+)/.exec(misc)![1]));
    for (const probability of probabilities) expect(probability).toBeLessThanOrEqual(1);
    expect(trees(out)).toEqual(trees((await parse({}, [], document, model)).out));
  });

  test("tells those of each of several analyses, which sum to 1 over all of them", async () => {
    const { out } = await parse({}, ["--kbest", "100", "--marginals"], document, model);
    const byHead = new Map<string, number>();
    for (const row of rows(out)) {
      byHead.set(`${row[0]} ${row[6]}`, Number(/ArcP=([\d.]+)/.exec(row[9]!)![1]));
    }
    const ofWord = (word: string) =>
      [...byHead].filter(([key]) => key.startsWith(`${word} `)).reduce((sum, [, p]) => sum + p, 0);
    for (const word of ["1", "2", "3"]) expect(ofWord(word)).toBeCloseTo(1, 3);
  });
});

describe("parse --constraints", () => {
  const bare = document.repeat(2);
  /** Constraints for the two sentences: columns HEAD and DEPREL of each word. */
  const constraints = (...heads: string[][]) =>
    heads
      .map((columns) =>
        ["Old", "cats", "sleep"]
          .map((form, i) => `${i + 1}\t${form}\t_\t_\t_\t_\t${columns[i]!.replace("/", "\t")}\t_\t_\n`)
          .join(""),
      )
      .map((text, i) => `# sent_id = c${i + 1}\n${text}\n`)
      .join("");
  const free = ["_/_", "_/_", "_/_"];
  const constrain = (text: string, ...more: string[]) =>
    parse({ known: text }, ["--constraints=@known", ...more], bare);

  test("obeys heads and labels, each where it is given", async () => {
    const { code, out, err } = await constrain(
      constraints(["3/_", "1/odd", "_/root"], ["_/_", "0/_", "_/_"]),
    );
    expect(err).toMatch(/^2 sentences/);
    expect(code).toBe(0);
    const found = rows(out);
    expect(found.map((row) => row[6]).slice(0, 3)).toEqual(["3", "1", "0"]);
    expect(found[1]![7]).toBe("odd");
    expect(found[2]![7]).toBe("root");
    expect(found[4]![6]).toBe("0");
    // Elsewhere, everything is kept.
    expect(out.replaceAll(/^(\d+(?:\t[^\t\n]*){5})\t\d+\t\S+/gm, "$1\t_\t_")).toBe(bare);
  });

  test("obeys what MISC forbids", async () => {
    const parsed = rows((await parse({}, [], bare)).out);
    // What the first sentence has is forbidden: each head and each relation.
    const forbidden = bare.replaceAll(/^(\d+)(\t\S+){9}$/gm, (row, id) => {
      const own = parsed[Number(id) - 1]!;
      const columns = row.split("\t");
      return [...columns.slice(0, 6), "_", "_", "_", `NotDeprel=${own[7]}|Other=1`].join("\t");
    });
    const labels = rows((await constrain(forbidden)).out).slice(0, 3);
    for (const [i, row] of labels.entries()) expect(row[7]).not.toBe(parsed[i]![7]);
    const [first] = parsed;
    const arc = constraints(free, free).replace("\t_\n", `\tNotHead=${first![6]}\n`);
    expect(rows((await constrain(arc)).out)[0]![6]).not.toBe(first![6]);
  });

  test("leaves free sentences as they would be", async () => {
    expect((await constrain(constraints(free, free))).out).toBe((await parse({}, [], bare)).out);
  });

  test("holds for all of several analyses", async () => {
    const { out } = await constrain(constraints(["_/_", "0/_", "_/_"], free), "--kbest", "3", "--marginals");
    const found = sentences(out);
    expect(found[0]).toContain("# kbest = 1/");
    for (const one of found.slice(0, Number(/# kbest = 1\/(\d)/.exec(found[0]!)![1]))) {
      expect(rows(one)[1]![6]).toBe("0");
      expect(rows(one)[1]![9]).toContain("ArcP=1.0000");
    }
  });

  test.each([
    ["a cycle", constraints(free, ["2/_", "1/_", "_/_"]), "known:6: sentence c2: ", "cycle: "],
    ["two roots", constraints(["0/_", "0/_", "_/_"], free), "known:1: sentence c1: ", "1, 2 are all forced"],
    ["no word as a head", constraints(free, ["9/_", "_/_", "_/_"]), "known:7: word 1: ", "found 9"],
    [
      "a forbidden head that is no word",
      constraints(free).replace("\t_\n", "\tNotHead=9\n"),
      "known:2: word 1: ",
      "NotHead=9",
    ],
    ["other words", constraints(free, free).replace("cats", "dogs"), "known:1: ", 'word 2: expected "cats"'],
    ["other lengths", conllu("x", "Old/ADJ/_/_") + constraints(free), "known:1: ", "expected 3 words"],
    ["too few sentences", constraints(free), "standard input:10: ", "expected constraints"],
    ["too many sentences", constraints(free, free, free), "known:11: ", "expected no more"],
    ["no CoNLL-U", `${constraints(free)}1\tOld\n\n`, "known:6: ", "expected 10"],
  ])("refuses %s", async (_what, text, place, message) => {
    const { code, err } = await constrain(text);
    expect(err).toContain(place);
    expect(err).toContain(message);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
    expect(code).toBe(1);
  });

  test("matches sentences across blocks, surplus blank lines and line ends", async () => {
    const many = `\ufeff\n${`${document}\n\n`.repeat(600)}`.replaceAll("\n", "\r\n");
    expect(many.length).toBeGreaterThan(2 ** 17);
    const roots = Array.from({ length: 600 }, (_, i) => 1 + (i % 3));
    const known = constraints(...roots.map((root) => [1, 2, 3].map((m) => (m === root ? "0/_" : "_/_"))));
    const { code, out } = await parse({ known }, ["--constraints=@known"], many);
    expect(code).toBe(0);
    const found = rows(out).flatMap((row, i) => (row[6] === "0" ? [1 + (i % 3)] : []));
    expect(found).toEqual(roots);
  });
});

describe("parse --decoder", () => {
  test.each([
    ["mst", "mst"],
    ["mst", "eisner"],
    ["mst", "mbr"],
    ["third", "projective"],
    ["third", "mbr-projective"],
  ])("parses with the model %s and the decoder %s", async (model, decoder) => {
    const { code, out } = await parse({}, ["--decoder", decoder], treebank, model);
    expect(code).toBe(0);
    expect(out).toBe(treebank);
  });

  test.each([
    ["a name that is none", "mst", "magic", "(built in: mst, eisner,"],
    ["parts that it does not score", "third", "mst", "model: mst cannot score parts of kind"],
  ])("refuses %s", async (_what, model, decoder, message) => {
    const { code, out, err } = await parse({}, ["--decoder", decoder], treebank, model);
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(out).toBe("");
  });
});

describe("train", () => {
  const info = async (model: string) => {
    const { out } = await inFolder({ model: models.get(model)! }).run("info @model");
    return out.split("\n");
  };

  test("with a pruner, of which info tells recall and candidates", async () => {
    const facts = await info("mst");
    expect(facts).toContain("pruning of heads most candidates per word: 16");
    const names = [
      "minimum ratio to the most probable head",
      "share of right heads kept",
      "mean candidates per word",
    ];
    for (const name of names) {
      expect(facts.find((fact) => fact.startsWith(`pruning of heads ${name}: `))).toMatch(
        /: \d+(\.\d+)?(e-\d+)?$/,
      );
    }
  });

  test("without a pruner, parsing keeps all heads as well", async () => {
    expect(await info("whole")).toContain("pruning of heads: none");
    const analyses = async (model: string) =>
      trees((await parse({}, ["--kbest", "100"], document, model)).out).length;
    // 3^2 trees of three words have a single root, and no arc of them is pruned.
    expect(await analyses("whole")).toBe(9);
    expect((await parse({}, [], treebank, "whole")).out).toBe(treebank);
  });

  test.each(["kbest-mira", "crf", "perceptron"])("--learner %s learns the treebank", async (learner) => {
    await train(learner, "--learner", learner, "--decoder", "eisner", "--epochs", "5");
    expect(await info(learner)).toContain(`learner: ${learner}`);
    expect((await parse({}, [], treebank, learner)).out).toBe(treebank);
  });
});
