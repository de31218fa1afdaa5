import { type Decoder, type Decoding, NoTree, type ParsingProblem, type RankedTree } from "@arcwise/core";
import { PriorityQueue } from "../arborescence/priority-queue.ts";

/**
 * The trees of a larger set that have the heads of its best tree before a word, and not the head of
 * the word. Without a larger set, all trees.
 */
interface Cell {
  readonly within: Cell | undefined;
  /** The best tree of the larger set. */
  readonly heads: Int32Array;
  readonly word: number;
}

/** The tree that the decoder finds in a set. */
interface Found extends RankedTree {
  readonly cell: Cell | undefined;
}

/**
 * Iterates over the trees of a problem by the answers of a decoder, best first and without duplicates: k-best
 * lists for decoders that do not rank trees themselves. Each set of trees that is not empty is split at its
 * best tree into sets that forbid one arc of it and require those before it, as pruned candidates; the next
 * tree is the best one of those that the decoder found in all sets.
 *
 * An exact decoder gives the trees with the highest scores. With an inexact one, they come in the
 * order of the scores that it finds, and a later tree may have a higher score than an earlier one.
 *
 * Cost per tree: up to n decodings, one per word with another candidate head. Memory per tree: O(n²).
 *
 * Lawler (1972), "A procedure for computing the k best solutions to discrete optimization problems"; Murty
 * (1968).
 *
 * @throws as `decode`, except NoTree: yields nothing if no tree exists
 */
export function* kBestByPartition(decoder: Decoder, problem: ParsingProblem): Generator<RankedTree> {
  const { arcs, arcScores } = problem;
  const queue = new PriorityQueue<Found>();
  const search = (cell: Cell | undefined): void => {
    const scores = cell === undefined ? arcScores : cellScores(cell, problem);
    const found = scores && decoded(decoder, { ...problem, arcScores: scores });
    if (found !== undefined) queue.push({ heads: found.heads, score: found.score, cell });
  };
  search(undefined);
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    // A copy: the tree that is yielded belongs to the caller.
    const heads = next.heads.slice();
    yield { heads: next.heads, score: next.score };
    for (let word = next.cell?.word ?? 1; word <= arcs.n; word++) search({ within: next.cell, heads, word });
  }
}

function decoded(decoder: Decoder, problem: ParsingProblem): Decoding | undefined {
  try {
    return decoder.decode(problem);
  } catch (error) {
    if (error instanceof NoTree) return undefined;
    throw error;
  }
}

/** Returns the scores of arcs, -Infinity for those in no tree of a set; undefined if its word has no other arc. */
function cellScores({ within, heads, word }: Cell, problem: ParsingProblem): Float64Array | undefined {
  const { arcs, arcScores } = problem;
  const forbidden = new Set([heads[word]]);
  for (let at = within; at?.word === word; at = at.within) forbidden.add(at.heads[word]);
  const scores = arcScores.slice();
  let left = 0;
  for (let a = 0; a < scores.length; a++) {
    const m = arcs.modifier[a];
    const h = arcs.head[a];
    if (m < word ? h !== heads[m] : m === word && forbidden.has(h)) scores[a] = -Infinity;
    else if (m === word && scores[a] !== -Infinity) left++;
  }
  return left > 0 ? scores : undefined;
}
