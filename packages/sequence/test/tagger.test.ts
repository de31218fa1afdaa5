import type { Sentence, Word } from "@arcwise/core";
import { ModelError, readContainer, type Vector, writeContainer } from "@arcwise/core/container";
import type { TrainingProgress, TrainingWarning } from "@arcwise/core/training";
import { beforeAll, describe, expect, test } from "vitest";
import { createTagger, loadTagger, saveTagger, type TaggerModel, trainTagger } from "../src/index.ts";

const lexicon = {
  dogs: ["dog", "NOUN", "NNS", "Number=Plur"],
  cats: ["cat", "NOUN", "NNS", "Number=Plur"],
  bark: ["bark", "VERB", "VBP", "VerbForm=Fin"],
  sleep: ["sleep", "VERB", "VBP", "VerbForm=Fin"],
  the: ["the", "DET", "DT", ""],
  Old: ["old", "ADJ", "JJ", "Degree=Pos"],
  slept: ["sleep", "VERB", "VBD", "Tense=Past"],
} as const;

function word(form: keyof typeof lexicon) {
  const [lemma, upos, xpos, feats] = lexicon[form];
  return { form, lemma, upos, xpos, feats };
}

const patterns = [
  "the dogs bark",
  "Old cats sleep",
  "the cats slept",
  "dogs bark",
  "Old dogs slept",
] as const;
const sentences: Sentence[] = Array.from({ length: 30 }, (_, i) =>
  patterns[i % 5].split(" ").map((form) => word(form as keyof typeof lexicon)),
);

let model: TaggerModel;
const progress: TrainingProgress[] = [];
beforeAll(async () => {
  model = await trainTagger(sentences, { epochs: 4, dev: sentences, onProgress: (at) => progress.push(at) });
});

test("predicts all columns of words seen in training", () => {
  const tagger = createTagger(model);
  expect(tagger.columns).toEqual(["upos", "xpos", "feats", "lemma"]);
  for (const sentence of sentences.slice(0, 5)) {
    expect(tagger.tag(sentence.map(({ form }) => ({ form })))).toEqual(sentence);
  }
  expect(tagger.tag([])).toEqual([]);
});

test("learns lemmas alone of the words of a lexicon", async () => {
  const goose = { form: "geese", lemma: "goose", upos: "NOUN", xpos: "NNS", feats: "Number=Plur" };
  const taught = await trainTagger(sentences, { epochs: 4, lexicon: [[goose]] });
  expect(taught.columns).toEqual(model.columns);
  expect([taught, model].map((one) => createTagger(one).lemma!(goose) === "goose")).toEqual([true, false]);
});

test("reads question and exclamation marks that training never had as punctuation", async () => {
  const stop = { form: ".", lemma: ".", upos: "PUNCT", xpos: ".", feats: "" };
  const stopped = sentences.slice(0, 10).map((sentence) => [...sentence, stop]);
  const uposOf = (tagger: TaggerModel) =>
    createTagger(tagger)
      .tag(["dogs", "bark", "?", "!!", "\uff1f"].map((form) => ({ form })))
      .map(({ upos }) => upos);
  const trained = await trainTagger(stopped, { epochs: 2 });
  expect(uposOf(trained).slice(2)).toEqual(["PUNCT", "PUNCT", "PUNCT"]);
  // Other sets of tags are left alone.
  expect(uposOf(model)).not.toContain("PUNCT");
});

test.each([
  ["sentences", (s: number) => `s${s}`],
  ["words", (s: number, i: number) => `s${s}w${i}`],
])("identifiers of %s are not learned, with a warning", async (_, identifier) => {
  const sentences = Array.from({ length: 60 }, (_, s) =>
    ["a", "b"].map((form, i) => ({ form, upos: i === 0 ? "X" : "Y", xpos: identifier(s, i) })),
  );
  const warnings: TrainingWarning[] = [];
  const model = await trainTagger(sentences, { epochs: 1, onWarning: (one) => warnings.push(one) });
  expect(warnings).toMatchObject([{ code: "distinct-values", total: 120 }]);
  const tagged = createTagger(loadTagger(saveTagger(model))).tag([{ form: "a" }, { form: "b" }]);
  expect(tagged.map(({ upos, xpos }) => [upos, xpos])).toEqual([
    ["X", ""],
    ["Y", ""],
  ]);
});

describe("values of another type are refused:", () => {
  const wrong = (value: unknown) => value as never;
  test.each<[string, () => unknown, string]>([
    ["bytes for a model", () => createTagger(wrong(new Uint8Array(3))), "a Uint8Array of 3 bytes"],
    ["a file name for a model", () => createTagger(wrong("a.model")), '"a.model"'],
    ["text for a sentence", () => createTagger(model).tag(wrong("Cats sleep")), '"Cats sleep"'],
    ["strings for words", () => createTagger(model).tag(wrong(["Cats", "sleep"])), '"Cats"'],
    ["a word without a form", () => createTagger(model).tag(wrong([{ upos: "X" }])), "an object"],
  ])("%s", (_what, run, found) => {
    expect(run).toThrow(expect.objectContaining({ code: "invalid-argument", found }));
  });
});

test("ignores tags of the input", () => {
  const tagger = createTagger(model);
  const wrong = sentences[0].map(({ form }) => ({
    form,
    upos: "PUNCT",
    xpos: "?",
    lemma: "x",
    feats: "A=B",
  }));
  expect(tagger.tag(wrong)).toEqual(sentences[0]);
});

test("tags a sentence independently of earlier sentences, including sentences of one word", () => {
  const tagger = createTagger(model);
  const short = tagger.tag([{ form: "dogs" }]);
  const long = ["the", "cats", "slept", "Old", "dogs"].map((form) => ({ form }));
  const expected = createTagger(model).tag(long);
  expect(tagger.tag(long)).toEqual(expected);
  expect(tagger.tag([{ form: "dogs" }])).toEqual(short);
});

test("learns only columns that are present, or requested", async () => {
  const bare = sentences.map((sentence) => sentence.map(({ form, upos = "" }) => ({ form, upos })));
  const { columns } = (await trainTagger(bare, { epochs: 1 })).description;
  expect(columns).toEqual(["upos", "lemma"].slice(0, 1));
  const asked = await trainTagger(sentences, { epochs: 1, columns: ["xpos"] });
  expect(createTagger(asked).tag([{ form: "dogs", upos: "X" }])[0]).toMatchObject({ upos: "X", xpos: "NNS" });
});

test("reports progress for every column and epoch, with errors that reach 0", () => {
  const done = progress.filter(({ epochDone }) => epochDone);
  expect(done.map(({ target, epoch }) => `${target} ${epoch}`)).toEqual(
    ["upos", "xpos", "feats", "lemma"].flatMap((column) => [1, 2, 3, 4].map((epoch) => `${column} ${epoch}`)),
  );
  expect(done.at(3)).toMatchObject({ step: "tagger", error: { share: 0, of: "upos" }, share: 0.25 });
  expect(progress.filter(({ share }) => share === 1)).toEqual([progress.at(-1)]);
});

test("measures each column on a development set, and gives the same model without", async () => {
  const scores = progress.flatMap(({ dev }) => (dev ? [dev] : []));
  expect(scores).toEqual(["upos", "xpos", "feats", "lemma"].map((column) => ({ [column]: 100 })));
  expect(saveTagger(await trainTagger(sentences, { epochs: 4 }))).toEqual(saveTagger(model));
});

test.each<[string, () => Promise<unknown>, string]>([
  ["no sentences", () => trainTagger([]), "found none"],
  ["sentences without tags", () => trainTagger([[{ form: "a" }]]), "found none"],
  ["an unknown column", () => trainTagger(sentences, { columns: ["deprel" as "upos"] }), '"deprel"'],
  ["no epochs", () => trainTagger(sentences, { epochs: 0 }), "epochs: expected an integer of at least 1"],
])("refuses %s", async (_what, run, message) => {
  await expect(run()).rejects.toThrow(message);
});

describe("a file", () => {
  test("restores the same tagger", () => {
    const bytes = saveTagger(model);
    const read = loadTagger(bytes);
    expect(read.description).toEqual(model.description);
    expect(saveTagger(read)).toEqual(bytes);
    const [before, after] = [createTagger(model), createTagger(read)];
    for (const sentence of sentences.slice(0, 5)) expect(after.tag(sentence)).toEqual(before.tag(sentence));
  });

  test("restores labels whose indices take two bytes", async () => {
    // The tag of a word depends on the one before.
    const pairs: Word[][] = Array.from({ length: 6 * 300 }, (_, k) => [
      { form: k % 7 < 3 ? "a" : "b", xpos: "X" },
      { form: `w${k % 300}`, xpos: `X${((k % 300) + (k % 7 < 3 ? 0 : 1)) % 300}` },
    ]);
    const trained = await trainTagger(pairs, { columns: ["xpos"], epochs: 6 });
    const { configuration, space } = trained.columns[0].model;
    expect(configuration.labels).toHaveLength(301);
    expect(space.lines[0].grams.some((label) => label > 255)).toBe(true);
    const read = loadTagger(saveTagger(trained));
    expect(saveTagger(read)).toEqual(saveTagger(trained));
    const [before, after] = [createTagger(trained), createTagger(read)];
    let right = 0;
    for (const pair of pairs) {
      const found = after.tag(pair.map(({ form }) => ({ form })));
      expect(found).toEqual(before.tag(pair));
      if (found[1].xpos === pair[1].xpos) right++;
    }
    expect(right).toBeGreaterThan(0.8 * pairs.length);
  });
});

describe("an undamaged file with invalid contents", () => {
  // biome-ignore lint/suspicious/noExplicitAny: headers are taken apart at will
  type Loose = any;
  const forged = (change: (header: Loose, vectors: Record<string, Vector>) => void) => {
    const { header, vectors } = readContainer(saveTagger(model), "tagger");
    const copy = { header: structuredClone(header), vectors: { ...vectors } };
    change(copy.header, copy.vectors);
    return writeContainer({ kind: "tagger", ...copy });
  };

  test("is read when unchanged", () => {
    expect(forged(() => {})).toEqual(saveTagger(model));
  });

  test.each<[string, Parameters<typeof forged>[0]]>([
    ["header: expected an object", (header) => delete header.columns && delete header.description],
    ["description", (header) => (header.description = null)],
    ["columns", (header) => header.columns.reverse()],
    ["columns", (header) => (header.columns = [])],
    ["columns[0].name", (header) => (header.columns[0].name = "constructor")],
    ["chain.scale", (header) => (header.columns[0].chain.scale = 1e200)],
    ["chain.scale", (header) => (header.columns[0].chain.scale = 0)],
    ["templates[0]", (header) => (header.columns[0].chain.configuration.templates[0] = "word+9")],
    ["labels", (header) => (header.columns[0].chain.configuration.labels = [])],
    ["without tabs", (header) => (header.columns[0].chain.configuration.labels[0] = "A\nB")],
    ["levels[0].template", (header) => (header.columns[1].chain.levels[0].template = "word word")],
    ["lemmas.tags", (header) => (header.lemmas.tags = {})],
    ["lemmas.tags[0].ends[0]", (header) => (header.lemmas.tags[0].ends = ["s"])],
    ["lemmas.exceptions[0]", (header) => (header.lemmas.exceptions = [["is", "AUX"]])],
    ["without tabs", (header) => (header.lemmas.exceptions = [["is", "AUX", "b\te"]])],
    ["lemma.forms", (header) => header.lemmas.tags[0].lemmas.push("of no word")],
    ["unknown field", (header) => (header.columns[0].chain.more = {})],
    [
      "a list is not ascending",
      (_, vectors) => {
        vectors["xpos.lineKeys1"] = Int32Array.of(5);
        vectors["xpos.lineStart1"] = Int32Array.of(0, 1);
        vectors["xpos.lineLabels"] = Int8Array.of(100);
      },
    ],
    ["an earlier version of Arcwise", (_, vectors) => (vectors["xpos.keys"] = new Int32Array(1))],
    ['unknown section "upos.more"', (_, vectors) => (vectors["upos.more"] = new Int32Array(1))],
  ])("is refused: %s", (message, change) => {
    expect(() => loadTagger(forged(change))).toThrow(ModelError);
    expect(() => loadTagger(forged(change))).toThrow(
      message.startsWith("header") ? "damaged tagger file: header" : message,
    );
  });
});
