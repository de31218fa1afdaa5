import {
  ConlluError,
  type ConlluSentence,
  parseConllu,
  partialTree,
  sentenceId,
  sentenceText,
  sentenceTree,
  sentenceWords,
  type WordRow,
  withTree,
} from "@arcwise/conllu";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { thrownBy } from "../../../tools/test-helpers.ts";
import { EXAMPLE, SMALL } from "./example.ts";
import { sentence } from "./generators.ts";

/** A sentence of words with these heads, `_` for a missing one, and labels. */
function withHeads(heads: readonly number[]): ConlluSentence {
  const rows = heads.map((head, i): WordRow => {
    const rest = { lemma: "_", upos: "_", xpos: "_", feats: "_", deps: "_", misc: "_" };
    return { kind: "word", id: i + 1, form: "a", head, deprel: `l${i + 1}`, ...rest };
  });
  return { comments: ["# sent_id = t"], rows, line: 10 };
}

/** Returns whether heads lead from every word to the root, by the definition. */
function isTree(heads: readonly number[]): boolean {
  return heads.every((_, i) => {
    let word = i + 1;
    for (let steps = 0; steps <= heads.length && word !== 0; steps++) word = heads[word - 1] ?? -1;
    return word === 0;
  });
}

describe("sentenceWords", () => {
  it("omits ranges and empty nodes", () => {
    const [read] = parseConllu(EXAMPLE);
    expect(sentenceWords(read!).map((word) => word.form)).toEqual("Vamos nos a el mar , ¿ y tú ?".split(" "));
  });

  it.each([
    ["a", "_", ""],
    ["_", "_", "_"],
    ["_", "a", "a"],
    ["a", "b", "b"],
  ])("form %s with lemma %s has the lemma %j", (form, lemma, expected) => {
    const [read] = parseConllu(`1\t${form}\t${lemma}\t_\t_\t_\t0\troot\t_\t_\n\n`);
    expect(sentenceWords(read!)).toEqual([{ form, lemma: expected, upos: "", xpos: "", feats: "" }]);
  });

  it("returns tags and features as text", () => {
    const [read] = parseConllu(SMALL);
    expect(sentenceWords(read!)[0]).toEqual({
      form: "Dogs",
      lemma: "dog",
      upos: "NOUN",
      xpos: "NNS",
      feats: "Number=Plur",
    });
  });
});

describe("sentenceTree", () => {
  it("has the root at position 0 and words from 1", () => {
    const tree = sentenceTree(parseConllu(SMALL)[0]!);
    expect(tree).toEqual({ heads: Int32Array.of(-1, 2, 0), labels: ["", "nsubj", "root"] });
  });

  it.each([
    ["invalid-head", 13, [2, 0, -1]],
    ["unknown-head", 12, [2, 4, 0]],
    ["unknown-head", 12, [2, 1.5, 0]],
    ["unknown-head", 12, [2, Number.NaN, 0]],
    ["head-self-loop", 12, [0, 2, 1]],
    ["non-tree", 12, [0, 3, 4, 2]],
    ["non-tree", 11, [2, 3, 1]],
  ])("refuses by the rule %s, on line %i, the heads %j", (rule, line, heads) => {
    const error = thrownBy(() => sentenceTree(withHeads(heads)));
    expect(error).toBeInstanceOf(ConlluError);
    expect(error).toMatchObject({ rule, line, sentence: "t" });
  });

  it("accepts exactly the heads that lead to the root", () => {
    const heads = fc
      .integer({ min: 1, max: 6 })
      .chain((n) => fc.array(fc.integer({ min: 0, max: n }), { minLength: n, maxLength: n }));
    fc.assert(
      fc.property(heads, (heads) => {
        const error = thrownBy(() =>
          expect([...sentenceTree(withHeads(heads)).heads]).toEqual([-1, ...heads]),
        );
        if (isTree(heads)) expect(error).toBeUndefined();
        else expect(error).toBeInstanceOf(ConlluError);
      }),
      { numRuns: 1000 },
    );
  });

  it("accepts a chain of 100,000 words, and finds the cycle when its ends are joined", () => {
    const chain = Array.from({ length: 100_000 }, (_, i) => (i + 2) % 100_001);
    expect(sentenceTree(withHeads(chain)).heads[100_000]).toBe(0);
    chain[99_999] = 1;
    expect(thrownBy(() => sentenceTree(withHeads(chain)))).toMatchObject({ rule: "non-tree" });
  });
});

describe("partialTree", () => {
  it.each([[[2, 0, -1]], [[-1, -1, -1]], [[2, 0, 2]], [[3, -1, 2]]])(
    "has the head -1 where HEAD is `_`: %j",
    (heads) => {
      expect([...partialTree(withHeads(heads)).heads]).toEqual([-1, ...heads]);
    },
  );

  it.each([
    ["unknown-head", [-1, 4, 0]],
    ["non-tree", [-1, 3, 2]],
    ["head-self-loop", [-1, 2, -1]],
  ])("refuses by the rule %s the heads %j", (rule, heads) => {
    expect(thrownBy(() => partialTree(withHeads(heads)))).toMatchObject({ rule });
  });
});

describe("withTree", () => {
  it("replaces HEAD and DEPREL, and leaves out the graph, in a copy", () => {
    fc.assert(
      fc.property(sentence, (original) => {
        const before = structuredClone(original);
        const n = sentenceWords(original).length;
        const heads = Int32Array.from({ length: n + 1 }, (_, m) => m - 1);
        const labels = Array.from({ length: n + 1 }, (_, m) => (m < 2 ? "" : `l${m}`));
        const changed = withTree(original, { heads, labels });
        expect(original).toEqual(before);
        expect(sentenceTree(changed)).toEqual({ heads, labels });
        const hasGraph = original.rows.some((row) => row.kind === "word" && row.deps !== "_");
        const kept = original.rows.filter((row) => row.kind !== "empty" || !hasGraph);
        expect(changed.rows).toHaveLength(kept.length);
        for (const [i, row] of changed.rows.entries()) {
          const old = kept[i]!;
          if (row.kind !== "word" || old.kind !== "word") expect(row).toEqual(old);
          else expect(row).toEqual({ ...old, head: row.head, deprel: row.deprel, deps: "_" });
        }
        expect(changed.comments).toEqual(original.comments);
      }),
    );
  });

  it("keeps empty nodes of which no word's DEPS speak, and the offset in the text", () => {
    const rows = "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n1.1\tb\t_\t_\t_\t_\t_\t_\t1:obj\tGloss=c\n\n";
    const sentence = { ...parseConllu(rows)[0]!, start: 7 };
    const parsed = withTree(sentence, { heads: Int32Array.of(-1, 0), labels: ["", "root"] });
    expect(parsed.rows[1]).toEqual(sentence.rows[1]);
    expect(parsed.start).toBe(7);
  });

  it("shares no array and no row with the sentence", () => {
    const [read] = parseConllu(EXAMPLE);
    const heads = Int32Array.from({ length: 11 }, (_, m) => m - 1);
    const copy = withTree(read!, { heads, labels: new Array(11).fill("x") });
    for (const row of copy.rows) row.form = "changed";
    copy.comments.push("# more");
    expect(read).toEqual(parseConllu(EXAMPLE)[0]);
  });

  it.each([
    [
      [-1, 0],
      ["", "root"],
    ],
    [
      [-1, 0, 3],
      ["", "a", "b"],
    ],
    [
      [-1, 0, -1],
      ["", "a", "b"],
    ],
    [
      [-1, 0, 1],
      ["", "a"],
    ],
  ])("refuses heads %j and labels %j for two words", (heads, labels) => {
    const [read] = parseConllu(SMALL);
    expect(() => withTree(read!, { heads: Int32Array.from(heads), labels })).toThrow(
      expect.objectContaining({ code: "invalid-argument" }),
    );
  });
});

describe("comments", () => {
  it.each([
    ["# sent_id = a", "a"],
    ["#sent_id=a = b ", "a = b"],
    ["# sent_id", undefined],
    ["# my sent_id = a", undefined],
    ["# sent_id2 = a", undefined],
  ])("%j gives the ID %j", (comment, id) => {
    expect(sentenceId({ comments: ["# x", comment], rows: [], line: 0 })).toBe(id);
  });

  it("have no text without a comment for it", () => {
    expect(sentenceText({ comments: [], rows: [], line: 0 })).toBeUndefined();
  });
});
