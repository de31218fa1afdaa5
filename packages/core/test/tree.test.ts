import {
  checkTree,
  depthFirstOrder,
  depths,
  heads,
  isProjective,
  isTree,
  modifiersOf,
  nonProjectiveArcs,
  rootWords,
} from "@arcwise/core";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { postOrder, subtreeSpans } from "../src/trees/tree.ts";
import { isAbove, trees } from "./support.ts";

describe("heads", () => {
  it("reads the heads of words 1..n", () => {
    expect(heads("0 1 1 3")).toEqual(Int32Array.of(-1, 0, 1, 1, 3));
    expect(heads(" 2\t0\n")).toEqual(Int32Array.of(-1, 2, 0));
    expect(heads("")).toEqual(Int32Array.of(-1));
    expect(heads("-1 7")).toEqual(Int32Array.of(-1, -1, 7));
  });

  test.each(["0 x", "1.5", "0 1e1", "0x1", "99999999999", "1,2"])("refuses %j", (text) => {
    expect(() => heads(text)).toThrow(RangeError);
  });
});

describe("checkTree", () => {
  test.each([
    ["", undefined],
    ["0", undefined],
    ["0 1 1 3", undefined],
    ["2 3 0", undefined],
    ["1", "word 1 is its own head"],
    ["0 5", "expected the head of word 2 to be from 0 to 2, got 5"],
    ["0 -1", "expected the head of word 2 to be from 0 to 2, got -1"],
    ["2 1", "cycle: 1 -> 2 -> 1"],
    ["0 3 4 2 1", "cycle: 2 -> 4 -> 3 -> 2"],
    ["4 1 0 5 4", "cycle: 4 -> 5 -> 4"],
    ["0 0", "expected one root word, got 2: 1, 2"],
    ["0 1 0 0", "expected one root word, got 3: 1, 3, 4"],
  ])("%j: %s", (text, fault) => {
    expect(checkTree(heads(text))).toBe(fault);
    expect(isTree(heads(text))).toBe(fault === undefined);
  });

  it("allows several roots with singleRoot: false, and nothing else", () => {
    expect(checkTree(heads("0 0 2"), { singleRoot: false })).toBeUndefined();
    expect(checkTree(heads("0 3 2"), { singleRoot: false })).toBe("cycle: 2 -> 3 -> 2");
  });

  it("wants -1 in place 0", () => {
    expect(checkTree(Int32Array.of(0, 0))).toBe("expected heads[0] to be -1, got 0");
    expect(checkTree(new Int32Array(0))).toBe("expected n + 1 heads, got none");
  });

  it("names a real cycle, and only when there is one", () => {
    const anyHeads = fc.array(fc.nat(7), { minLength: 7, maxLength: 7 });
    fc.assert(
      fc.property(anyHeads, (list) => {
        const all = Int32Array.of(-1, ...list);
        const fault = checkTree(all, { singleRoot: false });
        const reachesRoot = [1, 2, 3, 4, 5, 6, 7].every((m) => {
          let word = m;
          for (let steps = 0; steps < 8 && word > 0; steps++) word = all[word];
          return word === 0;
        });
        expect(fault === undefined).toBe(reachesRoot);
        if (fault?.startsWith("cycle: ")) {
          const words = fault.slice(7).split(" -> ").map(Number);
          expect(words.at(-1)).toBe(words[0]);
          for (let i = 1; i < words.length; i++) expect(all[words[i]]).toBe(words[i - 1]);
        }
      }),
    );
  });
});

describe("orders, depths and spans", () => {
  it("of an example", () => {
    const tree = heads("2 4 2 0 6 4");
    expect([...rootWords(tree)]).toEqual([4]);
    expect([...depthFirstOrder(tree)]).toEqual([0, 4, 2, 1, 3, 6, 5]);
    expect([...postOrder(tree)]).toEqual([1, 3, 2, 5, 6, 4, 0]);
    expect([...depths(tree)]).toEqual([0, 3, 2, 3, 1, 3, 2]);
    const { left, right, size } = subtreeSpans(tree);
    expect([...left]).toEqual([0, 1, 1, 3, 1, 5, 5]);
    expect([...right]).toEqual([6, 1, 3, 3, 6, 5, 6]);
    expect([...size]).toEqual([7, 1, 3, 1, 6, 1, 2]);
    const { start, modifiers } = modifiersOf(tree);
    expect([...modifiers.slice(start[2], start[3])]).toEqual([1, 3]);
    expect([...modifiers.slice(start[4], start[5])]).toEqual([2, 6]);
  });

  it("agree with their definitions", () => {
    fc.assert(
      fc.property(trees(12), (tree) => {
        const n = tree.length - 1;
        const words = Array.from({ length: n + 1 }, (_, i) => i);
        const preorder = depthFirstOrder(tree);
        const postorder = postOrder(tree);
        expect([...preorder].sort((a, b) => a - b)).toEqual(words);
        expect([...postorder].sort((a, b) => a - b)).toEqual(words);
        const { left, right, size } = subtreeSpans(tree);
        const depth = depths(tree);
        for (const word of words) {
          const below = words.filter((w) => isAbove(tree, word, w));
          const place = preorder.indexOf(word);
          const last = postorder.indexOf(word);
          expect([...preorder.slice(place, place + below.length)].sort((a, b) => a - b)).toEqual(below);
          expect([...postorder.slice(last + 1 - below.length, last + 1)].sort((a, b) => a - b)).toEqual(
            below,
          );
          expect([left[word], right[word], size[word]]).toEqual([below[0], below.at(-1), below.length]);
          expect(depth[word]).toBe(words.filter((w) => isAbove(tree, w, word)).length - 1);
        }
        for (let m = 2; m <= n; m++) {
          for (let s = 1; s < m; s++) {
            if (tree[s] !== tree[m]) continue;
            expect(preorder.indexOf(s)).toBeLessThan(preorder.indexOf(m));
            expect(postorder.indexOf(s)).toBeLessThan(postorder.indexOf(m));
          }
        }
      }),
    );
  });

  test.each([["1"], ["2 1"], ["0 9"]])("refuse %j, which is no tree", (text) => {
    for (const walk of [depthFirstOrder, postOrder, depths, subtreeSpans, isProjective, nonProjectiveArcs]) {
      expect(() => walk(heads(text))).toThrow(RangeError);
    }
  });

  it("take chains of 200,000 words", () => {
    const n = 200_000;
    const chain = Int32Array.from({ length: n + 1 }, (_, m) => m - 1);
    expect(isTree(chain)).toBe(true);
    expect(depths(chain)[n]).toBe(n);
    expect(postOrder(chain)[0]).toBe(n);
    expect(subtreeSpans(chain).size[0]).toBe(n + 1);
    expect(isProjective(chain)).toBe(true);
  });
});

describe("projectivity", () => {
  test.each([
    ["", 0],
    ["0 1 1 3", 0],
    ["2 0 2 2", 0],
    ["0 0 2", 0],
    ["3 0 2", 1], // 3 -> 1 covers the root word
    ["0 4 1 1", 1],
    ["0 5 1 3 1", 1],
  ])("%j has %i pairs of crossing arcs", (text, count) => {
    const tree = heads(text);
    expect(isProjective(tree)).toBe(count === 0);
  });

  it("is the absence of crossing arcs and of arcs over foreign words", () => {
    fc.assert(
      fc.property(trees(14), (tree) => {
        const n = tree.length - 1;
        const ends = (m: number) => [Math.min(m, tree[m]), Math.max(m, tree[m])] as const;
        let crossings = 0;
        for (let m = 1; m <= n; m++) {
          for (let k = m + 1; k <= n; k++) {
            const [a, b] = ends(m);
            const [c, d] = ends(k);
            if ((a < c && c < b && b < d) || (c < a && a < d && d < b)) crossings++;
          }
        }
        const flags = Array.from({ length: n + 1 }, (_, m) => {
          if (m === 0) return 0;
          const [a, b] = ends(m);
          for (let w = a + 1; w < b; w++) if (!isAbove(tree, tree[m], w)) return 1;
          return 0;
        });
        expect([...nonProjectiveArcs(tree)]).toEqual(flags);
        expect(isProjective(tree)).toBe(crossings === 0);
        expect(isProjective(tree)).toBe(!flags.includes(1));
      }),
      { numRuns: 300 },
    );
  });
});
