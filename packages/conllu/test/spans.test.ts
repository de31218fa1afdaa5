import { parseConllu, type SentenceView, sentenceFromJson, viewSentence } from "@arcwise/conllu";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { thrownBy } from "../../../tools/test-helpers.ts";
import { sentence as anySentence } from "./generators.ts";

/** A sentence of rows `ID FORM HEAD DEPREL MISC`. */
function view(rows: string, ...comments: string[]): SentenceView {
  const lines = rows.split("\n").map((row) => {
    const [id, form, head = "_", deprel = "_", misc = "_"] = row.split(" ");
    return [id, form, "_", "_", "_", "_", head, deprel, "_", misc].join("\t");
  });
  return viewSentence(parseConllu(`${[...comments, ...lines].join("\n")}\n\n`)[0]!);
}

const forms = (words: Iterable<{ form: string }>) => Array.from(words, ({ form }) => form).join(" ");

const STORM = view(
  [
    "1 The 2 det",
    "2 storm 5 nsubj",
    "3-4 didn't _ _",
    "3 did 5 aux",
    "4 n't 5 advmod",
    "5 damage 0 root",
    "6-7 au _ _",
    "6 à 8 case",
    "7 le 8 det",
    "8 toit 5 obl SpaceAfter=No",
    "9 . 5 punct",
  ].join("\n"),
  "# text = The  storm didn't damage au toit.",
);
const word = (id: number) => STORM.words[id - 1]!;

describe("a tree", () => {
  it("has a root", () => {
    expect(STORM.root).toBe(word(5));
    expect(view("1 a\n2 b").root).toBeUndefined();
  });

  it("has children before and after a word", () => {
    expect([forms(word(5).left), forms(word(5).right)]).toEqual(["storm did n't", "toit ."]);
    expect([word(1).left, word(1).right]).toEqual([[], []]);
  });

  it("has the phrase of a word: all from its first to its last word", () => {
    expect(word(2).phrase.text).toBe("The  storm");
    expect(word(8).phrase.words).toEqual(word(8).subtree);
    // Word 2 is between the words of a subtree that is not projective.
    expect(forms(view("1 a 3 x\n2 b 0 root\n3 c 2 x").words[2]!.phrase.words)).toBe("a b c");
  });

  it.each([
    [1, 8, "The storm damage toit"],
    [8, 1, "toit damage storm The"],
    [2, 5, "storm damage"],
    [1, 1, "The"],
    [7, 6, "le toit à"],
  ])("has a path from word %i to word %i", (from, to, path) => {
    expect(forms(word(from).pathTo(word(to)))).toBe(path);
  });

  it("has no path between words that nothing connects, and none to words of other sentences", () => {
    const [a, b, c] = view("1 a 2 x\n2 b 1 x\n3 c 0 root").words;
    expect(a!.pathTo(c!)).toEqual([]);
    expect(forms(a!.pathTo(b!))).toBe("a b");
    expect(thrownBy(() => a!.pathTo(word(1)))).toMatchObject({ code: "invalid-argument" });
  });
});

describe("a span", () => {
  it.each([
    [1, 2, "The  storm", "storm"],
    [3, 3, "did", "did"],
    [4, 5, "n't damage", "damage"],
    [7, 8, "au toit", "toit"],
    [8, 9, "toit.", "toit"],
    [1, 9, "The  storm didn't damage au toit.", "damage"],
    [1, 1, "The", "The"],
    // Of two words with the same depth, the first one is the head.
    [3, 4, "didn't", "did"],
  ])("of words %i to %i has its text and its head", (first, last, text, head) => {
    const span = STORM.span(first, last);
    expect([span.text, span.head.form, `${span}`]).toEqual([text, head, text]);
    expect(STORM.text.slice(span.start, span.end)).toBe(text);
    expect([...span]).toEqual(STORM.words.slice(first - 1, last));
  });

  it("takes words, and one word alone", () => {
    expect(STORM.span(word(1), word(2)).text).toBe("The  storm");
    expect(STORM.span(word(8)).text).toBe("toit");
  });

  it("is plain data in JSON", () => {
    expect(JSON.parse(JSON.stringify(STORM.span(1, 2)))).toEqual({
      text: "The  storm",
      start: 0,
      end: 10,
      head: 2,
      words: [1, 2],
    });
  });

  it.each<[unknown, unknown]>([
    [0, 1],
    [1, 10],
    [3, 2],
    [1.5, 2],
    ["1", 2],
    [undefined, undefined],
    [view("1 a").words[0], 1],
  ])("of %s to %s is refused", (first, last) => {
    const span = () => STORM.span(first as number, last as number);
    expect(thrownBy(span)).toMatchObject({ code: "invalid-argument" });
  });
});

test("words are where their text is, and tokens are the text of their words", () => {
  const parts = STORM.words.map(({ text, start, end }) => [text, STORM.text.slice(start, end)]);
  expect(parts.map(([text]) => text)).toEqual("The storm did n't damage au au toit .".split(" "));
  expect(parts.every(([text, slice]) => text === slice)).toBe(true);
  expect(STORM.tokens.map(({ text }) => text)).toEqual("The storm didn't damage au toit .".split(" "));
});

describe("compact JSON", () => {
  const parsed = view(
    "1-2 au _ _ TokenRange=100:102\n1 à 3 case\n2 le 3 det\n3 toit 0 root SpaceAfter=No|TokenRange=103:107|X=1\n4 . 3 punct TokenRange=107:108",
    "# sent_id = s1",
    "# text = au toit.",
  );

  it("has what the text and the other members do not give", () => {
    expect(parsed.toJSON({ compact: true })).toEqual({
      id: "s1",
      text: "au toit.",
      start: 100,
      tokens: [{ id: "1-2", form: "au", start: 100, end: 102 }],
      words: [
        { id: 1, form: "à", start: 100, end: 102, head: 3, deprel: "case" },
        { id: 2, form: "le", start: 100, end: 102, head: 3, deprel: "det" },
        { id: 3, form: "toit", start: 103, end: 107, head: 0, deprel: "root", misc: { X: "1" } },
        { id: 4, form: ".", start: 107, end: 108, head: 3, deprel: "punct" },
      ],
    });
  });

  it("is read back with the offsets and the white space", () => {
    const back = sentenceFromJson(parsed.toJSON({ compact: true }));
    expect(back.toConllu()).toBe(
      parsed
        .toConllu()
        .replaceAll(/\|?TokenRange=\d+:\d+/g, "")
        .replaceAll(/\t\n/g, "\t_\n"),
    );
    expect(back.words.map(({ start }) => start)).toEqual(parsed.words.map(({ start }) => start));
  });

  it("keeps comments that are more than ID and text", () => {
    const { comments } = view("1 a", "# newpar", "# text = a").toJSON({ compact: true });
    expect(comments).toEqual(["# newpar", "# text = a"]);
  });

  it("is no longer than half of the whole", () => {
    const length = (json: object) => JSON.stringify(json).length;
    expect(length(parsed.toJSON({ compact: true }))).toBeLessThan(0.55 * length(parsed.toJSON()));
  });

  it("is an option of toJSON, which JSON.stringify calls with a name", () => {
    expect(JSON.parse(JSON.stringify({ parsed }))).toEqual({ parsed: parsed.toJSON() });
    const unknown = () => parsed.toJSON({ short: true } as unknown as { compact: true });
    expect(thrownBy(unknown)).toMatchObject({ code: "unknown-option", at: "short" });
  });

  test("has the text, the columns and the offsets of any sentence", () => {
    fc.assert(
      fc.property(anySentence, (plain) => {
        const before = viewSentence(plain);
        const after = sentenceFromJson(JSON.parse(JSON.stringify(before.toJSON({ compact: true }))));
        const shown = ({ text, words }: SentenceView) => [
          text,
          words.map(({ start, end, row }) => ({ ...row, start, end, misc: "" })),
        ];
        expect(shown(after)).toEqual(shown(before));
      }),
    );
  });
});

test("views of equal sentences are equal once they have been read", () => {
  const views = [0, 1].map(() => viewSentence(parseConllu(STORM.toConllu())[0]!));
  for (const seen of views) expect(seen.words[0]!.text).toBe("The");
  expect(views[0]).toEqual(views[1]);
});
