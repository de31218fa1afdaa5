import { invalidArgument } from "@arcwise/core/errors";
import { addEdge, type LinkedNode, type LinkedSentence, type LinkedToken } from "./linked.ts";
import {
  isSpaceAfter,
  joinedRange,
  mergedMisc,
  NO_SPACE,
  spacingOf,
  splitRange,
  withSpacing,
} from "./misc.ts";
import { attach, decided, isPunctuation, tagOfForm, wordsOf } from "./tree-edits.ts";

/**
 * Returns a new word below another one. Columns that the other word does not have, a lemma, a tag or a head, the new
 * word does not have either.
 *
 * @param tag its UPOS; by its characters if undefined
 */
function newWord(form: string, head: LinkedNode, tag: string | undefined): LinkedNode {
  const { lemma, upos } = head.columns;
  const columns = {
    form,
    lemma: lemma === "_" ? "_" : form,
    upos: upos === "_" ? "_" : (tag ?? tagOfForm(form)),
    xpos: "_",
    feats: "_",
    deprel: "_",
    misc: "_",
  };
  const node: LinkedNode = { kind: "word", columns, head: -1, edges: [] };
  if (head.head === -1) return node;
  node.head = head;
  node.columns.deprel = decided(node, "_");
  return node;
}

/** Returns the multiword token of a word, or undefined. */
export function tokenOf(sentence: LinkedSentence, node: LinkedNode): LinkedToken | undefined {
  return sentence.tokens.find((token) => wordsIn(sentence, token).includes(node));
}

/** Returns the words of a multiword token. */
function wordsIn(sentence: LinkedSentence, { first, last }: LinkedToken): LinkedNode[] {
  const words = wordsOf(sentence);
  return words.slice(words.indexOf(first), words.indexOf(last) + 1);
}

/** How a word is split. */
export interface WordParts {
  readonly forms: readonly string[];
  /** Their tags; undefined or absent: by their characters. */
  readonly tags?: readonly (string | undefined)[] | undefined;
  /** Whether the old form becomes a multiword token over the parts. */
  readonly asToken?: boolean | undefined;
}

/**
 * Splits a word. The first part that is not punctuation keeps its columns, the first part of punctuation itself; the
 * other parts depend on it.
 *
 * @throws ArcwiseError `invalid-argument` for fewer than two parts, or a multiword token with spaces
 */
export function splitWord(
  sentence: LinkedSentence,
  node: LinkedNode,
  { forms, tags = [], asToken = false }: WordParts,
): void {
  if (forms.length < 2) throw invalidArgument("forms", "two forms or more", `${forms.length}`);
  const token = tokenOf(sentence, node);
  const { form, misc } = node.columns;
  const content = forms.findIndex((one) => tagOfForm(one) !== "PUNCT");
  const kept = isPunctuation(node) ? 0 : Math.max(0, content);
  const parts = forms.map((part, i) => (i === kept ? node : newWord(part, node, tags[i])));
  const [first, last] = [parts[0]!, parts.at(-1)!];
  sentence.nodes.splice(sentence.nodes.indexOf(node), 1, ...parts);
  node.columns = { ...node.columns, form: forms[kept]!, lemma: lemmaOfPart(node, forms, kept) };
  if (token !== undefined) {
    if (token.first === node) token.first = first;
    if (token.last === node) token.last = last;
  } else if (asToken) {
    sentence.tokens.push(tokenOver(first, last, form, spacingOf(misc, "all")));
    node.columns.misc = withSpacing(misc, "all", []);
  } else {
    const ranges = splitRange(misc, forms);
    for (const [i, part] of parts.entries()) {
      const before = i === 0 ? spacingOf(misc, "before") : [];
      const after = part === last ? spacingOf(misc, "after") : NO_SPACE;
      const spaced = withSpacing(withSpacing(part.columns.misc, "before", before), "after", after);
      part.columns = { ...part.columns, misc: mergedMisc(spaced, [], ranges[i]) };
    }
  }
}

/** Returns the lemma of the part that keeps the columns: the old one, without punctuation that was split off. */
function lemmaOfPart(
  { columns: { form, lemma } }: LinkedNode,
  forms: readonly string[],
  kept: number,
): string {
  if (lemma === "_") return lemma;
  const isCut = forms.every((one, i) => i === kept || tagOfForm(one) === "PUNCT");
  if (lemma === form || !isCut) return forms[kept]!;
  const [before, after] = [forms.slice(0, kept).join(""), forms.slice(kept + 1).join("")];
  const start = lemma.startsWith(before) ? before.length : 0;
  const end = lemma.endsWith(after) ? lemma.length - after.length : lemma.length;
  return lemma.slice(start, Math.max(start, end)).trim() || lemma;
}

function tokenOver(
  first: LinkedNode,
  last: LinkedNode,
  form: string,
  spacing: readonly string[],
): LinkedToken {
  if (/\s/.test(form)) throw invalidArgument("form", "a multiword token without spaces", `"${form}"`);
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

/** Returns a column of words as one text, with spaces where the text has them; `_` if a word does not have a lemma. */
function joined({ words, inside, around }: Group, column: "form" | "lemma"): string {
  if (column === "lemma" && words.some(({ columns: { form, lemma } }) => lemma === "_" && form !== "_"))
    return "_";
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
 * Returns the word of a group that can stand for all without a circle: above it there is no other word of the group.
 * Words below the root take precedence over words without a head, then words near the root.
 */
function topOf(words: readonly LinkedNode[]): LinkedNode {
  const members = new Set<LinkedNode | number>(words);
  let [top, rank] = [words[0]!, Number.POSITIVE_INFINITY];
  for (const word of words) {
    const passed = new Set<LinkedNode>();
    let at = word.head;
    for (; typeof at !== "number" && !members.has(at) && !passed.has(at); at = at.head) passed.add(at);
    // A path of n words is shorter than the distance between the two classes.
    const own = typeof at !== "number" ? Number.POSITIVE_INFINITY : passed.size + (at === 0 ? 0 : 1e9);
    if (own < rank) [top, rank] = [word, own];
  }
  return top;
}

/**
 * Joins consecutive words into one, which has the columns of the word nearest to the root, and attributes of MISC of all
 * of them. Words and edges that depended on any of them depend on it. O(n · words).
 */
export function joinWords(sentence: LinkedSentence, first: LinkedNode, last: LinkedNode): void {
  const group = groupOf(sentence, first, last);
  const { words, around, inside } = group;
  const members = new Set<LinkedNode | number | string>(words);
  const kept = topOf(words);
  const isWhole = around !== undefined && around.first === first && around.last === last;
  const { misc: start } = (inside.find((token) => token.first === first) ?? first).columns;
  const { misc: end } = (inside.find((token) => token.last === last) ?? last).columns;
  const [form, lemma] = [joined(group, "form"), joined(group, "lemma")];
  const others: readonly (LinkedNode | LinkedToken)[] = [
    ...words.filter((word) => word !== kept),
    ...inside,
    ...(isWhole ? [around] : []),
  ];
  const all = mergedMisc(
    kept.columns.misc,
    others.map(({ columns }) => columns.misc),
    isWhole ? joinedRange(around.columns.misc, around.columns.misc) : joinedRange(start, end),
  );
  const misc = isWhole
    ? withSpacing(all, "all", spacingOf(around.columns.misc, "all"))
    : withSpacing(withSpacing(all, "after", spacingOf(end, "after")), "before", spacingOf(start, "before"));
  kept.columns = { ...kept.columns, form: isWhole ? around.columns.form : form, lemma, misc };
  if (!isWhole && around?.first === first) around.first = kept;
  if (!isWhole && around?.last === last) around.last = kept;
  sentence.tokens = sentence.tokens.filter((token) => !others.includes(token));
  const at = sentence.nodes.indexOf(first);
  sentence.nodes.splice(at, 0, kept);
  sentence.nodes = sentence.nodes.filter((node, i) => (node === kept ? i === at : !members.has(node)));
  for (const node of sentence.nodes) {
    if (members.has(node.head)) node.head = node === kept ? 0 : kept;
    redirectEdges(sentence, node, members, kept);
  }
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
  sentence.tokens = sentence.tokens.filter((one) => one !== token);
  for (const word of wordsIn(sentence, token)) {
    const spacing = word === token.last ? spacingOf(token.columns.misc, "after") : NO_SPACE;
    word.columns = { ...word.columns, misc: withSpacing(word.columns.misc, "after", spacing) };
  }
}

/** Inserts a word behind another one, on which it depends; or at the start, where it depends on the first word. */
export function insertWord(
  sentence: LinkedSentence,
  after: LinkedNode | undefined,
  form: string,
  tag?: string | undefined,
): void {
  const head = after ?? wordsOf(sentence)[0]!;
  const node = newWord(form, head, tag);
  const { nodes } = sentence;
  let at = after === undefined ? nodes.indexOf(head) : nodes.indexOf(after) + 1;
  while (after !== undefined && nodes[at]?.kind === "empty") at++;
  nodes.splice(at, 0, node);
}

/**
 * Deletes a word. Its children depend on its head; those of a root on the first of them that is not punctuation, which
 * is the root.
 */
export function deleteWord(sentence: LinkedSentence, node: LinkedNode): void {
  if (wordsOf(sentence).length === 1)
    throw invalidArgument("word", "a sentence of two words or more", "its only word");
  const children = wordsOf(sentence).filter(({ head }) => head === node);
  const root = node.head === 0 ? (children.find((child) => !isPunctuation(child)) ?? children[0]) : undefined;
  for (const child of children) {
    if (child === root) attach(sentence, child, 0, "root");
    else attach(sentence, child, root ?? node.head, child.columns.deprel);
  }
  leaveToken(sentence, node);
  removeNode(sentence, node);
}

function leaveToken(sentence: LinkedSentence, node: LinkedNode): void {
  const token = tokenOf(sentence, node);
  if (token === undefined) return;
  const own = wordsIn(sentence, token).filter((word) => word !== node);
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
  const heir = node.edges.find(({ head }) => head !== node)?.head;
  sentence.nodes = sentence.nodes.filter((one) => one !== node);
  for (const other of sentence.nodes) redirectEdges(sentence, other, new Set([node]), heir);
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
    const relation = head === "0" && from.has(edge.head) ? "root" : edge.relation;
    if (head !== undefined && head !== node) addEdge(sentence, node, { head, relation });
  }
}
