import {
  areUniversal,
  isUniversalTag,
  mayHaveChild,
  relationRule,
  searchesTags,
  uniqueFunction,
  usedTag,
} from "@arcwise/conllu";
import type { Sentence } from "@arcwise/core";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";

/** Returns whether an arc h -> m must not have a label, given as its index. */
export type Forbidden = (h: number, m: number, label: number) => boolean;

/** Labels that the arcs of a word, to its head and to its children, must not have. */
export interface Restriction {
  readonly word: number;
  readonly forbidden: Forbidden;
}

/** A rule of Universal Dependencies that a tree breaks. */
export interface Violation {
  /** Identifies the rule and its words. */
  readonly key: string;
  /**
   * Labels to forbid: every tree that keeps the rule keeps one of these restrictions. Empty: only the labels
   * of one arc are wrong.
   */
  readonly repairs: readonly Restriction[];
}

type Tags = NonNullable<ReturnType<typeof relationRule>>["tags"];

/** Returns the tags of words with a relation if the search keeps the rule on them. */
function searchedTags(relation: string): Tags {
  return searchesTags(relation) ? relationRule(relation)?.tags : undefined;
}

/**
 * The rules of Universal Dependencies on trees that `RULES` of `@arcwise/conllu` marks as `searched`, for the labels of
 * a model. Rules on tags bind if the model has a label that no rule binds, so that every tree can keep all rules.
 */
export class LabelRules {
  readonly labels: readonly string[];
  readonly #isRoot: readonly boolean[];
  readonly #pointsLeft: readonly boolean[];
  /** For each label, the number of the labels with the same children; 0: any children. */
  readonly #group: readonly number[];
  /** A label of each group. */
  readonly #groups: readonly string[];
  readonly #function: readonly (string | undefined)[];
  readonly #isFixed: readonly boolean[];
  /** The tags of words with each label; undefined: any tag. */
  readonly #tags: readonly Tags[];

  /** @param labels labels of Universal Dependencies, by index */
  constructor(labels: readonly string[]) {
    const childrenOf = (label: string) => {
      const children = relationRule(label)?.children;
      return children && [...children.names].join(" ");
    };
    const groups = new Map<string, string>();
    for (const label of labels) {
      const children = childrenOf(label);
      if (children !== undefined && !groups.has(children)) groups.set(children, label);
    }
    const numbers = new Map([...groups.keys()].map((children, g) => [children, g + 1]));
    this.labels = labels;
    this.#isRoot = labels.map((label) => /^root(?::|$)/.test(label));
    this.#isFixed = labels.map((label) => /^fixed(?::|$)/.test(label));
    this.#pointsLeft = labels.map((label) => relationRule(label)?.direction === undefined);
    this.#group = labels.map((label) => numbers.get(childrenOf(label) ?? "none") ?? 0);
    this.#groups = ["", ...groups.values()];
    this.#function = labels.map(uniqueFunction);
    const tags = labels.map(searchedTags);
    this.#tags = tags.map((own) =>
      tags.some((other, l) => other === undefined && this.#isFree(l)) ? own : undefined,
    );
  }

  /** Returns the rules of a model's labels; undefined if these are not relations of Universal Dependencies. */
  static of(labels: readonly string[]): LabelRules | undefined {
    return areUniversal(labels) ? new LabelRules(labels) : undefined;
  }

  /** Returns whether an arc may have a label, whatever the rest of the tree. */
  mayAttach(words: Sentence, h: number, m: number, label: number): boolean {
    if ((h === 0) !== this.#isRoot[label] || (h > m && !this.#pointsLeft[label])) return false;
    const tags = this.#tags[label];
    if (tags === undefined) return true;
    const tag = usedTag(words[m - 1]);
    if (isUniversalTag(tag) && tags.names.has(tag) === tags.isExcluded) return false;
    return !this.#isFixed[label] || usedTag(words[h - 1]) !== "PROPN";
  }

  /** Returns whether a word may have a label at any place but the root, with any children and sisters. */
  #isFree(label: number): boolean {
    const isBound = this.#isRoot[label] || this.#group[label] > 0 || this.#function[label] !== undefined;
    return !isBound && this.#pointsLeft[label];
  }

  /**
   * Returns the first rule that a tree breaks; undefined if it breaks none. O(n).
   *
   * @param isLeft whether the violation with a key is to be left
   */
  violation(
    { heads, labels }: EncodedTree,
    words: Sentence,
    isLeft: (key: string) => boolean = () => false,
  ): Violation | undefined {
    const firsts = new Map<string, number>();
    for (let m = 1; m < heads.length; m++) {
      const h = heads[m];
      const label = labels[m];
      if (!this.mayAttach(words, h, m, label) && !isLeft(`arc ${m}`)) return { key: `arc ${m}`, repairs: [] };
      if (h === 0) continue;
      const group = this.#group[labels[h]!];
      if (group > 0 && !this.#mayHaveChild(group, words, h, m, label) && !isLeft(`child ${m}`))
        return { key: `child ${m}`, repairs: this.#childRepairs(group, words, h) };
      const unique = this.#function[label];
      if (unique === undefined) continue;
      const key = `${unique} of ${h}`;
      const first = firsts.get(key);
      if (first === undefined) firsts.set(key, m);
      else if (!isLeft(`${key} ${m}`))
        return { key: `${key} ${m}`, repairs: this.#uniqueRepairs(unique, h, first) };
    }
    return undefined;
  }

  /** Returns whether a word of a tree must not have a label for its labels to keep rules by simple means. */
  plain({ heads, labels }: EncodedTree): (m: number, label: number) => boolean {
    const parents = new Set(heads);
    const first = new Map<string, number>();
    for (let m = 1; m < heads.length; m++) {
      const key = `${this.#function[labels[m]!]} of ${heads[m]}`;
      if (!first.has(key)) first.set(key, m);
    }
    return (m, label) => {
      const unique = this.#function[label];
      if (unique !== undefined && first.get(`${unique} of ${heads[m]}`) !== m) return true;
      return this.#group[label] > 0 && parents.has(m);
    };
  }

  #mayHaveChild(group: number, words: Sentence, h: number, m: number, label: number): boolean {
    const { upos, feats } = words[h - 1];
    const child = words[m - 1];
    return mayHaveChild(
      { deprel: this.#groups[group], upos, feats },
      { deprel: this.labels[label], upos: child.upos, feats: child.feats },
    );
  }

  /** The word is of another group, or of this one with children that this one may have. */
  #childRepairs(group: number, words: Sentence, word: number): Restriction[] {
    return restrictions(word, [
      (_, m, label) => m === word && this.#group[label] === group,
      (h, m, label) =>
        m === word
          ? this.#group[label] !== group
          : h === word && !this.#mayHaveChild(group, words, h, m, label),
    ]);
  }

  /** The first word does not have the function, or is the only one that has it. */
  #uniqueRepairs(unique: string, word: number, first: number): Restriction[] {
    return restrictions(word, [
      (h, m, label) => h === word && m === first && this.#function[label] === unique,
      (h, m, label) => h === word && m !== first && this.#function[label] === unique,
    ]);
  }
}

const restrictions = (word: number, all: readonly Forbidden[]): Restriction[] =>
  all.map((forbidden) => ({ word, forbidden }));
