import { areUniversal, mayHaveChild, RULES, relationRule, uniqueFunction, usedTag } from "@arcwise/conllu";
import { type DependencyTree, isProjective, isTree, random, type Sentence } from "@arcwise/core";
import { beforeAll, describe, expect, it } from "vitest";
import { createParser, type ParserModel } from "../src/index.ts";
import { trainedParser } from "./fast-training.ts";
import { sample, TREEBANK } from "./support.ts";

const models = new Map<string, ParserModel>();
const OPTIONS = {
  "arcs alone": { epochs: 1 },
  "a labeller": { epochs: 1, labeller: "sequence" },
  "parts and a labeller": { epochs: 1, order: 2, labeller: "sequence" },
  "a network": { epochs: 1, network: { units: 8, epochs: 1, columns: [] } },
} as const;

beforeAll(async () => {
  for (const [name, options] of Object.entries(OPTIONS))
    models.set(name, await trainedParser(sample("train").slice(0, 40), options));
  for (const name of ["arcs alone", "a labeller"] as const) {
    const options = { ...OPTIONS[name], prune: false } as const;
    models.set(`${name}, unpruned`, await trainedParser(TREEBANK, options));
  }
}, 120_000);

/** Sentences whose words are in another order, so that little of what training saw applies. */
function jumbled(count: number): Sentence[] {
  const stream = random(7);
  return sample("dev")
    .slice(0, count)
    .map(({ sentence }) => {
      const words = sentence.slice(0, 25);
      return words.map((_, i) => words[(i * 7 + stream.int(words.length)) % words.length]!);
    });
}

/** Returns whether a word with its tag must not have a label. */
function contradicts(word: Sentence[number], label: string): boolean {
  const tags = relationRule(label)?.tags;
  return tags !== undefined && RULES[tags.rule].searched && tags.names.has(usedTag(word)) === tags.isExcluded;
}

/** Returns the words that break a rule that is searched, by the rules themselves. */
function breaking({ heads, labels }: DependencyTree, words: Sentence): number[] {
  const functions = new Map<string, number>();
  return [...heads.keys()].slice(1).filter((m) => {
    const h = heads[m]!;
    const label = labels[m]!;
    if ((h === 0) !== (label === "root") || (h > m && relationRule(label)?.direction !== undefined))
      return true;
    if (contradicts(words[m - 1]!, label)) return true;
    if (h === 0) return false;
    if (/^fixed(?::|$)/.test(label) && usedTag(words[h - 1]!) === "PROPN") return true;
    const parent = { ...words[h - 1]!, deprel: labels[h]! };
    if (!mayHaveChild(parent, { ...words[m - 1]!, deprel: label })) return true;
    const key = `${h} ${uniqueFunction(label)}`;
    functions.set(key, (functions.get(key) ?? 0) + 1);
    return uniqueFunction(label) !== undefined && functions.get(key)! > 1;
  });
}

describe.each(Object.keys(OPTIONS))("valid trees of a model with %s", (name) => {
  it("keep the rules, and are the trees of the decoder where these do", () => {
    const free = createParser(models.get(name)!);
    const valid = createParser(models.get(name)!, { valid: true });
    let repaired = 0;
    for (const words of jumbled(30)) {
      const before = free.parse(words);
      const after = valid.parse(words);
      expect(isTree(after.heads)).toBe(true);
      expect(breaking(after, words)).toEqual([]);
      if (breaking(before, words).length === 0) expect(after).toEqual(before);
      else {
        repaired++;
        expect(after.score).toBeLessThanOrEqual(before.score);
        expect(after.score).toBeLessThanOrEqual(after.bound);
      }
    }
    expect(repaired).toBeGreaterThan(5);
  });

  it("come with probabilities, and first of the k best", () => {
    const parser = createParser(models.get(name)!, { valid: true });
    for (const words of jumbled(8)) {
      const [reading] = parser.read([words]);
      const best = reading!.best();
      const marginals = reading!.marginals();
      expect(marginals.heads).toEqual(best.heads);
      expect(marginals.labels).toEqual(best.labels);
      for (let m = 1; m <= words.length; m++) {
        expect(marginals.headProbabilities[m]).toBeLessThanOrEqual(1 + 1e-9);
        expect(marginals.labelledProbabilities[m]).toBeLessThanOrEqual(
          marginals.headProbabilities[m]! + 1e-12,
        );
        expect(marginals.labelledProbabilities[m]).toBeGreaterThanOrEqual(0);
      }
      const ranked = reading!.kBest(5);
      expect(ranked[0]!.score).toBeGreaterThanOrEqual(best.score - 1e-9);
      expect(new Set(ranked.map(({ heads }) => heads.join())).size).toBe(ranked.length);
      for (const [k, tree] of ranked.entries()) {
        expect(breaking(tree, words)).toEqual([]);
        expect(isTree(tree.heads)).toBe(true);
        if (k > 0) expect(tree.score).toBeLessThanOrEqual(ranked[k - 1]!.score);
      }
    }
  });
});

describe("valid trees", () => {
  it.each(["arcs alone", "a labeller"])(
    "keep constraints, and all rules that these do not break: %s",
    (name) => {
      // With all arcs as candidates, the other words can keep the rules.
      const parser = createParser(models.get(`${name}, unpruned`)!, { valid: true });
      for (const words of jumbled(10)) {
        const n = words.length;
        const heads = new Int32Array(n + 1).fill(-1);
        const labels = new Array<string>(n + 1).fill("");
        heads[1] = 2;
        labels[1] = "conj";
        labels[3] = "made:up";
        labels[n] = "punct";
        labels[n - 1] = "nsubj";
        const tree = parser.parse(words, { constraints: { heads, labels, forbiddenLabels: [[2, "root"]] } });
        expect(isTree(tree.heads)).toBe(true);
        expect(tree.heads[1]).toBe(2);
        expect([tree.labels[1], tree.labels[3], tree.labels[n], tree.labels[n - 1]]).toEqual([
          ...["conj", "made:up", "punct", "nsubj"],
        ]);
        expect(tree.labels[2]).not.toBe("root");
        // The constraints themselves break rules: conj points left, and labels are not those of the tags.
        const constrained = [3, n - 1, n].filter((m) => contradicts(words[m - 1]!, tree.labels[m]!));
        expect(breaking(tree, words)).toEqual([1, ...constrained]);
      }
    },
  );

  it.each(["eisner", "mbr", "mbr-projective", "ad3", "hillclimb"])(
    "are found by the decoder %s",
    (decoder) => {
      const parser = createParser(models.get("arcs alone")!, { decoder, valid: true });
      for (const words of jumbled(8)) {
        const { heads, labels } = parser.parse(words);
        expect(isTree(heads)).toBe(true);
        if (decoder === "eisner" || decoder === "mbr-projective") expect(isProjective(heads)).toBe(true);
        expect(breaking({ heads, labels }, words)).toEqual([]);
      }
    },
  );

  it("are found in sentences that are parsed in blocks", () => {
    const parser = createParser(models.get("a network")!, { valid: true });
    const words = Array.from({ length: 4 }, () => jumbled(30).flat()).flat();
    expect(words.length).toBeGreaterThan(1000);
    const tree = parser.parse(words);
    expect(tree.reduced!.blocks).toBeGreaterThan(2);
    expect(isTree(tree.heads)).toBe(true);
    expect(breaking(tree, words)).toEqual([]);
  });

  it("are the trees of the decoder where labels are not relations of Universal Dependencies", async () => {
    const renamed = TREEBANK.map(({ sentence, tree }) => ({
      sentence,
      tree: { ...tree, labels: tree.labels.map((label) => (label === "nsubj" ? "SUB" : label)) },
    }));
    const model = await trainedParser(renamed, { epochs: 2 });
    expect(areUniversal(model.description.labels)).toBe(false);
    for (const words of jumbled(8))
      expect(createParser(model, { valid: true }).parse(words)).toEqual(createParser(model).parse(words));
  });
});
