/**
 * The common part of the dense and the sparse maximum spanning arborescence: the growing of paths, the
 * forest of contracted cycles, and its expansion. Tarjan (1977) with the correction of Camerini, Fratta and
 * Maffioli (1979), in the path-growing order of Gabow, Galil, Spencer and Tarjan (1986).
 *
 * Nodes are numbered: words are 1..n, each contracted cycle gets the next number. Every cycle has at least
 * two members, so that there are fewer than 2n nodes.
 *
 * A single root is exact and costs no penalty that could absorb scores: trees are ordered by (fewer root
 * arcs, higher score), and Edmonds' algorithm needs no more of its scores than that they are an ordered
 * group. The root is never part of a cycle, so nothing but arcs between words is ever subtracted, and the
 * first component stays what it was: "an arc from a word, if there is one, before any arc from the root".
 * The nodes that the multi-root phase has contracted by then are cycles of arcs that are also best among those between
 * words, so the second phase goes on from there (compare Gabow and Tarjan 1984; Zmigrod, Vieira and Cotterell
 * 2020).
 */

/** Not yet visited, on the path that is growing, or known to hang off a chosen arc. */
const FRESH = 0;
const OPEN = 1;
const DONE = 2;

/** Nodes, the arc that each has chosen, and which cycles contain which. All arrays are indexed by node. */
export class ContractionForest {
  /** Words of the sentence. */
  n = 0;
  /** Highest number of a node so far. */
  last = 0;
  /** Head (a word or 0) of the chosen arc, -1 while none is chosen. */
  head = new Int32Array(0);
  /** Modifier (a word inside the node) of the chosen arc. */
  modifier = new Int32Array(0);
  /** Score of the chosen arc, less what the nodes inside this one have already counted. */
  key = new Float64Array(0);
  /** The contracted cycle that a node is a member of, 0 when it is outermost. */
  parent = new Int32Array(0);
  /** Members of a contracted cycle: `firstMember` and, from each member, `nextMember`; 0 ends the list. */
  firstMember = new Int32Array(0);
  nextMember = new Int32Array(0);
  /** Words inside a node: `firstWord` .. `lastWord` along `nextWord` (indexed by word). */
  firstWord = new Int32Array(0);
  lastWord = new Int32Array(0);
  nextWord = new Int32Array(0);
  #jump = new Int32Array(0);
  #state = new Uint8Array(0);
  #path = new Int32Array(0);

  /** Makes the words of a sentence the nodes. O(n); allocates when n is larger than ever before. */
  reset(n: number): void {
    if (2 * n + 1 > this.head.length) this.#allocate(2 * Math.max(n, this.head.length) + 1);
    this.n = n;
    this.last = n;
    this.head.fill(-1, 0, 2 * n + 1);
    this.parent.fill(0, 0, 2 * n + 1);
    this.#state.fill(FRESH, 0, 2 * n + 1);
    for (let word = 0; word <= n; word++) {
      this.#jump[word] = word;
      this.firstWord[word] = word;
      this.lastWord[word] = word;
      this.firstMember[word] = 0;
    }
  }

  /** Returns the outermost node that a word is in. Amortised O(log n), by path halving. */
  find(word: number): number {
    const jump = this.#jump;
    let node = word;
    while (jump[node] !== node) {
      jump[node] = jump[jump[node]];
      node = jump[node];
    }
    return node;
  }

  /**
   * Chooses an arc for every outermost node until the choices form a tree, contracting cycles on the way.
   * Returns false when there is no tree (with a single root, if required).
   */
  contract(engine: ContractionEngine, singleRoot: boolean): boolean {
    if (!this.#grow(engine, false)) return false;
    if (!singleRoot || this.n === 0 || this.#reopen() === 1) return true;
    if (!this.#grow(engine, true)) return false;
    return this.#reopen() === 1;
  }

  /**
   * Writes the heads of the tree: the arc of an outermost node breaks the cycles that its modifier is in,
   * each at the member that it enters. O(n).
   */
  expand(heads: Int32Array): void {
    const { head, modifier, parent } = this;
    const state = this.#state;
    heads[0] = -1;
    state.fill(FRESH, 0, this.last + 1);
    for (let node = this.last; node >= 1; node--) {
      if (state[node] === DONE) continue;
      const word = modifier[node];
      heads[word] = head[node];
      for (let inner = word; inner !== node; inner = parent[inner]) state[inner] = DONE;
    }
  }

  /** Gives up the root arcs of the outermost nodes, to be chosen anew; returns how many there were. */
  #reopen(): number {
    const { head, parent } = this;
    const state = this.#state;
    let roots = 0;
    for (let node = 1; node <= this.last; node++) if (parent[node] === 0 && head[node] === 0) roots++;
    if (roots < 2) return roots;
    for (let node = 1; node <= this.last; node++) {
      if (parent[node] !== 0) continue;
      state[node] = FRESH;
      if (head[node] === 0) head[node] = -1;
    }
    return roots;
  }

  #grow(engine: ContractionEngine, rootLast: boolean): boolean {
    const { head, n } = this;
    const state = this.#state;
    const path = this.#path;
    for (let word = 1; word <= n; word++) {
      let node = this.find(word);
      let depth = 0;
      while (state[node] === FRESH) {
        state[node] = OPEN;
        path[depth++] = node;
        if (head[node] < 0 && !engine.choose(this, node, rootLast)) return false;
        if (head[node] === 0) break;
        node = this.find(head[node]);
        if (state[node] !== OPEN) continue;
        const top = depth;
        while (path[depth - 1] !== node) depth--;
        depth--;
        node = this.#contractCycle(engine, depth, top);
      }
      while (depth > 0) state[path[--depth]] = DONE;
    }
    return true;
  }

  /** Makes one node of those on the path from `from` to before `to`, and returns its number. */
  #contractCycle(engine: ContractionEngine, from: number, to: number): number {
    const { parent, firstWord, lastWord, nextWord, firstMember, nextMember } = this;
    const path = this.#path;
    const jump = this.#jump;
    const cycle = ++this.last;
    const first = path[from];
    jump[cycle] = cycle;
    firstMember[cycle] = first;
    firstWord[cycle] = firstWord[first];
    lastWord[cycle] = lastWord[first];
    for (let i = from; i < to; i++) {
      const member = path[i];
      parent[member] = cycle;
      jump[member] = cycle;
      nextMember[member] = i + 1 < to ? path[i + 1] : 0;
      if (i === from) continue;
      nextWord[lastWord[cycle]] = firstWord[member];
      lastWord[cycle] = lastWord[member];
    }
    engine.merge(this, cycle);
    return cycle;
  }

  #allocate(nodes: number): void {
    this.head = new Int32Array(nodes);
    this.modifier = new Int32Array(nodes);
    this.key = new Float64Array(nodes);
    this.parent = new Int32Array(nodes);
    this.firstMember = new Int32Array(nodes);
    this.nextMember = new Int32Array(nodes);
    this.firstWord = new Int32Array(nodes);
    this.lastWord = new Int32Array(nodes);
    this.nextWord = new Int32Array(nodes);
    this.#jump = new Int32Array(nodes);
    this.#state = new Uint8Array(nodes);
    this.#path = new Int32Array(nodes);
  }
}

/** How the arcs are kept: in the rows of a matrix, or in heaps. */
export interface ContractionEngine {
  /**
   * Writes `head`, `modifier` and `key` of the best arc that enters an outermost node: from a word or the
   * root, whichever is better, or, with `rootLast`, from the root only when no word has an arc. Returns false
   * when no arc enters.
   */
  choose(forest: ContractionForest, node: number, rootLast: boolean): boolean;
  /** Joins the arcs of the members of a new cycle, each lowered by the key of its member. */
  merge(forest: ContractionForest, cycle: number): void;
}
