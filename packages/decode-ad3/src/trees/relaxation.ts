import {
  type Arcs,
  type ArcsByHead,
  arcsByHead,
  MEMBERS,
  type ParsingProblem,
  type PartKind,
  type PartTable,
} from "@arcwise/core";
import type { ArcFactor } from "./arc-factor.ts";
import { CardinalityFactor } from "./cardinality-factor.ts";
import type { Cardinality } from "./constraints.ts";
import { type AutomatonTables, HeadAutomaton, type Sides } from "./head-automaton.ts";
import { HeadSequence } from "./head-sequence.ts";
import { PairFactors } from "./pair-factors.ts";
import { TreeFactor, type TreeFamily } from "./tree-factor.ts";

/**
 * Assignment of parts to factors. All choices have the same optimum; the more parts share a factor, the
 * tighter the bound and the more expensive a maximum.
 */
export interface Decomposition {
  /** Grandparents in the head automata (the default), or in one pairwise factor each. */
  readonly grandparent?: "automata" | "pairwise" | undefined;
  /** One automaton for all modifiers of a head (the default), or one for each side. */
  readonly sides?: "together" | "apart" | undefined;
  /** Tri-siblings in the same automata (the default), or in separate ones. */
  readonly triSibling?: "together" | "apart" | undefined;
}

/** Exceeds the difference between any configurations of a factor, for scores of absolute value below 8. */
const BONUS = 2 ** 16;

/** The kinds of parts that the relaxation scores. */
export const AD3_KINDS: readonly PartKind[] = [
  "grandparent",
  "nextSibling",
  "lastSibling",
  "sibling",
  "grandSibling",
  "triSibling",
  "headBigram",
];

/**
 * A parsing problem as factors over its arcs: the tree factor, and factors that score parts. Arc scores start
 * at the tree factor. Objects and arrays are reused for the next problem.
 */
export class Relaxation {
  readonly tree: TreeFactor;
  /** The first `count` of these score parts. */
  readonly factors: ArcFactor[] = [];
  count = 0;
  readonly pairs = new PairFactors();
  #arcScores: Float64Array = new Float64Array(0);
  readonly #decomposition: Required<Decomposition>;
  readonly #automata: HeadAutomaton[] = [];
  #automataUsed = 0;
  #byHead: ArcsByHead | undefined;
  readonly #sequence = new HeadSequence();

  constructor(family: TreeFamily, decomposition: Decomposition) {
    this.tree = new TreeFactor(family);
    this.#decomposition = {
      grandparent: "automata",
      sides: "together",
      triSibling: "together",
      ...decomposition,
    };
  }

  /**
   * Loads a problem without pruned arcs, with parts of `AD3_KINDS` only. Arrays of scores may be longer than
   * needed. O(n + arcs + parts).
   */
  reset({ arcs, arcScores, parts }: ParsingProblem, rules: readonly Cardinality[] = []): void {
    this.count = 0;
    this.#automataUsed = 0;
    this.pairs.reset();
    this.tree.reset(arcs);
    this.tree.reserve(2);
    this.#arcScores = arcScores;
    for (let arc = 0; arc < arcs.head.length; arc++) this.tree.potentials[arc] = arcScores[arc];
    for (const { arcs: members, negated, fewest, most } of rules) {
      const factor = new CardinalityFactor();
      factor.reset(members, negated, fewest, most);
      this.#add(factor);
    }
    if (parts.length === 0) return;
    const { grandparent, sides, triSibling } = this.#decomposition;
    const tables: Partial<Record<PartKind, PartTable>> = {};
    for (const table of parts) tables[table.kind] = table;
    this.#byHead = arcsByHead(arcs, this.#byHead);
    const byHead = this.#byHead;
    const together: AutomatonTables = { ...tables };
    if (grandparent === "pairwise") delete together.grandparent;
    if (triSibling === "apart") delete together.triSibling;
    this.#addAutomata(arcs, byHead, sides === "apart", together);
    if (triSibling === "apart" && tables.triSibling !== undefined) {
      this.#addAutomata(arcs, byHead, true, { triSibling: tables.triSibling });
    }
    if (tables.headBigram !== undefined && arcs.n > 1) {
      this.#sequence.reset(arcs, tables.headBigram);
      this.#add(this.#sequence);
    }
    if (grandparent === "pairwise" && tables.grandparent !== undefined)
      this.#addPairs(arcs, tables.grandparent);
    if (tables.sibling !== undefined) this.#addPairs(arcs, tables.sibling);
  }

  /** Returns whether each part of the kind is a pairwise factor of its own. */
  isPairwise(kind: PartKind): boolean {
    return kind === "sibling" || (kind === "grandparent" && this.#decomposition.grandparent === "pairwise");
  }

  /** Returns the score of the tree whose arcs are on. */
  scoreOf(on: Uint8Array): number {
    let sum = this.arcScore(on) + this.pairs.scoreOf(on);
    for (let i = 0; i < this.count; i++) sum += this.factors[i].scoreOf(on);
    return sum;
  }

  /** Returns the scores of these arcs alone. */
  arcScore(on: Uint8Array): number {
    const arcScores = this.#arcScores;
    let sum = 0;
    for (let arc = 0; arc < this.tree.variables; arc++) if (on[arc] === 1) sum += arcScores[arc];
    return sum;
  }

  /** Returns a copy of all potentials. */
  save(): Float64Array {
    const { tree, factors, count, pairs } = this;
    let size = tree.variables + 2 * pairs.count;
    for (let i = 0; i < count; i++) size += factors[i].variables;
    const saved = new Float64Array(size);
    let at = 0;
    const keep = (potentials: Float64Array, length: number): void => {
      for (let i = 0; i < length; i++) saved[at++] = potentials[i];
    };
    keep(tree.potentials, tree.variables);
    for (let i = 0; i < count; i++) keep(factors[i].potentials, factors[i].variables);
    keep(pairs.potentials, 2 * pairs.count);
    return saved;
  }

  /** Restores potentials that were saved from the same problem. */
  restore(saved: Float64Array): void {
    const { tree, factors, count, pairs } = this;
    let at = 0;
    const bring = (potentials: Float64Array, length: number): void => {
      for (let i = 0; i < length; i++) potentials[i] = saved[at++];
    };
    bring(tree.potentials, tree.variables);
    for (let i = 0; i < count; i++) bring(factors[i].potentials, factors[i].variables);
    bring(pairs.potentials, 2 * pairs.count);
  }

  /** Removes an arc from all trees and from all configurations of factors. */
  forbid(arc: number): void {
    const { tree, factors, count, pairs } = this;
    tree.potentials[arc] = -Infinity;
    for (let i = 0; i < count; i++) {
      const { arcs, potentials, variables } = factors[i];
      for (let v = 0; v < variables; v++) if (arcs[v] === arc) potentials[v] = -Infinity;
    }
    for (let i = 0; i < 2 * pairs.count; i++) if (pairs.arcs[i] === arc) pairs.potentials[i] = -Infinity;
  }

  /**
   * Forces an arc into all trees. Since the tree must have it, scores of any size may move from the tree to
   * the factors, which forces it into their configurations too.
   */
  enforce({ start, modifier }: Arcs, arc: number): void {
    const { tree, factors, count, pairs } = this;
    const m = modifier[arc];
    for (let other = start[m]; other < start[m + 1]; other++) {
      if (other !== arc && tree.potentials[other] !== -Infinity) this.forbid(other);
    }
    for (let i = 0; i < count; i++) {
      const { arcs, potentials, variables } = factors[i];
      for (let v = 0; v < variables; v++) {
        if (arcs[v] !== arc) continue;
        potentials[v] += BONUS;
        tree.potentials[arc] -= BONUS;
      }
    }
    for (let i = 0; i < 2 * pairs.count; i++) {
      if (pairs.arcs[i] !== arc) continue;
      pairs.potentials[i] += BONUS;
      tree.potentials[arc] -= BONUS;
    }
  }

  #addAutomata(arcs: Arcs, byHead: ArcsByHead, apart: boolean, tables: AutomatonTables): void {
    const { grandparent, nextSibling, lastSibling, grandSibling, triSibling } = tables;
    if (!grandparent && !nextSibling && !lastSibling && !grandSibling && !triSibling) return;
    for (let head = 0; head <= arcs.n; head++) {
      const left = byHead.start[2 * head];
      const middle = byHead.start[2 * head + 1];
      const right = byHead.start[2 * head + 2];
      if (apart) {
        if (middle > left) this.#addAutomaton(arcs, byHead, head, "left", tables);
        if (right > middle) this.#addAutomaton(arcs, byHead, head, "right", tables);
      } else if (right > left) this.#addAutomaton(arcs, byHead, head, "both", tables);
    }
  }

  #addAutomaton(arcs: Arcs, byHead: ArcsByHead, head: number, sides: Sides, tables: AutomatonTables): void {
    if (this.#automataUsed === this.#automata.length) this.#automata.push(new HeadAutomaton());
    const automaton = this.#automata[this.#automataUsed++];
    automaton.reset(arcs, byHead, head, sides, tables);
    this.#add(automaton);
  }

  #add(factor: ArcFactor): void {
    factor.reserve(2);
    this.factors[this.count++] = factor;
  }

  /** Parts of two arcs of which a tree may have both. */
  #addPairs({ head, modifier }: Arcs, { kind, start, members, scores }: PartTable): void {
    if (MEMBERS[kind] !== 1) throw new RangeError(`expected a kind of one member, got "${kind}"`);
    for (let owner = 0; owner < head.length; owner++) {
      for (let part = start[owner]; part < start[owner + 1]; part++) {
        const member = members[part];
        if (scores[part] === 0 || head[member] === modifier[owner]) continue;
        this.pairs.add(owner, member, scores[part]);
      }
    }
  }
}
