import { rawText } from "@arcwise/conllu";
import { describe, expect, test } from "vitest";
import { createTokenizer } from "../src/index.ts";
import { withAttachedMarks } from "../src/training/attached-marks.ts";
import { sentences } from "./sentences.ts";
import { trainedTokenizer } from "./trained.ts";

/** Lines of a text that was split at spaces, with a word of two syllables. */
const LINES = Array.from({ length: 60 }, (_, i) => {
  const [who, what] = [["Lan", "Nam", "con_mèo"][i % 3], ["ngủ", "hát", "đi_học"][(i * 7 + 1) % 3]];
  return i % 4 === 0 ? `" Không , ${who} ${what} . "` : `${who} ${what} ${i % 5 === 0 ? "!" : "."}`;
});

describe("a text with spaces before all punctuation", () => {
  test("is learned as people write it, in every other sentence", () => {
    const given = sentences(`Lan hát .\n${LINES.join("\n")}\nHai con_mèo ( to ) đi_học=đi+học ?`);
    const learned = withAttachedMarks(given);
    const isEven = (_: unknown, i: number) => i % 2 === 0;
    expect(learned.filter(isEven)).toEqual(given.filter(isEven));
    const text = rawText(learned.filter((_, i) => i % 2 === 1)).text.trim();
    expect(text.slice(0, 43)).toBe('"Không, Lan hát." con mèo ngủ. "Không, Nam ');
    expect(text.slice(-24)).toBe("Hai con mèo (to) đi học?");
  });

  test("teaches to cut punctuation that is attached to words, and that is not", async () => {
    const tokenizer = createTokenizer(await trainedTokenizer(sentences(LINES.join("\n")), { epochs: 30 }));
    const forms = (text: string) =>
      tokenizer.tokenize(text).map(({ tokens }) => tokens.map(({ form }) => form).join("|"));
    const expected = ["Nam|ngủ|.", "Lan|hát|.", "Nam|hát|!"];
    expect(forms("Nam ngủ. Lan hát. Nam hát!")).toEqual(expected);
    expect(forms("Nam ngủ . Lan hát . Nam hát !")).toEqual(expected);
  });
});

test.each([
  ["few marks", "Lan hát .\nNam ngủ !"],
  ["marks attached to words", LINES.map((line) => line.replaceAll(/ (?=[.,!])/g, "|")).join("\n")],
  ["marks before which only some have a space", LINES.map((line) => line.replace(/ \.$/, "|.")).join("\n")],
  ["no marks", LINES.map((line) => line.replaceAll(/[.,!" ]+/g, " ").trim()).join("\n")],
])("a text with %s is learned as it is", (_, text) => {
  const given = sentences(text);
  expect(withAttachedMarks(given)).toBe(given);
});
