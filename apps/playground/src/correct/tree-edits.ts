import { invalidArgument } from "@arcwise/core/errors";
import { addEdge, hasGraph, type LinkedNode, type LinkedSentence } from "./linked.ts";

/** The relation of arcs whose relation nobody has decided on. */
export const UNDECIDED = "dep";
const ROOT = "root";

/** Returns the words of a sentence. */
export function wordsOf({ nodes }: LinkedSentence): LinkedNode[] {
  return nodes.filter(({ kind }) => kind === "word");
}

/** Returns the node with an ID. @throws ArcwiseError `invalid-argument` unless the sentence has it */
export function nodeOf({ byId }: LinkedSentence, id: string): LinkedNode {
  const node = byId.get(id);
  if (node === undefined) throw invalidArgument("word", "a word of the sentence", id);
  return node;
}

/** Returns the word at a position. @throws ArcwiseError `invalid-argument` unless the sentence has it */
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
    for (const root of roots) attach(sentence, root, node, UNDECIDED);
    return;
  }
  const child = childTowards(node, head);
  const taken = child?.columns.deprel;
  if (child !== undefined) attach(sentence, child, before.head, before.deprel);
  const swapped = child === head ? taken : undefined;
  attach(sentence, node, head, deprel ?? decided(swapped ?? before.deprel));
}

function decided(deprel: string): string {
  return deprel === ROOT || deprel === "_" ? UNDECIDED : deprel;
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

/**
 * Gives words without a head among the words of a sentence one: the first of them is the root, the others depend on
 * it. Words that depended on the root before take precedence. O(n).
 */
export function reroot(sentence: LinkedSentence): void {
  const words = wordsOf(sentence);
  const inside = new Set<LinkedNode | number>(words);
  const loose = words.filter(({ head }) => head !== -1 && !inside.has(head));
  const root = loose.find(({ head }) => head === 0) ?? loose[0];
  if (root === undefined) return;
  for (const word of loose) {
    if (word === root) attach(sentence, word, 0, ROOT);
    else attach(sentence, word, root, decided(word.columns.deprel));
  }
}
