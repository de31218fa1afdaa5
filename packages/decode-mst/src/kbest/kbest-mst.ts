import {
  depthFirstOrder,
  type ParsingProblem,
  type RankedTree,
  requireHandled,
  scoreTree,
  validateProblem,
} from "@arcwise/core";
import { DenseArcs } from "../arborescence/max-arborescence-dense.ts";
import { ContractionForest } from "../arborescence/max-arborescence-forest.ts";
import { PriorityQueue } from "../arborescence/priority-queue.ts";
import { withoutOverflow } from "../arborescence/score-range.ts";
import type { TreeOptions } from "../options.ts";

/** A set of trees: all those that contain some arcs and do not contain others, as a chain of conditions. */
interface Space {
  readonly within: Space | undefined;
  readonly head: number;
  readonly modifier: number;
  /**
   * Whether trees contain this arc (and, if it is a root arc and there is a single root, no other root arc).
   */
  readonly contains: boolean;
}

/**
 * The best tree of a part of a space: of the trees without one arc of the best tree of the space, which has
 * been returned before. Without an arc, the best tree of the whole space.
 */
interface Candidate extends RankedTree {
  readonly space: Space | undefined;
  readonly without:
    | { readonly head: number; readonly modifier: number; readonly other: Int32Array }
    | undefined;
}

/**
 * Iterates over all trees by arc scores, projective or not, best first and without duplicates; there are none
 * if no tree exists. The order of trees with equal scores is deterministic; trees whose scores differ by no
 * more than the rounding of a sum, relative to the largest scores of the problem, may be exchanged.
 *
 * O(n²) time per tree (two contractions) and O(n) memory for each tree returned, besides O(n²). The problem
 * must not change during the iteration.
 *
 * Camerini, Fratta and Maffioli (1980). With a single root, the trees of each root word are a separate space,
 * which is expanded when its best tree is next; compare Zmigrod, Vieira and Cotterell (2021), "On finding the
 * K-best non-projective dependency trees".
 *
 * @throws UnsupportedPart when the problem has part tables or a global scorer
 * @throws RangeError when a score is NaN or +Infinity or arrays do not fit each other
 */
export function kBestTrees(problem: ParsingProblem, options: TreeOptions = {}): IterableIterator<RankedTree> {
  requireHandled(problem, "kBestTrees", new Set());
  validateProblem(problem);
  return new Ranking(problem, options.singleRoot ?? true).trees();
}

/** Replacement of the arc of a node by another one into the same node. */
interface Swap {
  /** Loss of score of the tree. */
  loss: number;
  node: number;
  head: number;
  modifier: number;
}

class Ranking {
  readonly #problem: ParsingProblem;
  readonly #singleRoot: boolean;
  readonly #forest = new ContractionForest();
  readonly #rows = new DenseArcs();
  /** Scores of all arcs, and of those that a space allows: h -> m at `m * (n + 1) + h`. */
  readonly #all: Float64Array;
  readonly #left: Float64Array;
  /** Positions in a preorder of the current tree: the descendants of w have `enter[w] .. leave[w] - 1`. */
  readonly #enter: Int32Array;
  readonly #leave: Int32Array;
  readonly #queue = new PriorityQueue<Candidate>();

  constructor(problem: ParsingProblem, singleRoot: boolean) {
    const { n, head, modifier } = problem.arcs;
    const scores = withoutOverflow(problem.arcScores);
    const width = n + 1;
    this.#problem = problem;
    this.#singleRoot = singleRoot;
    this.#all = new Float64Array(width * width).fill(-Infinity);
    for (let a = 0; a < head.length; a++) this.#all[modifier[a] * width + head[a]] = scores[a];
    this.#left = new Float64Array(width * width);
    this.#enter = new Int32Array(width);
    this.#leave = new Int32Array(width);
  }

  *trees(): Generator<RankedTree> {
    this.#addBest(undefined);
    for (let next = this.#queue.pop(); next !== undefined; next = this.#queue.pop()) {
      const { heads, score, space, without } = next;
      yield { heads: heads.slice(), score };
      if (without !== undefined) {
        const { head, modifier, other } = without;
        this.#addSecond({ within: space, head, modifier, contains: false }, heads);
        this.#addSecond({ within: space, head, modifier, contains: true }, other);
      } else if (this.#singleRoot && heads.length > 1) {
        const modifier = heads.indexOf(0);
        this.#addSecond({ within: space, head: 0, modifier, contains: true }, heads);
        this.#addBest({ within: space, head: 0, modifier, contains: false });
      } else {
        this.#addSecond(space, heads);
      }
    }
  }

  /** Queues the best tree of a space, if there is one. O(n²). */
  #addBest(space: Space | undefined): void {
    const heads = new Int32Array(this.#enter.length);
    this.#prepare(space);
    if (!this.#forest.contract(this.#rows, this.#singleRoot)) return;
    this.#forest.expand(heads);
    this.#queue.push({ heads, score: scoreTree(this.#problem, heads), space, without: undefined });
  }

  /**
   * Queues the second-best tree of a space, that is, the best one other than `best`, if there is one. O(n²).
   */
  #addSecond(space: Space | undefined, best: Int32Array): void {
    const forest = this.#forest;
    const heads = new Int32Array(best.length);
    this.#prepare(space);
    // At most one root arc is left, or any number is allowed.
    if (!forest.contract(this.#rows, false)) return;
    forest.expand(heads);
    let modifier = firstDifference(heads, best);
    if (modifier === 0) {
      modifier = this.#replaceArc(best);
      if (modifier === 0) return;
      forest.expand(heads);
    }
    // Otherwise another tree is as good as the best one: it is the second.
    const without = { head: best[modifier], modifier, other: best };
    this.#queue.push({ heads, score: scoreTree(this.#problem, heads), space, without });
  }

  /**
   * Makes the words and the arcs of a space the nodes of the forest. O(n²), and the conditions of the space.
   */
  #prepare(space: Space | undefined): void {
    const { n } = this.#problem.arcs;
    const width = n + 1;
    const all = this.#all;
    const left = this.#left;
    left.set(all);
    for (let at = space; at !== undefined; at = at.within) {
      const { head, modifier, contains } = at;
      const cell = modifier * width + head;
      if (!contains) {
        left[cell] = -Infinity;
        continue;
      }
      left.fill(-Infinity, modifier * width, (modifier + 1) * width);
      if (head === 0 && this.#singleRoot) for (let m = 1; m <= n; m++) left[m * width] = -Infinity;
      left[cell] = all[cell];
    }
    this.#forest.reset(n);
    this.#rows.reset(n, left);
  }

  /**
   * Replaces the arc of one node such that the tree loses least, given that the forest's choices form the
   * tree `heads`. The new arc may come from any word that is not a descendant of the old one's modifier: then
   * the result is a tree, and the second-best tree is always among these (Camerini et al., their theorem 2).
   * Returns the modifier of the old arc, or 0 when no arc can be replaced. O(n²).
   */
  #replaceArc(heads: Int32Array): number {
    const forest = this.#forest;
    const swap: Swap = { loss: Infinity, node: 0, head: 0, modifier: 0 };
    this.#traverse(heads);
    this.#swapHeads(heads, swap);
    this.#swapModifiers(heads, swap);
    const { node } = swap;
    if (node === 0) return 0;
    const replaced = forest.modifier[node];
    forest.head[node] = swap.head;
    forest.modifier[node] = swap.modifier;
    return replaced;
  }

  /**
   * Finds the cheapest swap for an arc from another head: reads the row of each node whose arc is in the
   * tree.
   */
  #swapHeads(heads: Int32Array, swap: Swap): void {
    const forest = this.#forest;
    const rows = this.#rows;
    const enter = this.#enter;
    const leave = this.#leave;
    for (let node = 1; node <= forest.last; node++) {
      if (heads[forest.modifier[node]] !== forest.head[node]) continue;
      const head = rows.secondBest(forest, node, enter, leave);
      if (head < 0) continue;
      const loss = forest.key[node] - rows.keyOf(node, head);
      if (loss < swap.loss) {
        swap.loss = loss;
        swap.node = node;
        swap.head = head;
        swap.modifier = rows.modifierOf(node, head);
      }
    }
  }

  /**
   * Finds the cheapest swap for an arc from the same head to another word of a contracted cycle: rows have
   * only the best arc from each head. Reads each node that contains each word.
   */
  #swapModifiers(heads: Int32Array, swap: Swap): void {
    const forest = this.#forest;
    const left = this.#left;
    for (let modifier = 1; modifier < heads.length; modifier++) {
      let counted = 0;
      for (let node = modifier; node !== 0; node = forest.parent[node]) {
        const head = forest.head[node];
        const key = forest.key[node];
        const entry = forest.modifier[node];
        if (entry !== modifier && heads[entry] === head) {
          const loss = key - (left[modifier * heads.length + head] - counted);
          if (loss < swap.loss) {
            swap.loss = loss;
            swap.node = node;
            swap.head = head;
            swap.modifier = modifier;
          }
        }
        counted += key;
      }
    }
  }

  /** Fills `enter` and `leave`. O(n). */
  #traverse(heads: Int32Array): void {
    const enter = this.#enter;
    const leave = this.#leave;
    const order = depthFirstOrder(heads);
    for (let i = 0; i < order.length; i++) {
      enter[order[i]] = i;
      leave[order[i]] = i + 1;
    }
    for (let i = order.length - 1; i > 0; i--) {
      const word = order[i];
      if (leave[word] > leave[heads[word]]) leave[heads[word]] = leave[word];
    }
  }
}

/** Returns the first word whose heads differ, or 0. */
function firstDifference(a: Int32Array, b: Int32Array): number {
  for (let word = 1; word < a.length; word++) if (a[word] !== b[word]) return word;
  return 0;
}
