import { describe, expect, test } from "vitest";
import { inFolder, settings, treebank } from "./support.ts";

const sentences = (count: number, rows: (k: number) => readonly string[]): string =>
  Array.from({ length: count }, (_, k) => {
    const words = rows(k).map((row, i) => {
      const [form, upos, xpos, head, label] = row.split(" ");
      return `${i + 1}\t${form}\t${form}\t${upos}\t${xpos}\t_\t${head}\t${label}\t_\t_\n`;
    });
    return `${words.join("")}\n`;
  }).join("");

const ADVERBS = ["now", "well", "here", "then"];
const TWO_ROOTS = sentences(8, (k) => [
  "Ann NOUN _ 2 nsubj",
  "sings VERB _ 0 root",
  `${ADVERBS[k % 4]} ADV _ 0 root`,
  ". PUNCT _ 3 punct",
]);
const CROSSING = sentences(6, () => [
  "I PRON _ 2 nsubj",
  "know VERB _ 0 root",
  "whose PRON _ 4 nmod:poss",
  "foot NOUN _ 7 obl",
  "you PRON _ 6 nsubj",
  "stood VERB _ 2 ccomp",
  "on ADP _ 6 advmod",
]);
const IDENTIFIERS = sentences(40, (k) => [`a X id${2 * k} 2 dep`, `b Y id${2 * k + 1} 0 root`]);

const MULTIPLE_ROOTS = ["--settings", "parser.multipleRoots=true"];
const TAGGED = ["--for", "tagged", "--preset", "linear", "--epochs", "3"];
const TEXT = [
  ...["--preset", "linear", "--epochs", "3", "--threads", "1"],
  ...settings({ jackknife: 2, tokenizer: { epochs: 1 }, tagger: { epochs: 2 } }),
];

describe("arcwise train warns", () => {
  test.each<[string, string, string[], RegExp | undefined]>([
    ["of nothing", treebank, TAGGED, undefined],
    [
      "of several roots",
      TWO_ROOTS,
      TAGGED,
      /train: 8 of 8 trees have several root words.*--settings parser.multipleRoots=true/,
    ],
    ["of nothing if several roots are allowed", TWO_ROOTS, [...TAGGED, ...MULTIPLE_ROOTS], undefined],
    [
      "of crossing arcs",
      CROSSING,
      [...TAGGED, "--decoder", "eisner"],
      /train: 6 of 6 trees are not projective.*"mst"/,
    ],
    ["of nothing with a decoder of all trees", CROSSING, TAGGED, undefined],
    ["before a pipeline", TWO_ROOTS, TEXT, /train: 8 of 8 trees have several root words/],
    ["of identifiers", IDENTIFIERS, TEXT, /train: XPOS has 80 different values in 80 words/],
  ])("%s", async (_, text, argv, expected) => {
    const { run } = inFolder({ train: text });
    const { code, err } = await run("train --train @train --model @model", ...argv);
    expect(code, err).toBe(0);
    const warnings = err.split("\n").filter((line) => line.startsWith("arcwise: warning: "));
    expect(warnings.filter((line) => !line.includes("SpaceAfter"))).toEqual(
      expected ? [expect.stringMatching(expected)] : [],
    );
  });

  test("of identifiers when it trains a tagger", async () => {
    const { run } = inFolder({ train: IDENTIFIERS });
    const { code, err } = await run("tag train --train @train --model @model --epochs 1");
    expect([code, err]).toEqual([0, expect.stringContaining("XPOS has 80 different values in 80 words")]);
  });
});

test.each([TAGGED, TEXT])("parser.multipleRoots trains a model that finds them: %j", async (...argv) => {
  const { run, text } = inFolder({ train: TWO_ROOTS });
  await run("train --train @train --model @model", ...argv, "--epochs", "8", ...MULTIPLE_ROOTS);
  const { code, err } = await run("parse @train --input conllu --model @model -o @out");
  expect(code, err).toBe(0);
  const head = (conllu: string) => conllu.match(/^\d+\t.*$/gm)!.map((line) => line.split("\t")[6]);
  expect(head(text("out"))).toEqual(head(TWO_ROOTS));
});
