import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CLASSES, classOf } from "../src/text/characters.ts";
import { GlyphReader, textOf } from "../src/text/glyphs.ts";
import { anyText, chunksOf } from "./generators.ts";

function read(chunks: readonly string[], lines?: number): GlyphReader {
  const reader = new GlyphReader(lines);
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return reader;
}

/** Characters with a mark before each: | for a paragraph, _ for a space. */
function shown(text: string, lines?: number): string {
  const { length, code, space, paragraph } = read([text], lines);
  return Array.from({ length }, (_, i) => {
    const mark = paragraph[i] === 1 ? "|" : space[i] === 0 ? "" : space[i] === 32 ? "_" : "~";
    return mark + String.fromCodePoint(code[i]!);
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

  test("each line is a paragraph when lines count", () => {
    expect(shown("a b\nc\r\nd", 1)).toBe("|a_b|c|d");
  });
});

test("offsets are code points, of texts with any characters", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const points = [...text];
      const glyphs = read([text]);
      for (let i = 0; i < glyphs.length; i++) {
        expect(points[glyphs.offset[i]!]!.codePointAt(0)).toBe(glyphs.code[i]);
      }
      expect(textOf(glyphs, 0, glyphs.length).replace(/\s/g, "")).toBe(
        points.filter((character) => !/[\s\p{Cc}]/u.test(character)).join(""),
      );
    }),
  );
});

test("the result does not depend on where a text is cut", () => {
  fc.assert(
    fc.property(anyText.chain(chunksOf), (chunks) => {
      const [whole, cut] = [read([chunks.join("")]), read(chunks)];
      for (const column of ["code", "space", "paragraph", "offset"] as const) {
        expect(cut[column].slice(0, cut.length)).toEqual(whole[column].slice(0, whole.length));
      }
    }),
  );
});

test("characters are dropped from the beginning", () => {
  const glyphs = read(["a b\n\nc"]);
  glyphs.drop(1);
  expect(textOf(glyphs, 0, glyphs.length)).toBe("b c");
  expect([...glyphs.offset.slice(0, 2), ...glyphs.paragraph.slice(0, 2)]).toEqual([2, 5, 0, 1]);
});

test("every code point has a class, and similar characters have the same one", () => {
  for (let code = 0; code <= 0x10ffff; code += 97) expect(classOf(code)).toBeLessThan(CLASSES);
  const classes = (text: string) => new Set(Array.from(text, (c) => classOf(c.codePointAt(0)!))).size;
  expect(classes("bdz\u00e9")).toBe(1);
  expect(classes("bB1.-\u4e00\u0915\u{10330}")).toBe(8);
  expect(classOf(0xd800)).not.toBe(classOf(0x61));
});
