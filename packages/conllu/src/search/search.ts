import { requireSentence, requireText } from "../arguments.ts";
import type { ConlluSentence } from "../types.ts";
import { parsePattern } from "./parse-pattern.ts";
import type { Formula, NodePattern, ParsedPattern } from "./pattern.ts";
import { SearchTree } from "./search-tree.ts";

/** One way to match a pattern. Positions are positions of words, from 1. */
export interface SearchMatch {
  /** Position of the word of each node of the pattern in its order; 0 for nodes that are not matched. */
  readonly nodes: readonly number[];
  /** Positions of named nodes that are matched. */
  readonly names: Readonly<Record<string, number>>;
  /** Labels of named relations that are matched. */
  readonly relations: Readonly<Record<string, string>>;
}

/** A compiled pattern. */
export interface SearchPattern {
  readonly source: string;
  /** Names of nodes and of relations. */
  readonly names: readonly string[];
  readonly relationNames: readonly string[];
  /**
   * Yields the matches in a sentence: each assignment of words to the nodes that satisfies the pattern, once. Nodes
   * below a negation are never matched; nodes of an optional relation are not where it cannot be satisfied, and
   * nodes of an alternative (`|`) are not in matches of another one.
   *
   * Cost: O(n) for the first node; every further node costs the words that its relation allows: one for heads and
   * neighbours, the modifiers or siblings of a word, at most n for `<<`, `>>`, `..` and `--`. For k nodes the
   * bound is O(n^k) words tried.
   *
   * @throws ConlluError when a head is no word of the sentence
   */
  matches(sentence: ConlluSentence): Generator<SearchMatch>;
}

/**
 * Compiles a pattern of words and relations between them, in the language of Semgrex: `{upos:VERB}=v >obj
 * {lemma:/cats?/}`.
 *
 * @throws ArcwiseError with code `invalid-argument` at the first character that is wrong
 *
 * Chambers et al. 2007, Learning alignments and leveraging natural logic.
 */
export function compilePattern(source: string): SearchPattern {
  requireText(source, "compilePattern");
  const pattern = parsePattern(source);
  return {
    source,
    names: pattern.names,
    relationNames: pattern.relationNames,
    matches(sentence) {
      requireSentence(sentence, "matches");
      return matchesOf(pattern, new SearchTree(sentence));
    },
  };
}

/** Yields the matches of a parsed pattern in the tree of a sentence. */
export function matchesOf(pattern: ParsedPattern, tree: SearchTree): Generator<SearchMatch> {
  return new Search(pattern, tree).matches();
}

/** A search for one pattern in one sentence. */
class Search {
  readonly #pattern: ParsedPattern;
  readonly #tree: SearchTree;
  /** Word of each node; 0 = none. */
  readonly #words: Int32Array;
  /** Word of each name; 0 = none. */
  readonly #named: Int32Array;
  readonly #relations: (string | undefined)[];

  constructor(pattern: ParsedPattern, tree: SearchTree) {
    this.#pattern = pattern;
    this.#tree = tree;
    this.#words = new Int32Array(pattern.size);
    this.#named = new Int32Array(pattern.names.length);
    this.#relations = pattern.relationNames.map(() => undefined);
  }

  *matches(part = 0): Generator<SearchMatch> {
    const node = this.#pattern.nodes[part];
    if (node === undefined) {
      yield this.#match();
      return;
    }
    for (let word = 1; word <= this.#tree.n; word++) {
      if (!this.#allows(node, word)) continue;
      for (const _ of this.#node(node, word)) yield* this.matches(part + 1);
    }
  }

  #match(): SearchMatch {
    const { names, relationNames } = this.#pattern;
    const matched = names.flatMap((name, slot) => {
      const word = this.#named[slot]!;
      return word === 0 ? [] : [[name, word] as const];
    });
    const labels = relationNames.flatMap((name, slot) => {
      const label = this.#relations[slot];
      return label === undefined ? [] : [[name, label] as const];
    });
    return {
      nodes: [...this.#words],
      names: Object.fromEntries(matched),
      relations: Object.fromEntries(labels),
    };
  }

  /** Whether a node may be a word, whatever its relations. */
  #allows(node: NodePattern, word: number): boolean {
    const named = node.name < 0 ? 0 : this.#named[node.name]!;
    return (named === 0 || named === word) && this.#tree.satisfies(node, word);
  }

  /** Yields with each way to match a node at a word; on return nothing is matched any more. */
  *#node(node: NodePattern, word: number): Generator<void> {
    const { index, name, formula } = node;
    const isFirst = name >= 0 && this.#named[name] === 0;
    this.#words[index] = word;
    if (isFirst) this.#named[name] = word;
    try {
      if (formula === undefined) yield;
      else yield* this.#formula(formula, word);
    } finally {
      this.#words[index] = 0;
      if (isFirst) this.#named[name] = 0;
    }
  }

  *#formula(formula: Formula, word: number): Generator<void> {
    switch (formula.kind) {
      case "and":
        yield* this.#all(formula.parts, 0, word);
        break;
      case "or":
        for (const part of formula.parts) yield* this.#formula(part, word);
        break;
      case "not":
        for (const _ of this.#formula(formula.part, word)) return;
        yield;
        break;
      case "optional": {
        let isMatched = false;
        for (const _ of this.#formula(formula.part, word)) {
          isMatched = true;
          yield;
        }
        if (!isMatched) yield;
        break;
      }
      default:
        yield* this.#relation(formula, word);
    }
  }

  *#all(parts: readonly Formula[], from: number, word: number): Generator<void> {
    const part = parts[from];
    if (part === undefined) yield;
    else for (const _ of this.#formula(part, word)) yield* this.#all(parts, from + 1, word);
  }

  *#relation({ relation, target }: Extract<Formula, { kind: "relation" }>, word: number): Generator<void> {
    const slot = relation.name;
    for (const related of this.#tree.related(relation, word)) {
      if (!this.#allows(target, related)) continue;
      const before = this.#relations[slot];
      if (slot >= 0) {
        const label = this.#tree.labelOf(relation, word, related);
        if (before !== undefined && before !== label) continue;
        this.#relations[slot] = label;
      }
      try {
        yield* this.#node(target, related);
      } finally {
        if (slot >= 0) this.#relations[slot] = before;
      }
    }
  }
}
