import {
  areUniversal,
  crossingWords,
  isNominal,
  isUniversalTag,
  marksClause,
  mayHaveChild,
  relationRule,
  tagRules,
  uniqueFunction,
  usedTag,
} from "@arcwise/conllu";
import type { Sentence } from "@arcwise/core";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";

/** Returns whether an arc h -> m must not have a label, given as its index. */
export type Forbidden = (h: number, m: number, label: number) => boolean;

/** A rule of Universal Dependencies that a tree breaks. */
export interface Violation {
  /** Identifies the rule and its words. */
  readonly key: string;
  /** Labels to forbid. Empty: only the labels of one arc are wrong. */
  readonly repairs: readonly Forbidden[];
  /** Whether every tree that keeps the rule keeps one of the restrictions. */
  readonly isComplete: boolean;
}

const violated = (key: string, repairs: readonly Forbidden[], isComplete = true): Violation => ({
  key,
  repairs,
  isComplete,
});

/**
 * The rules of Universal Dependencies on trees, for the labels of a model: of the tests of level 3 in `RULES` of
 * `@arcwise/conllu` those on the root, `rel-upos-*`, `upos-rel-punct`, `right-to-left-*`, `leaf-*`, `too-many-*`,
 * `obl-should-be-nmod`, `goeswith-upos`, `punct-is-nonproj` and `punct-causes-nonproj`.
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
  readonly #is: Readonly<Record<"punct" | "obl" | "fixed", readonly boolean[]>>;
  readonly #marksClause: readonly boolean[];
  /** Whether words with a tag may have each label, for the 17 tags. */
  readonly #byTag = new Map<string, readonly boolean[]>();

  /** @param labels labels of Universal Dependencies, by index */
  constructor(labels: readonly string[]) {
    const groupOf = (label: string) => {
      const children = relationRule(label)?.children;
      return children && [...children.names].join(" ");
    };
    const groups = new Map<string, string>();
    for (const label of labels) {
      const children = groupOf(label);
      if (children !== undefined && !groups.has(children)) groups.set(children, label);
    }
    const numbers = new Map([...groups.keys()].map((children, g) => [children, g + 1]));
    const are = (name: string) => labels.map((label) => label === name || label.startsWith(`${name}:`));
    this.labels = labels;
    this.#isRoot = are("root");
    this.#is = { punct: are("punct"), obl: are("obl"), fixed: are("fixed") };
    this.#pointsLeft = labels.map((label) => relationRule(label)?.direction === undefined);
    this.#group = labels.map((label) => numbers.get(groupOf(label) ?? "none") ?? 0);
    this.#groups = ["", ...groups.values()];
    this.#function = labels.map(uniqueFunction);
    this.#marksClause = labels.map(marksClause);
  }

  /** Returns the rules of a model's labels; undefined if these are not relations of Universal Dependencies. */
  static of(labels: readonly string[]): LabelRules | undefined {
    return areUniversal(labels) ? new LabelRules(labels) : undefined;
  }

  /** Whether an arc may have a label, whatever the rest of the tree. Rules on tags bind words with tags. */
  mayAttach(words: Sentence, h: number, m: number, label: number): boolean {
    if ((h === 0) !== this.#isRoot[label] || (h > m && !this.#pointsLeft[label]!)) return false;
    if (this.#is.fixed[label] && h > 0 && usedTag(words[h - 1]!) === "PROPN") return false;
    return this.#labelsOf(usedTag(words[m - 1]!))?.[label] ?? true;
  }

  /**
   * Returns the first rule that a tree breaks; undefined if it breaks none. O(n log n).
   *
   * @param isLeft whether the violation with a key is to be left
   */
  violation(
    tree: EncodedTree,
    words: Sentence,
    isLeft: (key: string) => boolean = () => false,
  ): Violation | undefined {
    const { heads, labels } = tree;
    const firsts = new Map<string, number>();
    for (let m = 1; m < heads.length; m++) {
      const h = heads[m]!;
      const label = labels[m]!;
      if (!this.mayAttach(words, h, m, label) && !isLeft(`arc ${m}`)) return violated(`arc ${m}`, []);
      if (h === 0) continue;
      const group = this.#group[labels[h]!]!;
      if (group > 0 && !this.#mayHaveChild(group, words, h, m, label) && !isLeft(`child ${m}`))
        return violated(`child ${m}`, this.#childRepairs(group, words, h));
      const unique = this.#function[label];
      if (unique === undefined) continue;
      const key = `${unique} of ${h}`;
      const first = firsts.get(key);
      if (first === undefined) firsts.set(key, m);
      else if (!isLeft(`${key} ${m}`)) return violated(`${key} ${m}`, this.#uniqueRepairs(unique, h, first));
    }
    return this.#obliqueViolation(tree, words, isLeft) ?? this.#punctuationViolation(tree, isLeft);
  }

  /** Returns whether a word of a tree must not have a label for its labels to keep rules by simple means. */
  plain({ heads, labels }: EncodedTree, words: Sentence): (m: number, label: number) => boolean {
    const parents = new Set(heads);
    const first = new Map<string, number>();
    for (let m = 1; m < heads.length; m++) {
      const key = `${this.#function[labels[m]!]} of ${heads[m]}`;
      if (!first.has(key)) first.set(key, m);
    }
    return (m, label) => {
      const unique = this.#function[label];
      if (unique !== undefined && first.get(`${unique} of ${heads[m]}`) !== m) return true;
      if (this.#is.obl[label] && this.#isNominal(words, heads[m]!, "obl")) return true;
      return this.#group[label]! > 0 && parents.has(m);
    };
  }

  /** Returns whether words with a tag may have each label; undefined: any, as the tag is not one of the 17. */
  #labelsOf(tag: string): readonly boolean[] | undefined {
    const known = this.#byTag.get(tag);
    if (known !== undefined || !isUniversalTag(tag)) return known;
    const allowed = this.labels.map((label) => tagRules(label, tag).length === 0);
    this.#byTag.set(tag, allowed);
    return allowed;
  }

  #isNominal(words: Sentence, m: number, deprel: string): boolean {
    return m > 0 && isNominal({ deprel, upos: words[m - 1]!.upos });
  }

  /** Returns the first `obl` of a nominal without the children of a clause. The repairs do not add such children. */
  #obliqueViolation(
    { heads, labels }: EncodedTree,
    words: Sentence,
    isLeft: (key: string) => boolean,
  ): Violation | undefined {
    const isClause = (h: number) => heads.some((head, m) => head === h && this.#marksClause[labels[m]!]!);
    for (let m = 1; m < heads.length; m++) {
      const h = heads[m]!;
      if (!this.#is.obl[labels[m]!] || h === 0 || isLeft(`obl ${m}`)) continue;
      if (!this.#isNominal(words, h, this.labels[labels[h]!]!) || isClause(h)) continue;
      const repairs: Forbidden[] = [
        (head, word, label) => word === m && head === h && this.#is.obl[label]!,
        (_, word, label) => word === h && this.#isNominal(words, h, this.labels[label]!),
      ];
      return violated(`obl ${m}`, repairs, false);
    }
    return undefined;
  }

  /** Returns the first arc of punctuation that crosses another arc. The repairs forbid one of the two. */
  #punctuationViolation(
    { heads, labels }: EncodedTree,
    isLeft: (key: string) => boolean,
  ): Violation | undefined {
    const words = [...heads.keys()].slice(1).filter((m) => this.#is.punct[labels[m]!]);
    if (words.length === 0) return undefined;
    for (const [i, crossing] of crossingWords(heads, words).entries()) {
      const m = words[i]!;
      if (crossing === 0 || isLeft(`punct ${m}`)) continue;
      const arcs = [m, crossing].map((word) => ({ word, head: heads[word]! }));
      const repairs = arcs.map(
        (arc): Forbidden =>
          (h, word) =>
            word === arc.word && h === arc.head,
      );
      return violated(`punct ${m}`, repairs, false);
    }
    return undefined;
  }

  #mayHaveChild(group: number, words: Sentence, h: number, m: number, label: number): boolean {
    const { upos, feats } = words[h - 1]!;
    const child = words[m - 1]!;
    return mayHaveChild(
      { deprel: this.#groups[group]!, upos, feats },
      { deprel: this.labels[label]!, upos: child.upos, feats: child.feats },
    );
  }

  /** The word is of another group, or of this one with children that this one may have. */
  #childRepairs(group: number, words: Sentence, word: number): Forbidden[] {
    return [
      (_, m, label) => m === word && this.#group[label] === group,
      (h, m, label) =>
        m === word
          ? this.#group[label] !== group
          : h === word && !this.#mayHaveChild(group, words, h, m, label),
    ];
  }

  /** The first word does not have the function, or is the only one that has it. */
  #uniqueRepairs(unique: string, word: number, first: number): Forbidden[] {
    return [
      (h, m, label) => h === word && m === first && this.#function[label] === unique,
      (h, m, label) => h === word && m !== first && this.#function[label] === unique,
    ];
  }
}
