import { invalidArgument } from "@arcwise/core/errors";
import { addEdge, hasGraph, type LinkedNode, type LinkedSentence, type LinkedToken } from "./linked.ts";
import { isSpaceAfter, NO_SPACE, spacingOf, withSpacing } from "./misc.ts";
import { attach, ensureEdge, UNDECIDED, wordsOf } from "./tree-edits.ts";

const EMPTY_COLUMNS = { upos: "X", xpos: "_", feats: "_", deprel: UNDECIDED, misc: "_" } as const;

/** Returns the multiword token of a word, or undefined. */
export function tokenOf(sentence: LinkedSentence, node: LinkedNode): LinkedToken | undefined {
  const words = wordsOf(sentence);
  const at = words.indexOf(node);
  return sentence.tokens.find(({ first, last }) => words.indexOf(first) <= at && at <= words.indexOf(last));
}

/**
 * Splits a word. The first part keeps its columns; the other parts depend on it. With `asToken`, the old form becomes
 * a multiword token over the parts.
 */
export function splitWord(
  sentence: LinkedSentence,
  node: LinkedNode,
  forms: readonly string[],
  asToken: boolean,
): void {
  if (forms.length < 2) throw invalidArgument("forms", "two forms or more", `${forms.length}`);
  const token = tokenOf(sentence, node);
  const { form, misc } = node.columns;
  const parts = forms.slice(1).map((part): LinkedNode => {
    const columns = { ...EMPTY_COLUMNS, form: part, lemma: part };
    return { kind: "word", columns, head: node, edges: [] };
  });
  const last = parts.at(-1)!;
  sentence.nodes.splice(sentence.nodes.indexOf(node) + 1, 0, ...parts);
  node.columns = { ...node.columns, form: forms[0]!, lemma: forms[0]! };
  for (const part of parts) ensureEdge(sentence, part);
  if (token !== undefined) {
    if (token.last === node) token.last = last;
  } else if (asToken) {
    sentence.tokens.push(tokenOver(node, last, form, spacingOf(misc, "all")));
    node.columns.misc = withSpacing(misc, "all", []);
  } else {
    node.columns.misc = withSpacing(misc, "after", NO_SPACE);
    for (const part of parts.slice(0, -1)) part.columns.misc = withSpacing("_", "after", NO_SPACE);
    last.columns.misc = withSpacing("_", "after", spacingOf(misc, "after"));
  }
}

function tokenOver(
  first: LinkedNode,
  last: LinkedNode,
  form: string,
  spacing: readonly string[],
): LinkedToken {
  const misc = withSpacing("_", "all", spacing);
  const columns = { form, lemma: "_", upos: "_", xpos: "_", feats: "_", deprel: "_", deps: "_", misc };
  return { columns, first, last };
}

/** Consecutive words, and the multiword tokens that have any of them. */
interface Group {
  readonly words: readonly LinkedNode[];
  /** The token that has all of the words. */
  readonly around: LinkedToken | undefined;
  /** Tokens of some of the words. */
  readonly inside: readonly LinkedToken[];
}

/** @throws ArcwiseError `invalid-argument` unless tokens have all of the words, or some of them and no others */
function groupOf(sentence: LinkedSentence, first: LinkedNode, last: LinkedNode): Group {
  const all = wordsOf(sentence);
  const [from, to] = [all.indexOf(first), all.indexOf(last)];
  if (from >= to)
    throw invalidArgument("words", "two words or more, in their order", `${from + 1} to ${to + 1}`);
  const inside: LinkedToken[] = [];
  let around: LinkedToken | undefined;
  for (const token of sentence.tokens) {
    const [start, end] = [all.indexOf(token.first), all.indexOf(token.last)];
    if (end < from || start > to) continue;
    if (start <= from && to <= end) around = token;
    else if (from <= start && end <= to) inside.push(token);
    else throw invalidArgument("words", "whole multiword tokens", `a part of "${token.columns.form}"`);
  }
  return { words: all.slice(from, to + 1), around, inside };
}

/** Returns a column of words as one text, with spaces where the text has them. */
function joined({ words, inside, around }: Group, column: "form" | "lemma"): string {
  let text = "";
  for (let i = 0; i < words.length; i++) {
    const token = inside.find(({ first }) => first === words[i]);
    const { columns } = token ?? words[i]!;
    if (token === undefined || column === "form") text += columns[column];
    if (token !== undefined) {
      const end = words.indexOf(token.last);
      if (column === "lemma")
        text += words
          .slice(i, end + 1)
          .map((word) => word.columns.lemma)
          .join("");
      i = end;
    }
    if (i < words.length - 1 && around === undefined && isSpaceAfter(columns.misc)) text += " ";
  }
  return text;
}

/**
 * Joins consecutive words into one, which has the columns of the word that is the head of the others. Words and edges
 * that depended on any of them depend on it. O(n).
 */
export function joinWords(sentence: LinkedSentence, first: LinkedNode, last: LinkedNode): void {
  const group = groupOf(sentence, first, last);
  const { words, around } = group;
  const members = new Set<LinkedNode | number | string>(words);
  const kept = words.find(({ head }) => !members.has(head)) ?? words[0]!;
  const isWhole = around !== undefined && around.first === first && around.last === last;
  const end = group.inside.find((token) => token.last === last)?.columns.misc ?? last.columns.misc;
  const start = group.inside.find((token) => token.first === first)?.columns.misc ?? first.columns.misc;
  const [form, lemma] = [joined(group, "form"), joined(group, "lemma")];
  const misc = withSpacing(
    withSpacing(kept.columns.misc, "after", spacingOf(end, "after")),
    "before",
    spacingOf(start, "before"),
  );
  kept.columns = { ...kept.columns, form: isWhole ? around.columns.form : form, lemma, misc };
  if (isWhole) kept.columns.misc = withSpacing(misc, "all", spacingOf(around.columns.misc, "all"));
  else if (around?.first === first) around.first = kept;
  if (!isWhole && around?.last === last) around.last = kept;
  sentence.tokens = sentence.tokens.filter(
    (token) => !group.inside.includes(token) && !(isWhole && token === around),
  );
  const at = sentence.nodes.indexOf(first);
  sentence.nodes.splice(at, 0, kept);
  sentence.nodes = sentence.nodes.filter((node, i) => (node === kept ? i === at : !members.has(node)));
  for (const node of sentence.nodes) {
    if (members.has(node.head)) node.head = node === kept ? 0 : kept;
    redirectEdges(sentence, node, members, kept);
  }
  ensureEdge(sentence, kept);
}

/** Makes consecutive words a multiword token. */
export function groupWords(
  sentence: LinkedSentence,
  first: LinkedNode,
  last: LinkedNode,
  form: string,
): void {
  const { words, around, inside } = groupOf(sentence, first, last);
  const other = around ?? inside[0];
  if (other !== undefined)
    throw invalidArgument("words", "words outside of multiword tokens", `"${other.columns.form}"`);
  const spacing = [...spacingOf(first.columns.misc, "before"), ...spacingOf(last.columns.misc, "after")];
  for (const word of words)
    word.columns = { ...word.columns, misc: withSpacing(word.columns.misc, "all", []) };
  sentence.tokens.push(tokenOver(first, last, form, spacing));
}

/** Makes the words of a multiword token tokens of their own. */
export function ungroupWords(sentence: LinkedSentence, token: LinkedToken): void {
  const words = wordsOf(sentence);
  const own = words.slice(words.indexOf(token.first), words.indexOf(token.last) + 1);
  sentence.tokens = sentence.tokens.filter((one) => one !== token);
  for (const word of own) {
    const spacing = word === token.last ? spacingOf(token.columns.misc, "after") : NO_SPACE;
    word.columns = { ...word.columns, misc: withSpacing(word.columns.misc, "after", spacing) };
  }
}

/** Inserts a word behind another one, on which it depends; or at the start, where it depends on the first word. */
export function insertWord(
  sentence: LinkedSentence,
  after: LinkedNode | undefined,
  form: string,
): LinkedNode {
  const head = after ?? wordsOf(sentence)[0]!;
  const columns = { ...EMPTY_COLUMNS, form, lemma: form };
  const node: LinkedNode = { kind: "word", columns, head, edges: [] };
  const { nodes } = sentence;
  let at = after === undefined ? nodes.indexOf(head) : nodes.indexOf(after) + 1;
  while (after !== undefined && nodes[at]?.kind === "empty") at++;
  nodes.splice(at, 0, node);
  ensureEdge(sentence, node);
  return node;
}

/** Deletes a word. Its first child takes its place in the tree, and its other children depend on that child. */
export function deleteWord(sentence: LinkedSentence, node: LinkedNode): void {
  if (wordsOf(sentence).length === 1)
    throw invalidArgument("word", "a sentence of two words or more", "its only word");
  const children = wordsOf(sentence).filter(({ head }) => head === node);
  const heir = children[0];
  for (const child of children) {
    if (child === heir) attach(sentence, child, node.head, node.head === 0 ? "root" : child.columns.deprel);
    else attach(sentence, child, node.head === 0 ? heir! : node.head, child.columns.deprel);
  }
  leaveToken(sentence, node);
  removeNode(sentence, node);
}

function leaveToken(sentence: LinkedSentence, node: LinkedNode): void {
  const token = tokenOf(sentence, node);
  if (token === undefined) return;
  const words = wordsOf(sentence);
  const own = words
    .slice(words.indexOf(token.first), words.indexOf(token.last) + 1)
    .filter((word) => word !== node);
  if (own.length > 1) {
    token.first = own[0]!;
    token.last = own.at(-1)!;
    return;
  }
  const [word] = own;
  sentence.tokens = sentence.tokens.filter((one) => one !== token);
  if (word === undefined) return;
  const misc = withSpacing(word.columns.misc, "all", spacingOf(token.columns.misc, "all"));
  word.columns = { ...word.columns, form: token.columns.form, misc };
}

/** Removes a node; edges that leave it come from the heads of its own edges instead. */
export function removeNode(sentence: LinkedSentence, node: LinkedNode): void {
  const hadGraph = hasGraph(sentence);
  const heir = node.edges.find(({ head }) => head !== node)?.head;
  sentence.nodes = sentence.nodes.filter((one) => one !== node);
  for (const other of sentence.nodes) {
    redirectEdges(sentence, other, new Set([node]), heir);
    if (hadGraph) ensureEdge(sentence, other);
  }
}

/** Lets edges into a node come from another head; edges from the node to itself, and edges without a head, are dropped. */
function redirectEdges(
  sentence: LinkedSentence,
  node: LinkedNode,
  from: ReadonlySet<LinkedNode | number | string>,
  to: LinkedNode | string | undefined,
): void {
  if (!node.edges.some(({ head }) => from.has(head))) return;
  const { edges } = node;
  node.edges = [];
  for (const edge of edges) {
    const head = from.has(edge.head) ? to : edge.head;
    if (head !== undefined && head !== node) addEdge(sentence, node, { ...edge, head });
  }
}
