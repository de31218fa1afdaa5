import { type ConlluSentence, sentenceId, sentenceText as textComment, viewSentence } from "@arcwise/conllu";
import { invalidArgument } from "@arcwise/core/errors";
import { hasGraph, type LinkedNode, type LinkedSentence, link, unlink } from "./linked.ts";
import { isSpaceAfter } from "./misc.ts";
import { tokenOf } from "./token-edits.ts";
import { attach, connectedNodes, isPunctuation, reconnect, reroot, wordsOf } from "./tree-edits.ts";

/** Returns the text that the tokens of a sentence spell. O(n). */
export function spelledText(sentence: ConlluSentence): string {
  return viewSentence({ ...sentence, comments: [] }).text;
}

/** Returns comments with another value of a key; the comments as they are where the key is absent. */
function withComment(comments: readonly string[], key: string, value: string): string[] {
  const keyOf = (comment: string) => comment.slice(1, Math.max(1, comment.indexOf("="))).trim();
  return comments.map((comment) => (keyOf(comment) === key ? `# ${key} = ${value}` : comment));
}

/** Returns a sentence whose comment `# text` is what its tokens spell. A missing comment is added. */
export function withSpelledText(sentence: ConlluSentence): ConlluSentence {
  const text = spelledText(sentence);
  const { comments } = sentence;
  if (textComment(sentence) !== undefined)
    return { ...sentence, comments: withComment(comments, "text", text) };
  return { ...sentence, comments: [...comments, `# text = ${text}`] };
}

/** A part of a sentence that was split, with the new ID of each node that is in it. */
export interface SentencePart {
  readonly sentence: ConlluSentence;
  /** Empty nodes whose heads are in the other part: they are roots of the graph. */
  readonly orphans: readonly LinkedNode[];
  readonly ids: ReadonlyMap<LinkedNode, string>;
}

/**
 * Splits a sentence before a word. Each part is a tree: words whose head is in the other part depend on the root of
 * their part. Comments stay with the first part, but for the ID and the text. O(n).
 *
 * @param isTaken whether another sentence has an ID
 */
export function splitSentence(
  sentence: ConlluSentence,
  linked: LinkedSentence,
  word: LinkedNode,
  isTaken: (id: string) => boolean,
): [SentencePart, SentencePart] {
  const at = linked.nodes.indexOf(word);
  if (wordsOf(linked)[0] === word) throw invalidArgument("word", "a word after the first", word.columns.form);
  const token = tokenOf(linked, word);
  if (token !== undefined && token.first !== word)
    throw invalidArgument("word", "the first word of a token", `a word inside of "${token.columns.form}"`);
  const id = sentenceId(sentence);
  const hasText = textComment(sentence) !== undefined;
  const comments = id === undefined ? [] : [`# sent_id = ${freeId(id, isTaken)}`];
  if (hasText) comments.push("# text = _");
  const connected = connectedNodes(linked);
  const first = partOf(linked, linked.nodes.slice(0, at), linked.comments, connected);
  const second = partOf(linked, linked.nodes.slice(at), comments, connected);
  const spell = (part: SentencePart) =>
    hasText ? { ...part, sentence: withSpelledText(part.sentence) } : part;
  return [spell(first), spell(second)];
}

function freeId(id: string, isTaken: (id: string) => boolean): string {
  for (let n = 2; ; n++) if (!isTaken(`${id}-${n}`)) return `${id}-${n}`;
}

function partOf(
  whole: LinkedSentence,
  nodes: LinkedNode[],
  comments: string[],
  connected: ReadonlySet<LinkedNode>,
): SentencePart {
  const inside = new Set<LinkedNode | string>(nodes);
  const tokens = whole.tokens.filter(({ first }) => inside.has(first));
  const part: LinkedSentence = { ...whole, nodes, tokens, comments };
  reroot(part);
  for (const node of nodes)
    node.edges = node.edges.filter(({ head }) => typeof head === "string" || inside.has(head));
  const orphans = reconnect(part, connected);
  return { ...unlink(part), orphans };
}

/**
 * Joins two sentences: the root of the second depends on the root of the first as `parataxis`. The ID is the ID of
 * the first sentence; comments of the second follow, but for its ID, text, and marks of documents and paragraphs. If one
 * of the sentences has an enhanced graph, the words of the other one get the arcs of the tree. O(n).
 */
export function joinSentences(
  first: ConlluSentence,
  second: ConlluSentence,
): { readonly sentence: ConlluSentence; readonly shift: number } {
  const [a, b] = [link(first), link(second)];
  const shift = wordsOf(a).length;
  const root = wordsOf(a).find(({ head }) => head === 0);
  const text = textComment(first);
  const other = textComment(second);
  const lastToken = first.rows.findLast(({ kind }) => kind !== "empty");
  const tokenRow = a.tokens.find(({ last }) => last === wordsOf(a).at(-1))?.columns ?? lastToken;
  const space = tokenRow === undefined || isSpaceAfter(tokenRow.misc) ? " " : "";
  const joined = { ...a, nodes: [...a.nodes, ...b.nodes], tokens: [...a.tokens, ...b.tokens] };
  for (const node of wordsOf(b))
    if (node.head === 0 && root !== undefined)
      attach(joined, node, root, isPunctuation(node) ? "punct" : "parataxis");
  for (const node of b.nodes) {
    for (const edge of node.edges)
      if (edge.head === "0" && root !== undefined) Object.assign(edge, { head: root, relation: "parataxis" });
  }
  if (hasGraph(a) !== hasGraph(b)) reconnect(joined, new Set(joined.nodes));
  const dropped = /^#\s*(?:(?:sent_id|text)\s*=|new(?:doc|par)\b)/;
  joined.comments.push(...second.comments.filter((comment) => !dropped.test(comment)));
  if (text !== undefined && other !== undefined)
    joined.comments = withComment(joined.comments, "text", `${text}${space}${other}`);
  return { sentence: unlink(joined).sentence, shift };
}
