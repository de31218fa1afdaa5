import { random, type Sentence } from "@arcwise/core";
import {
  buildEncoder,
  GLOBAL_TEMPLATES,
  GLOBAL_VIEWS,
  GLOBAL_WORDS,
  GlobalFeatures,
  type GlobalView,
  PART_LINE,
  ROLE,
  VIEW,
} from "@arcwise/core/features";
import { describe, expect, it } from "vitest";
import { FeatureOracle, randomSentence } from "./features-oracle.ts";

const BITS = 24;
const stream = random(11);
const texts = Array.from({ length: 6 }, () => randomSentence((bound) => stream.int(bound), 9));
const encoder = buildEncoder(texts, 3);

/** The table of views in other words: the words, the pattern and the bucket of each. */
type Seen = { words: (number | undefined)[]; pattern: string; bucket: number };
type Arguments = readonly [number, number, number, number];
const bucketOf = (distance: number) => [1, 2, 3, 4, 6, 10, 20].filter((least) => distance >= least).length;

const ORACLE: Record<GlobalView, (text: Sentence, args: Arguments) => Seen> = {
  valency: (_, [h, left, right]) => ({
    words: [h],
    pattern: `${left > 2 ? "more" : left} ${right > 2 ? "more" : right}`,
    bucket: Math.min(left + right + 1, 7),
  }),
  leftTags: (_, [h, code, count]) => ({ words: [h], pattern: `${code}`, bucket: Math.min(7, count) }),
  rightTags: (_, [h, code, count]) => ({ words: [h], pattern: `${code}`, bucket: Math.min(7, count) }),
  span: ({ length }, [h, m, l, r]) => ({
    words: [h, m, l - 1, r === length ? undefined : r + 1],
    pattern: h < m ? "right" : "left",
    bucket: bucketOf(1 + r - l),
  }),
  phrase: (_, [h, p, m]) => ({
    words: [h, p, m],
    pattern: `${h < m} ${p < m}`,
    bucket: bucketOf(Math.abs(h - m)),
  }),
  coordination: (text, [h, c, m, r]) => {
    const first = Math.max(0, c - h - 1);
    const longer = r - m - first;
    const lengths = [
      longer === 0 && r === m,
      longer === 0,
      longer > 0 && longer < 3,
      longer > 2,
      longer > -3,
    ];
    const bucket = lengths.indexOf(true) < 0 ? 6 : lengths.indexOf(true) + 1;
    const features = (i: number) => (i === 0 ? "root" : `${text[i - 1].feats ?? ""}`);
    const cases = (i: number) =>
      features(i)
        .split("|")
        .filter((feature) => /^(Case=|VerbForm=|root)/.test(feature))
        .join("|");
    const tag = (i: number) => (i === 0 ? "root" : text[i - 1].upos!);
    return {
      words: [h, c, m],
      pattern: [tag, cases, features].map((of) => of(h) === of(m)).join(" "),
      bucket,
    };
  },
  crossing: (_, [h, m]) => ({ words: [h, m], pattern: `${h < m}`, bucket: bucketOf(Math.abs(h - m)) }),
  pair: (_, [a, b, g, h]) => ({
    words: [a, b, g, h],
    pattern: `${g === h} ${g > a && g < b} ${h > a && h < b}`,
    bucket: bucketOf(b - a),
  }),
  shape: (text, [which, value]) => {
    const n = text.length;
    const last = text.findLastIndex(({ upos }) => upos !== "PUNCT") + 1 || n;
    const share = Math.min(6, Math.floor((7 * value) / (n + 1)));
    return {
      words: [last],
      pattern: `${which} ${bucketOf(n)}`,
      bucket: 1 + (which === 2 ? Math.min(6, value) : share),
    };
  },
};

/** Arguments that a view can have. */
function randomArguments(view: GlobalView, n: number): Arguments {
  const word = () => 1 + stream.int(n);
  const [a, b] = [word(), word()].toSorted((i, j) => i - j) as [number, number];
  const m = a + stream.int(b - a + 1);
  let h = stream.int(n + 1);
  if (h === m) h = 0;
  switch (view) {
    case "valency":
      return [stream.int(n + 1), stream.int(6), stream.int(6), 0];
    case "leftTags":
    case "rightTags":
      return [stream.int(n + 1), stream.int(5), 1 + stream.int(9), 0];
    case "span":
      return [h, m, a, b];
    case "phrase":
      return [h, word(), m, 0];
    case "coordination":
      return [h, word(), m, b];
    case "crossing":
      return [h, m, 0, 0];
    case "pair":
      return [a, Math.max(b, Math.min(n, a + 1)), stream.int(n + 1), stream.int(n + 1)];
    case "shape":
      return [stream.int(3), stream.int(n + 1), 0, 0];
  }
}

describe.each(GLOBAL_VIEWS)("features of the view %s", (view) => {
  const templates = GLOBAL_TEMPLATES[view];
  const features = new GlobalFeatures({ [view]: templates }, BITS);
  const seen = templates.map(() => ({ lines: new Map<string, number>(), texts: new Map<number, string>() }));

  it("share a line exactly when words, pattern and template are alike; the bucket is a place in it", () => {
    const places = new Int32Array(2 * features.capacity);
    for (const text of texts) {
      const oracle = new FeatureOracle(text, encoder.data);
      features.prepare(encoder.encode(text));
      for (let trial = 0; trial < 150; trial++) {
        const given = randomArguments(view, text.length);
        const { words, pattern, bucket } = ORACLE[view](text, given);
        expect(features.offsets(32, VIEW[view], ...given, places)).toBe(2 * templates.length);
        for (const [t, template] of templates.entries()) {
          const name = `${pattern}: ${oracle.part(template, GLOBAL_WORDS[view], words, 0)}`;
          const line = places[2 * t];
          const found = [(line - 32) % PART_LINE, places[2 * t + 1] - line];
          const known = [seen[t].lines.get(name) ?? line, seen[t].texts.get(line) ?? name];
          // One comparison of text per template: thousands of expectations take seconds.
          if (`${[...found, ...known]}` !== `${[0, bucket, line, name]}`)
            expect([given, ...found, ...known]).toEqual([given, 0, bucket, line, name]);
          seen[t].lines.set(name, line);
          seen[t].texts.set(line, name);
        }
      }
    }
  });

  it("sum to the weights of their places", () => {
    const small = new GlobalFeatures({ [view]: templates }, 8);
    const weights = Float32Array.from({ length: 32 + PART_LINE * 2 ** 8 }, () => stream.int(100) - 50);
    small.prepare(encoder.encode(texts[0]));
    const places = new Int32Array(2 * small.capacity);
    for (let trial = 0; trial < 20; trial++) {
      const given = randomArguments(view, texts[0].length);
      const count = small.offsets(32, VIEW[view], ...given, places);
      const expected = places.slice(0, count).reduce((sum, place) => sum + weights[place], 0);
      expect(small.sum(weights, 32, VIEW[view], ...given)).toBe(expected);
    }
    const without = new GlobalFeatures({}, 8);
    without.prepare(encoder.encode(texts[0]));
    expect(without.sum(weights, 0, VIEW[view], 1, 1, 1, 1)).toBe(0);
    expect(without.offsets(0, VIEW[view], 1, 1, 1, 1, places)).toBe(0);
  });
});

describe("what global features know of a sentence", () => {
  function prepared(words: string) {
    const features = new GlobalFeatures({}, 8);
    const text = words.split(" ").map((word) => {
      const [form, upos] = word.split("/") as [string, string];
      return { form, upos };
    });
    features.prepare(encoder.encode(text));
    return features;
  }

  it.each([
    ["( a )", ["1-3"]],
    ["( ( a ) )", ["2-4"]],
    ['" a " b " c "', ["1-3", "5-7"]],
    ["a , b , c , d", ["2-4", "4-6"]],
    ["( a ] , b", []],
    ["« a » « b »", ["1-3", "4-6"]],
    ["„ a “ b “ c ”", ["1-3", "5-7"]],
    ["a )", []],
  ])("pairs of signs in %j are %j", (words, expected) => {
    const { closing, opening } = prepared(words);
    const pairs = [...closing.keys()].filter((a) => closing[a] > 0);
    expect(pairs.map((a) => `${a}-${closing[a]}`)).toEqual(expected);
    for (const a of pairs) expect(opening[closing[a]]).toBe(a);
  });

  it.each([
    ["a/NOUN b/VERB ./PUNCT", 2],
    ["a/NOUN b/VERB", 2],
    ["a/NOUN ./PUNCT )/PUNCT", 1],
    ["./PUNCT !/PUNCT", 2],
    ["./PUNCT", 1],
  ])("the last word of %j is number %d", (words, last) => {
    expect(prepared(words).last).toBe(last);
  });

  it("the roles of words, by their tags", () => {
    const { role } = prepared("a/ADP b/SCONJ c/CCONJ ./PUNCT e/NOUN");
    expect([...role.slice(0, 6)]).toEqual([
      ROLE.none,
      ROLE.adposition,
      ROLE.subordinator,
      ROLE.coordinator,
      ROLE.punctuation,
      ROLE.none,
    ]);
  });
});
