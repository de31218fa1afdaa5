import { PART_KINDS, random, type Sentence } from "@arcwise/core";
import {
  ARC_TEMPLATES,
  type ArcFeatures,
  arcFeatures,
  buildEncoder,
  DISTANCES,
  distanceBucket,
  lineLength,
  PART_FEATURES,
  PART_LINE,
  PartFeatures,
  PRUNER_TEMPLATES,
  sentenceEncoder,
} from "@arcwise/core/features";
import { describe, expect, it } from "vitest";
import { FeatureOracle, randomSentence } from "./features-oracle.ts";

const rng = random(20);
const sentences: Sentence[] = Array.from({ length: 6 }, (_, k) => randomSentence(rng.int, 4 + 2 * k));
/** "rare" and other forms that come once are unknown. */
const encoder = buildEncoder([...sentences.slice(1), ...sentences.slice(1, 3)], 3);
const encoded = sentences.map((sentence) => encoder.encode(sentence));
const oracles = sentences.map((sentence) => new FeatureOracle(sentence, encoder.data));

/** The largest table whose offsets fit: 2^31 lines of one place. */
const BITS = 31;

/** Holds that two sets of lines are equal exactly when two sets of strings are. */
class Bijection {
  readonly #lines = new Map<string, string>();
  readonly #texts = new Map<string, string>();

  add(texts: readonly string[], lines: readonly number[]): void {
    const text = texts.toSorted().join("\n");
    const line = lines.toSorted((a, b) => a - b).join(" ");
    const known = this.#lines.get(text) ?? line;
    const meant = this.#texts.get(line) ?? text;
    // No `expect`, which would take most of the time.
    if (texts.length !== lines.length || known !== line || meant !== text) {
      throw new Error(`lines ${line} (or ${known}) stand for\n${text}\nand for\n${meant}`);
    }
    this.#lines.set(text, line);
    this.#texts.set(line, text);
  }

  get size(): number {
    return this.#lines.size;
  }
}

function isAlone(template: string, side: "h" | "m"): boolean {
  return template.split(" ").every((piece) => piece.startsWith(side));
}

/** The lines that a template has for h -> m: alone, or of both. */
function linesOf(features: ArcFeatures, template: string, h: number, m: number): number[] {
  const lines = new Int32Array(features.capacity);
  const count = isAlone(template, "h")
    ? features.head(h, h < m, lines)
    : isAlone(template, "m")
      ? features.modifier(m, h < m, lines)
      : features.arc(h, m, lines);
  return [...lines.slice(0, count)];
}

const ascending = (a: number, b: number) => a - b;

const EXTRA_TEMPLATES = [
  "between.upos",
  "h.case between.upos",
  "h.feat m.feat",
  "h.feat m.upos",
  "h.shape m.ending",
  "count.verb",
  "m.feat",
  "h.feat",
  "h-2.word m+2.lemma",
];

describe("arc features", () => {
  const templates = [...new Set([...ARC_TEMPLATES, ...PRUNER_TEMPLATES, ...EXTRA_TEMPLATES])];

  it.each(templates)("%s: two arcs share a line exactly when their pieces are equal", (template) => {
    const features = arcFeatures([template], BITS, 1);
    const bijection = new Bijection();
    for (const [index, sentence] of encoded.entries()) {
      features.prepare(sentence);
      for (let m = 1; m <= sentence.n; m++) {
        for (let h = 0; h <= sentence.n; h++) {
          if (h === m) continue;
          bijection.add(oracles[index].arc(template, h, m), linesOf(features, template, h, m));
        }
      }
    }
    expect(bijection.size).toBeGreaterThan(3);
  });

  it("are those of the templates one by one, and different templates share no lines", () => {
    const all = arcFeatures(ARC_TEMPLATES, BITS, 1);
    const single = ARC_TEMPLATES.map((template) => arcFeatures([template], BITS, 1));
    const sentence = encoded[2];
    all.prepare(sentence);
    for (const features of single) features.prepare(sentence);
    const lines = new Int32Array(all.capacity);
    for (const [h, m] of [
      [0, 3],
      [2, 5],
      [7, 1],
      [9, 8],
    ] as const) {
      const together = [
        ...lines.slice(0, all.arc(h, m, lines)),
        ...lines.slice(0, all.head(h, h < m, lines)),
        ...lines.slice(0, all.modifier(m, h < m, lines)),
      ];
      const oneByOne = ARC_TEMPLATES.flatMap((template, t) => linesOf(single[t], template, h, m));
      expect(together.length).toBeGreaterThan(80);
      expect(together.toSorted(ascending)).toEqual(oneByOne.toSorted(ascending));
      expect(new Set(together).size).toBe(together.length);
    }
  });

  it("fit the capacity, and a small table is the upper bits of a large one", () => {
    const large = arcFeatures(ARC_TEMPLATES, BITS, 1);
    const small = arcFeatures(ARC_TEMPLATES, 10, 24);
    for (const sentence of encoded) {
      large.prepare(sentence);
      small.prepare(sentence);
      expect(small.capacity).toBe(large.capacity);
      const big = new Int32Array(large.capacity);
      const little = new Int32Array(large.capacity);
      for (let m = 1; m <= sentence.n; m++) {
        const h = m - 1;
        const count = large.arc(h, m, big);
        expect(small.arc(h, m, little)).toBe(count);
        expect(count).toBeLessThanOrEqual(large.capacity);
        for (let k = 0; k < count; k++) expect(little[k]).toBe((big[k] >>> (BITS - 10)) * 24);
      }
    }
  });

  it("sum the weights of the lines of an arc, and those at the bucket", () => {
    const features = arcFeatures(ARC_TEMPLATES, 8, 8);
    const weights = Float32Array.from({ length: 8 * 2 ** 8 }, () => rng.int(100) - 50);
    for (const sentence of encoded) {
      features.prepare(sentence);
      const lines = new Int32Array(features.capacity);
      const scratch = new Int32Array(features.capacity);
      for (let m = 1; m <= sentence.n; m++) {
        const [h, bucket] = [m === 1 ? 0 : rng.int(m), 1 + rng.int(DISTANCES)];
        const own = lines.subarray(0, features.arc(h, m, lines));
        const sum = own.reduce((so, line) => so + weights[line] + weights[line + bucket], 0);
        expect(features.sumArc(h, m, weights, bucket, scratch)).toBe(sum);
      }
    }
  });

  it.each([
    ["h.feat between.upos m.upos", /cannot be joined/],
    ["h.upos between.upos count.verb", /cannot be joined/],
    ["m.feat count.noun", /cannot be joined/],
    ["h.up0s", /found "h.up0s" \(did you mean "h.upos"\?\)/],
  ])("refuse %s", (template, message) => {
    expect(() => arcFeatures([template], 10, 8)).toThrow(RangeError);
    expect(() => arcFeatures([template], 10, 8)).toThrow(message);
  });
});

describe("lines", () => {
  it("have a place for the feature, one a distance, one a label, and are aligned", () => {
    for (let labels = 0; labels < 60; labels++) {
      const length = lineLength(labels);
      expect(length % 8).toBe(0);
      expect(length).toBeGreaterThanOrEqual(1 + DISTANCES + labels);
      expect(length).toBeLessThan(1 + DISTANCES + labels + 8);
    }
  });

  it("tell distances apart by buckets", () => {
    const buckets = Array.from({ length: 25 }, (_, d) => distanceBucket(d + 1));
    expect(buckets.join("")).toBe("1234455556666666666777777");
    expect(distanceBucket(10_000)).toBe(DISTANCES);
  });
});

describe.each(PART_KINDS)("features of %s parts", (kind) => {
  const anchors = PART_FEATURES[kind].words;
  const templates = PART_FEATURES[kind].templates;

  function randomWords(n: number): (number | undefined)[] {
    // Members that are none are those of the first and of the middle anchors.
    return anchors.map((anchor) =>
      anchor !== "h" && anchor !== "m" && rng.int(6) === 0 ? undefined : rng.int(n + 1),
    );
  }

  it("share a line exactly when their pieces are equal, whichever word varies", () => {
    const features = new PartFeatures(kind, templates, 28);
    expect(features.width).toBe(templates.length);
    const bijections = templates.map(() => new Bijection());
    const lines = new Int32Array(templates.length);
    for (const [index, sentence] of encoded.entries()) {
      features.prepare(sentence);
      for (let draw = 0; draw < 60; draw++) {
        const words = randomWords(sentence.n);
        const positions = Int32Array.from(words, (word) => word ?? sentence.n + 1);
        const directions = rng.int(8);
        const varying = rng.int(anchors.length);
        features.fix(positions, varying);
        expect(features.lines(0, positions[varying], directions, lines)).toBe(templates.length);
        for (const [t, template] of templates.entries()) {
          bijections[t].add([oracles[index].part(template, anchors, words, directions)], [lines[t]]);
        }
      }
    }
    for (const bijection of bijections) expect(bijection.size).toBeGreaterThan(20);
  });

  it("have the weights of their lines and of the distance bucket as their sum, from the offset on", () => {
    const bits = 8;
    const from = 40;
    const features = new PartFeatures(kind, templates, bits);
    const weights = Float32Array.from({ length: from + PART_LINE * 2 ** bits }, () => rng.int(100) - 50);
    const lines = new Int32Array(templates.length);
    for (const sentence of encoded) {
      features.prepare(sentence);
      const positions = Int32Array.from(randomWords(sentence.n), (word) => word ?? sentence.n + 1);
      features.fix(positions, 1);
      const bucket = 1 + rng.int(DISTANCES);
      features.lines(from, positions[1], 3, lines);
      let sum = 0;
      for (const line of lines) {
        expect((line - from) % PART_LINE).toBe(0);
        expect(line).toBeGreaterThanOrEqual(from);
        expect(line).toBeLessThan(weights.length);
        sum += weights[line] + weights[line + bucket];
      }
      const run = {
        size: 2,
        words: Int32Array.of(sentence.n + 1, positions[1]),
        directions: Int32Array.of(0, 3),
        buckets: Int32Array.of(1, bucket),
      };
      const scores = new Float64Array(4).fill(7);
      features.scoreRun({ values: weights, first: from, scale: 2 }, run, scores, 1);
      expect([scores[0], scores[2], scores[3]]).toEqual([7, 2 * sum, 7]);
    }
  });

  it("are refused where a template names a word that the part has not", () => {
    const other = anchors.includes("t") ? "g" : "t";
    expect(() => new PartFeatures(kind, [`${other}.upos`], 8)).toThrow(RangeError);
    expect(() => new PartFeatures(kind, ["h.upos h.upos"], 8)).toThrow(/twice/);
    expect(() => new PartFeatures(kind, ["h.feat"], 8)).toThrow(RangeError);
  });
});

it("an encoder of plain data encodes as the one that collected it", () => {
  const copy = sentenceEncoder(JSON.parse(JSON.stringify(encoder.data)) as typeof encoder.data);
  for (const [index, sentence] of sentences.entries()) expect(copy.encode(sentence)).toEqual(encoded[index]);
  expect(copy.data).toEqual(encoder.data);
});
