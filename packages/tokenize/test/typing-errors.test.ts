import { parseConllu } from "@arcwise/conllu";
import { expect, test } from "vitest";
import { createTokenizer } from "../src/index.ts";
import { treebankText } from "../src/text/treebank-text.ts";
import { trainedTokenizer } from "./trained.ts";

/** Rows `ID FORM FEATS MISC`, one per line. */
function sentence(...lines: string[]): string {
  const rows = lines.map((line) => {
    const [id, form, feats = "_", misc = "_"] = line.split(" ");
    return [id, form, "_", "_", "_", feats, "_", "_", "_", misc].join("\t");
  });
  return `${rows.join("\n")}\n\n`;
}

const POSSESSIVE = sentence("1 Its", "2 tail", "3 wagged _ SpaceAfter=No", "4 .");
const ERROR = sentence("1-2 its", "1 it", "2 s Typo=Yes CorrectForm='s", "3 late _ SpaceAfter=No", "4 .");
const UNKNOWN = sentence("1-2 dont", "1 do", "2 nt Typo=Yes CorrectForm=n't", "3 go _ SpaceAfter=No", "4 .");

test.each([
  ["fewer errors than right words", POSSESSIVE.repeat(3) + ERROR.repeat(2) + UNKNOWN, [["do", "nt"]]],
  [
    "more errors than right words",
    POSSESSIVE + ERROR.repeat(2),
    [
      ["it", "s"],
      ["it", "s"],
    ],
  ],
])(
  "errors that are written like a right word say how it is cut if they are more frequent: %s",
  (_, text, cut) => {
    const { words } = treebankText(parseConllu(text));
    expect(words.filter((own) => own.length > 0)).toEqual(cut);
  },
);

test("a tokeniser leaves a word whole that errors are written like", async () => {
  const sentences = parseConllu((POSSESSIVE.repeat(3) + ERROR.repeat(2) + UNKNOWN).repeat(8));
  const tokenizer = createTokenizer(await trainedTokenizer(sentences, { epochs: 4 }));
  const words = tokenizer.tokenize("Its tail wagged. its late. dont go.").flatMap(({ tokens }) => tokens);
  expect(words.filter(({ form }) => form.toLowerCase() === "its").map((token) => token.words)).toEqual([
    [],
    [],
  ]);
  expect(words.find(({ form }) => form === "dont")!.words).toEqual(["do", "nt"]);
});
