import type { DependencyTree, GraphEdge, Sentence, Word } from "@arcwise/core";
import { universal } from "../relations.ts";
import { lemmaOf } from "./markers.ts";

/** A head of a word in an enhanced graph. */
export interface EnhancedHead {
  readonly head: number;
  readonly label: string;
}

/** An enhanced graph under construction: a basic tree, which does not change, and edges that rules edit. */
export class EnhancedDraft {
  /** Number of words. */
  readonly n: number;
  readonly #words: Sentence;
  readonly #tree: DependencyTree;
  readonly #children: readonly number[][];
  readonly #heads: EnhancedHead[][];

  constructor(words: Sentence, tree: DependencyTree) {
    this.n = words.length;
    this.#words = words;
    this.#tree = tree;
    const children: number[][] = Array.from({ length: this.n + 1 }, () => []);
    for (let m = 1; m <= this.n; m++) children[tree.heads[m]!]!.push(m);
    this.#children = children;
    this.#heads = Array.from({ length: this.n + 1 }, (_, m) =>
      m === 0 ? [] : [{ head: tree.heads[m]!, label: tree.labels[m]! }],
    );
  }

  /** The word at a position from 1. */
  word(position: number): Word {
    return this.#words[position - 1]!;
  }

  /** The lemma of a word as labels spell it. */
  lemma(position: number): string {
    return lemmaOf(this.word(position));
  }

  /** The head of a word in the basic tree. */
  headOf(position: number): number {
    return this.#tree.heads[position]!;
  }

  /** The relation of a word in the basic tree, with its subtype. */
  relation(position: number): string {
    return this.#tree.labels[position]!;
  }

  /** The relation of a word in the basic tree without its subtype. */
  universal(position: number): string {
    return universal(this.relation(position));
  }

  /**
   * Dependents in the basic tree, in the order of the sentence; only those with one of `relations`, if any
   * are given.
   */
  children(position: number, ...relations: readonly string[]): readonly number[] {
    const all = this.#children[position]!;
    return relations.length === 0 ? all : all.filter((child) => relations.includes(this.universal(child)));
  }

  /** Whether a word is `ancestor` or one of its descendants in the basic tree. */
  isBelow(position: number, ancestor: number): boolean {
    let at = position;
    while (at !== 0 && at !== ancestor) at = this.headOf(at);
    return at === ancestor;
  }

  /** Heads of a word in the enhanced graph. */
  heads(position: number): readonly EnhancedHead[] {
    return this.#heads[position]!;
  }

  /** Modifiers of a word in the enhanced graph, in the order of the sentence, one entry per label. O(n). */
  modifiers(position: number): { readonly position: number; readonly label: string }[] {
    return this.#heads.flatMap((heads, modifier) =>
      heads.filter(({ head }) => head === position).map(({ label }) => ({ position: modifier, label })),
    );
  }

  /** Adds an edge unless it exists or joins a word to itself. */
  add(head: number, modifier: number, label: string): void {
    if (head === modifier || this.#has(head, modifier, label)) return;
    this.#heads[modifier]!.push({ head, label });
  }

  /** Replaces the label of the edge of the basic tree, which no rule may have removed before. */
  relabel(modifier: number, label: string): void {
    this.#heads[modifier]![0] = { head: this.headOf(modifier), label };
  }

  /** Removes the edges between two words. */
  remove(head: number, modifier: number): void {
    this.#heads[modifier] = this.#heads[modifier]!.filter((edge) => edge.head !== head);
  }

  /** All edges of the enhanced graph. */
  edges(): GraphEdge[] {
    return this.#heads.flatMap((heads, modifier) =>
      heads.map(({ head, label }) => ({ head, modifier, label })),
    );
  }

  #has(head: number, modifier: number, label: string): boolean {
    return this.#heads[modifier]!.some((edge) => edge.head === head && edge.label === label);
  }
}
