import { invalidArgument } from "@arcwise/core/errors";
import { addEdge, hasGraph, type LinkedNode, type LinkedSentence } from "./linked.ts";

/** The relation of arcs whose relation nobody has decided on; punctuation has its own. */
export const UNDECIDED = "dep";
const PUNCTUATION = /^\p{P}+$/u;

/** Returns whether a word is punctuation: by its tag, or without a tag by its form. */
export function isPunctuation({ columns: { upos, form } }: LinkedNode): boolean {
  return upos === "PUNCT" || (upos === "_" && PUNCTUATION.test(form));
}

/** Returns the tag that the characters of a form decide: `PUNCT`, `SYM`, `NUM`, or else `X`. */
export function tagOfForm(form: string): string {
  if (PUNCTUATION.test(form)) return "PUNCT";
  if (/^(?:\p{S}|\p{M}|\p{Extended_Pictographic}|\u200d|\ufe0f)+$/u.test(form)) return "SYM";
  return /^[\p{N}][\p{N}.,:/]*$/u.test(form) ? "NUM" : "X";
}
const ROOT = "root";

/** Returns the words of a sentence. */
export function wordsOf({ nodes }: LinkedSentence): LinkedNode[] {
  return nodes.filter(({ kind }) => kind === "word");
}

/** Returns the node with an ID. */
export function nodeOf({ byId }: LinkedSentence, id: string): LinkedNode {
  const node = byId.get(id);
  if (node === undefined) throw invalidArgument("word", "a word of the sentence", id);
  return node;
}

/** Returns the word at a position. */
export function wordOf(sentence: LinkedSentence, position: number): LinkedNode {
  return nodeOf(sentence, `${position}`);
}

/**
 * Gives a word another head, and keeps the words a tree: if the new head is below the word, the child on the path
 * takes the place of the word; a new root becomes the head of the old one. `deprel` defaults to the relation that the
 * word has. O(n).
 */
export function setHead(
  sentence: LinkedSentence,
  node: LinkedNode,
  head: LinkedNode | 0,
  deprel?: string | undefined,
): void {
  const before = { head: node.head, deprel: node.columns.deprel };
  if (head === 0) {
    const roots = wordsOf(sentence).filter((word) => word.head === 0 && word !== node);
    attach(sentence, node, 0, deprel ?? ROOT);
    for (const root of roots) attach(sentence, root, node, decided(root, "_"));
    return;
  }
  const child = childTowards(node, head);
  const taken = child?.columns.deprel;
  if (child !== undefined) attach(sentence, child, before.head, before.deprel);
  const swapped = child === head ? taken : undefined;
  attach(sentence, node, head, deprel ?? decided(node, swapped ?? before.deprel));
}

/** Returns the relation that a word keeps under another head. */
export function decided(node: LinkedNode, deprel: string): string {
  if (deprel !== ROOT && deprel !== "_") return deprel;
  return isPunctuation(node) ? "punct" : UNDECIDED;
}

/** Returns the child of a word on the path down to another word; undefined if the other word is not below it. */
function childTowards(node: LinkedNode, below: LinkedNode): LinkedNode | undefined {
  if (below === node) throw invalidArgument("head", "another word", "the word itself");
  const passed = new Set<LinkedNode>();
  let at = below;
  while (typeof at.head !== "number" && !passed.has(at)) {
    if (at.head === node) return at;
    passed.add(at);
    at = at.head;
  }
  return undefined;
}

/**
 * Gives a word a head and a relation. The edge of the enhanced graph that repeats the old arc follows: the same
 * relation, or one that continues it, such as `obl:in`.
 */
export function attach(
  sentence: LinkedSentence,
  node: LinkedNode,
  head: LinkedNode | number,
  deprel: string,
): void {
  const oldHead = edgeHead(node.head);
  const oldRelation = node.columns.deprel;
  if (node.head === head && oldRelation === deprel) return;
  node.head = head;
  node.columns = { ...node.columns, deprel };
  const edge = node.edges.find(
    (one) =>
      one.head === oldHead && (one.relation === oldRelation || one.relation?.startsWith(`${oldRelation}:`)),
  );
  if (edge === undefined) return;
  node.edges.splice(node.edges.indexOf(edge), 1);
  addEdge(sentence, node, { head: edgeHead(head), relation: deprel });
}

function edgeHead(head: LinkedNode | number): LinkedNode | string {
  return typeof head === "number" ? `${head}` : head;
}

/** Gives a node that no edge enters the edge of its arc, if other nodes have edges. */
export function ensureEdge(sentence: LinkedSentence, node: LinkedNode): void {
  if (node.edges.length > 0 || !hasGraph(sentence) || node.head === -1) return;
  addEdge(sentence, node, { head: edgeHead(node.head), relation: node.columns.deprel });
}

/** Makes the arcs of the tree the enhanced graph, if the sentence does not have one. O(n). */
export function ensureGraph(sentence: LinkedSentence): void {
  if (hasGraph(sentence)) return;
  for (const node of wordsOf(sentence)) {
    if (node.head === -1) continue;
    node.edges = [{ head: edgeHead(node.head), relation: node.columns.deprel }];
  }
}

/** Returns the nodes that paths of the enhanced graph lead to from the root. O(nodes + edges) per level of the graph. */
export function connectedNodes({ nodes }: LinkedSentence): Set<LinkedNode> {
  const found = new Set<LinkedNode>();
  for (let size = -1; size < found.size; ) {
    size = found.size;
    for (const node of nodes) {
      const isBelow = node.edges.some(
        ({ head }) => head === "0" || (typeof head !== "string" && found.has(head)),
      );
      if (isBelow) found.add(node);
    }
  }
  return found;
}

/**
 * Connects nodes of the enhanced graph with the root again: words by the arcs of the tree, empty nodes as roots.
 *
 * @returns the empty nodes that became roots
 */
export function reconnect(sentence: LinkedSentence, wanted: ReadonlySet<LinkedNode>): LinkedNode[] {
  const roots: LinkedNode[] = [];
  for (;;) {
    const found = connectedNodes(sentence);
    const lost = sentence.nodes.filter((node) => wanted.has(node) && !found.has(node));
    const isNear = ({ kind, head }: LinkedNode) =>
      kind === "word" && (head === 0 || (typeof head !== "number" && found.has(head)));
    const next = lost.find(isNear) ?? lost[0];
    if (next === undefined) return roots;
    if (isNear(next)) {
      addEdge(sentence, next, { head: edgeHead(next.head), relation: next.columns.deprel });
      continue;
    }
    addEdge(sentence, next, { head: "0", relation: ROOT });
    if (next.kind === "empty") roots.push(next);
  }
}

/**
 * Gives words without a head among the words of a sentence one: the first of them is the root, the others depend on
 * it. A word that depended on the root before takes precedence, then a word that is not punctuation. O(n).
 */
export function reroot(sentence: LinkedSentence): void {
  const words = wordsOf(sentence);
  const inside = new Set<LinkedNode | number>(words);
  const loose = words.filter(({ head }) => head !== -1 && !inside.has(head));
  const root = loose.find(({ head }) => head === 0) ?? loose.find((word) => !isPunctuation(word)) ?? loose[0];
  if (root === undefined) return;
  for (const word of loose) {
    if (word === root) attach(sentence, word, 0, ROOT);
    else attach(sentence, word, root, decided(word, word.columns.deprel));
  }
}
