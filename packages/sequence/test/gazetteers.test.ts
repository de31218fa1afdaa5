import type { Sentence } from "@arcwise/core";
import { ModelError } from "@arcwise/core/container";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GazetteerIndex, gazetteerData, MAX_GAZETTEERS } from "../src/features/gazetteers.ts";
import {
  createLabeller,
  createTagger,
  gazetteerTemplates,
  type LabelledSentence,
  loadTagger,
  saveTagger,
  trainChain,
  trainTagger,
} from "../src/index.ts";
import { createNeuralLabeller, trainNeural } from "../src/neural/index.ts";

const words = (text: string): Sentence =>
  text
    .split(" ")
    .filter((form) => form !== "")
    .map((form) => ({ form }));

const positions = (names: readonly string[], text: string, ignoreCase = false): string => {
  const index = new GazetteerIndex(gazetteerData({ names, ignoreCase }));
  return index.positions(index.codes(words(text))).join("");
};

describe("positions in the names of a list", () => {
  const names = ["Peru", "New Zealand", "New Zealand of the South", "Zealand", "  Rio   de Janeiro "];
  test.each([
    ["in New Zealand and Peru .", "012010"],
    ["New Zealand New Peru", "1201"],
    ["New Zealand of the North", "12000"],
    ["New Zealand of the South Zealand", "122221"],
    ["rio de Janeiro Rio de Janeiro", "000122"],
    ["", ""],
  ])("of %j are %s", (text, expected) => {
    expect(positions(names, text)).toBe(expected);
  });

  test("do not depend on case or on how accents are encoded", () => {
    expect(positions(["Per\u00fa"], "PERU\u0301 peru\u0301 Peru", true)).toBe("110");
    expect(positions(["Per\u00fa"], "PERU\u0301 Peru\u0301")).toBe("01");
  });

  test("are what a search for the longest name at each word finds", () => {
    const name = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1, maxLength: 6 }),
        fc.array(fc.constantFrom("a", "b", "c", "d")),
        (names, text) => {
          const known = new Set(names.map((one) => one.join(" ")));
          let expected = "";
          for (let i = 0; i < text.length; ) {
            let length = text.length - i;
            while (length > 0 && !known.has(text.slice(i, i + length).join(" "))) length--;
            expected += length === 0 ? "0" : `1${"2".repeat(length - 1)}`;
            i += Math.max(1, length);
          }
          expect(positions([...known], text.join(" "))).toBe(expected);
        },
      ),
    );
  });
});

test("first words belong to names of several words", () => {
  const index = new GazetteerIndex(gazetteerData({ names: ["Ada Lovelace", "Turing"] }));
  const codes = index.codes(words("Ada Lovelace Turing"));
  expect(Array.from(codes, (code) => index.isFirst(code))).toEqual([true, false, false]);
});

/** Only the list separates names from other words: no word of the test is in the training set. */
const examples: LabelledSentence[] = ["x1 p1 x2", "p2 q2 x3", "x4 p3 q3 r3", "p4 x5"].map((text) => ({
  sentence: words(text),
  labels: text.split(" ").map((word) => (word.startsWith("x") ? "O" : word.startsWith("p") ? "B" : "I")),
}));
const gazetteers = [{ names: ["none"] }, { names: ["p1", "p2 q2", "p3 q3 r3", "p4", "p5 q5"] }];
const templates = ["bias", "label-1", ...gazetteerTemplates(2)];

test("a chain labels names of a list that are not in its training set", async () => {
  const model = await trainChain(examples, { templates, gazetteers });
  expect(createLabeller(model).label(words("y1 p5 q5 y2 q5"))).toEqual(["O", "B", "I", "O", "O"]);
  const without = await trainChain(examples, { templates: ["bias", "label-1", "word"] });
  expect(createLabeller(without).label(words("y1 p5 q5 y2 q5"))).not.toEqual(["O", "B", "I", "O", "O"]);
});

test("a network labels names of a list that are not in its training set", async () => {
  const model = await trainNeural(Array.from({ length: 20 }, () => examples).flat(), {
    kind: "feed-forward",
    templates: ["list2"],
    gazetteers,
    hidden: [8],
    epochs: 10,
    rate: 0.02,
  });
  expect(createNeuralLabeller(model).label(words("y1 p5 q5 y2"))).toEqual(["O", "B", "I", "O"]);
});

describe("a tagger with a list", () => {
  const sentences = examples.map(({ sentence, labels }) =>
    sentence.map(({ form }, i) => ({ form, upos: labels[i], xpos: labels[i], lemma: form })),
  );

  test("labels by it after it was written and read", async () => {
    const model = await trainTagger(sentences, { gazetteers: [gazetteers[1]] });
    const tagger = createTagger(loadTagger(saveTagger(model)));
    const found = tagger.tag(words("p5 q5 y2"));
    expect(found.map(({ upos, xpos }) => `${upos} ${xpos}`)).toEqual(["B B", "I I", "O O"]);
  });

  test("is refused when its names are not ascending", async () => {
    const model = await trainTagger(sentences, { columns: ["upos"], gazetteers: [gazetteers[1]] });
    const [column] = loadTagger(saveTagger(model)).columns;
    column!.model.gazetteers![0].keys.reverse();
    expect(() => createTagger({ ...model, columns: [column!] })).toThrow(ModelError);
  });
});

test.each<[string, () => Promise<unknown>]>([
  [
    "a template names a list that is not there",
    () => trainChain(examples, { templates: ["first2"], gazetteers: [gazetteers[0]] }),
  ],
  [
    "there are too many lists",
    () =>
      trainChain(examples, {
        templates: ["bias"],
        gazetteers: Array.from({ length: MAX_GAZETTEERS + 1 }, () => gazetteers[0]),
      }),
  ],
  ["a list is empty", () => trainChain(examples, { templates: ["bias"], gazetteers: [{ names: [] }] })],
  ["a name is empty", () => trainChain(examples, { templates: ["bias"], gazetteers: [{ names: [" "] }] })],
])("refuses when %s", async (_what, run) => {
  await expect(run()).rejects.toThrow(RangeError);
});
