import { extend, type GlobalFeatures, ROLE } from "@arcwise/core/features";

/**
 * A tree with the data that global features use: the modifiers of each word in order, the first and last word
 * below it, and the function words among its modifiers. A change of a head updates the two heads and those
 * ancestors whose spans change.
 */
export class GlobalTree {
  readonly n: number;
  readonly heads: Int32Array;
  /** Leftmost modifier of each word, and the next modifier of the same head to the right; -1 = none. */
  readonly first: Int32Array;
  readonly next: Int32Array;
  /** First and last word of the subtree of each word. */
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** The modifier of each word that introduces it as a phrase, and the one that coordinates it; -1 = none. */
  readonly introducer: Int32Array;
  readonly coordinator: Int32Array;

  // Results of `survey`: numbers of modifiers, codes of their tags in order, and the two function words.
  lefts = 0;
  rights = 0;
  leftCode = 0;
  rightCode = 0;
  introducing = -1;
  coordinating = -1;
  readonly #features: GlobalFeatures;

  /** @param features prepared for the sentence whenever a method is called */
  constructor(n: number, features: GlobalFeatures) {
    const column = () => new Int32Array(n + 1);
    this.n = n;
    this.#features = features;
    this.heads = column();
    this.first = column();
    this.next = column();
    this.left = column();
    this.right = column();
    this.introducer = column();
    this.coordinator = column();
  }

  /** Sets the tree. O(n · depth). */
  reset(heads: Int32Array): void {
    const { n, first, next, left, right } = this;
    this.heads.set(heads);
    first.fill(-1);
    next.fill(-1);
    for (let m = n; m >= 1; m--) {
      next[m] = first[heads[m]];
      first[heads[m]] = m;
    }
    for (let x = 0; x <= n; x++) left[x] = right[x] = x;
    for (let m = 1; m <= n; m++) {
      // Ancestors that reach as far as m were reached from another word already, with all their ancestors.
      for (let x = heads[m]; x >= 0 && left[x] > m; x = heads[x]) left[x] = m;
      for (let x = heads[m]; x >= 0 && right[x] < m; x = heads[x]) right[x] = m;
    }
    for (let x = 0; x <= n; x++) this.#mark(x);
  }

  /** Collects the modifiers of a word, without one of them (or -1) and with another (or -1). O(modifiers). */
  survey(x: number, without: number, added: number): void {
    const { next } = this;
    const { role, tagCodes } = this.#features;
    let left = 0;
    let right = 0;
    let leftCode = 0;
    let rightCode = 0;
    let previous = 0;
    let adposition = -1;
    let subordinator = -1;
    let conjunction = -1;
    let punctuation = -1;
    let pending = added;
    for (let m = this.first[x]; m >= 0 || pending >= 0; ) {
      let word = m;
      if (pending >= 0 && (m < 0 || pending < m)) {
        word = pending;
        pending = -1;
      } else {
        m = next[m];
        if (word === without) continue;
      }
      const what = role[word];
      const tag = tagCodes[word];
      if (word < x) {
        if (left === 0 || tag !== previous) leftCode = extend(leftCode, tag);
        left++;
        if (what === ROLE.coordinator && conjunction < 0) conjunction = word;
        else if (what === ROLE.punctuation && punctuation < 0) punctuation = word;
      } else {
        if (right === 0 || tag !== previous) rightCode = extend(rightCode, tag);
        right++;
      }
      if (what === ROLE.adposition && adposition < 0) adposition = word;
      else if (what === ROLE.subordinator && subordinator < 0) subordinator = word;
      previous = tag;
    }
    this.lefts = left;
    this.rights = right;
    this.leftCode = leftCode;
    this.rightCode = rightCode;
    this.introducing = adposition >= 0 ? adposition : subordinator;
    this.coordinating = conjunction >= 0 ? conjunction : punctuation;
  }

  /** Whether the last `survey` found function words other than those below a word. */
  marksChange(x: number): boolean {
    return this.introducing !== this.introducer[x] || this.coordinating !== this.coordinator[x];
  }

  /** Changes the head of m to `head`, and updates modifiers, spans and function words of all words. */
  move(m: number, head: number): void {
    const { heads, first, next } = this;
    const old = heads[m];
    let before = -1;
    for (let x = first[old]; x !== m; x = next[x]) before = x;
    if (before < 0) first[old] = next[m];
    else next[before] = next[m];
    before = -1;
    let after = first[head];
    while (after >= 0 && after < m) {
      before = after;
      after = next[after];
    }
    next[m] = after;
    if (before < 0) first[head] = m;
    else next[before] = m;
    heads[m] = head;
    this.#reach(old);
    this.#reach(head);
    this.#mark(old);
    this.#mark(head);
  }

  #mark(x: number): void {
    this.survey(x, -1, -1);
    this.introducer[x] = this.introducing;
    this.coordinator[x] = this.coordinating;
  }

  /** Updates the span of a word and its ancestors, up to the first whose span does not change. */
  #reach(word: number): void {
    const { heads, first, next, left, right } = this;
    for (let x = word; x >= 0; x = heads[x]) {
      let from = x;
      let to = x;
      for (let m = first[x]; m >= 0; m = next[m]) {
        if (left[m] < from) from = left[m];
        if (right[m] > to) to = right[m];
      }
      if (from === left[x] && to === right[x]) return;
      left[x] = from;
      right[x] = to;
    }
  }
}
