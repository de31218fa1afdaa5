import type { Arcs, PartKind } from "../problem.ts";
import { type BlockKind, blockSums, type CandidateSums } from "./part-blocks.ts";
import type { ArcsByHead } from "./parts.ts";

/**
 * Where parts are in their tables: the arithmetic of `PartTable`, for every kind. The inner loops of a decoder may do
 * the same on the arrays below.
 *
 * Cost of building: O(n + arcs).
 */
export class PartPositions {
  /** For each arc g -> h, where the block of g -> h begins, for the kinds that come in blocks. */
  readonly blocks: Readonly<Record<BlockKind, Float64Array>>;
  /** For each arc f -> g, the sum of rank + 1 over the candidates of g before it: where f begins in a block. */
  readonly inBlock: Float64Array;
  readonly #arcs: Arcs;
  readonly #rank: Int32Array;

  constructor(arcs: Arcs, byHead: ArcsByHead) {
    const sums = (kind: BlockKind): CandidateSums => blockSums(kind, arcs, byHead);
    const outer = sums("outerSiblingGrandchild").before;
    this.blocks = {
      greatGrandparent: sums("greatGrandparent").before,
      grandparentSibling: sums("grandparentSibling").before,
      outerSiblingGrandchild: outer,
      innerSiblingGrandchild: sums("innerSiblingGrandchild").before,
    };
    this.inBlock = outer;
    this.#arcs = arcs;
    this.#rank = byHead.rank;
  }

  /**
   * Position of a part relative to `start[owner]`, by its member arcs in the order of `PartKind` (-1: none). O(1).
   * The members must be ones that the kind allows for the owner; that is not looked at.
   */
  position(kind: PartKind, owner: number, first = -1, second = -1, third = -1): number {
    const { start, head, modifier } = this.#arcs;
    const rank = this.#rank;
    switch (kind) {
      case "grandparent":
        return first - start[head[owner]!]!;
      case "headBigram":
        return first - start[modifier[owner]! - 1]!;
      case "nextSibling":
        return first < 0 ? 0 : 1 + rank[first]!;
      case "lastSibling":
        return 0;
      case "sibling":
        return rank[first]!;
      case "grandSibling":
        return (first - start[head[owner]!]!) * (rank[owner]! + 1) + (second < 0 ? 0 : 1 + rank[second]!);
      case "triSibling":
        return (rank[first]! * (rank[first]! + 1)) / 2 + (second < 0 ? 0 : 1 + rank[second]!);
      case "greatGrandparent":
        return this.blocks.greatGrandparent[first]! + second - start[head[first]!]!;
      case "grandparentSibling": {
        const block = this.blocks.grandparentSibling[first]!;
        return block + this.inBlock[second]! + (third < 0 ? 0 : 1 + rank[third]!);
      }
      case "outerSiblingGrandchild":
        return this.blocks.outerSiblingGrandchild[first]! + (second < 0 ? 0 : 1 + rank[second]!);
      case "innerSiblingGrandchild":
        return this.blocks.innerSiblingGrandchild[first]! + (second < 0 ? 0 : rank[second]! - rank[first]!);
    }
  }
}
