import { type ChainProblem, type Labelling, NoLabelling } from "./chain-problem.ts";
import { Viterbi } from "./viterbi.ts";

/**
 * Returns the k labellings of highest score, best first and without duplicates; fewer when there are not as
 * many. The score of the best path into each state is an exact heuristic for a search from the end of the
 * chain: an A* search with it (Hart, Nilsson and Raphael 1968) expands only parts of the k best labellings
 * (Soong and Huang 1991).
 *
 * Cost: the cost of Viterbi, and O(k n C log(k n C)).
 *
 * @throws ArcwiseError `no-labelling` when every labelling is forbidden
 * @throws RangeError when k is not an integer >= 1
 */
export function kBestLabellings(problem: ChainProblem, k: number, viterbi = new Viterbi()): Labelling[] {
  if (!Number.isInteger(k) || k < 1) throw new RangeError(`k must be an integer >= 1, got ${k}`);
  const { n } = problem.lattice;
  viterbi.decodeInto(problem, new Int32Array(n));
  const { trellis, best } = viterbi;
  const queue = new SuffixQueue();
  for (let s = trellis.state[n]; s < trellis.states; s++) queue.push(best[s], 0, n - 1, s, -1);
  const found: Labelling[] = [];
  // The k best need at most the k best suffixes of each state: further suffixes of equal score are postponed.
  const taken = new Int32Array(trellis.states);
  while (found.length < k) {
    const suffix = queue.pop();
    if (suffix < 0) break;
    if (taken[queue.state[suffix]]++ >= k) continue;
    if (queue.position[suffix] < 0) found.push(labellingOf(problem, viterbi, queue, suffix));
    else extend(problem, viterbi, queue, suffix);
  }
  if (found.length === 0) throw new NoLabelling("every labelling of the sequence is forbidden");
  return found;
}

/** Queues the suffixes that are longer by one position. */
function extend(
  { lattice: { start }, scores, grams, table }: ChainProblem,
  { trellis, best }: Viterbi,
  queue: SuffixQueue,
  suffix: number,
): void {
  const i = queue.position[suffix];
  const local = queue.state[suffix] - trellis.state[i + 1];
  const [P, M, C] = [trellis.outer[i], trellis.inner[i], trellis.count[i]];
  const c = local % C;
  const m = (local - c) / C;
  const gained = queue.score[suffix] + scores[start[i] + c];
  for (let p = 0; p < P; p++) {
    const gram = table[i] < 0 ? 0 : grams[table[i] + (p * M + m) * C + c];
    const before = trellis.state[i] + p * M + m;
    queue.push(best[before] + gained + gram, gained + gram, i - 1, before, suffix);
  }
}

function labellingOf(
  { lattice: { n, start, labels: candidates } }: ChainProblem,
  { trellis }: Viterbi,
  queue: SuffixQueue,
  suffix: number,
): Labelling {
  const labels = new Int32Array(n);
  let at = queue.parent[suffix];
  for (let i = 0; i < n; i++) {
    const c = (queue.state[at] - trellis.state[i + 1]) % trellis.count[i];
    labels[i] = candidates[start[i] + c];
    at = queue.parent[at];
  }
  return { labels, score: queue.score[suffix] };
}

/**
 * Priority queue of suffixes by the score of the best labelling that ends with each: a binary heap; the older
 * first in ties.
 */
class SuffixQueue {
  /** Score of the part after the state, including the k-grams that join it. */
  readonly score: number[] = [];
  /** The undecided position within the state, or -1. */
  readonly position: number[] = [];
  readonly state: number[] = [];
  /** The suffix that is shorter by one, or -1. */
  readonly parent: number[] = [];
  readonly #priority: number[] = [];
  readonly #heap: number[] = [];

  push(priority: number, score: number, position: number, state: number, parent: number): void {
    if (priority === -Infinity) return;
    const item = this.score.length;
    this.score.push(score);
    this.position.push(position);
    this.state.push(state);
    this.parent.push(parent);
    this.#priority.push(priority);
    const heap = this.#heap;
    let at = heap.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.#before(item, heap[above])) break;
      heap[at] = heap[above];
      at = above;
    }
    heap[at] = item;
  }

  /** Returns the best suffix, or -1 when all were returned. */
  pop(): number {
    const heap = this.#heap;
    if (heap.length === 0) return -1;
    const top = heap[0];
    const item = heap.pop()!;
    const size = heap.length;
    let at = 0;
    while (2 * at + 1 < size) {
      let below = 2 * at + 1;
      if (below + 1 < size && this.#before(heap[below + 1], heap[below])) below++;
      if (!this.#before(heap[below], item)) break;
      heap[at] = heap[below];
      at = below;
    }
    if (size > 0) heap[at] = item;
    return top;
  }

  #before(a: number, b: number): boolean {
    const [first, second] = [this.#priority[a], this.#priority[b]];
    return first > second || (first === second && a < b);
  }
}
