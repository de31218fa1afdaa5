import { describe, expect, test } from "vitest";
import { paragraphsOf } from "../src/analysis.ts";
import { attachMarks } from "../src/rules/closing-marks.ts";
import { listMarkers } from "../src/rules/list-items.ts";
import { CharacterReader, textOf } from "../src/text/character-reader.ts";

function read(text: string): CharacterReader {
  const characters = new CharacterReader();
  characters.push(text);
  characters.end();
  return characters;
}

describe("list markers", () => {
  /** Markers, with | before those that end a sentence. */
  const find = (text: string) => {
    const characters = read(text);
    return listMarkers(characters, paragraphsOf(characters))
      .map(({ from, end, endsSentence }) => (endsSentence ? "|" : "") + textOf(characters, from, end))
      .join(" ");
  };

  test.each([
    ["1. milk\n2. eggs\n10. bread", "1. |2. |10."],
    ["Buy:\n1. milk", "|1."],
    ["Buy:\n\n12. milk", "12."],
    ["1) a\n\n(b) c\nd] e", "1) (b) |d]"],
    ["a. x\nb. y", "a. |b."],
    ["I. x\nII. y", "I. |II."],
    ["Buy:\n- milk\n- eggs", "|- |-"],
    ["• a\n  • b", "• |•"],
    ["* a\n* b", "* |*"],
    ["1.1 x\n1.2 y", "1.1 |1.2"],
    ["1.\nmilk\n2.\neggs", "1. |2."],
  ])("%j", (text, expected) => {
    expect(find(text)).toBe(expected);
  });

  test.each([
    "in\n1987. Then",
    "by\n12. Then",
    "a b\n- c",
    "A. Smith said\nno",
    "1.",
    "1.5 million\nof",
    "one 1. two",
    "milk\n1.",
    "-ing\n-ed",
  ])("none in %j", (text) => {
    expect(find(text)).toBe("");
  });
});

describe("closing marks", () => {
  /** Sentences between |, tokens between spaces, with ~ for no space between two of them. */
  const attach = (text: string, maxTokens = 100) => {
    const characters = read(text.replaceAll(" | ", " ").replaceAll("~| ", "").replaceAll("~", ""));
    let end = 0;
    const sentences = text.split("| ").map((sentence) =>
      sentence
        .trim()
        .split(/~ ?| /)
        .filter((form) => form !== "")
        .map((form) => {
          const from = end;
          end += [...form].length;
          return { from, end };
        }),
    );
    return attachMarks(characters, sentences, maxTokens)
      .map((tokens) => tokens.map(({ from: start, end }) => textOf(characters, start, end)).join(" "))
      .join(" | ");
  };

  test.each([
    ["Et toi ? | » | Paul dit", "Et toi ? » | Paul dit"],
    ["Et toi ? | » Paul dit", "Et toi ? » | Paul dit"],
    ["toi~?~| ” | Paul", "toi ? ” | Paul"],
    ['toi~?~| " | Paul', 'toi ? " | Paul'],
    ['toi~?~| "~) | Paul', 'toi ? " ) | Paul'],
    ["toi ? | »~Paul dit", "toi ? | » Paul dit"],
    ['toi~. | " | Paul', 'toi . | " Paul'],
    ["toi~. | “~Paul | dit", "toi . | “ Paul | dit"],
    ['toi~. | "', 'toi . "'],
    ["»", "»"],
    ["» Paul | dit", "» Paul | dit"],
  ])("%s", (text, expected) => {
    expect(attach(text)).toBe(expected);
  });

  test("do not make a sentence too long", () => {
    expect(attach("a b | » c", 2)).toBe("a b | » c");
    expect(attach('a b | " | c d', 2)).toBe('a b | " | c d');
  });
});
