import {
  type Arcs,
  completeArcs,
  type Decoder,
  isProjective,
  isTree,
  NoTree,
  random,
  type Sentence,
  scoreTree,
  UnsupportedPart,
  validateProblem,
} from "@arcwise/core";
import { arcFeatures, lineLength, sentenceEncoder } from "@arcwise/core/features";
import { eisnerDecoder, mstDecoder } from "@arcwise/decode-mst";
import fc from "fast-check";
import { beforeAll, describe, expect, it, test } from "vitest";
import { decoderNames } from "../src/decoding/index.ts";
import { createParser, type ParseConstraints, type Parser, type ParserModel } from "../src/index.ts";
import { trained } from "../src/model/model.ts";
import { ArcScorer } from "../src/scoring/arcs/arc-scorer.ts";
import { labelsOfArc } from "../src/scoring/arcs/label-filter.ts";
import { trainedParser } from "./fast-training.ts";
import { pairs, readingOf, sample, TREEBANK, treesOver, withCode } from "./support.ts";

/**
 * The models of these tests: of any trees and of projective ones, with all arcs as candidates and without.
 */
const models = new Map<string, ParserModel>();
const parserOf = (name: string, decoder?: string) =>
  createParser(models.get(name)!, decoder === undefined ? {} : { decoder });

beforeAll(async () => {
  const some = [...TREEBANK, ...sample("train").slice(0, 30)];
  const common = { epochs: 2, labeller: "joint" } as const;
  models.set("any", await trainedParser(some, common));
  models.set("projective 3", await trainedParser(some, { ...common, order: 3 }));
  models.set("any, unpruned", await trainedParser(TREEBANK, { ...common, prune: false }));
  models.set(
    "projective 1, unpruned",
    await trainedParser(TREEBANK, { ...common, decoder: "eisner", prune: false }),
  );
  models.set("projective 3, unpruned", await trainedParser(TREEBANK, { ...common, order: 3, prune: false }));
});

const PRUNED = ["any", "projective 3"];
const UNPRUNED = ["any, unpruned", "projective 1, unpruned", "projective 3, unpruned"];
const short = TREEBANK.map(({ sentence }) => sentence);
const isAllowed = (name: string, tree: Int32Array) => name.startsWith("any") || isProjective(tree);

/** All trees over candidate arcs that a model of the name chooses from. */
const treesOf = (name: string, arcs: Arcs) => treesOver(arcs).filter((tree) => isAllowed(name, tree));

describe.each(PRUNED)("a parser (%s)", (name) => {
  let parser: Parser;
  beforeAll(() => {
    parser = parserOf(name);
  });

  it("has problems that are sound, whose best tree is the parse", () => {
    for (const { sentence } of sample("dev").slice(0, 15)) {
      const problem = readingOf(parser, sentence).problem();
      validateProblem(problem);
      const { heads, labels, score, bound } = parser.parse(sentence);
      expect(scoreTree(problem, heads)).toBeCloseTo(score, 9);
      expect(bound).toBe(score);
      expect(isTree(heads) && isAllowed(name, heads)).toBe(true);
      expect(labels.length).toBe(heads.length);
      expect(labels[0]).toBe("");
      expect(labels.slice(1)).not.toContain("");
    }
  });

  it("keeps a projective tree with a single root among the candidates, of any sentence", () => {
    const stream = random(1);
    const words = sample("train").flatMap(({ sentence }) => sentence);
    for (let length = 1; length <= 40; length++) {
      const sentence = Array.from({ length }, () => words[stream.int(words.length)]!);
      const { arcs } = readingOf(parser, sentence).problem();
      const problem = { arcs, arcScores: new Float64Array(arcs.head.length), parts: [] };
      expect(isTree(eisnerDecoder().decode(problem).heads)).toBe(true);
    }
  });

  it.each([0, 1, 2, 500])("parses %d words", (length) => {
    const all = sample("train").flatMap(({ sentence }) => sentence);
    const { heads, labels } = parser.parse(all.slice(0, length));
    expect(heads.length).toBe(length + 1);
    expect(labels.length).toBe(length + 1);
    expect(isTree(heads)).toBe(true);
  });

  it.each<[string, Sentence]>([
    ["forms alone", [{ form: "Cats" }, { form: "sleep" }]],
    ["empty columns", [{ form: "", lemma: "", upos: "", xpos: "", feats: "" }, { form: "" }]],
    [
      "unknown tags",
      [
        { form: "a", upos: "NO-SUCH", xpos: "?", feats: "Odd=Yes|Odd" },
        { form: "b", upos: "_" },
      ],
    ],
    [
      "names of properties",
      [{ form: "__proto__", lemma: "constructor", upos: "toString" }, { form: "hasOwnProperty" }],
    ],
    ["emoji, signs of other planes, half of a pair", ["👩‍👩‍👧", "𝔘𝔫𝔦", "\ud83d"].map((form) => ({ form }))],
    [
      "marks that combine, directions, no-break spaces",
      ["e\u0301\u0301\u0301", "\u202eabc", "\u00a0", "\u200b"].map((form) => ({ form })),
    ],
    ["İ and ß, whose other cases are longer", [{ form: "İSTANBUL" }, { form: "straße", lemma: "STRASSE" }]],
    ["a form of 100,000 letters", [{ form: "x".repeat(100_000) }, { form: "y" }]],
    [
      "500 features of one word",
      [{ form: "x", feats: Array.from({ length: 500 }, (_, i) => `F${i}=1`).join("|") }, { form: "y" }],
    ],
    ["tabs and line ends", [{ form: "a\tb\n" }, { form: "\0" }]],
  ])("parses %s", (_what, sentence) => {
    const { heads, labels } = parser.parse(sentence);
    expect(heads.length).toBe(sentence.length + 1);
    expect(isTree(heads)).toBe(true);
    expect(labels.slice(1).every((label) => label !== "")).toBe(true);
  });

  it("gives the same answer whatever it parsed before, and lets go of what it returned", () => {
    const sentences = sample("dev")
      .slice(0, 8)
      .map(({ sentence }) => sentence);
    const first = sentences.map((sentence) => parser.parse(sentence));
    const kept = first.map(({ heads }) => [...heads]);
    readingOf(parser, sentences[3]!).marginals();
    readingOf(parser, sentences[4]!).kBest(3);
    parser.parse(sentences[2]!, { constraints: { forbiddenLabels: [[1, "root"]] } });
    const second = [...sentences]
      .reverse()
      .map((sentence) => parser.parse(sentence))
      .reverse();
    expect(second).toEqual(first);
    expect(first.map(({ heads }) => [...heads])).toEqual(kept);
  });
});

it("parses 5,000 words", () => {
  const all = Array.from({ length: 3 }, () => sample("train").flatMap(({ sentence }) => sentence)).flat();
  const { heads } = parserOf("any").parse(all.slice(0, 5000));
  expect(heads.length).toBe(5001);
  expect(isTree(heads)).toBe(true);
});

describe("kBest", () => {
  it.each(UNPRUNED)("is the sorted enumeration (%s)", (name) => {
    const parser = parserOf(name);
    for (const sentence of short) {
      const problem = readingOf(parser, sentence).problem();
      const scores = treesOf(name, problem.arcs).map((tree) => scoreTree(problem, tree));
      const ranked = readingOf(parser, sentence).kBest(1000);
      expect(ranked.length).toBe(scores.length);
      scores.sort((a, b) => b - a);
      for (const [rank, parse] of ranked.entries()) {
        expect(parse.score).toBeCloseTo(scores[rank]!, 6);
        expect(parse.bound).toBe(parse.score);
      }
      expect(new Set(ranked.map(({ heads }) => String(heads))).size).toBe(scores.length);
      expect(ranked[0]!.labels).toEqual(parser.parse(sentence).labels);
      expect(readingOf(parser, sentence).kBest(3)).toEqual(ranked.slice(0, 3));
    }
  });

  it.each([0, -1, 1.5, Number.NaN, Infinity])("refuses k = %d", (k) => {
    expect(() => readingOf(parserOf("any"), short[0]!).kBest(k)).toThrow(withCode("invalid-argument"));
  });
});

describe("marginals", () => {
  /** Scores of the arc h -> m of a first-order model with each label that it may have. */
  function labelScores(name: string, sentence: Sentence) {
    const { configuration, labels, encoder, filter, arcWeights } = trained(models.get(name)!);
    const features = arcFeatures(
      configuration.arcTemplates,
      configuration.arcBits,
      lineLength(labels.length),
    );
    const scorer = new ArcScorer(features, labels.length, filter);
    const encoded = sentenceEncoder(encoder).encode(sentence);
    const table = { ...arcWeights, first: 0 };
    return (h: number, m: number) => {
      const list = labelsOfArc(filter!, encoded, h, m);
      const scores = new Float64Array(list.length);
      const own = scorer.features(encoded).scoreLabels(h, m, list, table, scores);
      return [...list].map((label, l) => ({ label: labels[label]!, score: own + scores[l]! }));
    };
  }

  it.each(["any, unpruned", "projective 1, unpruned"])("are those of all labelled trees (%s)", (name) => {
    const parser = parserOf(name);
    for (const sentence of short.slice(0, 2)) {
      const { heads, labels, arcs, ...found } = readingOf(parser, sentence).marginals();
      expect({ heads, labels, score: found.score, bound: found.bound }).toEqual(parser.parse(sentence));
      const scoresOf = labelScores(name, sentence);
      const sumOf = (h: number, m: number) =>
        scoresOf(h, m).reduce((sum, { score }) => sum + Math.exp(score), 0);
      const trees = treesOf(name, arcs);
      const weights = trees.map((tree) =>
        tree.reduce((product, h, m) => (m === 0 ? 1 : product * sumOf(h, m)), 1),
      );
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      expect(found.logPartition).toBeCloseTo(Math.log(total), 9);
      for (const [a, [h, m]] of pairs(arcs).entries()) {
        const share = trees.reduce((sum, tree, t) => (tree[m] === h ? sum + weights[t]! : sum), 0) / total;
        expect(found.arcProbabilities[a]).toBeCloseTo(share, 9);
        if (heads[m] !== h) continue;
        expect(found.headProbabilities[m]).toBeCloseTo(share, 9);
        const label = scoresOf(h, m).find((one) => one.label === labels[m])!;
        expect(found.labelledProbabilities[m]).toBeCloseTo((share * Math.exp(label.score)) / sumOf(h, m), 9);
      }
    }
  });

  it.each([...PRUNED, ...UNPRUNED])("of each word sum to 1 (%s)", (name) => {
    for (const { sentence } of sample("dev").slice(0, 4)) {
      const { arcs, arcProbabilities, headProbabilities, labelledProbabilities } = readingOf(
        parserOf(name),
        sentence,
      ).marginals();
      for (let m = 1; m <= arcs.n; m++) {
        const own = arcProbabilities.subarray(arcs.start[m]!, arcs.start[m + 1]!);
        expect(own.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 9);
        expect(labelledProbabilities[m]).toBeLessThanOrEqual(headProbabilities[m]! + 1e-12);
      }
      expect(headProbabilities[0]).toBe(0);
      expect(labelledProbabilities[0]).toBe(0);
    }
  });

  it("of a sentence without words are empty", () => {
    expect(readingOf(parserOf("any"), []).marginals()).toMatchObject({
      logPartition: 0,
      heads: Int32Array.of(-1),
    });
  });
});

describe("decoders", () => {
  it.each(decoderNames("trees", "parsing"))("%s finds a tree, when it is asked for by name", (decoder) => {
    const parser = parserOf("any, unpruned", decoder);
    const best = parserOf("any, unpruned");
    for (const sentence of short) {
      const { heads, score, bound } = parser.parse(sentence);
      expect(isTree(heads)).toBe(true);
      expect(score).toBeLessThanOrEqual(best.parse(sentence).score + 1e-9);
      expect(bound).toBeGreaterThanOrEqual(score);
    }
  });

  it("mbr-projective finds the projective tree with the most right heads on average, with parts too", () => {
    for (const name of ["projective 1, unpruned", "projective 3, unpruned"]) {
      for (const sentence of short) {
        const parser = parserOf(name, "mbr-projective");
        const { heads, arcs, arcProbabilities } = readingOf(parser, sentence).marginals();
        const problem = readingOf(parser, sentence).problem();
        // Labels are not summed out for decoding: the probabilities are those of arcs with their best labels.
        const trees = treesOf(name, problem.arcs);
        const weights = trees.map((tree) => Math.exp(scoreTree(problem, tree)));
        const expected = (tree: Int32Array) =>
          trees.reduce(
            (sum, other, t) => sum + weights[t]! * tree.filter((h, m) => m > 0 && other[m] === h).length,
            0,
          );
        const best = Math.max(...trees.map(expected));
        expect(expected(heads) / best).toBeCloseTo(1, 9);
        expect(arcProbabilities.length).toBe(arcs.head.length);
      }
    }
  });

  it("that are none, or cannot score the parts of the model, are refused at once", () => {
    expect(() => parserOf("any", "magic")).toThrow(withCode("invalid-option"));
    expect(() => parserOf("any", "mts")).toThrow('did you mean "mst"');
    expect(() => parserOf("any", "toString")).toThrow('no decoder is named "toString"');
    expect(() => parserOf("projective 3", "mst")).toThrow(UnsupportedPart);
    expect(() => createParser(models.get("projective 3")!, { decoder: mstDecoder() })).toThrow(
      UnsupportedPart,
    );
    expect(() => createParser({ description: models.get("any")!.description })).toThrow(
      withCode("invalid-argument"),
    );
  });

  it("of another make parse, rank and sum", () => {
    const { kBest: _, ...mine }: Decoder = { ...mstDecoder(), name: "mine" };
    const parser = createParser(models.get("any")!, { decoder: mine });
    expect(parser.parse(short[0]!)).toEqual(parserOf("any").parse(short[0]!));
    expect(readingOf(parser, short[0]!).marginals()).toEqual(
      readingOf(parserOf("any"), short[0]!).marginals(),
    );
    const scores = (own: Parser) =>
      readingOf(own, short[0]!)
        .kBest(3)
        .map(({ score }) => score.toFixed(9));
    expect(scores(parser)).toEqual(scores(parserOf("any")));
  });
});

/** Constraints on sentences of up to 5 words, often such that contradict. */
const constraintsOf = (n: number): fc.Arbitrary<ParseConstraints & { heads: number[] }> =>
  fc.record({
    heads: fc
      .array(fc.option(fc.integer({ min: 0, max: n }), { nil: -1, freq: 2 }), { minLength: n, maxLength: n })
      .map((heads) => [-1, ...heads.map((h, i) => (h === i + 1 ? -1 : h))]),
    forbiddenArcs: fc
      .array(fc.tuple(fc.integer({ min: 0, max: n }), fc.integer({ min: 1, max: n })), { maxLength: 2 * n })
      .map((arcs) => arcs.filter(([h, m]) => h !== m)),
  });

const meets = (tree: Int32Array, { heads, forbiddenArcs }: ParseConstraints) =>
  tree.every((h, m) => m === 0 || heads?.[m] === -1 || heads?.[m] === h) &&
  [...(forbiddenArcs ?? [])].every(([h, m]) => tree[m] !== h);

describe.each([...PRUNED, ...UNPRUNED])("constraints on arcs (%s)", (name) => {
  it("are met by the parse, and refused only when no tree meets them", () => {
    const parser = parserOf(name);
    const all = short.map((sentence) => treesOf(name, completeArcs(sentence.length)));
    let [met, refused] = [0, 0];
    fc.assert(
      fc.property(
        fc
          .nat(short.length - 1)
          .chain((index) => fc.tuple(fc.constant(index), constraintsOf(short[index]!.length))),
        ([index, constraints]) => {
          const sentence = short[index]!;
          const possible = all[index]!.filter((tree) => meets(tree, constraints));
          if (possible.length === 0) {
            refused++;
            expect(() => parser.parse(sentence, { constraints })).toThrow(NoTree);
            expect(() => readingOf(parser, sentence).kBest(2, { constraints })).toThrow(NoTree);
            return;
          }
          met++;
          const parse = parser.parse(sentence, { constraints });
          expect(isTree(parse.heads) && isAllowed(name, parse.heads) && meets(parse.heads, constraints)).toBe(
            true,
          );
          const problem = readingOf(parser, sentence).problem({ constraints });
          validateProblem(problem);
          expect(scoreTree(problem, parse.heads)).toBeCloseTo(parse.score, 9);
          const ranked = readingOf(parser, sentence).kBest(100, { constraints });
          expect(ranked.every(({ heads }) => meets(heads, constraints))).toBe(true);
          expect(ranked[0]!.score).toBeCloseTo(parse.score, 9);
          if (name.endsWith("unpruned")) {
            const free = readingOf(parser, sentence).problem();
            const best = Math.max(...possible.map((tree) => scoreTree(free, tree)));
            expect(parse.score).toBeCloseTo(best, 9);
            expect(ranked.length).toBe(Math.min(100, possible.length));
          }
        },
      ),
      { seed: 1, numRuns: 120 },
    );
    expect(met).toBeGreaterThan(10);
    expect(refused).toBeGreaterThan(10);
  });

  it("that are free change nothing", () => {
    const parser = parserOf(name);
    for (const sentence of short) {
      const n = sentence.length;
      const constraints = {
        heads: new Array(n + 1).fill(-1),
        labels: new Array(n + 1).fill(""),
        forbiddenArcs: [],
      };
      expect(parser.parse(sentence, { constraints })).toEqual(parser.parse(sentence));
      expect(readingOf(parser, sentence).marginals({ constraints })).toEqual(
        readingOf(parser, sentence).marginals(),
      );
    }
  });

  it("make the forced arcs certain", () => {
    const marginals = readingOf(parserOf(name), short[2]!).marginals({
      constraints: { heads: [-1, -1, -1, 2, -1, -1] },
    });
    expect(marginals.heads[3]).toBe(2);
    expect(marginals.headProbabilities[3]).toBeCloseTo(1, 12);
  });
});

test("constraints of a long sentence reach beyond the window of the pruner", () => {
  const sentence = Array.from({ length: 450 }, (_, i) => short[2]![i % 5]!);
  const heads = new Int32Array(451).fill(-1);
  heads[450] = 1;
  heads[1] = 449;
  // Word 449 may hang under nothing near it.
  const forbiddenArcs = Array.from({ length: 448 }, (_, i) => [i, 449] as const).filter(([h]) => h !== 20);
  const constraints = { heads, forbiddenArcs: [...forbiddenArcs, [450, 449] as const] };
  const parse = parserOf("any").parse(sentence, { constraints });
  expect(isTree(parse.heads)).toBe(true);
  expect([parse.heads[450], parse.heads[1]]).toEqual([1, 449]);
  expect([20, 448]).toContain(parse.heads[449]);
});

describe.each(["any, unpruned", "projective 3, unpruned"])("constraints on labels (%s)", (name) => {
  const sentence = short[2]!;
  const free = (m: number, label: string) =>
    Array.from({ length: sentence.length + 1 }, (_, i) => (i === m ? label : undefined));

  it("that ask for what is there change nothing", () => {
    const parser = parserOf(name);
    const parse = parser.parse(sentence);
    for (let m = 1; m <= sentence.length; m++) {
      const constraints = { labels: free(m, parse.labels[m]!) };
      const { heads, labels, score } = parser.parse(sentence, { constraints });
      expect({ heads, labels }).toEqual({ heads: parse.heads, labels: parse.labels });
      expect(score).toBeCloseTo(parse.score, 9);
    }
    expect(
      parser.parse(sentence, { constraints: { labels: parse.labels, heads: parse.heads } }),
    ).toMatchObject({
      heads: parse.heads,
      labels: parse.labels,
    });
  });

  it("that forbid labels are kept, at a price", () => {
    const parser = parserOf(name);
    const parse = parser.parse(sentence);
    const forbiddenLabels: [number, string][] = [];
    let last = parse.score;
    for (;;) {
      const label = parser.parse(sentence, { constraints: { forbiddenLabels } }).labels[3]!;
      expect(forbiddenLabels.map((pair) => pair[1])).not.toContain(label);
      forbiddenLabels.push([3, label]);
      if (forbiddenLabels.length === models.get(name)!.description.labels.length) break;
      const { score, heads } = parser.parse(sentence, { constraints: { forbiddenLabels } });
      expect(score).toBeLessThanOrEqual(last + 1e-9);
      const problem = readingOf(parser, sentence).problem({ constraints: { forbiddenLabels } });
      expect(scoreTree(problem, heads)).toBeCloseTo(score, 9);
      last = score;
    }
    expect(() => parser.parse(sentence, { constraints: { forbiddenLabels } })).toThrow(
      "all labels of word 3",
    );
  });

  it("that force a label are kept, of the model or not; the rest is labelled as ever", () => {
    const parser = parserOf(name);
    for (const label of ["det", "advmod", "no such label"]) {
      const constraints = { labels: free(4, label) };
      expect(parser.parse(sentence, { constraints }).labels[4]).toBe(label);
      for (const { labels } of readingOf(parser, sentence).kBest(5, { constraints }))
        expect(labels[4]).toBe(label);
      const { labels, headProbabilities, labelledProbabilities } = readingOf(parser, sentence).marginals({
        constraints,
      });
      expect(labels[4]).toBe(label);
      expect(labelledProbabilities[4]).toBeCloseTo(headProbabilities[4]!, 9);
      expect(labels.slice(1)).not.toContain("");
    }
  });

  it("leave the others' shares to sum to 1", () => {
    const parser = parserOf(name);
    const known = models.get(name)!.description.labels;
    const constraints = (label: string) => ({ labels: free(4, label), heads: [-1, -1, -1, -1, 2, -1] });
    const partition = (given: ParseConstraints) =>
      readingOf(parser, sentence).marginals({ constraints: given }).logPartition;
    const forbidden = known.slice(1).map((label) => [4, label] as const);
    const one = partition({ heads: constraints("").heads, forbiddenLabels: forbidden });
    expect(one).toBeCloseTo(partition(constraints(known[0]!)), 9);
    const two = partition({ heads: constraints("").heads, forbiddenLabels: forbidden.slice(1) });
    const sum = Math.log(Math.exp(one) + Math.exp(partition(constraints(known[1]!))));
    // The filter leaves labels out: at least one of the two sums holds.
    expect([one, partition(constraints(known[1]!)), sum].some((value) => Math.abs(value - two) < 1e-9)).toBe(
      true,
    );
  });
});

describe("options of readings that are misspelt or of another type are refused", () => {
  it.each<[string, object | null, string]>([
    ["constraint", { constraint: { heads: [] } }, "unknown-option"],
    ["a member of constraints", { constraints: { head: [] } }, "unknown-option"],
    ["constraints that are text", { constraints: "x" }, "invalid-option"],
    ["constraints that are null", { constraints: null }, "invalid-option"],
    ["heads that are text", { constraints: { heads: "x" } }, "invalid-option"],
    ["labels that are an object", { constraints: { labels: {} } }, "invalid-option"],
    ["forbidden arcs that are a number", { constraints: { forbiddenArcs: 5 } }, "invalid-option"],
    ["no options", null, "invalid-option"],
  ])("%s", (_what, options, code) => {
    const [reading] = parserOf("any").read([short[2]!]);
    for (const method of [
      () => reading!.best(options as never),
      () => reading!.kBest(1, options as never),
      () => reading!.marginals(options as never),
      () => reading!.problem(options as never),
    ])
      expect(method).toThrow(withCode(code));
  });
});

describe("constraints that are none are refused", () => {
  const sentence = short[2]!;
  it.each<[string, ParseConstraints, string]>([
    ["too few heads", { heads: [-1, 2] }, "expected 6 entries for 5 words, found 2"],
    ["too many labels", { labels: new Array(7).fill("") }, "expected 6 entries"],
    ["a head out of range", { heads: [-1, 9, -1, -1, -1, -1] }, "found 9 -> 1"],
    ["a word as its own head", { heads: [-1, 1, -1, -1, -1, -1] }, "found 1 -> 1"],
    ["a head that is not a number", { heads: [-1, Number.NaN, -1, -1, -1, -1] }, "found NaN -> 1"],
    ["an arc to the root", { forbiddenArcs: [[1, 0]] }, "found 1 -> 0"],
    ["a word that is not in the sentence", { forbiddenLabels: [[6, "obj"]] }, "from 1 to 5, found 6"],
    ["a label that is a number", { labels: [5, 5, 5, 5, 5, 5] as never }, "expected a label, found 5"],
    [
      "arcs that are not pairs",
      { forbiddenArcs: [5] as never },
      "expected pairs of a head and a word, found 5",
    ],
    [
      "labels without words",
      { forbiddenLabels: ["a"] as never },
      'expected pairs of a word and a label, found "a"',
    ],
  ])("%s", (_what, constraints, message) => {
    expect(() => parserOf("any").parse(sentence, { constraints })).toThrow(withCode("invalid-argument"));
    expect(() => parserOf("any").parse(sentence, { constraints })).toThrow(message);
  });

  it.each<[string, ParseConstraints, string]>([
    ["a cycle", { heads: [-1, 2, 3, 1, -1, -1] }, "cycle: "],
    ["two roots", { heads: [-1, 0, -1, -1, 0, -1] }, "the words 1, 4 are all forced to be the root"],
    [
      "forced and forbidden",
      { heads: [-1, 2, -1, -1, -1, -1], forbiddenArcs: [[2, 1]] },
      "2 -> 1 is forced and forbidden",
    ],
    [
      "no head",
      { forbiddenArcs: [0, 2, 3, 4, 5].map((h) => [h, 1] as const) },
      "all heads of word 1 are forbidden",
    ],
    ["no root", { forbiddenArcs: [1, 2, 3, 4, 5].map((m) => [0, m] as const) }, "meets the constraints"],
    [
      "forced and forbidden labels",
      { labels: ["", "a", "", "", "", ""], forbiddenLabels: [[1, "a"]] },
      'label "a" of word 1',
    ],
  ])("as a contradiction: %s", (_what, constraints, message) => {
    expect(() => parserOf("any").parse(sentence, { constraints })).toThrow(NoTree);
    expect(() => parserOf("any").parse(sentence, { constraints })).toThrow(message);
  });

  it("arcs that cross, for a projective parser alone", () => {
    const constraints = { heads: [-1, 3, 4, -1, -1, -1] };
    expect(parserOf("any").parse(sentence, { constraints }).heads.slice(1, 3)).toEqual(Int32Array.of(3, 4));
    expect(() => parserOf("projective 3").parse(sentence, { constraints })).toThrow(
      "no projective tree of 5 words",
    );
  });
});
