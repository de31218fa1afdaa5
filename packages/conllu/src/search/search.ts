import { invalidArgument } from "@arcwise/core/errors";
import {
  checkArgument,
  checkOptions,
  defineOptions,
  flag,
  type OptionsOf,
  string,
} from "@arcwise/core/options";
import { requireSentence } from "../sentence-check.ts";
import type { ConlluSentence } from "../types.ts";
import { parsePattern } from "./parse-pattern.ts";
import type { Alternative, Formula, NodePattern, ParsedPattern, PatternConstant } from "./pattern.ts";
import { SearchTree } from "./search-tree.ts";

/**
 * One way to match a pattern. Positions are positions of words, from 1.
 *
 * @example
 * for (const { nodes, names, relations } of pattern.matches(sentence)) console.log(nodes, names, relations);
 * // [2, 4] { v: 2, o: 4 } { how: "obj" }
 */
export interface SearchMatch {
  /** Position of the word of each node of the pattern in its order; 0 for nodes that are not matched. */
  readonly nodes: readonly number[];
  /** Positions of named nodes that are matched. */
  readonly names: Readonly<Record<string, number>>;
  /** Labels of named relations that are matched. */
  readonly relations: Readonly<Record<string, string>>;
}

/** The options of `SearchOptions`. */
export const SEARCH_OPTIONS = defineOptions({
  unique: {
    check: flag,
    help: "yield one of the matches in a sentence that have the same named words, or the same set of words if the pattern names none",
    default: false,
  },
});

/**
 * Options of `compilePattern` and `search`.
 *
 * @example
 * const options: SearchOptions = { unique: true };
 * const verbs = search("{upos:VERB}=verb >obj {}", options).in(sentences); // each verb once, however many objects it has
 */
export interface SearchOptions extends OptionsOf<typeof SEARCH_OPTIONS> {}

/**
 * A compiled pattern.
 *
 * @example
 * const pattern: SearchPattern = compilePattern("{upos:VERB}=v >/obj|iobj/=how {}=o");
 * pattern.names; // ["v", "o"]
 */
export interface SearchPattern {
  readonly source: string;
  /** Names of nodes and of relations. */
  readonly names: readonly string[];
  readonly relationNames: readonly string[];
  /** Values of columns and labels of relations that the pattern names, without regular expressions. */
  readonly constants: readonly PatternConstant[];
  /**
   * Yields the matches in a sentence: each assignment of words to the nodes that satisfies the pattern, once. Nodes
   * below a negation are never matched; nodes of an optional relation are not where it cannot be satisfied, and
   * nodes of an alternative (`|`) are not in matches of another one. Different names are different words, unless
   * `==` relates them.
   *
   * Cost: O(n) for the first node; every further node costs the words that its relation allows: one for heads and
   * neighbours, the modifiers or siblings of a word, at most n for `<<`, `>>`, `..` and `--`. For k nodes the
   * bound is O(n^k) words tried.
   *
   * @throws ConlluError when a head is not a word of the sentence; ArcwiseError `invalid-argument` when
   *   more than 10,000,000 matches of a sentence differ with `unique`
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
 *
 * @example
 * for (const { names } of compilePattern("{upos:VERB}=v >obj {}=o").matches(sentence)) console.log(names.v, names.o); // 2 4
 */
export function compilePattern(source: string, options?: SearchOptions): SearchPattern {
  checkArgument(string, source, "compilePattern: source");
  const { unique } = checkOptions(SEARCH_OPTIONS, options, "compilePattern");
  const pattern = parsePattern(source);
  return {
    source,
    names: pattern.names,
    relationNames: pattern.relationNames,
    constants: pattern.constants,
    matches(sentence) {
      requireSentence(sentence, "matches");
      return matchesOf(pattern, new SearchTree(sentence), unique);
    },
  };
}

/** Yields the matches of a parsed pattern in the tree of a sentence. */
export function matchesOf(pattern: ParsedPattern, tree: SearchTree, unique: boolean): Generator<SearchMatch> {
  const matches = new Search(pattern, tree).matches();
  return unique ? different(matches, pattern.names.length > 0) : matches;
}

/** Maximum number of matches of a sentence that are compared with each other. */
const MAX_DIFFERENT = 10_000_000;

function* different(matches: Iterable<SearchMatch>, hasNames: boolean): Generator<SearchMatch> {
  const known = new Set<string>();
  for (const match of matches) {
    const key = hasNames
      ? JSON.stringify(match.names)
      : [...new Set(match.nodes)].sort((a, b) => a - b).join(" ");
    if (known.has(key)) continue;
    if (known.size >= MAX_DIFFERENT) {
      const expected = `at most ${MAX_DIFFERENT} different matches in a sentence`;
      throw invalidArgument("unique", expected, "more");
    }
    known.add(key);
    yield match;
  }
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
    return (node.name < 0 || this.#mayBeNamed(node.name, word)) && this.#tree.satisfies(node, word);
  }

  /** Whether a name already stands for the word, or no name does. */
  #mayBeNamed(name: number, word: number): boolean {
    const named = this.#named[name]!;
    if (named !== 0) return named === word;
    const { words } = this.#pattern;
    return this.#named.every((other, slot) => other !== word || words[slot] === words[name]);
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
        yield* this.#any(formula.parts, word);
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

  /** Assignments of different alternatives differ, unless they assign no word: of these, the first is yielded. */
  *#any(parts: readonly Alternative[], word: number): Generator<void> {
    let hasEmpty = false;
    for (const { formula, from, to } of parts) {
      for (const _ of this.#formula(formula, word)) {
        const isEmpty = this.#words.subarray(from, to).every((one) => one === 0);
        if (isEmpty && hasEmpty) continue;
        hasEmpty ||= isEmpty;
        yield;
      }
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
