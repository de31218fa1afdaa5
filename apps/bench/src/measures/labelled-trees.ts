import { type Decoder, PART_KINDS, type Sentence, scoreTree } from "@arcwise/core";
import { type PlainTree, plainTree } from "../results/results.ts";
import type { ReaderOf } from "./readers.ts";

/**
 * Labels trees by a model: `heads[k][i]` is tree k of sentence i, and so are the results. Each distinct tree
 * is labelled once, for the cost of parsing without decoding.
 */
export function labelsOfTrees(
  readerOf: ReaderOf,
  sentences: readonly Sentence[],
  heads: readonly (readonly Int32Array[])[],
): PlainTree[][] {
  const given = givenTree();
  const read = readerOf(given.decoder);
  const labelled = sentences.map((sentence, i) => {
    const known = new Map<string, PlainTree>();
    return heads.map((own) => {
      const key = own[i]!.join(" ");
      const before = known.get(key);
      if (before !== undefined) return before;
      given.heads = own[i]!;
      const tree = plainTree(read(sentence).best());
      known.set(key, tree);
      return tree;
    });
  });
  return heads.map((_, k) => labelled.map((trees) => trees[k]!));
}

/** A decoder of any problem, whose tree is given to it. */
interface GivenTree {
  heads: Int32Array;
  readonly decoder: Decoder;
}

function givenTree(): GivenTree {
  const given: GivenTree = {
    heads: new Int32Array(0),
    decoder: {
      name: "given",
      trees: "any",
      singleRoot: false,
      handles: new Set([...PART_KINDS, "global"] as const),
      decode(problem) {
        const { heads } = given;
        if (heads.length !== problem.arcs.n + 1) {
          throw new RangeError(`expected a tree of ${problem.arcs.n} words, got ${heads.length - 1}`);
        }
        return { heads, score: scoreTree(problem, heads), bound: Infinity };
      },
    },
  };
  return given;
}
