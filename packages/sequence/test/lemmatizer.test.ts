import type { Sentence, Word } from "@arcwise/core";
import { emptyHash, hashWith } from "@arcwise/core/features";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { LemmaCandidates } from "../src/lemmas/lemma-candidates.ts";
import { type LemmaEdit, lemmaEdit } from "../src/lemmas/lemma-edit.ts";
import { LemmaLexicon, TextMap } from "../src/lemmas/lemma-lexicon.ts";
import type { LemmaModel } from "../src/lemmas/lemma-model.ts";
import { trainLemmas } from "../src/lemmas/lemma-training.ts";
import { Lemmatizer } from "../src/lemmas/lemmatizer.ts";

function apply(form: string, { lower, begin, end }: LemmaEdit): string {
  const base = lower ? form.toLowerCase() : form;
  expect(base.startsWith(begin.cut) && base.endsWith(end.cut)).toBe(true);
  return begin.add + base.slice(begin.cut.length, base.length - end.cut.length) + end.add;
}

describe("an edit", () => {
  test.each([
    ["dogs", "dog", "", "", "s", "", false],
    ["tried", "try", "", "", "ied", "y", false],
    ["The", "the", "", "", "", "", true],
    ["Dogs", "dog", "", "", "s", "", true],
    ["gasaiƕaina", "ga-saiƕan", "ga", "ga-", "ina", "n", false],
    ["meghatározott", "meg+határozik", "meg", "meg+", "ott", "ik", false],
  ])("%s -> %s", (form, lemma, cutBegin, addBegin, cutEnd, addEnd, lower) => {
    const begin = { cut: cutBegin, add: addBegin };
    expect(lemmaEdit(form, lemma)).toEqual({ lower, begin, end: { cut: cutEnd, add: addEnd } });
  });

  test("gives back every lemma that shares a letter with its form", () => {
    const unit = fc.constantFrom("a", "b", "A", "B", "İ", "ß", "\u{1F600}");
    const strings = fc.string({ minLength: 1, maxLength: 8, unit });
    fc.assert(
      fc.property(strings, strings, (form, lemma) => {
        const edit = lemmaEdit(form, lemma);
        if (edit === undefined) expect(lemma.startsWith(form.slice(0, 1))).toBe(false);
        else expect(apply(form, edit)).toBe(lemma);
      }),
    );
  });
});

const STEMS = ["walk", "talk", "bark", "look", "play", "jump", "ask", "help", "want", "work", "need", "end"];
const FORMS: readonly (readonly [string, string])[] = [
  ["", "VerbForm=Inf"],
  ["s", "Tense=Pres"],
  ["ed", "Tense=Past"],
  ["ing", "VerbForm=Ger"],
];
const verb = (stem: string, [suffix, feats]: readonly [string, string]): Word => ({
  form: stem + suffix,
  upos: "VERB",
  feats,
  lemma: stem,
});
const noun = (form: string, lemma: string): Word => ({ form, upos: "NOUN", feats: "", lemma });
/** Regular verbs, one of which ends with e, and irregular words. */
const sentences: Sentence[] = [
  ...STEMS.map((stem) => FORMS.map((form) => verb(stem, form))),
  [verb("bake", FORMS[0]), { form: "baked", upos: "VERB", feats: "Tense=Past", lemma: "bake" }],
  [noun("walks", "walk"), noun("mice", "mouse"), noun("geese", "goose"), noun("Alexander", "Alexander")],
  [{ form: "went", upos: "VERB", feats: "Tense=Past", lemma: "go" }],
  [{ form: "'s", upos: "AUX", feats: "Tense=Pres", lemma: "be" }],
  [{ form: "'s", upos: "PART", feats: "", lemma: "'s" }],
];

let model: LemmaModel;
let lemmatizer: Lemmatizer;
beforeAll(async () => {
  model = await trainLemmas(sentences, { epochs: 8, seed: 1 });
  lemmatizer = new Lemmatizer(model);
});

test("words without a lemma say nothing about lemmas", async () => {
  const bare = [
    { form: "mice", upos: "NOUN", feats: "" },
    { form: "oxen", upos: "NOUN", feats: "" },
  ];
  expect(await trainLemmas([...sentences, bare], { epochs: 8, seed: 1 })).toEqual(model);
});

test.each(["forward", "backward"] as const)("a map of texts knows the hash of each one (%s)", (direction) => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ unit: "binary" })), (texts) => {
      const map = new TextMap<string>(direction);
      for (const text of texts) expect(map.getOrSet(text, () => `${text}!`)).toBe(`${text}!`);
      for (const text of texts) {
        const units = Array.from({ length: text.length }, (_, k) => text.charCodeAt(k));
        if (direction === "backward") units.reverse();
        expect(map.mayHave(units.reduce(hashWith, emptyHash()))).toBe(true);
        expect(map.get(text)).toBe(`${text}!`);
        expect(map.getOrSet(text, () => "another")).toBe(`${text}!`);
      }
    }),
  );
});

test("a lexicon has the numbers of forms of lemmas by tag, however many", () => {
  const tag = (upos: string, lemmas: string[], forms: number[]) => ({
    upos,
    lemmas,
    forms,
    begins: [],
    ends: [],
  });
  const lexicon = new LemmaLexicon([tag("VERB", ["see", "saw"], [7, 1]), tag("NOUN", ["saw"], [9])]);
  expect(["see", "saw", "sea"].map((lemma) => lexicon.forms(lemma, undefined))).toEqual([
    new Map([["VERB", 7]]),
    new Map([
      ["VERB", 1],
      ["NOUN", 9],
    ]),
    undefined,
  ]);
});

test("a lemma may have many forms in a treebank, with two tags", { timeout: 60_000 }, async () => {
  const forms = ["walk", "walks", "walked", "walking", "walketh", "walkest"];
  const words = forms.flatMap((form) => ["VERB", "NOUN"].map((upos) => ({ form, upos, lemma: "walk" })));
  const { tags } = await trainLemmas([words], { epochs: 2, seed: 1 });
  expect(tags.map((one) => one.forms)).toEqual([[4], [4]]);
});

describe("a lemmatiser", () => {
  test("knows every word of its treebank", () => {
    for (const word of sentences.flat()) expect(lemmatizer.lemma(word)).toBe(word.lemma);
  });

  test("knows every word of any treebank, in capitals and in lower case, by the lemma that it has most often", async () => {
    const word = fc.record({
      form: fc.constantFrom("enron", "Enron", "ENRON", "new", "New", "news", "News"),
      upos: fc.constantFrom("PROPN", "ADJ"),
      feats: fc.constantFrom("", "Number=Sing"),
      lemma: fc.constantFrom("enron", "Enron", "new", "New", "news"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 12 }), async (words) => {
        const own = new Lemmatizer(await trainLemmas([words], { epochs: 1, seed: 1 }));
        for (const { form, upos, feats } of words) {
          const counts = new Map<string, number>();
          for (const other of words) {
            if (other.form !== form || other.upos !== upos || other.feats !== feats) continue;
            counts.set(other.lemma, (counts.get(other.lemma) ?? 0) + 1);
          }
          const most = Math.max(...counts.values());
          expect(counts.get(own.lemma({ form, upos, feats }))).toBe(most);
        }
      }),
    );
  });

  test("keeps as exceptions what the rules do not give", () => {
    expect(model.exceptions).toContainEqual({ form: "went", upos: "VERB", lemma: "go" });
    expect(model.exceptions.length).toBeLessThan(8);
  });

  test.each([
    ["a new form of a lemma of the treebank", "baking", "VERB", "VerbForm=Ger", "bake"],
    ["a new word", "kicked", "VERB", "Tense=Past", "kick"],
    ["a capital at the beginning of a sentence", "Went", "VERB", "Tense=Past", "go"],
    ["an exception with other features", "went", "VERB", "VerbForm=Part", "go"],
    ["a form with two tags", "'s", "PART", "", "'s"],
    ["a tag that no word of the treebank has", "walks", "X", "", "walks"],
  ])("finds the lemma of %s", (_what, form, upos, feats, lemma) => {
    expect(lemmatizer.lemma({ form, upos, feats })).toBe(lemma);
  });

  test("returns the candidate with the highest score", () => {
    const candidates = new LemmaCandidates(new LemmaLexicon(model.tags), model.weights);
    const part = fc.constantFrom("walk", "Bak", "ed", "ing", "s", "e", "İ", "\u{1F600}");
    const upos = fc.constantFrom("VERB", "NOUN", "X");
    const feats = fc.constantFrom("", "Tense=Past", "VerbForm=Ger");
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), upos, feats, (parts, tag, own) => {
        const query = { form: parts.join(""), upos: tag, feats: own };
        const found = candidates.of(query);
        const most = Math.max(...found.map(({ score }) => score));
        expect(candidates.best(query)).toBe(found.find(({ score }) => score === most)!.lemma);
        for (const { score, features } of found) {
          const sums = features.map((list) => list.reduce((sum, k) => sum + model.weights[k], 0));
          expect(sums.reduce((sum, one) => sum + one, 0)).toBeCloseTo(score, 9);
        }
      }),
    );
  });

  test("never returns an empty lemma, whatever the form, and is quick with long ones", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "binary" }), fc.constantFrom("VERB", "X"), (form, upos) => {
        expect(lemmatizer.lemma({ form, upos })).not.toBe("");
      }),
    );
    const long = "ab".repeat(20_000);
    expect(lemmatizer.lemma({ form: `${long}ed`, upos: "VERB", feats: "Tense=Past" })).toBe(long);
  });

  test("is the same with the same seed", async () => {
    const again = await trainLemmas(sentences, { epochs: 8, seed: 1 });
    expect(again).toEqual(model);
  });

  test("stops when it is aborted", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(trainLemmas(sentences, { epochs: 1, seed: 1, signal })).rejects.toThrow("enough");
  });
});
