import { buildEncoder, type EncodedSentence } from "@arcwise/core/features";
import { describe, expect, test } from "vitest";
import { LabelFeatures } from "../src/labelling/labeller-features.ts";

/** Words with lemmas of their own, all of one tag. */
function sentenceOf(lemmas: readonly string[]): EncodedSentence {
  const known = [..."abcdefgh", "z"].map((lemma) => ({ form: "w", lemma, upos: "X" }));
  const encoder = buildEncoder([known], 1);
  return encoder.encode(lemmas.map((lemma) => ({ form: "w", lemma, upos: "X" })));
}

/** The lines of the arc of word m by one template, and its codes that await a label. */
function contextsOf(template: string, lemmas: readonly string[], heads: readonly number[], m: number) {
  const features = new LabelFeatures({ arcTemplates: [], treeTemplates: [template], bits: 24, length: 8 });
  features.prepare(sentenceOf(lemmas), Int32Array.from(heads));
  features.look(m);
  const count = features.collect();
  return [...features.lines.slice(0, count), ...features.siblingCodes, ...features.headCodes];
}

describe("words that a template names", () => {
  //            word 0   1  2  3  4  5  6  7  8
  const heads = [-1, 2, 8, 4, 2, 4, 2, 6, 0];
  test.each([
    ["m.lemma", [4]],
    ["h.lemma", [2]],
    ["g.lemma", [8]],
    ["p.lemma", [1]],
    ["n.lemma", [6]],
    ["l.lemma", [3]],
    ["r.lemma", [5]],
    ["c.lemma", [3, 5]],
    ["s.lemma", [1, 6]],
    ["m-1.lemma h+1.lemma", [3]],
    ["m+2.lemma h.upos", [6]],
    ["g.lemma c.lemma", [3, 5, 8]],
    ["h.lemma p.lemma p.label", [1, 2]],
    ["m.lemma h.label", [4]],
  ])("%s of word 4 depends on %j", (template, expected) => {
    const lemmas = [..."abcdefgh"];
    const before = contextsOf(template, lemmas, heads, 4);
    expect(before.length).toBeGreaterThan(0);
    const found = lemmas.flatMap((_, i) => {
      const after = contextsOf(template, lemmas.with(i, "z"), heads, 4);
      return after.some((line, k) => line !== before[k]) ? [i + 1] : [];
    });
    expect(found).toEqual(expected);
  });

  test.each([
    ["c.lemma", 3, 0],
    ["s.lemma", 8, 0],
    ["c.lemma", 2, 3],
  ])("%s of word %i occurs as often as there is such a word", (template, m, count) => {
    expect(contextsOf(template, [..."abcdefgh"], heads, m)).toHaveLength(count);
  });

  test("words that are not there are all the same, and unlike words that are", () => {
    const [one] = contextsOf("l.lemma", ["a", "a", "a"], [-1, 0, 1, 1], 2);
    const [other] = contextsOf("l.lemma", ["a", "a", "a"], [-1, 0, 1, 1], 3);
    const [present] = contextsOf("l.lemma", ["a", "a", "a"], [-1, 0, 1, 2], 2);
    expect(one).toBe(other);
    expect(present).not.toBe(one);
  });
});

describe("shapes of the tree", () => {
  // Word 4 has the modifiers 1, 2, 3 and 5, 6, 7; word 7 has 8.
  const heads = [-1, 4, 4, 4, 0, 4, 4, 4, 7];
  const lemmas = Array.from({ length: 8 }, () => "a");
  test.each([
    ["tree.place", [1, 2, 3], [1, 2, 3]],
    ["tree.rank", [5, 6, 7], [1, 2, 3]],
    ["tree.distance", [5, 6, 7], [1, 2, 3]],
    ["tree.below", [5, 6, 7], [1, 1, 2]],
    ["tree.beside", [5, 6, 8], [1, 1, 2]],
    ["tree.turn", [4, 5, 8], [1, 2, 2]],
    ["m.lemma", [3, 5, 6], [1, 2, 2]],
    ["m.lemma p.label", [1, 2, 3], [1, 2, 2]],
    ["m.lemma p.label", [5, 6, 7], [1, 2, 2]],
  ])("%s groups the arcs of words %j as %j", (template, words, groups) => {
    const contexts = words.map((m) => contextsOf(template, lemmas, heads, m)[0]!);
    const seen = [...new Set(contexts)];
    expect(contexts.map((context) => seen.indexOf(context) + 1)).toEqual(groups);
  });
});

test("a context has a line for each label that joins it, inside the table", () => {
  const features = new LabelFeatures({ arcTemplates: [], treeTemplates: ["p.label"], bits: 10, length: 16 });
  const lines = Array.from({ length: 20 }, (_, label) => features.pairLine(12345, label));
  expect(new Set(lines).size).toBeGreaterThan(15);
  for (const line of lines) {
    expect(line % 16).toBe(0);
    expect(line).toBeLessThan(16 * 2 ** 10);
    expect(line).toBeGreaterThanOrEqual(0);
  }
});
