import { expect, test } from "vitest";
import {
  type ConlluSentence,
  parseConllu,
  RawTextWriter,
  rawText,
  validateText,
  viewSentence,
} from "../src/index.ts";

/** Sentences of rows `ID FORM MISC`, and comments. */
function sentences(text: string): ConlluSentence[] {
  const lines = text.split("\n").map((line) => {
    const [id, form, misc = "_"] = line.trim().split(" ");
    if (line.trim() === "" || line.trim().startsWith("#")) return line.trim();
    return [id, form, "_", "_", "_", "_", "_", "_", "_", misc].join("\t");
  });
  return parseConllu(`${lines.join("\n")}\n\n`);
}

test.each([
  ["a space between tokens", "1 a\n2 b", "a b\n"],
  ["SpaceAfter=No", "1 a SpaceAfter=No\n2 . x=y|SpaceAfter=No", "a.\n"],
  ["a space between sentences", "1 a\n\n1 b", "a b\n"],
  ["no space between sentences", "1 a SpaceAfter=No\n\n1 b", "ab\n"],
  ["a paragraph", "# newpar\n1 a SpaceAfter=No\n\n# newpar id = 2\n1 b", "a\n\nb\n"],
  ["a document", "# newdoc\n1 a\n\n# newdoc id = 2\n# newpar\n1 b", "a\n\nb\n"],
  ["another comment", "1 a\n\n# newparagraph\n1 b", "a b\n"],
  ["SpacesAfter", "1 a SpacesAfter=\\s\\s\n2 b SpacesAfter=\\r\\n\\t\n3 c", "a  b\r\n\tc\n"],
  ["SpacesAfter that is not a space", "1 a SpacesAfter=\\p\n2 b", "a b\n"],
  ["SpacesBefore", "1 a SpacesBefore=\\n\n2 b", "\na b\n"],
  ["SpacesAfter and SpaceAfter=No", "1 a SpaceAfter=No|SpacesAfter=\\s\\s\n2 b", "a  b\n"],
  ["SpacesAfter at the end", "1 a SpacesAfter=\\n\\n", "a\n\n"],
  ["SpacesAfter before a paragraph", "1 a SpacesAfter=\\r\\n\\r\\n\\n\n\n# newpar\n1 b", "a\r\n\r\n\nb\n"],
  ["SpacesBefore in a paragraph", "1 a\n\n# newpar\n1 b SpacesBefore=\\s\\s", "a\n\n  b\n"],
  ["SpacesInToken", "1 1000 SpacesInToken=1\\s\\n000\n2 b", "1 \n000 b\n"],
  ["SpacesInToken with escapes", "1 a|\\ SpacesInToken=a\\p\\t\\\\", "a|\t\\\n"],
  ["SpacesInToken of another form", "1 a SpacesInToken=b", "a\n"],
  ["a multiword token", "1-2 du SpaceAfter=No\n1 de\n2 le SpaceAfter=No\n3 x", "dux\n"],
  ["an empty node", "1 a\n1.1 z SpaceAfter=No\n2 b", "a b\n"],
])("text with %s", (_, rows, expected) => {
  expect(rawText(sentences(rows)).text).toBe(expected);
});

test("SpaceAfter of a multiword token follows the text, whatever its words are", () => {
  const text = [
    "# sent_id = m1",
    "# text = It is 5.000 dollars.",
    "1\tIt\tit\tPRON\t_\t_\t3\tnsubj\t_\t_",
    "2\tis\tbe\tAUX\t_\t_\t3\tcop\t_\t_",
    "3\t5.000\t5.000\tNUM\t_\t_\t0\troot\t_\t_",
    "4-5\tdollars\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No",
    "4\tdollar\tdollar\tNOUN\t_\t_\t3\tnmod\t_\t_",
    "5\ts\tbe\tAUX\t_\t_\t3\tcop\t_\t_",
    "6\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\t_",
    "\n",
  ].join("\n");
  const sentence = viewSentence(parseConllu(text)[0]!);
  expect(rawText([sentence]).text).toBe("It is 5.000 dollars.\n");
  expect(sentence.tokens.map(({ spaceAfter }) => spaceAfter)).toEqual([true, true, true, false, true]);
  expect(sentence.words.map(({ start, end }) => [start, end]).slice(3)).toEqual([
    [12, 18],
    [18, 19],
    [19, 20],
  ]);
  expect([...validateText(text)]).toEqual([]);
});

test("tokens are where their forms are in the text, with the words of multiword tokens", () => {
  const { text, sentences: found } = rawText(
    sentences("1 \u{1f600}\n\n# newpar\n1-2 du\n1 de\n2 le\n3 pain"),
  );
  expect(found.map((tokens) => tokens.map(({ start, end }) => text.slice(start, end)))).toEqual([
    ["\u{1f600}"],
    ["du", "pain"],
  ]);
  expect(found[1]!.map(({ words }) => words)).toEqual([["de", "le"], []]);
});

test("no sentences are an empty text", () => {
  expect(rawText([])).toEqual({ text: "", sentences: [] });
});

test("a writer returns the text piece by piece", () => {
  const writer = new RawTextWriter();
  const pieces = sentences("1 a\n\n# newpar\n1 b\n2 c").map((sentence) => {
    writer.add(sentence);
    return writer.take();
  });
  expect([...pieces, writer.end()]).toEqual(["a", "\n\nb c", "\n"]);
});
