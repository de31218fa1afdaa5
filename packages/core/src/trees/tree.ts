/** Options of the functions on trees. */
export interface TreeOptions {
  /** Whether the artificial root has exactly one modifier. Default: true. */
  readonly singleRoot?: boolean | undefined;
}

/**
 * The modifiers of every head: the modifiers of h are `modifiers[start[h]] .. modifiers[start[h + 1] - 1]`.
 */
export interface Modifiers {
  /** n + 2 entries. */
  readonly start: Int32Array;
  /** n entries, ascending within a head. */
  readonly modifiers: Int32Array;
}

/** The extent of each subtree, one entry a position (0 included). */
export interface SubtreeSpans {
  /** Leftmost position in the subtree. */
  readonly left: Int32Array;
  /** Rightmost position in the subtree. */
  readonly right: Int32Array;
  /** Number of positions in the subtree, its top included. A subtree without gaps has right - left + 1. */
  readonly size: Int32Array;
}

/**
 * Reads a tree from text: the heads of words 1..n, separated by blanks. `heads("0 1 1 3")` is
 * `[-1, 0, 1, 1, 3]`. Whether they form a tree is not checked, so that invalid trees can be written too.
 *
 * @throws RangeError when something is not an integer of 32 bits
 */
export function heads(text: string): Int32Array {
  const words = text.trim() === "" ? [] : text.trim().split(/\s+/);
  const result = new Int32Array(words.length + 1);
  result[0] = -1;
  words.forEach((word, i) => {
    const head = Number(word);
    if (!/^-?\d+$/.test(word) || head !== (head | 0)) {
      throw new RangeError(`head of word ${i + 1}: expected an integer, got "${word}"`);
    }
    result[i + 1] = head;
  });
  return result;
}

/**
 * Describes why the heads are not a tree, or returns `undefined` when they are: `heads[0] === -1`, every
 * other head is another position 0..n, there is no cycle, and exactly one word has head 0 (any number >= 1
 * with `singleRoot: false`). A sentence without words is a tree. O(n).
 */
export function checkTree(heads: Int32Array, options: TreeOptions = {}): string | undefined {
  const n = heads.length - 1;
  if (n < 0) return "expected n + 1 heads, got none";
  if (heads[0] !== -1) return `expected heads[0] to be -1, got ${heads[0]}`;
  let roots = 0;
  for (let m = 1; m <= n; m++) {
    const h = heads[m];
    if (h < 0 || h > n) return `expected the head of word ${m} to be from 0 to ${n}, got ${h}`;
    if (h === m) return `word ${m} is its own head`;
    if (h === 0) roots++;
  }
  const cycle = findCycle(heads);
  if (cycle !== undefined) return `cycle: ${cycle.join(" -> ")}`;
  if (roots > 1 && options.singleRoot !== false) {
    return `expected one root word, got ${roots}: ${rootWords(heads).join(", ")}`;
  }
  return undefined;
}

/** Returns whether the heads form a tree: see `checkTree`. O(n). */
export function isTree(heads: Int32Array, options: TreeOptions = {}): boolean {
  return checkTree(heads, options) === undefined;
}

/**
 * Returns the words of a cycle, each followed by one of its modifiers, the first repeated at the end. O(n).
 */
function findCycle(heads: Int32Array): number[] | undefined {
  const seenFrom = new Int32Array(heads.length);
  for (let m = 1; m < heads.length; m++) {
    let word = m;
    while (word !== 0 && seenFrom[word] === 0) {
      seenFrom[word] = m;
      word = heads[word];
    }
    if (word === 0 || seenFrom[word] !== m) continue;
    const cycle = [word];
    for (let next = heads[word]; next !== word; next = heads[next]) cycle.push(next);
    cycle.push(word);
    return cycle.reverse();
  }
  return undefined;
}

/** Returns the words whose head is the artificial root, ascending. O(n). */
export function rootWords(heads: Int32Array): Int32Array {
  let count = 0;
  for (let m = 1; m < heads.length; m++) if (heads[m] === 0) count++;
  const roots = new Int32Array(count);
  for (let m = 1, i = 0; m < heads.length; m++) if (heads[m] === 0) roots[i++] = m;
  return roots;
}

/**
 * Groups words by head. O(n).
 *
 * @throws RangeError when a head is not from 0 to n
 */
export function modifiersOf(heads: Int32Array): Modifiers {
  const length = heads.length;
  const start = new Int32Array(length + 1);
  for (let m = 1; m < length; m++) {
    const h = heads[m];
    if (h < 0 || h >= length) {
      throw new RangeError(`expected the head of word ${m} to be from 0 to ${length - 1}, got ${h}`);
    }
    start[h + 1]++;
  }
  for (let h = 0; h < length; h++) start[h + 1] += start[h];
  const fill = start.slice(0, -1);
  const modifiers = new Int32Array(Math.max(0, length - 1));
  for (let m = 1; m < length; m++) modifiers[fill[heads[m]]++] = m;
  return { start, modifiers };
}

/**
 * Returns all n + 1 positions in preorder: heads before their modifiers, each subtree contiguous, modifiers
 * ascending. O(n), without recursion.
 *
 * @throws RangeError when the heads are not a tree (several roots are allowed)
 */
export function depthFirstOrder(heads: Int32Array): Int32Array {
  const { start, modifiers } = modifiersOfTree(heads);
  const order = new Int32Array(heads.length);
  const stack = new Int32Array(heads.length);
  let depth = 1;
  let visited = 0;
  while (depth > 0) {
    const word = stack[--depth];
    order[visited++] = word;
    for (let i = start[word + 1] - 1; i >= start[word]; i--) stack[depth++] = modifiers[i];
  }
  return order;
}

/**
 * Returns all n + 1 positions in postorder: modifiers before their heads, each subtree contiguous, modifiers
 * ascending; 0 comes last. O(n), without recursion.
 */
export function postOrder(heads: Int32Array): Int32Array {
  const { start, modifiers } = modifiersOfTree(heads);
  const order = new Int32Array(heads.length);
  const stack = new Int32Array(heads.length);
  let depth = 1;
  // Heads first and modifiers descending, written from the end, is the postorder.
  for (let place = heads.length - 1; depth > 0; place--) {
    const word = stack[--depth];
    order[place] = word;
    for (let i = start[word]; i < start[word + 1]; i++) stack[depth++] = modifiers[i];
  }
  return order;
}

function modifiersOfTree(heads: Int32Array): Modifiers {
  const fault = checkTree(heads, { singleRoot: false });
  if (fault !== undefined) throw new RangeError(`not a tree: ${fault}`);
  return modifiersOf(heads);
}

/**
 * Returns the number of arcs from the artificial root to each position: 0 for the root itself, 1 for root
 * words. O(n).
 *
 * @throws RangeError when the heads are not a tree (several roots are allowed)
 */
export function depths(heads: Int32Array): Int32Array {
  const order = depthFirstOrder(heads);
  const depth = new Int32Array(heads.length);
  for (let i = 1; i < order.length; i++) depth[order[i]] = depth[heads[order[i]]] + 1;
  return depth;
}

/** Returns leftmost and rightmost position and size of every subtree. O(n). */
export function subtreeSpans(heads: Int32Array): SubtreeSpans {
  const order = postOrder(heads);
  const length = heads.length;
  const left = new Int32Array(length);
  const right = new Int32Array(length);
  const size = new Int32Array(length).fill(1);
  for (let word = 0; word < length; word++) left[word] = right[word] = word;
  for (let i = 0; i < length - 1; i++) {
    const m = order[i];
    const h = heads[m];
    if (left[m] < left[h]) left[h] = left[m];
    if (right[m] > right[h]) right[h] = right[m];
    size[h] += size[m];
  }
  return { left, right, size };
}

/**
 * Whether every subtree covers a contiguous range of the sentence; equivalently, whether no two arcs cross,
 * including those from the root. O(n).
 *
 * @throws RangeError when the heads are not a tree (several roots are allowed)
 */
export function isProjective(heads: Int32Array): boolean {
  const { left, right, size } = subtreeSpans(heads);
  for (let word = 1; word < heads.length; word++) {
    if (right[word] - left[word] + 1 !== size[word]) return false;
  }
  return true;
}

/**
 * Returns 1 for each word m whose arc h -> m is not projective: some word between h and m is not in the
 * subtree of h. O(n log n).
 *
 * @throws RangeError when the heads are not a tree (several roots are allowed)
 */
export function nonProjectiveArcs(heads: Int32Array): Uint8Array {
  const length = heads.length;
  const order = depthFirstOrder(heads);
  const { size } = subtreeSpans(heads);
  const entered = new Int32Array(length);
  for (let i = 0; i < length; i++) entered[order[i]] = i;
  // Words between h and m are under h when their positions in the order are within the range of h.
  const least = rangeTable(entered, Math.min);
  const most = rangeTable(entered, Math.max);
  const flags = new Uint8Array(length);
  for (let m = 1; m < length; m++) {
    const h = heads[m];
    const from = Math.min(h, m) + 1;
    const to = Math.max(h, m) - 1;
    if (from > to) continue;
    const level = 31 - Math.clz32(to - from + 1);
    const second = to + 1 - (1 << level);
    const first = Math.min(least[level][from], least[level][second]);
    const last = Math.max(most[level][from], most[level][second]);
    if (first < entered[h] || last >= entered[h] + size[h]) flags[m] = 1;
  }
  return flags;
}

/** Level k holds, for each i, the pick of values i .. i + 2^k - 1 (Bender and Farach-Colton 2000). */
function rangeTable(values: Int32Array, pick: (a: number, b: number) => number): Int32Array[] {
  const levels = [values];
  for (let width = 2; width <= values.length; width *= 2) {
    const below = levels.at(-1)!;
    const level = new Int32Array(values.length - width + 1);
    for (let i = 0; i < level.length; i++) level[i] = pick(below[i], below[i + width / 2]);
    levels.push(level);
  }
  return levels;
}
