import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { wholeTokens } from "../src/rules/whole-tokens.ts";
import { CharacterReader, textOf } from "../src/text/character-reader.ts";

function find(text: string): string[] {
  const characters = new CharacterReader();
  characters.push(text);
  characters.end();
  return wholeTokens(characters).map(({ from, end }) => textOf(characters, from, end));
}

describe("rules find", () => {
  test.each([
    ["https://docs.example.org/parser/ et", "https://docs.example.org/parser/"],
    ["(see www.exemple.fr/a?b=c#d).", "www.exemple.fr/a?b=c#d"],
    ["HTTP://A.ORG/x, ftp://b.c/d;", "HTTP://A.ORG/x ftp://b.c/d"],
    ["https://en.wikipedia.org/wiki/Tree_(graph).", "https://en.wikipedia.org/wiki/Tree_(graph)"],
    ["https://fr.wikipedia.org/wiki/Été!", "https://fr.wikipedia.org/wiki/Été"],
    ["<http://a.org>", "http://a.org"],
    ["http://localhost:8080/x?", "http://localhost:8080/x"],
    ["example.com, a-b.co.uk/c and x.org.", "example.com a-b.co.uk/c x.org"],
    ["请看https://example.com/a。好", "https://example.com/a"],
    ["e\u0301.fr/e\u0301 www.e\u0301.fr", "e\u0301.fr/e\u0301 www.e\u0301.fr"],
    ["jean.durand@exemple.fr, mailto:a+b@c-d.org.", "jean.durand@exemple.fr mailto:a+b@c-d.org"],
    ["<x_y@z.com>", "x_y@z.com"],
    ["@anna_b: (@bob) @al@b.social", "@anna_b @bob @al@b.social"],
    ["#winter2024, #été #2fast", "#winter2024 #été #2fast"],
    [":) ok :-( ;) ;-P :D. =) :'( :)))", ":) :-( ;) ;-P :D =) :'( :)))"],
    ["<3 ^_^ o_O -_- ¯\\_(ツ)_/¯ (:", "<3 ^_^ o_O -_- ¯\\_(ツ)_/¯ (:"],
    ["ok!:)", ":)"],
    ["exemple.fr, EXAMPLE.COM. x.org:8080/y", "exemple.fr EXAMPLE.COM x.org:8080/y"],
    ["http://\u4f8b\u3048.jp/a, https://\u4f8b\u3048.jp", "http://\u4f8b\u3048.jp/a https://\u4f8b\u3048.jp"],
    ["mailto:a@b.org?subject=hi.", "mailto:a@b.org?subject=hi"],
    [".@anna said", "@anna"],
    ["#\u30bf\u30b0 \uff03tag \uff20anna", "#\u30bf\u30b0 \uff03tag \uff20anna"],
    [">:( >:-)", ">:( >:-)"],
  ])("%s", (text, expected) => {
    expect(find(text).join(" ")).toBe(expected);
  });

  test.each([
    "at 5:30 @ 2.50 #1 # 2",
    "it.I said.Now U.S.A. e.g. and/or Mr.Smith",
    "a:b (see below:) list:D 3:3 http:// www. a@b @1",
    "x<3 <30 8:8 Node.js readme.md",
    "C# F%#king &#39; a#b",
  ])("nothing in %s", (text) => {
    expect(find(text)).toEqual([]);
  });
});

test("spans are ascending and disjoint, of any text", () => {
  const pieces = fc.constantFrom(..."a1.@#:/-_)(;<3 D", "www.", "http://", "com", "é", "東", "👍🏽");
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (text) => {
      const characters = new CharacterReader();
      characters.push(text.join(""));
      characters.end();
      let covered = 0;
      for (const { from, end } of wholeTokens(characters)) {
        expect(from).toBeGreaterThanOrEqual(covered);
        expect(end).toBeGreaterThan(from);
        covered = end;
      }
      expect(covered).toBeLessThanOrEqual(characters.length);
    }),
  );
});

test.each(["a.", "a-", "a@", "@a", "#1", "www.a(", "a+a:", "[", "a.b/", ":("])(
  "the time for %j again and again is linear",
  (piece) => {
    const time = (length: number) => {
      const characters = new CharacterReader();
      characters.push(piece.repeat(length / piece.length));
      characters.end();
      const start = process.cpuUsage();
      wholeTokens(characters);
      return process.cpuUsage(start).user / 1000;
    };
    time(2 ** 14);
    expect(time(2 ** 17)).toBeLessThan(2000);
  },
);
