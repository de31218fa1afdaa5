import { describe, expect, test } from "vitest";
import { paragraphsOf } from "../src/analysis.ts";
import { attachMarks } from "../src/rules/closing-marks.ts";
import { listMarkers } from "../src/rules/list-items.ts";
import { unspacedEnds } from "../src/rules/unspaced-marks.ts";
import { CharacterReader, textOf } from "../src/text/character-reader.ts";

function read(text: string): CharacterReader {
  const characters = new CharacterReader();
  characters.push(text);
  characters.end();
  return characters;
}

/** Returns a text with | at the chosen ends of tokens without a space. */
function withEnds(text: string, isShown: (end: ReturnType<typeof unspacedEnds>[number]) => boolean): string {
  const characters = read(text);
  const ends = new Set(
    unspacedEnds(characters)
      .filter(isShown)
      .map(({ end }) => end),
  );
  const shown = Array.from({ length: characters.length }, (_, i) => {
    const space = characters.space[i] === 0 || i === 0 ? "" : " ";
    return `${space}${ends.has(i) ? "|" : ""}${textOf(characters, i, i + 1)}`;
  });
  return shown.join("");
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
    ["\uff11. x\n\uff12\uff0e y", "\uff11. |\uff12\uff0e"],
    ["\u2460 x\n\u2461 y", "\u2460 |\u2461"],
    ["\u2474 x\n\u2475 y", "\u2474 |\u2475"],
    ["1.\nmilk\n2.\neggs", "1. |2."],
    ["\uff11\uff0e\u308a\u3093\u3054\n\uff12\uff0e\u307f\u304b\u3093", "\uff11\uff0e |\uff12\uff0e"],
    ["\u2460\u308a\u3093\u3054\u3092\u98df\u3079\u308b\u4eba\u304c\u3044\u308b\u3002", "\u2460"],
    ["1\u00b0 x\n2\u00b0 y", "1\u00b0 |2\u00b0"],
    ["1\u00b0 x\ny", ""],
    ["1.- x\n2.- y", "1.- |2.-"],
    ["1\u00ba x\n2\u00ba y", "1\u00ba |2\u00ba"],
    ["1\u00b0) x\n2\u00b0) y", "1\u00b0) |2\u00b0)"],
    ["1: x\n2: y", "1: |2:"],
    ["1/ x\n2/ y", "1/ |2/"],
    ["#1 x\n#2 y", "#1 |#2"],
    ["\u2192 x\n\u2192 y", "\u2192 |\u2192"],
    ["\u2713 x\n\u2717 y\n\u2713 z", "\u2713 |\u2717 |\u2713"],
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
    "3: so\nit goes",
    "a\n\u2192 b",
    "one 1. two",
    "milk\n1.",
    "-ing\n-ed",
  ])("none in %j", (text) => {
    expect(find(text)).toBe("");
  });
});

test.each([
  ["I like \u{1F1F5}\u{1F1F1}.", "I like \u{1F1F5}\u{1F1F1}|."],
  ["ok\u{1F44D}\u{1F3FD}! Next", "ok|\u{1F44D}\u{1F3FD}|! Next"],
  ["1\ufe0f\u20e3: go", "1\ufe0f\u20e3|: go"],
  ["\u{1F600}\u{1F600}", "\u{1F600}\u{1F600}"],
  ["Go!Now", "Go|!|Now"],
  ["it?I am", "it|?|I am"],
  ["Y!A", "Y!A"],
  ["„Gut!“ rief", "„|Gut|!|“ rief"],
  ["»Ja!« (“no”)", "»|Ja|!|« (|“|no|”|)"],
  ["a?b=C", "a?b=C"],
  ["\u00a92020 \u2122.", "\u00a92020 \u2122."],
  ["one, two,", "one|, two|,"],
  ["1,5 a,b", "1,5 a,b"],
  ["Wait\u2026 so\u2026on", "Wait|\u2026 so|\u2026|on"],
  ["a\u2014b \u2014 c", "a|\u2014|b \u2014 c"],
  ["one--two -- a-b", "one|--|two -- a-b"],
  ["well...Then etc... so", "well|...|Then etc|... so"],
  ["ab...@c.org", "ab...@c.org"],
  ["left.She", "left|.|She"],
  ["Ann.Lee Mary.Ellen", "Ann.Lee Mary.Ellen"],
  ["left.I said", "left|.|I said"],
  ["it.Is", "it.Is"],
  ["e.g.this (i.e.that), a.k.a.Al.", "e.g.|this (i.e.|that), a.k.a.|Al."],
  ["e.g. so i.e.", "e.g. so i.e."],
  ["a.b.size() a.b.host/x U.S.army d.h.s m.in.", "a.b.size() a.b.host/x U.S.army d.h.s m.in."],
  ["file.TXT Node.js Mr.Smith U.S.Army", "file.TXT Node.js Mr.Smith U.S.Army"],
])("token ends without a space: %j", (text, expected) => {
  expect(withEnds(text, () => true)).toBe(expected);
});

test.each([
  ['It was "Ok".(Yes.)Next', 'It was "Ok".|(Yes.)|Next'],
  ["good.(Yes, good!)Next", "good.|(Yes, good!)|Next"],
  ["(It rained.)Then it stopped.", "(It rained.)|Then it stopped."],
  ["Go! (It rained.)Then", "Go! (It rained.)|Then"],
  ["good.(It rained.) Then", "good.|(It rained.) Then"],
  ["et al.(Eds.)The Inc.(Nasdaq)", "et al.(Eds.)The Inc.(Nasdaq)"],
  ["dept.(Main) no.(yes.)Ok f(X.)Y etc. (so.)It", "dept.(Main) no.(yes.)Ok f(X.)Y etc. (so.)It"],
  ["good.(A (b) c.)Next", "good.(A (b) c.)Next"],
])("sentence ends without a space: %j", (text, expected) => {
  expect(withEnds(text, ({ endsSentence }) => endsSentence)).toBe(expected);
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
    ["Anne dit : « | Bonjour !", "Anne dit : | « Bonjour !"],
    ["Anne dit : « | Bonjour ! | » | Paul", "Anne dit : | « Bonjour ! » | Paul"],
    ["see ( | below ) .", "see | ( below ) ."],
    ["» | Viens ! | « dit-il . | » Non . | «", "» Viens ! « | dit-il . | » Non . «"],
    ["› | Viens ! | ‹ | Paul | dit", "› Viens ! ‹ | Paul | dit"],
    ["Fin . | » Il partit . | « Ah ! | » | Paul", "Fin . » | Il partit . | « Ah ! » | Paul"],
    ['he said " | ~go', 'he said " | go'],
    ['he said "~| go', 'he said | " go'],
    ["Wort~« | Und", "Wort « | Und"],
    ["dit : «", "dit : «"],
    ["he left. | 「 | yes 」", "he left. | 「 yes 」"],
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
