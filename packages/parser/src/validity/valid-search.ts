import { type Arcs, arcIndex, type Sentence } from "@arcwise/core";
import { hasCode } from "@arcwise/core/errors";
import type { DecodedTree } from "../decoding/decode.ts";
import type { LabelChooser } from "./label-chooser.ts";
import type { Forbidden, LabelRules, Restriction } from "./label-rules.ts";

/**
 * Maximum steps per sentence, restrictions and decodings, after a third of which the search follows the best branch
 * alone. Of 100,000 words of edited text, no sentence takes 40.
 */
const MAX_STEPS = 600;

/** Maximum arcs that the steps of a sentence decode: some seconds, whatever the length of the sentence. */
const MAX_DECODED_ARCS = 3e7;

/** The steps that are left to all searches of one sentence: k best trees take many of them. */
export interface SharedSteps {
  left: number;
}

/** Returns the steps of all searches of a sentence with these candidate arcs. */
export function sharedSteps({ head }: Arcs): SharedSteps {
  return { left: MAX_DECODED_ARCS / head.length };
}

/** A sentence whose tree is to keep the rules. */
export interface ValidityProblem {
  readonly words: Sentence;
  readonly rules: LabelRules;
  readonly labels: LabelChooser;
  /** The candidate arcs. */
  readonly arcs: Arcs;
  /** Default: the steps of one search. */
  readonly steps?: SharedSteps | undefined;
  /** Whether constraints decide the label of a word. */
  isDecided(word: number): boolean;
  /** Returns the best tree when `losses` are added to the scores of arcs. */
  decode(losses: Float64Array): DecodedTree;
}

/** The trees whose labels are not forbidden, and the best one of them. */
interface Branch {
  /** What holds for all arcs. */
  readonly everywhere: Forbidden;
  /** What holds for the arcs of a word besides. */
  readonly atWords: ReadonlyMap<number, readonly Forbidden[]>;
  /** What arcs lose that lose anything. */
  readonly losses: ReadonlyMap<number, number>;
  readonly tree: DecodedTree;
  /** The score of the tree: the score of the decoder, with the losses. */
  readonly score: number;
  /** Keys of violations that no tree can do without. */
  readonly left: ReadonlySet<string>;
}

/**
 * Returns the tree with the least loss of score, by its heads and labels, among those that keep the rules.
 *
 * Best-first branch and bound (Land and Doig 1960): the best tree of a branch is decoded with the score that each
 * arc keeps with a label that is not forbidden; if it breaks a rule, the branch is divided by the repairs of the
 * rule. The first tree from the queue that keeps all rules is optimal if `decode` is exact, labels are local,
 * and its steps suffice; after a third of them, the better branch of each division is searched alone. Without
 * local labels, an arc loses what its label lost in the tree where the search met the arc first; labels are
 * the best for their heads.
 *
 * If constraints, or labels of the model, leave no tree that keeps all rules, the violations that no repair
 * removes stay. Where that is so, or the steps do not suffice, heads of the first branch are tried with labels of
 * simple means: see `plain` of `LabelRules`. A step takes a decoding, or O(n) choices of labels.
 *
 * @param tree the best tree of the decoder
 * @returns undefined if labels that keep the rules for single arcs leave no tree, or none is found in the steps
 */
export function validTree(problem: ValidityProblem, tree: DecodedTree): DecodedTree | undefined {
  const { steps = sharedSteps(problem.arcs) } = problem;
  return new ValidSearch(problem, steps).run(tree);
}

class ValidSearch {
  readonly #problem: ValidityProblem;
  readonly #shared: SharedSteps;
  #steps = 0;
  readonly #maxSteps: number;
  /** What each arc loses: of the branch that is decoded. */
  readonly #losses: Float64Array;
  /** The highest bound of branches that are not searched. */
  #dropped = -Infinity;

  constructor(problem: ValidityProblem, steps: SharedSteps) {
    this.#problem = problem;
    this.#shared = steps;
    this.#losses = new Float64Array(problem.arcs.head.length);
    this.#maxSteps = Math.min(MAX_STEPS, steps.left);
  }

  run(tree: DecodedTree): DecodedTree | undefined {
    const { isDecided } = this.#problem;
    const free = new Set(tree.heads.keys());
    for (const m of free) if (m > 0 && isDecided(m) && !this.#mayKeep(tree.heads, m)) free.delete(m);
    const undecided = this.#whole(tree, (m) => !isDecided(m));
    const first = this.#decoded(this.#whole(tree, (m) => free.has(m))) ?? this.#decoded(undecided);
    const found = first && this.#search(first);
    this.#shared.left -= this.#steps;
    const valid = found?.left.size === 0 ? found.tree : (this.#plain(first ?? undecided) ?? found?.tree);
    return valid && this.#bounded(valid, tree);
  }

  /** Returns the branch of all trees, of which the rules on single arcs bind some words. */
  #whole(tree: DecodedTree, isBound: (m: number) => boolean): Branch {
    const everywhere: Forbidden = (h, m, label) => isBound(m) && this.#breaks(h, m, label);
    const { score } = tree;
    return { everywhere, atWords: new Map(), losses: new Map(), tree, score, left: new Set() };
  }

  #breaks(h: number, m: number, label: number): boolean {
    const { rules, words } = this.#problem;
    return !rules.mayAttach(words, h, m, label);
  }

  /** Returns the best branch whose tree keeps all rules that it can keep. */
  #search(first: Branch): Branch {
    const { rules, words } = this.#problem;
    let queue = [first];
    let deadEnd: Branch | undefined;
    for (;;) {
      const branch = queue.reduce((best, other) => (other.score > best.score ? other : best));
      queue.splice(queue.indexOf(branch), 1);
      const violation = rules.violation(branch.tree, words, (key) => branch.left.has(key));
      if (violation === undefined) {
        this.#drop(queue);
        return branch;
      }
      const left = { ...branch, left: new Set(branch.left).add(violation.key) };
      if (this.#steps > this.#maxSteps) {
        this.#drop([...queue, branch]);
        return left;
      }
      const parts = violation.repairs.flatMap((repair) => this.#restricted(branch, repair) ?? []);
      if (parts.length === 0 && (deadEnd === undefined || left.score > deadEnd.score)) deadEnd = left;
      if (this.#steps > this.#maxSteps / 3 && parts.length > 0) queue = this.#narrowed(queue, parts);
      else queue.push(...parts);
      if (queue.length > 0) continue;
      queue.push(deadEnd!);
      deadEnd = undefined;
    }
  }

  /** Returns a tree with its bound: of local labels the highest one of all branches. */
  #bounded(found: DecodedTree, before: DecodedTree): DecodedTree {
    const { isLocal } = this.#problem.labels;
    return { ...found, bound: isLocal ? Math.max(this.#dropped, found.bound) : before.bound };
  }

  /** Returns whether a candidate arc of a word has a label that keeps the rules on single arcs. */
  #mayKeep(heads: Int32Array, m: number): boolean {
    const { arcs, labels } = this.#problem;
    const breaks: Forbidden = (h, m, label) => this.#breaks(h, m, label);
    return arcs.head
      .subarray(arcs.start[m], arcs.start[m + 1])
      .some((h) => labels.loss(heads.with(m, h), m, breaks) > -Infinity);
  }

  /**
   * Returns the heads of a branch with labels of which only words without children have those with few children, and
   * only the first word with a function has it; undefined if labels that are left break rules.
   */
  #plain({ everywhere, losses, tree, score: before }: Branch): DecodedTree | undefined {
    const { rules, words, labels: chooser, arcs } = this.#problem;
    const { heads } = tree;
    const isForbidden = rules.plain(tree);
    const forbidden: Forbidden = (h, m, label) => isForbidden(m, label) || everywhere(h, m, label);
    let score = before;
    for (let m = 1; m < heads.length; m++) {
      const loss = chooser.loss(heads, m, forbidden);
      score += Math.min(0, loss - (losses.get(arcIndex(arcs, heads[m], m)) ?? 0));
    }
    if (score === -Infinity) return undefined;
    const plain = { ...tree, labels: chooser.labels(heads, forbidden), score, bound: score };
    return rules.violation(plain, words) === undefined ? plain : undefined;
  }

  /** Returns the part of a branch that also keeps a restriction; undefined if there is no tree, or no step is left. */
  #restricted(branch: Branch, { word, forbidden }: Restriction): Branch | undefined {
    const own = [...(branch.atWords.get(word) ?? []), forbidden];
    return this.#decoded({ ...branch, atWords: new Map(branch.atWords).set(word, own) });
  }

  /** Returns a branch with its best tree, by what it forbids; undefined if there is no tree, or no step is left. */
  #decoded(branch: Branch): Branch | undefined {
    const { labels, decode } = this.#problem;
    const forbidden = forbiddenOf(branch);
    const losses = new Map(branch.losses);
    const charged = new Set<number>();
    let { tree } = branch;
    try {
      for (this.#steps++; this.#charge(tree.heads, forbidden, losses, charged); this.#steps++) {
        if (this.#steps > this.#maxSteps) {
          this.#drop([branch]);
          return undefined;
        }
        this.#losses.fill(0);
        for (const [a, loss] of losses) this.#losses[a] = loss;
        tree = decode(this.#losses);
      }
    } catch (error) {
      if (hasCode(error, "no-tree")) return undefined;
      throw error;
    }
    const labelled = { ...tree, labels: labels.labels(tree.heads, forbidden) };
    return { ...branch, losses, tree: labelled, score: tree.score };
  }

  /** Charges the arcs of a tree with what their labels lose; returns whether any arc loses more than before. */
  #charge(
    heads: Int32Array,
    forbidden: Forbidden,
    losses: Map<number, number>,
    charged: Set<number>,
  ): boolean {
    const { arcs, labels } = this.#problem;
    let changed = false;
    for (let m = 1; m < heads.length; m++) {
      const a = arcIndex(arcs, heads[m], m);
      if (charged.has(a)) continue;
      charged.add(a);
      const loss = labels.loss(heads, m, forbidden);
      if (!(loss < (losses.get(a) ?? 0))) continue;
      losses.set(a, loss);
      changed = true;
    }
    return changed;
  }

  /** Returns the best part alone. */
  #narrowed(queue: readonly Branch[], parts: readonly Branch[]): Branch[] {
    const [best, ...others] = [...parts].sort((a, b) => b.score - a.score);
    this.#drop([...queue, ...others]);
    return [best!];
  }

  #drop(branches: readonly Branch[]): void {
    for (const { tree } of branches) this.#dropped = Math.max(this.#dropped, tree.bound);
  }
}

const forbiddenOf =
  ({ everywhere, atWords }: Branch): Forbidden =>
  (h, m, label) => {
    const forbids = (forbidden: Forbidden) => forbidden(h, m, label);
    return everywhere(h, m, label) || [h, m].some((word) => atWords.get(word)?.some(forbids));
  };
