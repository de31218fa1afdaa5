import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CLASSES, classOf } from "../src/text/character-classes.ts";
import { CharacterReader, readingOf, textOf } from "../src/text/character-reader.ts";
import { Variants } from "../src/text/variants.ts";

function read(chunks: readonly string[]): CharacterReader {
  const reader = new CharacterReader();
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return reader;
}

/** Characters with a mark before each: | for a paragraph, _ for a space. */
function shown(text: string): string {
  const characters = read([text]);
  const { length, space, paragraph } = characters;
  return Array.from({ length }, (_, i) => {
    const mark = paragraph[i] === 1 ? "|" : space[i] === 0 ? "" : space[i] === 32 ? "_" : "~";
    return mark + textOf(characters, i, i + 1);
  }).join("");
}

describe("spaces and paragraphs", () => {
  test.each([
    ["", ""],
    [" \n\n ", ""],
    ["a b", "|a_b"],
    ["a  b\tc\u00a0d\u3000e", "|a_b_c~d~e"],
    ["a\nb\r\nc\rd", "|a_b_c_d"],
    ["a\n\nb", "|a|b"],
    ["a\n \t\nb", "|a|b"],
    ["a\r\n\r\nb", "|a|b"],
    ["a\r\rb", "|a|b"],
    ["a\n\rb", "|a|b"],
    ["a\u2029b\u2028c\u0085d", "|a|b_c_d"],
    ["a\0b\u0007c\u007fd\ufeffe", "|a_b_c_d_e"],
    ["a\u200bb", "|a\u200bb"],
  ])("%j", (text, expected) => {
    expect(shown(text)).toBe(expected);
  });
});

/** The characters of a text, their codes, and the texts that models read. */
function clusters(text: string) {
  const characters = read([text]);
  const { length, code } = characters;
  const spans = Array.from({ length }, (_, i) => [i, i + 1] as const);
  return {
    texts: spans.map(([from, end]) => textOf(characters, from, end)),
    readings: spans.map(([from, end]) => readingOf(characters, from, end)),
    codes: [...code.slice(0, length)],
  };
}

describe("grapheme clusters", () => {
  test.each([
    ["I like 🇵🇱🇱🇺", "I l i k e 🇵🇱 🇱🇺"],
    ["Ok 👍🏽 key 1️⃣", "O k 👍🏽 k e y 1️⃣"],
    ["👨‍👩‍👧done", "👨‍👩‍👧 d o n e"],
    ["e\u0301te\u0301", "e\u0301 t e\u0301"],
    ["각\u1100\u1161\u11a8a", "각 \u1100\u1161\u11a8 a"],
    ["नमस्ते।", "न म स्ते ।"],
    ["กำ ที่", "กำ ที่"],
    ["©\u200d©a\u200d", "©\u200d© a\u200d"],
    ["a \u0301b", "a \u0301 b"],
  ])("%s", (text, expected) => {
    expect(clusters(text).texts.join(" ")).toBe(expected);
  });

  test("agree with Intl.Segmenter", () => {
    const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), (text) => {
        const expected = Array.from(segmenter.segment(text), ({ segment }) => segment);
        expect(clusters(text).texts).toEqual(expected.filter((segment) => !/^[\s\p{Cc}]+$/u.test(segment)));
      }),
    );
  });

  test("of any length are read in linear time, and cut after 1,024 code units", () => {
    const marks = "\u0301".repeat(200_000);
    const [first, ...others] = clusters(`e${marks}`).texts;
    expect([first!.length, first![0]]).toEqual([1024, "e"]);
    expect([first, ...others].join("")).toBe(`e${marks}`);
  });
});

describe("canonically equivalent texts", () => {
  test.each([
    ["é", "e\u0301"],
    ["ẹ́", "e\u0301\u0323"],
    ["한국", "한국".normalize("NFD")],
    ["\u0958 \u0931", "\u0958 \u0931".normalize("NFD")],
    ["Å", "\u212b"],
    ["Ω", "\u2126"],
  ])("%s is read in one way", (composed, other) => {
    const [a, b] = [clusters(composed), clusters(other)];
    expect(other).not.toBe(composed);
    expect(b.codes).toEqual(a.codes);
    expect(b.readings).toEqual(a.readings);
    expect(b.texts.join("")).toBe(other.replaceAll(" ", ""));
  });

  test("have the same codes, and keep their own characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const [own, composed, decomposed] = [text, text.normalize("NFC"), text.normalize("NFD")].map(
          clusters,
        );
        expect(composed!.codes).toEqual(own!.codes);
        expect(decomposed!.codes).toEqual(own!.codes);
        expect(decomposed!.readings).toEqual(own!.readings);
      }),
    );
  });
});

describe("variants that training lacks", () => {
  /** Training has the characters of a text, and what stands side by side there. */
  const variants = (known: string) =>
    new Variants({
      hasCharacter: (code) => known.includes(String.fromCodePoint(code)),
      hasPair: (code, next) => known.includes(String.fromCodePoint(code, next)),
    });
  test.each([
    ["don’t", "'", "don't"],
    ["don't", "’", "don’t"],
    ["“ab” „ab“ «ab»", '"', '"ab" "ab" "ab"'],
    ["“ab” „ab“ ''", "\"'", '"ab" "ab" \'\''],
    ['"ab" cd', "«»", "«ab» cd"],
    ["“ab”", '"“”', "“ab”"],
    ["a\u2010b – — ―", "-", "a-b - - -"],
    ["a — b", "–-", "a – b"],
    ["a “b”", "", "a “b”"],
    ...Array.from("’‘ʼ‛′´`＇", (mark): [string, string, string] => [`don${mark}t`, "a'b c'd", "don't"]),
    ["don‘t ‘go’", "n't d'u 'g ‘’ ‘", "don't 'go'"],
    ["don’t don't", "n’t l’ai m’en j’y s’o c’u d'u", "don’t don’t"],
    ["o‘zbek", "o‘z g‘i a’n", "o‘zbek"],
    ["dogs‘ 1990`s ‘90s", "s' s'a", "dogs' 1990's '90s"],
    ["„Gut.“ So “a”", "“a b” .”", "“Gut.” So “a”"],
    ["„Gut.“ So “a”", "„a .“", "„Gut.“ So „a“"],
    ["« a » «a»", "«a .» « »", "« a » «a»"],
    ["1990–2000 – a‐b", "0-2 – - ", "1990-2000 – a-b"],
    ["1990–2000", "0–2 -", "1990–2000"],
    ["(‘a’) (“a”)", "'“ x' “x x”", "('a') (“a”)"],
  ])("%s, where training has %s, is read as %s", (text, known, expected) => {
    const reader = new CharacterReader(variants(known));
    reader.push(text);
    reader.end();
    expect(readingOf(reader, 0, reader.length)).toBe(expected);
    expect(textOf(reader, 0, reader.length)).toBe(text);
  });
});

test("characters are dropped from the beginning", () => {
  const characters = read(["a b\n\nc"]);
  characters.drop(1);
  expect(textOf(characters, 0, characters.length)).toBe("b c");
  expect([...characters.offset.slice(0, 2), ...characters.paragraph.slice(0, 2)]).toEqual([2, 5, 0, 1]);
});

test("every code point has a class, and similar characters have the same one", () => {
  for (let code = 0; code <= 0x10ffff; code += 97) expect(classOf(code)).toBeLessThan(CLASSES);
  const classes = (text: string) => new Set(Array.from(text, (c) => classOf(c.codePointAt(0)!))).size;
  expect(classes("bdz\u00e9")).toBe(1);
  expect(classes("bB1.-\u4e00\u0915\u{10330}")).toBe(8);
  expect(classOf(0xd800)).not.toBe(classOf(0x61));
});
