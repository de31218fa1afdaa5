import { type Arcs, arcIndex, type Sentence } from "@arcwise/core";
import { hasCode } from "@arcwise/core/errors";
import type { DecodedTree } from "../decoding/decode.ts";
import type { LabelChooser } from "./label-chooser.ts";
import type { Forbidden, LabelRules } from "./label-rules.ts";

/** Maximum number of decodings per sentence before the search follows the best branch alone. */
const MAX_DECODINGS = 100;

/** A sentence whose tree is to keep the rules. */
export interface ValidityProblem {
  readonly words: Sentence;
  readonly rules: LabelRules;
  readonly labels: LabelChooser;
  /** The candidate arcs. */
  readonly arcs: Arcs;
  /** Whether constraints decide the label of a word. */
  isDecided(word: number): boolean;
  /** Returns the best tree when `losses` are added to the scores of arcs. */
  decode(losses: Float64Array): DecodedTree;
}

/** The trees whose labels are not forbidden, and the best one of them. */
interface Branch {
  readonly forbidden: Forbidden;
  readonly losses: Float64Array;
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
 * and `MAX_DECODINGS` suffice; after so many, the better branch of each division is searched alone. Without
 * local labels, an arc loses what its label lost in the tree where the search met the arc first; labels are
 * the best for their heads.
 *
 * If constraints, or labels of the model, leave no tree that keeps all rules, the violations that no repair
 * removes stay.
 *
 * @param tree the best tree of the decoder
 * @returns undefined if labels that keep the rules for single arcs leave no tree
 */
export function validTree(problem: ValidityProblem, tree: DecodedTree): DecodedTree | undefined {
  return new ValidSearch(problem).run(tree);
}

class ValidSearch {
  readonly #problem: ValidityProblem;
  #decodings = 0;
  /** The highest bound of branches that are not searched. */
  #dropped = -Infinity;

  constructor(problem: ValidityProblem) {
    this.#problem = problem;
  }

  run(tree: DecodedTree): DecodedTree | undefined {
    const first = this.#first(tree);
    if (first === undefined) return undefined;
    const found = this.#search(first);
    if (found.left.size === 0) return this.#bounded(found.tree, tree);
    const plain = this.#plain(first);
    return this.#bounded(plain === undefined ? found.tree : plain, tree);
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
      const parts = violation.repairs.flatMap((repair) => this.#restricted(branch, repair) ?? []);
      if (parts.length === 0) {
        const left = { ...branch, left: new Set(branch.left).add(violation.key) };
        if (deadEnd === undefined || left.score > deadEnd.score) deadEnd = left;
      }
      if (this.#decodings > MAX_DECODINGS && parts.length > 0) queue = this.#narrowed(queue, parts);
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

  /** Returns the branch of all trees; rules on single arcs do not bind decided labels that cannot keep them. */
  #first(tree: DecodedTree): Branch | undefined {
    const { arcs, rules, words, isDecided } = this.#problem;
    const losses = new Float64Array(arcs.head.length);
    const all = { forbidden: () => false, losses, tree, score: tree.score, left: new Set<string>() };
    const breaks: Forbidden = (h, m, label) => !rules.mayAttach(words, h, m, label);
    const free = new Set(tree.heads.keys());
    for (const m of free) if (m > 0 && isDecided(m) && !this.#mayKeep(tree.heads, m, breaks)) free.delete(m);
    return (
      this.#restricted(all, (h, m, label) => free.has(m) && breaks(h, m, label)) ??
      this.#restricted(all, (h, m, label) => !isDecided(m) && breaks(h, m, label))
    );
  }

  /** Returns whether a candidate arc of a word has a label that is not forbidden. */
  #mayKeep(heads: Int32Array, m: number, forbidden: Forbidden): boolean {
    const { arcs, labels } = this.#problem;
    return arcs.head.subarray(arcs.start[m], arcs.start[m + 1]).some((h) => {
      const other = heads.with(m, h);
      return labels.loss(other, m, forbidden) > -Infinity;
    });
  }

  /**
   * Returns the best branch's tree where only words without children have labels with few children, and only the
   * first word with a function has it; undefined if labels that are left break rules.
   */
  #plain(first: Branch): DecodedTree | undefined {
    const { rules, words } = this.#problem;
    const { heads, labels } = first.tree;
    const forbidden = rules.plain({ heads, labels });
    const branch = this.#restricted(first, (h, m, label) => h !== heads[m] || forbidden(m, label));
    return branch && rules.violation(branch.tree, words) === undefined ? branch.tree : undefined;
  }

  /** Returns the part of a branch that also keeps a restriction; undefined if there is no tree. */
  #restricted(branch: Branch, restriction: Forbidden): Branch | undefined {
    const { labels, decode } = this.#problem;
    const forbidden: Forbidden = (h, m, label) => restriction(h, m, label) || branch.forbidden(h, m, label);
    const losses = branch.losses.slice();
    const charged = new Uint8Array(losses.length);
    let { tree } = branch;
    try {
      while (this.#charge(tree.heads, forbidden, losses, charged)) {
        this.#decodings++;
        tree = decode(losses);
      }
    } catch (error) {
      if (hasCode(error, "no-tree")) return undefined;
      throw error;
    }
    const labelled = { ...tree, labels: labels.labels(tree.heads, forbidden) };
    return { forbidden, losses, tree: labelled, score: tree.score, left: branch.left };
  }

  /** Charges the arcs of a tree with what their labels lose; returns whether any arc loses more than before. */
  #charge(heads: Int32Array, forbidden: Forbidden, losses: Float64Array, charged: Uint8Array): boolean {
    const { arcs, labels } = this.#problem;
    let changed = false;
    for (let m = 1; m < heads.length; m++) {
      const a = arcIndex(arcs, heads[m]!, m);
      if (charged[a] === 1) continue;
      charged[a] = 1;
      const loss = labels.loss(heads, m, forbidden);
      if (!(loss < losses[a]!)) continue;
      losses[a] = loss;
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
