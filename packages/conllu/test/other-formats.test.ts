import {
  parseConll2009,
  parseConllX,
  readConll2009,
  readConllX,
  writeConll2009,
  writeConllX,
} from "@arcwise/conllu";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collected, thrownBy } from "../../../tools/test-helpers.ts";
import type { Conll2009Sentence } from "../src/conll2009.ts";
import type { ConllXSentence } from "../src/conllx.ts";
import { column, comments, placeless, textColumns } from "./generators.ts";

const X = `1	Cathy	Cathy	N	N	eigen|ev|neut	2	su	2	su
2	zag	zie	V	V	trans|ovt|1of2of3	0	ROOT	0	ROOT
3	hen	hen	Pron	Pron	per|3|mv|datofacc	2	obj1	_	_

1	Ja	_	Adv	Adv	_	0	ROOT	_	_

`;

const C2009 = `1	The	the	teh	DT	DTX	a=1	a=2	2	3	NMOD	DEP	_	_	_	A1
2	plan	plan	plan	NN	NN	_	_	3	3	SBJ	SBJ	Y	plan.01	A0	A2
3	works	work	work	VBZ	VBZ	_	_	0	0	ROOT	ROOT	Y	work.01	_	_

1	Yes	yes	yes	UH	UH	_	_	0	_	ROOT	_	_	_

`;

const head = fc.integer({ min: -1, max: 9 });

/** Sentences whose rows have two heads, these columns of text, and the same number of further ones. */
function sentences<S extends ConllXSentence | Conll2009Sentence>(
  names: string,
  list?: string,
): fc.Arbitrary<S> {
  const sized = (size: number) => {
    const others = list && { [list]: fc.array(column, { minLength: size, maxLength: size }) };
    const row = fc.tuple(textColumns(names), fc.record({ head, phead: head, ...others }));
    const rows = fc.array(row, { minLength: 1, maxLength: 6 });
    return fc.record({
      comments,
      rows: rows.map((all) => all.map(([texts, more], i) => ({ ...texts, ...more, id: i + 1 }))),
      line: fc.constant(0),
    });
  };
  return fc.nat(3).chain(sized) as never;
}

const xSentence = sentences<ConllXSentence>("form lemma cpostag postag feats deprel pdeprel");
const sentence2009 = sentences<Conll2009Sentence>(
  "form lemma plemma pos ppos feat pfeat deprel pdeprel fillpred pred",
  "apreds",
);

describe("CoNLL-X", () => {
  it("is written as it was read", async () => {
    const read = parseConllX(X);
    expect(writeConllX(read)).toBe(X);
    expect(await collected(readConllX([X.slice(0, 50), X.slice(50)]))).toEqual(read);
    expect(read[1]!.line).toBe(5);
  });

  it("keeps every sentence through writing and reading", () => {
    fc.assert(
      fc.property(fc.array(xSentence, { maxLength: 3 }), (sentences) => {
        expect(parseConllX(writeConllX(sentences)).map(placeless)).toEqual(sentences);
      }),
    );
  });

  it.each([
    ["number-of-columns", "1\ta\t_\t_\t_\t_\t0\tROOT\n"],
    ["invalid-word-id", "1-2\ta\t_\t_\t_\t_\t0\tROOT\t_\t_\n"],
    ["word-id-sequence", "2\ta\t_\t_\t_\t_\t0\tROOT\t_\t_\n"],
    ["invalid-head", "1\ta\t_\t_\t_\t_\tx\tROOT\t_\t_\n"],
    ["invalid-head", "1\ta\t_\t_\t_\t_\t0\tROOT\tx\t_\n"],
    ["empty-column", "1\ta\t\t_\t_\t_\t0\tROOT\t_\t_\n"],
    ["empty-sentence", "# alone\n"],
  ])("refuses by the rule %s: %j", (rule, text) => {
    expect(thrownBy(() => parseConllX(text))).toMatchObject({ name: "ConlluError", rule, line: 1 });
  });
});

describe("CoNLL-2009", () => {
  it("is written as it was read", async () => {
    const read = parseConll2009(C2009);
    expect(writeConll2009(read)).toBe(C2009);
    expect(await collected(readConll2009([C2009.slice(0, 90), C2009.slice(90)]))).toEqual(read);
    expect(read[0]!.rows[1]).toMatchObject({ fillpred: "Y", pred: "plan.01", apreds: ["A0", "A2"] });
    expect(read[1]!.rows[0]).toMatchObject({ phead: -1, apreds: [] });
  });

  it("keeps every sentence through writing and reading", () => {
    fc.assert(
      fc.property(fc.array(sentence2009, { maxLength: 3 }), (sentences) => {
        expect(parseConll2009(writeConll2009(sentences)).map(placeless)).toEqual(sentences);
      }),
    );
  });

  it("refuses rows of one sentence with different numbers of columns", () => {
    const [first, second] = C2009.split("\n");
    const text = `${first}\n${second!.slice(0, second!.lastIndexOf("\t"))}\n\n`;
    expect(thrownBy(() => parseConll2009(text))).toMatchObject({
      rule: "number-of-columns",
      line: 2,
      expected: "16 tab-separated columns",
    });
    const [read] = parseConll2009(C2009);
    read!.rows[2]!.apreds.pop();
    expect(thrownBy(() => writeConll2009([read!]))).toMatchObject({ rule: "number-of-columns", line: 3 });
  });

  it("refuses rows with fewer than the fixed columns", () => {
    expect(thrownBy(() => parseConll2009("1\ta\t_\n"))).toMatchObject({
      rule: "number-of-columns",
      expected: "at least 14 tab-separated columns",
    });
  });
});
