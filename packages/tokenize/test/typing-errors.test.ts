import { parseConllu } from "@arcwise/conllu";
import { expect, test } from "vitest";
import { createTokenizer, trainTokenizer } from "../src/index.ts";
import { treebankText } from "../src/text/treebank-text.ts";

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

test("an error that is written like a right word does not say how that word is cut; others do", () => {
  const { words } = treebankText(parseConllu(POSSESSIVE + ERROR + UNKNOWN));
  expect(words.filter((own) => own.length > 0)).toEqual([["do", "nt"]]);
});

test("a tokeniser that learned more errors than right words leaves the word whole", async () => {
  const sentences = parseConllu((POSSESSIVE + ERROR + ERROR + UNKNOWN).repeat(12));
  const tokenizer = createTokenizer(await trainTokenizer(sentences, { epochs: 4 }));
  const words = tokenizer.tokenize("Its tail wagged. its late. dont go.").flatMap(({ tokens }) => tokens);
  expect(words.filter(({ form }) => form.toLowerCase() === "its").map((token) => token.words)).toEqual([
    [],
    [],
  ]);
  expect(words.find(({ form }) => form === "dont")!.words).toEqual(["do", "nt"]);
});
