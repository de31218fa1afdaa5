import type { Sentence } from "@arcwise/core";
import {
  ATTRIBUTES,
  arcFeatures,
  buildEncoder,
  type EncodedSentence,
  extend,
  hashString,
  mix,
  PADDING,
  PartFeatures,
  parsePartTemplate,
  sentenceEncoder,
  shapeOf,
  vocabulary,
  vocabularyCounter,
} from "@arcwise/core/features";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { COUNTED } from "../src/features/encode.ts";
import { parseTemplate } from "../src/features/templates.ts";

describe("parseTemplate", () => {
  it("takes a template apart", () => {
    const column = (name: (typeof ATTRIBUTES)[number]) => ATTRIBUTES.indexOf(name);
    expect(parseTemplate("h.lemma m-1.upos h+2.case")).toEqual({
      text: "h.lemma m-1.upos h+2.case",
      head: [
        { column: column("lemma"), offset: 0 },
        { column: column("case"), offset: 2 },
      ],
      modifier: [{ column: column("upos"), offset: -1 }],
      headFeature: false,
      modifierFeature: false,
      between: false,
      count: -1,
    });
    expect(parseTemplate("h.upos h.feat m.feat")).toMatchObject({ headFeature: true, modifierFeature: true });
    expect(parseTemplate("between.upos")).toMatchObject({ between: true, head: [], modifier: [] });
    expect(COUNTED.map((kind) => parseTemplate(`count.${kind}`).count)).toEqual([...COUNTED.keys()]);
  });

  it.each([
    ["", "one space between"],
    ["h.upos  m.upos", "one space between"],
    ["h.colour", 'found "h.colour"'],
    ["x.upos", 'found "x.upos"'],
    ["h", 'found "h"'],
    ["h.UPOS", 'found "h.UPOS"'],
    ["h1.upos", 'found "h1.upos"'],
    ["h+3.upos", "up to 2 words"],
    ["m-10.upos", "up to 2 words"],
    ["h+1.feat", 'found "h+1.feat"'],
    ["s.upos m.upos", "W one of h, m and"],
    ["h.upos m.upos h.upos", "twice"],
    ["count.adverb", 'found "count.adverb"'],
    ["between.xpos", 'found "between.xpos"'],
  ])("refuses %j and says why", (template, reason) => {
    expect(() => parseTemplate(template)).toThrow(RangeError);
    expect(() => parseTemplate(template)).toThrow(reason);
    expect(() => parseTemplate(template)).toThrow(`template "${template}"`);
  });
});

describe("parsePartTemplate", () => {
  it("gives each anchor its pieces", () => {
    const pieces = parsePartTemplate("g.upos s+1.word", ["g", "h", "s", "m"]);
    expect([...pieces.keys()]).toEqual(["g", "h", "s", "m"]);
    expect(pieces.get("g")).toEqual([{ column: ATTRIBUTES.indexOf("upos"), offset: 0 }]);
    expect(pieces.get("s")).toEqual([{ column: ATTRIBUTES.indexOf("word"), offset: 1 }]);
    expect(pieces.get("h")).toEqual([]);
  });
});

describe("hashing, which trained models depend on", () => {
  /** The finaliser of MurmurHash3 and FNV-1a, in exact arithmetic. */
  const WORD = 2n ** 32n;
  function exactMix(value: bigint): bigint {
    let x = ((value % WORD) + WORD) % WORD;
    x = ((x ^ (x >> 16n)) * 0x85ebca6bn) % WORD;
    x = ((x ^ (x >> 13n)) * 0xc2b2ae35n) % WORD;
    return x ^ (x >> 16n);
  }

  it("mixes as MurmurHash3 does", () => {
    expect(mix(0)).toBe(0);
    expect(mix(1) >>> 0).toBe(0x514e28b7);
    fc.assert(
      fc.property(fc.integer(), (value) => {
        expect(BigInt(mix(value) >>> 0)).toBe(exactMix(BigInt(value)));
      }),
    );
  });

  it("hashes strings as FNV-1a does, mixed", () => {
    // FNV-1a of "a", and of the empty string.
    expect(hashString("a")).toBe(mix(0xe40c292c));
    expect(hashString("")).toBe(mix(0x811c9dc5));
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff), { maxLength: 12 }), fc.nat(2 ** 31 - 1), (units, seed) => {
        const text = String.fromCharCode(...units);
        let x = 0x811c9dc5n ^ BigInt(seed);
        for (const unit of units) x = ((x ^ BigInt(unit)) * 0x01000193n) % WORD;
        expect(BigInt(hashString(text, seed) >>> 0)).toBe(exactMix(x));
      }),
    );
  });
});

const SENTENCE: Sentence = [
  { form: "In", lemma: "in", upos: "ADP", xpos: "IN" },
  { form: "Würzburg", lemma: "Würzburg", upos: "PROPN", feats: "Case=Dat|Number=Sing" },
  { form: "she", lemma: "she", upos: "PRON", xpos: "PRP", feats: "Case=Nom" },
  { form: "slept", lemma: "sleep", upos: "VERB", feats: "Tense=Past|VerbForm=Fin" },
  { form: ".", upos: "PUNCT" },
];

describe("what a model of fixed templates reads", () => {
  const encoder = sentenceEncoder({
    words: ["in", "she"],
    lemmas: ["in", "sleep"],
    tags: ["VERB", "ADP", "PROPN", "PRON"],
  });
  const sentence = encoder.encode(SENTENCE);
  const checksum = (numbers: Iterable<number>) =>
    [...numbers].reduce((hash, number) => extend(hash, mix(number)), 0) >>> 0;

  it("has not changed: codes", () => {
    const { columns, feats, featStart, tag, counts } = sentence;
    expect([...tag]).toEqual([0, 2, 3, 4, 1, 31]);
    expect([...featStart]).toEqual([0, 0, 0, 2, 3, 5, 5]);
    expect(counts.map((count) => [...count].join(""))).toEqual(["000011", "001222", "000001", "000000"]);
    expect(checksum(columns.flatMap((column) => [...column]))).toBe(4010975815);
    expect(checksum(feats)).toBe(405683003);
  });

  it("has not changed: lines of arcs", () => {
    const templates = [
      "h.word m.suffix",
      "h-1.marker m+1.shape",
      "h.upos between.upos m.upos",
      "h.upos m.upos count.noun",
      "h.upos h.feat m.upos m.feat",
      "h.lemma h.feat",
      "m.case m.feats",
    ];
    const features = arcFeatures(templates, 20, 16);
    features.prepare(sentence);
    const lines = new Int32Array(features.capacity);
    const all: number[] = [];
    for (const [h, m] of [
      [0, 4],
      [4, 2],
      [2, 1],
      [2, 4],
    ] as const) {
      all.push(...lines.slice(0, features.arc(h, m, lines)));
      all.push(...lines.slice(0, features.head(h, h < m, lines)));
      all.push(...lines.slice(0, features.modifier(m, h < m, lines)));
    }
    expect(all.length).toBe(35);
    expect(checksum(all)).toBe(2728896664);
  });

  it("has not changed: lines of parts", () => {
    const features = new PartFeatures(
      "grandSibling",
      ["g.upos h.lemma s.case m.suffix", "s.upos m.upos"],
      20,
    );
    features.prepare(sentence);
    const lines = new Int32Array(2);
    const all: number[] = [];
    for (const words of [
      [0, 4, 3, 2],
      [4, 2, 6, 1],
    ]) {
      features.fix(Int32Array.from(words), 2);
      features.lines(0, words[2], 1, lines);
      all.push(...lines);
    }
    expect(checksum(all)).toBe(108522223);
  });
});

describe("encoding", () => {
  const column = (encoded: EncodedSentence, name: (typeof ATTRIBUTES)[number], i: number) =>
    encoded.columns[ATTRIBUTES.indexOf(name)][i + PADDING];

  const encoder = buildEncoder([
    [
      { form: "The", lemma: "the", upos: "DET" },
      { form: "the", lemma: "the", upos: "DET" },
      { form: "cat", lemma: "cat", upos: "NOUN" },
    ],
  ]);

  it("knows words that came often enough, in any case, and tags that came at all", () => {
    expect(encoder.data).toEqual({ words: ["the"], lemmas: ["the"], tags: ["DET", "NOUN"] });
  });

  it("gives all unknown words one code, apart from known ones and places beyond the sentence", () => {
    const encoded = encoder.encode([{ form: "cat" }, { form: "dog" }, { form: "THE" }, { form: "the" }]);
    for (const name of ["word", "lemma"] as const) {
      const codes = [1, 2, 3, 4].map((i) => column(encoded, name, i));
      expect(codes[0]).toBe(codes[1]);
      expect(codes[2]).toBe(codes[3]);
      const others = [-2, 0, 5].map((i) => column(encoded, name, i));
      expect(new Set([...codes, ...others]).size).toBe(5);
      expect(column(encoded, name, -1)).toBe(others[0]);
      expect(column(encoded, name, 6)).toBe(others[2]);
    }
  });

  it("takes absent annotation for the same as empty annotation, in whatever order they come", () => {
    const absent = { form: "The" };
    const empty = { form: "The", lemma: "", upos: "", xpos: "", feats: "" };
    for (const words of [
      [absent, empty],
      [empty, absent],
    ]) {
      const fresh = sentenceEncoder(encoder.data);
      const [first, second] = words.map((word) => fresh.encode([word]));
      expect(first).toEqual(second);
      expect(column(first!, "lemma", 1)).toBe(
        column(encoder.encode([{ form: "x", lemma: "the" }]), "lemma", 1),
      );
    }
    const tagged = encoder.encode([{ form: "a", upos: "DET", xpos: "" }]);
    expect(tagged).toEqual(encoder.encode([{ form: "a", upos: "DET" }]));
  });

  it("joins tags with fine features, and no others, with the option fine", () => {
    const noun = (feats = "", xpos = "") => ({ form: "a", upos: "NOUN", xpos, feats });
    const seen = [noun("Case=Nom|Gender=Fem|Number=Sing"), noun("Number[psor]=Plur"), noun("Odd"), noun()];
    const fine = buildEncoder([seen], 1, { fine: true });
    expect(fine.data.fine).toEqual(["Case", "Number[psor]", "Odd"]);
    const tagOf = (by: typeof fine, ...given: Parameters<typeof noun>) =>
      column(by.encode([noun(...given)]), "xpos", 1);
    const same = (...pairs: [string | undefined, string | undefined][]) =>
      pairs.map(([one, other]) => tagOf(fine, one) === tagOf(fine, other));
    expect(
      same(
        ["Case=Nom|Gender=Fem", "Case=Nom|Number=Plur"],
        ["Number=Sing", undefined],
        // Unseen in training.
        ["Mood=Ind", ""],
        ["Case=Nom", "Case=Acc"],
        ["Case=Nom", undefined],
        ["Number[psor]=Plur", "Number[psor]=Sing"],
        ["Odd", undefined],
      ),
    ).toEqual([true, true, true, false, false, false, false]);
    expect(tagOf(fine, "Case=Nom", "N")).not.toBe(tagOf(fine, "Case=Nom", "P"));
    const plain = buildEncoder([seen], 1);
    expect(plain.data.fine).toBeUndefined();
    expect(tagOf(plain, "Case=Nom")).toBe(tagOf(plain, "Case=Acc"));
    expect(tagOf(sentenceEncoder(fine.data), "Case=Nom")).toBe(tagOf(fine, "Case=Nom"));
  });

  it("encodes a sentence without words", () => {
    const encoded = encoder.encode([]);
    expect(encoded.n).toBe(0);
    expect([...encoded.featStart]).toEqual([0, 0]);
  });

  it("lets all tags beyond the thirtieth share a number", () => {
    const tags = Array.from({ length: 40 }, (_, t) => `T${t}`);
    const many = buildEncoder([tags.map((upos) => ({ form: "a", upos }))]);
    const { tag } = many.encode([...tags, "unseen"].map((upos) => ({ form: "a", upos })));
    expect(many.tagCount).toBe(32);
    expect([...tag]).toEqual(
      [0, ...Array.from({ length: 41 }, (_, i) => Math.min(i + 1, 31))].map(byName(tags)),
    );
  });

  /** Tags of equal frequency are numbered in the order of their names. */
  function byName(tags: readonly string[]): (number: number, position: number) => number {
    const sorted = tags.toSorted();
    return (_, position) => {
      if (position === 0) return 0;
      const rank = sorted.indexOf(tags[position - 1] ?? "unseen");
      return rank < 0 ? 31 : Math.min(rank + 1, 31);
    };
  }

  it("encodes again what it remembers", () => {
    const words = Array.from({ length: 50 }, (_, i) => ({ form: `w${i % 7}`, upos: "NOUN" }));
    const fresh = sentenceEncoder(encoder.data);
    expect(fresh.encode(words)).toEqual(fresh.encode(words));
    expect(fresh.encode(words)).toEqual(encoder.encode(words));
  });
});

describe("shapeOf", () => {
  it.each([
    ["Dogs", "Xxx"],
    ["NATO", "XX"],
    ["U.S.", "X.X."],
    ["1990s", "ddx"],
    ["e-mail", "x-xx"],
    ["...", ".."],
    ["Ἀρχή", "Xxx"],
    ["中文字", "xx"],
    ["😀😀😀", "😀😀"],
    ["", ""],
  ])("of %j is %j", (form, shape) => {
    expect(shapeOf(form)).toBe(shape);
  });
});

describe("vocabularies", () => {
  it("number strings from 1, and answer 0 for others", () => {
    const { id, strings } = vocabulary(["b", "a"]);
    expect([id("b"), id("a"), id("c"), id("__proto__")]).toEqual([1, 2, 0, 0]);
    expect(strings).toEqual(["b", "a"]);
    expect(() => vocabulary(["a", "b", "a"])).toThrow(RangeError);
  });

  it("keep what comes often enough: most frequent first, then by code units", () => {
    const counter = vocabularyCounter();
    for (const text of ["z", "b", "a", "b", "z", "Z", "once", "z", "a", "Z"]) counter.add(text);
    expect(counter.vocabulary(2).strings).toEqual(["z", "Z", "a", "b"]);
    expect(counter.vocabulary().strings).toEqual(["z", "Z", "a", "b", "once"]);
    expect(counter.vocabulary(9).strings).toEqual([]);
  });
});
