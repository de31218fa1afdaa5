import { random, type Sentence } from "@arcwise/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SequenceEncoder } from "../src/features/attributes.ts";
import { KeyExtractor } from "../src/features/extraction.ts";
import { collectFeatures, FeatureSpace, gramAt } from "../src/features/feature-space.ts";
import { gazetteerData, MAX_GAZETTEERS } from "../src/features/gazetteers.ts";
import { SEQUENCE_ATTRIBUTES, WINDOW } from "../src/features/templates.ts";

const LABELS = 3;

/** Sequences of words and labels, by the attributes of templates. */
function examplesOf(templates: readonly string[], seed: number) {
  const rng = random(seed);
  const extractor = new KeyExtractor(templates);
  const encoder = new SequenceEncoder(extractor.attributes, new Int32Array(0));
  const examples = Array.from({ length: 20 }, () => {
    const words = Array.from({ length: 1 + rng.int(5) }, () => ({ form: `w${rng.int(6)}` }));
    return {
      sequence: encoder.encode(words),
      labels: Int32Array.from(words, () => rng.int(LABELS)),
    };
  });
  return { extractor, examples };
}

describe("features with the labels that they were seen with", () => {
  const templates = ["bias", "form", "form-1 form", "label-1", "label-1 form", "label-1 label-2"];

  test.each([1, 2, 4])("are those that occur %i times or more", (minimum) => {
    const { extractor, examples } = examplesOf(templates, minimum);
    const data = collectFeatures(examples, extractor, LABELS, { pairs: "observed", minimum });
    const space = new FeatureSpace(data, LABELS, extractor);
    const counts = new Map<string, number>();
    for (const { sequence, labels } of examples) {
      for (let i = 0; i < sequence.n; i++) {
        for (let arity = 1; arity <= 3; arity++) {
          const keys = new Int32Array(extractor.most(arity));
          const size = extractor.extract(arity, sequence, i, keys, 0);
          for (const key of [...keys.subarray(0, size), ...extractor.constants(arity)]) {
            const feature = `${arity} ${key} ${gramAt(labels, i, arity, LABELS)}`;
            counts.set(feature, (counts.get(feature) ?? 0) + 1);
          }
        }
      }
    }
    const kept = [...counts].filter(([, count]) => count >= minimum);
    const weights = kept.map(([feature]) => {
      const [arity = 0, key = 0, gram = 0] = feature.split(" ").map(Number);
      return space.weight(arity, space.slot(arity, key), gram);
    });
    expect(weights.toSorted((a, b) => a - b)).toEqual(kept.map((_, k) => k));
    expect(space.dimension).toBe(kept.length);
    for (const [feature, count] of counts) {
      const [arity = 0, key = 0, gram = 0] = feature.split(" ").map(Number);
      const slot = space.slot(arity, key);
      if (count < minimum && slot >= 0) expect(space.weight(arity, slot, gram)).toBe(-1);
    }
  });

  test("are refused with k-grams of labels that do not fit 31 bits", () => {
    const { extractor, examples } = examplesOf(templates, 1);
    const collect = () => collectFeatures(examples, extractor, 1300, { pairs: "observed", minimum: 1 });
    expect(collect).toThrow("1300 labels are too many for features of 3 labels");
  });
});

describe("an encoder", () => {
  /** Returns the code of an attribute of a form. */
  const codeOf = (attribute: string, form: string) => {
    const index = SEQUENCE_ATTRIBUTES.indexOf(attribute);
    return new SequenceEncoder([index], new Int32Array(0)).encode([{ form }]).columns[index][WINDOW];
  };

  test.each<[string, string, string, boolean]>([
    ["form", "Dog", "dog", false],
    ["word", "Dog", "dog", true],
    ["prefix2", "Dog", "door", true],
    ["prefix3", "Dog", "dogs", false],
    ["prefix4", "Dog", "dog", true],
    ["suffix3", "running", "Sing", true],
    ["suffix3", "ing", "sing", false],
    ["suffix5", "running", "unning", true],
    ["shape", "Rome-2", "Paris-3", true],
    ["pattern", "aab", "a", true],
    ["capital", "USA", "UN", true],
    ["capital", "USA", "Rome", false],
    ["digit", "x1", "2", true],
    ["hyphen", "a-b", "ab", false],
  ])("%s of %s and %s: the same is %s", (attribute, one, other, isSame) => {
    expect(codeOf(attribute, one) === codeOf(attribute, other)).toBe(isSame);
  });

  test("encodes annotation again as at first", () => {
    const word = fc.record({ form: fc.constantFrom("a", "Bb"), upos: fc.constantFrom("X", "Y") });
    const lists = Array.from({ length: MAX_GAZETTEERS }, () => gazetteerData({ names: ["a", "a Bb"] }));
    const encoder = new SequenceEncoder(SEQUENCE_ATTRIBUTES.keys(), new Int32Array(0), lists);
    fc.assert(
      fc.property(fc.array(word), (words: Sentence) => {
        const sequence = encoder.encode(words.map(({ form }) => ({ form })));
        encoder.annotate(sequence, words);
        expect(sequence).toEqual(encoder.encode(words));
      }),
    );
  });
});
