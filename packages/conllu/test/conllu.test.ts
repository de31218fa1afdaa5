import {
  ConlluError,
  parseConllu,
  type Row,
  sentenceId,
  sentenceText,
  writeConllu,
  writeSentence,
} from "@arcwise/conllu";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { thrownBy } from "../../../tools/test-helpers.ts";
import { EXAMPLE, SMALL } from "./example.ts";
import { placeless, sentence } from "./generators.ts";

const ROW = "1	a	_	_	_	_	0	root	_	_";

describe("parseConllu", () => {
  it("reads comments, words, ranges and empty nodes in their order", () => {
    const [read] = parseConllu(EXAMPLE);
    expect(read!.comments).toHaveLength(3);
    expect(read!.rows.map((row) => row.kind)).toEqual(
      "range word word range word word word word word word empty word word".split(" "),
    );
    expect(read!.rows[6]).toEqual({
      kind: "word",
      id: 5,
      form: "mar",
      lemma: "mar",
      upos: "NOUN",
      xpos: "_",
      feats: "Gender=Masc|Number=Sing",
      head: 1,
      deprel: "obl",
      deps: "1:obl:a|8.1:obl:a",
      misc: "SpaceAfter=No",
    });
    expect(read!.rows[10]).toMatchObject({ kind: "empty", after: 8, index: 1, form: "vas" });
    expect(read!.rows[3]).toMatchObject({ kind: "range", first: 3, last: 4, form: "al" });
    expect(sentenceId(read!)).toBe("d1-1");
    expect(sentenceText(read!)).toBe("Vámonos al mar, ¿y tú?");
  });

  it("records the line on which each sentence starts", () => {
    expect(parseConllu(EXAMPLE + SMALL).map((read) => read.line)).toEqual([1, 18]);
  });

  it.each(["", "\n\n\n", "\ufeff"])("reads no sentence from %j", (text) => {
    expect(parseConllu(text)).toEqual([]);
  });

  it.each([
    ["a byte-order mark", `\ufeff${SMALL}`],
    ["CR LF", SMALL.replaceAll("\n", "\r\n")],
    ["no final blank line", SMALL.slice(0, -1)],
    ["no final newline", SMALL.slice(0, -2)],
    ["surplus blank lines", `\n${SMALL}\n\n`],
  ])("forgives %s", (_, text) => {
    expect(parseConllu(text).map(placeless)).toEqual(parseConllu(SMALL).map(placeless));
  });

  it("treats no other character as a line end or a tab", () => {
    const text = `# \u2028\u0085\v\f\n${ROW.replace("a", "a\u2028b\u0085c\vd\u00a0e")}\n\n`;
    expect(writeConllu(parseConllu(text))).toBe(text);
  });

  it.each([
    ["number-of-columns", 1, "9 columns", ROW.slice(0, -2)],
    ["number-of-columns", 1, "11 columns", `${ROW}\t_`],
    ["number-of-columns", 1, "spaces for tabs", ROW.replaceAll("\t", "    ")],
    ["empty-column", 1, "an empty column", ROW.replace("a", "")],
    ["pseudo-empty-line", 2, "spaces on a blank line", `${ROW}\n  \n`],
    ["invalid-word-id", 1, "ID 0", ROW.replace("1", "0")],
    ["invalid-word-id", 1, "ID 01", ROW.replace("1", "01")],
    ["invalid-word-id", 1, "ID 1e0", ROW.replace("1", "1e0")],
    ["invalid-word-id", 1, "ID with a space", ROW.replace("1", "1 ")],
    ["invalid-word-id", 1, "an ID of 300 digits", ROW.replace("1", "9".repeat(300))],
    ["invalid-word-id", 1, "ID 1-", ROW.replace("1", "1-")],
    ["invalid-word-id", 1, "ID 0-1", ROW.replace("1", "0-1")],
    ["invalid-word-id", 1, "ID 1.0", ROW.replace("1", "1.0")],
    ["invalid-word-id", 1, "ID 1-2-3", ROW.replace("1", "1-2-3")],
    ["word-id-sequence", 1, "a first word 2", ROW.replace("1", "2")],
    ["word-id-sequence", 2, "the same word twice", `${ROW}\n${ROW}`],
    ["misplaced-word-interval", 2, "a range after its word", `${ROW}\n1-2	a	_	_	_	_	_	_	_	_`],
    [
      "reversed-word-interval",
      1,
      "a range that ends before it starts",
      `2-1	a	_	_	_	_	_	_	_	_\n${ROW}`,
    ],
    [
      "word-interval-out",
      1,
      "a range over more words than there are",
      `1-2	a	_	_	_	_	_	_	_	_\n${ROW}`,
    ],
    [
      "overlapping-word-intervals",
      3,
      "ranges that overlap",
      `1-2	a	_	_	_	_	_	_	_	_\n${ROW}\n2-3	a	_	_	_	_	_	_	_	_\n2${ROW.slice(1)}\n3${ROW.slice(1)}`,
    ],
    [
      "misplaced-empty-node",
      1,
      "an empty node before its word",
      `1.1	a	_	_	_	_	_	_	0:root	_\n${ROW}`,
    ],
    [
      "misplaced-empty-node",
      2,
      "a second empty node without a first",
      `${ROW}\n1.2	a	_	_	_	_	_	_	0:root	_`,
    ],
    ["invalid-head", 1, "HEAD -1", ROW.replace("\t0\t", "\t-1\t")],
    ["invalid-head", 1, "HEAD 1.1", ROW.replace("\t0\t", "\t1.1\t")],
    ["invalid-head", 1, "HEAD root", ROW.replace("\t0\t", "\troot\t")],
    ["invalid-head", 1, "a HEAD beyond all words", ROW.replace("\t0\t", "\t4294967297\t")],
    ["mwt-nonempty-field", 1, "a HEAD in a range", `1-1	a	_	_	_	_	0	_	_	_\n${ROW}`],
    ["misplaced-comment", 2, "a comment after a row", `${ROW}\n# late`],
    ["empty-sentence", 1, "comments alone", "# sent_id = x\n\n"],
    ["empty-sentence", 1, "an empty node alone", "0.1	a	_	_	_	_	_	_	0:root	_"],
    ["control-character", 1, "NUL", ROW.replace("a", "\0")],
    ["control-character", 1, "NUL in a comment", `# \0\n${ROW}`],
    ["control-character", 1, "UTF-16 read as UTF-8", ROW.split("").join("\0")],
    ["control-character", 1, "old Macintosh line ends", `${ROW}\r\r${ROW}`],
    ["line-length", 1, "a line of 10 MB", ROW.replace("a", "a".repeat(10_000_000))],
    ["line-length", 2, "a last line of 10 MB", `\n# ${"a".repeat(10_000_000)}`],
    ["sentence-length", 17, "a sentence of 17 MB", `# ${"a".repeat(1_000_000)}\n`.repeat(17)],
  ])("refuses by the rule %s, on line %i: %s", (rule, line, _, text) => {
    const error = thrownBy(() => parseConllu(text, { file: "f.conllu" }));
    expect(error).toBeInstanceOf(ConlluError);
    expect(error).toMatchObject({
      name: "ConlluError",
      file: "f.conllu",
      rule,
      line,
      sentence: rule === "empty-sentence" && text.includes("sent_id") ? "x" : "",
    });
    expect((error as ConlluError).message.length).toBeLessThan(400);
  });

  it("reports file, line, sentence, rule, what was expected and what was found", () => {
    const error = thrownBy(() => parseConllu(SMALL.replace("\t0\t", "\tx\t"), { file: "a.conllu" }));
    expect(error).toMatchObject({
      line: 4,
      sentence: "s1",
      rule: "invalid-head",
      expected: "a number or _",
      found: '"x"',
    });
    expect((error as Error).message).toBe(
      'a.conllu:4: sentence s1: HEAD is a number (invalid-head): expected a number or _, found "x"',
    );
  });

  it("does not mix up columns when the hashes of shared strings collide", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[ab]{1,6}$/), { minLength: 2, maxLength: 200 }), (forms) => {
        const text = forms.map((form, i) => ROW.replace("1", `${i + 1}`).replace("a", form)).join("\n");
        expect(parseConllu(text)[0]!.rows.map((row) => row.form)).toEqual(forms);
      }),
      { numRuns: 30 },
    );
  });
});

describe("writeConllu", () => {
  it("writes the text that was read", () => {
    expect(writeConllu(parseConllu(EXAMPLE + SMALL))).toBe(EXAMPLE + SMALL);
  });

  it("writes text that is read as the same sentences, and written as the same text", () => {
    fc.assert(
      fc.property(fc.array(sentence, { maxLength: 4 }), (sentences) => {
        const text = writeConllu(sentences);
        const read = parseConllu(text);
        expect(read.map(placeless)).toEqual(sentences);
        expect(writeConllu(read)).toBe(text);
      }),
    );
  });

  it.each([
    ["control-character", { form: "a\tb" }],
    ["control-character", { misc: "a\n" }],
    ["control-character", { misc: "a\r" }],
    ["control-character", { lemma: "\0" }],
    ["empty-column", { upos: "" }],
    ["invalid-head", { head: 1.5 }],
    ["invalid-head", { head: -2 }],
    ["invalid-head", { head: Number.NaN }],
    ["word-id-sequence", { id: 3 }],
  ])("refuses by the rule %s a row with %j", (rule, change) => {
    const [read] = parseConllu(SMALL);
    const rows = [{ ...read!.rows[0]!, ...change } as Row, read!.rows[1]!];
    expect(thrownBy(() => writeSentence({ ...read!, rows }))).toMatchObject({
      rule,
      sentence: "s1",
      line: 3,
    });
  });

  it.each(["no hash", "# two\nlines", "# cr\r"])("refuses the comment %j", (comment) => {
    const [read] = parseConllu(SMALL);
    expect(() => writeSentence({ ...read!, comments: [comment] })).toThrow(ConlluError);
  });

  it("refuses a sentence without words", () => {
    expect(thrownBy(() => writeSentence({ comments: [], rows: [], line: 0 }))).toMatchObject({
      rule: "empty-sentence",
    });
  });
});

describe("hostile input", () => {
  const survives = (text: string) => {
    const error = thrownBy(() => {
      const read = parseConllu(text);
      expect(parseConllu(writeConllu(read)).map(placeless)).toEqual(read.map(placeless));
    });
    if (error !== undefined) expect(error).toBeInstanceOf(ConlluError);
  };

  it("is read or refused: any string", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), survives));
    const pieces = fc.constantFrom(
      "\t",
      "\n",
      "\r\n",
      "#",
      "1",
      "2",
      "0",
      "-",
      ".",
      "_",
      "a",
      " ",
      "\0",
      "\ufeff",
      ROW,
    );
    fc.assert(fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => survives(parts.join(""))));
  });
});
