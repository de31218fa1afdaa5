import { rawText } from "@arcwise/conllu";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { createTokenizer, type Tokenizer, type TokenizerModel, tokenizedSentence } from "../src/index.ts";
import { treebankText } from "../src/text/treebank-text.ts";
import { tokenPositions } from "../src/training/training-data.ts";
import { chunksOf } from "./generators.ts";
import { sentences } from "./sentences.ts";
import { trainedTokenizer } from "./trained.ts";

type Treebank = ReturnType<typeof sentences>;

/** Tokens of several words: the words of `napa` depend on the token before it. */
const PREFIXES = ["na", "we", "ti"];
const STEMS = ["pa", "rok", "mesu", "kala", "o"];
const JOINED = sentences(
  PREFIXES.flatMap((prefix) =>
    STEMS.map((stem, s) =>
      [
        `su ${prefix}${stem}=${prefix}+${stem} ${STEMS[(s + 1) % 5]} |.`,
        `mi ${prefix}${stem} ${prefix}${STEMS[(s + 2) % 5]} ki |.`,
      ].join("\n"),
    ),
  )
    .join("\n\n")
    .replaceAll(" |", "|"),
);

/** Tokens with spaces: two syllables of a list are one token. */
const COMPOUNDS = ["nha_tho", "xe_dap", "may_bay", "hoc_sinh"];
const SPACED = sentences(
  COMPOUNDS.flatMap((one) =>
    COMPOUNDS.map((other) => [`toi co ${one} va ${other} do|.`, `${one} dap nha ${other} bay|.`].join("\n")),
  ).join("\n\n"),
);

function rows(list: Treebank): string[] {
  return list.map((sentence) => sentence.rows.map(({ kind, form }) => `${kind} ${form}`).join("\n"));
}

function cut(tokenizer: Tokenizer, text: string): string[] {
  return rows(tokenizer.tokenize(text).map((sentence, s) => tokenizedSentence(sentence, s + 1)));
}

describe.each<[string, Treebank, number]>([
  ["tokens that are joined words", JOINED, 3],
  ["tokens with spaces", SPACED, 2],
])("a treebank with many %s", (_, treebank, classes) => {
  let model: TokenizerModel;
  let tokenizer: Tokenizer;

  beforeAll(async () => {
    model = await trainedTokenizer(treebank, { epochs: 30 });
    tokenizer = createTokenizer(model);
  });

  test("is found again, by what is around each character", () => {
    expect(model.isWide).toBe(true);
    expect(model.characters.shape.classes).toBe(classes);
    expect(model.multiword.forms).toEqual([]);
    expect(cut(tokenizer, rawText(treebank).text)).toEqual(rows(treebank));
  });

  test("has the same sentences in any chunks", async () => {
    const { text } = rawText(treebank);
    const known = cut(tokenizer, text);
    await fc.assert(
      fc.asyncProperty(chunksOf(text), async (chunks) => {
        const found = [];
        for await (const sentence of tokenizer.stream(chunks)) found.push(sentence);
        expect(rows(found.map((sentence, s) => tokenizedSentence(sentence, s + 1)))).toEqual(known);
      }),
      { numRuns: 20 },
    );
  });
});

describe("marks that end few sentences", () => {
  const lines = Array.from({ length: 60 }, (_, i) => `Ann saw ${i} dogs|.`);

  test.each<[string, string[], number]>([
    ["are learned from full stops", lines, 2],
    [
      "are learned by themselves if they are frequent",
      [...lines, ...lines.map((l) => l.replace(".", "!"))],
      1,
    ],
    ["are not learned from few full stops", lines.slice(0, 40), 0],
  ])("%s", (_, text, count) => {
    const data = treebankText(sentences(text.join("\n")));
    const { keys, alternatives } = tokenPositions(data);
    expect(alternatives).toHaveLength(count);
    for (const other of alternatives) {
      const changed = Array.from(data.sentenceEnd, (_, t) =>
        keys.keys.subarray(5 * t, 5 * t + 5).some((key, k) => other.keys[5 * t + k] !== key),
      );
      const stops = Array.from(
        data.sentenceEnd,
        (_, t) => data.characters.code[data.tokens[t]!] === ".".codePointAt(0),
      );
      expect(changed).toEqual(stops);
    }
  });

  test("end sentences as full stops do", async () => {
    const tokenizer = createTokenizer(await trainedTokenizer(sentences(lines.join("\n")), { epochs: 15 }));
    expect(tokenizer.tokenize("Ann saw 4 dogs! Ann saw 5 dogs? Ann saw 6 dogs.")).toHaveLength(3);
  });
});
