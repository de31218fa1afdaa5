import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import {
  type DependencyTree,
  deprojectivize,
  depths,
  heads,
  isProjective,
  isTree,
  nonProjectiveArcs,
  projectivize,
  random,
} from "@arcwise/core";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { LiftEncoding } from "../src/trees/lifting.ts";
import { isAbove, randomTree, trees } from "./support.ts";

const ENCODINGS: readonly LiftEncoding[] = ["head", "path", "head+path"];

function tree(text: string, labels: string): DependencyTree {
  return { heads: heads(text), labels: ["", ...labels.split(" ")] };
}

/** Each word has a label of its own, so that a label names a word. */
function distinct(all: Int32Array): DependencyTree {
  return { heads: all, labels: Array.from(all, (_, m) => (m === 0 ? "" : `w${m}`)) };
}

/**
 * The transformation as the paper states it: look at all arcs, lift the shortest crossed one, start again.
 */
function liftByDefinition(original: Int32Array): Int32Array {
  const all = original.slice();
  for (;;) {
    let best = 0;
    for (let m = 1; m < all.length; m++) {
      const [from, to] = [Math.min(m, all[m]), Math.max(m, all[m])];
      let crossed = false;
      for (let w = from + 1; w < to; w++) crossed ||= !isAbove(all, all[m], w);
      if (crossed && (best === 0 || Math.abs(all[m] - m) < Math.abs(all[best] - best))) best = m;
    }
    if (best === 0) return all;
    all[best] = all[all[best]];
  }
}

describe("projectivize", () => {
  // "Z nich je jen jedna na kvalitu": figure 1 of the paper; the preposition is lifted over "jedna".
  const czech = tree("5 1 0 5 3 3 6", "AuxP Atr Pred AuxZ Sb AuxP Adv");
  test.each([
    ["head", "AuxP↑Sb Atr Pred AuxZ Sb AuxP Adv"],
    ["path", "AuxP↑ Atr Pred AuxZ Sb↓ AuxP Adv"],
    ["head+path", "AuxP↑Sb Atr Pred AuxZ Sb↓ AuxP Adv"],
  ] as const)("the example of Nivre and Nilsson, %s", (encoding, labels) => {
    const lifted = projectivize(czech, encoding);
    expect(lifted).toEqual(tree("3 1 0 5 3 3 6", labels));
    expect(deprojectivize(lifted, encoding)).toEqual(czech);
  });

  it("leaves projective trees and its argument as they are", () => {
    const projective = tree("2 0 2 3", "a b c d");
    expect(projectivize(projective, "head+path")).toEqual(projective);
    const before = czech.heads.slice();
    projectivize(czech);
    expect(czech.heads).toEqual(before);
  });

  it("lifts the shortest arc first, as defined", () => {
    fc.assert(
      fc.property(trees(11), (all) => {
        const lifted = projectivize(distinct(all), "path");
        expect([...lifted.heads]).toEqual([...liftByDefinition(all)]);
        expect(isProjective(lifted.heads)).toBe(true);
        for (let m = 1; m < all.length; m++) {
          expect(isAbove(all, lifted.heads[m], all[m])).toBe(true);
          expect(lifted.labels[m].includes("↑")).toBe(lifted.heads[m] !== all[m]);
        }
      }),
      { numRuns: 400 },
    );
  });

  it("is quick on long sentences and on very crossed ones", () => {
    const chain = Int32Array.from({ length: 50_001 }, (_, m) => m - 1);
    expect(projectivize(distinct(chain)).heads).toEqual(chain);
    const crossed = randomTree(random(2), 2_000);
    expect(isProjective(projectivize(distinct(crossed), "head+path").heads)).toBe(true);
  });

  test.each([
    ["a label with an arrow", tree("0 1", "a b↑c"), /without ↑ and ↓, got "b↑c"/],
    ["a label too few", tree("0 1", "a"), /expected 3 labels, got 2/],
    ["a cycle", tree("2 1", "a b"), /not a tree: cycle/],
  ])("refuses %s", (_, faulty, message) => {
    expect(() => projectivize(faulty)).toThrow(message);
    expect(() => projectivize(faulty)).toThrow(RangeError);
  });
});

describe("deprojectivize", () => {
  it("restores every tree whose labels tell words apart", () => {
    fc.assert(
      fc.property(trees(11), (all) => {
        for (const encoding of ["head", "head+path"] as const) {
          expect(deprojectivize(projectivize(distinct(all), encoding), encoding)).toEqual(distinct(all));
        }
      }),
      { numRuns: 400 },
    );
  });

  it("restores every tree with one arc lifted over one word, by its path", () => {
    fc.assert(
      fc.property(trees(11), (all) => {
        const lifted = projectivize(distinct(all), "path");
        const changed = [...all.keys()].filter((m) => all[m] !== lifted.heads[m]);
        fc.pre(changed.length === 1 && lifted.labels.filter((label) => label.endsWith("↓")).length === 1);
        expect(deprojectivize(lifted, "path")).toEqual(distinct(all));
      }),
      { numRuns: 200 },
    );
  });

  it("gives a tree with plain labels whatever the labels were", () => {
    const label = fc.constantFrom("a", "b", "a↑b", "b↑a", "a↑", "b↓", "a↑b↓", "b↑↓", "a↑zz");
    fc.assert(
      fc.property(trees(9), fc.array(label, { minLength: 9, maxLength: 9 }), (all, labels) => {
        for (const encoding of ENCODINGS) {
          const marked = { heads: all, labels: ["", ...labels.slice(0, all.length - 1)] };
          const restored = deprojectivize(marked, encoding);
          expect(isTree(restored.heads, { singleRoot: false })).toBe(true);
          expect(restored.labels.every((plain) => /^[ab]?$/.test(plain))).toBe(true);
          const before = depths(all);
          for (let m = 1; m < all.length; m++) {
            if (!labels[m - 1].includes("↑")) expect(restored.heads[m]).toBe(all[m]);
          }
          expect(depths(restored.heads).reduce((a, b) => a + b)).toBeGreaterThanOrEqual(
            before.reduce((a, b) => a + b),
          );
        }
      }),
    );
  });

  it("follows the marked path, or stays where there is none", () => {
    expect(deprojectivize(tree("0 1 2 3 1", "r a↓ b↓ c x↑"), "path")).toEqual(tree("0 1 2 3 3", "r a b c x"));
    expect(deprojectivize(tree("0 1 2 1", "r a b x↑"), "path")).toEqual(tree("0 1 2 1", "r a b x"));
  });

  it("prefers marked words to nearer ones of the same label when paths are marked", () => {
    const marked = tree("0 1 1 3 1", "r a p↓ a↓ x↑a");
    expect(deprojectivize(marked, "head+path").heads).toEqual(heads("0 1 1 3 4"));
    expect(deprojectivize(marked, "head").heads).toEqual(heads("0 1 1 3 2"));
  });

  it("stays at the head when no word has the label", () => {
    expect(deprojectivize(tree("0 1 1", "r a x↑q"), "head")).toEqual(tree("0 1 1", "r a x"));
  });
});

const root = process.env.ARCWISE_DATA ?? resolve(import.meta.dirname, "../../../../shared");
const gothic = resolve(root, "treebanks/UD_Gothic-PROIEL/got_proiel-ud-train.conllu");

describe.skipIf(!existsSync(gothic))("on UD_Gothic-PROIEL (skipped without the treebank)", () => {
  test.each([
    ["head", 0.96],
    ["path", 0.935],
    ["head+path", 0.975],
  ] as const)("%s restores most of the arcs that are not projective", (encoding, atLeast) => {
    let crossed = 0;
    let restored = 0;
    for (const sentence of readTrees(gothic)) {
      const lifted = projectivize(sentence, encoding);
      expect(isProjective(lifted.heads)).toBe(true);
      const back = deprojectivize(lifted, encoding);
      expect(back.labels).toEqual(sentence.labels);
      nonProjectiveArcs(sentence.heads).forEach((flag, m) => {
        crossed += flag;
        if (flag === 1 && back.heads[m] === sentence.heads[m]) restored++;
      });
    }
    expect(crossed).toBeGreaterThan(500);
    expect(restored / crossed).toBeGreaterThan(atLeast);
  });
});

function readTrees(file: string): DependencyTree[] {
  return readFileSync(file, "utf8")
    .trim()
    .split("\n\n")
    .map((block) => {
      const rows = block.split("\n").filter((line) => /^\d+\t/.test(line));
      const columns = rows.map((row) => row.split("\t"));
      return {
        heads: Int32Array.of(-1, ...columns.map((column) => Number(column[6]))),
        labels: ["", ...columns.map((column) => column[7])],
      };
    });
}
