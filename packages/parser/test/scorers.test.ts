import {
  arcIndex,
  completeArcs,
  filterArcs,
  heads,
  PART_KINDS,
  type PartKind,
  random,
  SparseVector,
  scoreTree,
  validateProblem,
} from "@arcwise/core";
import { ARC_TEMPLATES, arcFeatures, lineLength, PART_FEATURES, PART_LINE } from "@arcwise/core/features";
import { describe, expect, it, vi } from "vitest";
import { ArcScorer } from "../src/scoring/arcs/arc-scorer.ts";
import { buildLabelFilter, labelsOfArc } from "../src/scoring/arcs/label-filter.ts";
import { PartScorer } from "../src/scoring/parts/part-scorer.ts";
import { SentenceScorer } from "../src/scoring/sentence-scorer.ts";
import { encoded, sample, TREEBANK, treesOver } from "./support.ts";

const BITS = 10;
const examples = [...TREEBANK, ...sample("train").slice(0, 12)];
const { encoder, labels, sentences, golds } = encoded(examples, 1);
const filter = buildLabelFilter(sentences, golds, labels.strings.length);

function randomWeights(seed: number, length: number): Float32Array {
  const stream = random(seed);
  return Float32Array.from({ length }, () => stream.normal());
}

describe("ArcScorer", () => {
  const length = lineLength(labels.strings.length);
  const scorer = new ArcScorer(arcFeatures(ARC_TEMPLATES, BITS, length), labels.strings.length, filter);
  const weights = randomWeights(1, length * 2 ** BITS);
  const table = { values: weights, first: 0, scale: 1 };
  const own = new Float64Array(labels.strings.length);
  const allLabels = Int32Array.from(labels.strings.keys());
  const allowed = (index: number, h: number, m: number) => [...labelsOfArc(filter, sentences[index]!, h, m)];

  it.each([0, 3, 6, 9])(
    "gives each arc of sentence %d the score of its features with its best label",
    (index) => {
      const sentence = sentences[index]!;
      const arcs = completeArcs(sentence.n);
      const scored = scorer.score(sentence, arcs, table);
      const features = scorer.features(sentence);
      for (let a = 0; a < arcs.head.length; a++) {
        const [h, m] = [arcs.head[a]!, arcs.modifier[a]!];
        const score = (label: number) => {
          const vector = new SparseVector();
          features.addFeatures(h, m, label, 1, vector);
          return vector.dot(weights);
        };
        const best = Math.max(...allowed(index, h, m).map(score));
        expect(scored.scores[a]).toBeCloseTo(best, 6);
        expect(score(scored.labels[a]!)).toBeCloseTo(best, 6);
        const alone = features.scoreLabels(h, m, allLabels, table, own);
        expect(alone).toBeCloseTo(score(-1), 6);
        for (const label of [0, 1, scored.labels[a]!]) {
          expect(alone + own[label]!).toBeCloseTo(score(label), 6);
          const added = new SparseVector();
          features.addLabelFeatures(h, m, label, 1, added);
          expect(added.dot(weights)).toBeCloseTo(own[label]!, 6);
        }
      }
    },
  );

  it.each([0, 3, 6, 9])("gives arcs of tree %d the best labels by features and other scores", (index) => {
    const sentence = sentences[index]!;
    const { heads: tree } = golds[index]!;
    const stream = random(index);
    const others = Float64Array.from({ length: tree.length * labels.strings.length }, () => stream.normal());
    const scaled = { ...table, scale: 0.25 };
    const found = scorer.bestLabels(sentence, tree, scaled, others);
    expect(found[0]).toBe(-1);
    const plain = scorer.score(sentence, completeArcs(sentence.n), scaled).labels;
    let changed = 0;
    for (let m = 1; m < tree.length; m++) {
      const h = tree[m]!;
      const score = (label: number) => {
        const vector = new SparseVector();
        scorer.features(sentence).addFeatures(h, m, label, 0.25, vector);
        return vector.dot(weights) + others[m * labels.strings.length + label]!;
      };
      expect(allowed(index, h, m)).toContain(found[m]);
      expect(score(found[m]!)).toBeCloseTo(Math.max(...allowed(index, h, m).map(score)), 6);
      if (found[m] !== plain[arcIndex(completeArcs(sentence.n), h, m)]) changed++;
    }
    if (index === 9) expect(changed).toBeGreaterThan(0);
  });

  it("scores bytes alike with and without WebAssembly", () => {
    const stream = random(3);
    const values = Int8Array.from({ length: weights.length }, () => stream.int(255) - 127);
    const bytes = { values, first: 0, scale: 0.25 };
    const { heads } = golds[5]!;
    const others = Float64Array.from({ length: heads.length * labels.strings.length }, () => stream.normal());
    const results = () => {
      const own = new ArcScorer(arcFeatures(ARC_TEMPLATES, BITS, length), labels.strings.length, filter);
      const arcs = completeArcs(sentences[5]!.n);
      return [own.score(sentences[5]!, arcs, bytes), own.bestLabels(sentences[5]!, heads, bytes, others)];
    };
    const byKernel = results();
    vi.stubGlobal("WebAssembly", undefined);
    const byScript = results();
    vi.unstubAllGlobals();
    expect(byScript).toEqual(byKernel);
  });

  it("scores bytes as their multiples of the scale, exactly", () => {
    const stream = random(2);
    const bytes = Int8Array.from({ length: weights.length }, () => stream.int(255) - 127);
    const floats = Float32Array.from(bytes);
    const sentence = sentences[5]!;
    const arcs = completeArcs(sentence.n);
    const byBytes = scorer.score(sentence, arcs, { values: bytes, first: 0, scale: 0.25 });
    const byFloats = scorer.score(sentence, arcs, { values: floats, first: 0, scale: 1 });
    expect(byBytes.scores).toEqual(byFloats.scores.map((score) => score / 4));
    expect(byBytes.labels).toEqual(byFloats.labels);
  });

  it("scores by a table wherever it stands in its vector", () => {
    const values = new Float32Array(weights.length + 3);
    values.set(weights, 3);
    const sentence = sentences[5]!;
    const arcs = completeArcs(sentence.n);
    const moved = scorer.score(sentence, arcs, { values, first: 3, scale: 1 });
    expect(moved).toEqual(scorer.score(sentence, arcs, table));
  });

  it("gives the features of a sentence also when others were scored since", () => {
    const [one, other] = [sentences[3]!, sentences[6]!];
    const features = scorer.features(one);
    const add = () => {
      const vector = new SparseVector();
      features.addFeatures(2, 1, 0, 1, vector);
      features.addLabelFeatures(0, 2, 1, 1, vector);
      return [
        [...vector.indices.subarray(0, vector.size)],
        features.scoreLabels(2, 1, allLabels, table, own),
      ];
    };
    const before = add();
    scorer.score(other, completeArcs(other.n), table);
    expect(add()).toEqual(before);
    scorer.sum(other, completeArcs(other.n), table);
    expect(add()).toEqual(before);
  });

  it("scores an arc alike, whatever other arcs are candidates", () => {
    const sentence = sentences[7]!;
    const all = completeArcs(sentence.n);
    const whole = scorer.score(sentence, all, table);
    const scores = all.head.reduce(
      (map, h, a) => map.set(`${h} ${all.modifier[a]}`, whole.scores[a]!),
      new Map<string, number>(),
    );
    const stream = random(3);
    const some = filterArcs(sentence.n, () => stream.int(3) === 0);
    const part = scorer.score(sentence, some, table);
    for (let a = 0; a < some.head.length; a++) {
      expect(part.scores[a]).toBe(scores.get(`${some.head[a]} ${some.modifier[a]}`));
    }
  });

  it("adds exactly the costs: one for a wrong head, one for a wrong label on the right head", () => {
    for (const index of [1, 4, 8]) {
      const sentence = sentences[index]!;
      const gold = golds[index]!;
      const arcs = completeArcs(sentence.n);
      const parts = new PartScorer({}, 8);
      const weightsOf = { arcs: table, parts: table, trees: undefined };
      const scored = new SentenceScorer({ arcs: scorer, parts }, () => arcs).score(sentence, weightsOf, {
        costs: { gold, head: 0.75, label: 0.5 },
      });
      const features = scorer.features(sentence);
      for (let a = 0; a < arcs.head.length; a++) {
        const [h, m] = [arcs.head[a]!, arcs.modifier[a]!];
        const alone = features.scoreLabels(h, m, allLabels, table, own);
        const augmented = allowed(index, h, m).map((label) => {
          const cost = gold.heads[m] !== h ? 0.75 : gold.labels[m] === label ? 0 : 0.5;
          return { label, score: alone + own[label]! + cost };
        });
        const best = augmented.reduce((a, b) => (b.score > a.score ? b : a));
        expect(scored.problem.arcScores[a]).toBeCloseTo(best.score, 6);
        expect(scored.labels[a]).toBe(best.label);
      }
    }
  });
});

describe("patterns of parts", () => {
  /**
   * Twenty words that nothing tells apart but their places: of those in the middle, all contexts are alike.
   */
  const sentence = encoder.encode(Array.from({ length: 20 }, () => ({ form: "x", upos: "NOUN" })));
  const MIDDLE = [8, 9, 10, 11, 12];

  /** Every part's score by features without distances, with what tells the order of its words. */
  function scored(kind: "grandparent" | "headBigram", pattern: (g: number, h: number, m: number) => string) {
    const scorer = new PartScorer({ [kind]: ["g.upos h.upos m.upos"] }, BITS);
    const weights = randomWeights(6, PART_LINE * 2 ** BITS).map((weight, i) =>
      i % PART_LINE === 0 ? weight : 0,
    );
    const arcs = completeArcs(sentence.n);
    const [table] = scorer.score(sentence, arcs, { values: weights, first: 0, scale: 1 });
    const { start, members, scores } = table!;
    const found = new Map<string, Set<number>>();
    for (let arc = 0; arc < arcs.head.length; arc++) {
      const [h, m] = [arcs.head[arc]!, arcs.modifier[arc]!];
      for (let part = start[arc]!; part < start[arc + 1]!; part++) {
        const g = arcs.head[members[part]!]!;
        if (![g, h, m].every((word) => MIDDLE.includes(word))) continue;
        const key = pattern(g, h, m);
        found.set(key, (found.get(key) ?? new Set()).add(scores[part]!));
      }
    }
    return found;
  }

  it.each([
    // g -> h -> m: six orders of three words.
    ["grandparent", (g, h, m) => [g, h, m].map((word) => [g, h, m].filter((x) => x < word).length).join(), 6],
    // g is the head of the word before m: a common head on either side, one the head of the other, or other
    // words.
    [
      "headBigram",
      (g, h, m) =>
        g === h
          ? `both ${h < m}`
          : g === m
            ? `before below m ${h < m}`
            : h === m - 1
              ? `m below before ${g < h}`
              : `${g < m} ${h < m}`,
      10,
    ],
  ] as const satisfies [string, (g: number, h: number, m: number) => string, number][])(
    "of kind %s: parts share a feature exactly when their words are in the same order",
    (kind, pattern, count) => {
      // A part of m = g is none of a tree, but a table has it.
      const found = scored(kind, (g, h, m) =>
        kind === "grandparent" && g === m ? "cycle" : pattern(g, h, m),
      );
      found.delete("cycle");
      expect(found.size).toBe(count);
      for (const scores of found.values()) expect(scores.size).toBe(1);
      expect(new Set([...found.values()].flatMap((scores) => [...scores])).size).toBe(count);
    },
  );
});

describe.each(PART_KINDS)("PartScorer of %s", (kind) => {
  const scorer = new PartScorer({ [kind]: PART_FEATURES[kind].templates }, BITS);
  const first = 16;
  const weights = randomWeights(4, first + PART_LINE * 2 ** BITS);

  it("scores trees as their features do: every two trees of four words differ by the same", () => {
    for (const index of [1, 3]) {
      const sentence = sentences[index]!;
      const arcs = completeArcs(sentence.n);
      const parts = scorer.score(sentence, arcs, { values: weights, first, scale: 0.5 });
      const problem = { arcs, arcScores: new Float64Array(arcs.head.length), parts };
      validateProblem(problem);
      const base = heads("2 0 2 3");
      for (const tree of treesOver(completeArcs(4))) {
        const difference = new SparseVector();
        const [one, other] = [
          { heads: tree, than: base },
          { heads: base, than: tree },
        ];
        scorer.addFeatures(sentence, one, { first, scale: 0.5 }, difference);
        scorer.addFeatures(sentence, other, { first, scale: -0.5 }, difference);
        const expected = scoreTree(problem, tree) - scoreTree(problem, base);
        expect(difference.dot(weights)).toBeCloseTo(expected, 6);
      }
    }
  });

  it("gives a part the same score whatever other arcs are candidates and sentences are around", () => {
    const stream = random(5);
    for (const [index, sentence] of sentences.entries()) {
      if (index < 4 || sentence.n > 16) continue;
      const tree = examples[index]!.tree.heads;
      const [all, some] = [
        completeArcs(sentence.n),
        filterArcs(sentence.n, (h, m) => tree[m] === h || stream.int(4) === 0),
      ];
      const scores = [all, some].map((arcs) => {
        const parts = scorer.score(sentence, arcs, { values: weights, first, scale: 1 });
        return scoreTree({ arcs, arcScores: new Float64Array(arcs.head.length), parts }, tree);
      });
      expect(scores[1]).toBeCloseTo(scores[0]!, 6);
    }
  });
});

it("a problem has all tables of the model, in the layout of the contract", () => {
  const kinds: PartKind[] = ["grandparent", "nextSibling", "lastSibling", "grandSibling", "triSibling"];
  const templates = Object.fromEntries(kinds.map((kind) => [kind, PART_FEATURES[kind].templates]));
  const length = lineLength(labels.strings.length);
  const scorers = {
    arcs: new ArcScorer(arcFeatures(ARC_TEMPLATES, BITS, length), labels.strings.length, filter),
    parts: new PartScorer(templates, BITS),
  };
  const scorer = new SentenceScorer(scorers, ({ n }) => completeArcs(n));
  const weights = {
    arcs: { values: randomWeights(6, length * 2 ** BITS), first: 0, scale: 1 },
    parts: { values: randomWeights(7, PART_LINE * 2 ** BITS), first: 0, scale: 1 },
    trees: undefined,
  };
  for (const sentence of sentences.slice(0, 8)) {
    const { problem } = scorer.score(sentence, weights);
    validateProblem(problem);
    expect(problem.parts.map((table) => table.kind)).toEqual(kinds);
  }
});
