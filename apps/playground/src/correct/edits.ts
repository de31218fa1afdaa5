import type { Columns, ConlluSentence } from "@arcwise/conllu";
import { checkTree } from "@arcwise/core";
import { counted, invalidArgument } from "@arcwise/core/errors";
import { wordsOf as wordRows } from "../shared/sentences.ts";
import {
  constraintsOf,
  contentOf,
  type EditSentence,
  idOfSentence,
  type Note,
  newSentence,
  replacedLines,
  sentenceText,
} from "./document.ts";
import type { Draft } from "./draft.ts";
import { addEdge, hasGraph, type LinkedNode, type LinkedSentence, link, unlink } from "./linked.ts";
import { lostItems } from "./misc.ts";
import { joinSentences, splitSentence, withSpelledText } from "./sentence-edits.ts";
import {
  deleteWord,
  groupWords,
  insertWord,
  joinWords,
  removeNode,
  splitWord,
  tokenOf,
  ungroupWords,
  type WordParts,
} from "./token-edits.ts";
import {
  attach,
  connectedNodes,
  ensureEdge,
  ensureGraph,
  nodeOf,
  reconnect,
  setHead,
  wordOf,
  wordsOf,
} from "./tree-edits.ts";

/** An edge of the enhanced graph by the ID of its head, `"0"` for the root. */
export interface EdgeText {
  readonly head: string;
  readonly relation: string;
}

/** The edits of a sentence, by their kinds. Words are positions from 1, nodes are IDs. */
interface EditKinds {
  /** Other columns of a word, an empty node or a range, by its ID. */
  columns: { readonly row: string; readonly columns: Partial<Omit<Columns, "deps">> };
  /** Another head: the words stay a tree. */
  head: { readonly word: number; readonly head: number; readonly deprel?: string | undefined };
  /** The tree of a parser, n + 1 entries: heads and labels that are fixed stay. */
  tree: { readonly heads: ArrayLike<number>; readonly labels: readonly string[] };
  splitWord: { readonly word: number } & WordParts;
  joinWords: { readonly first: number; readonly last: number };
  groupWords: { readonly first: number; readonly last: number; readonly form: string };
  /** Dissolves the multiword token of a word. */
  ungroupWords: { readonly word: number };
  /** Inserts a word; `after` 0 is the start. */
  insertWord: { readonly after: number; readonly form: string; readonly tag?: string | undefined };
  deleteWord: { readonly word: number };
  splitSentence: { readonly word: number };
  /** Joins the sentence with the next one. */
  joinSentences: object;
  /** Adds an edge (`to` alone), removes it (`from` alone) or replaces it. */
  edge: { readonly node: string; readonly from?: EdgeText | undefined; readonly to?: EdgeText | undefined };
  /** Makes the tree the enhanced graph of a sentence without edges. */
  graph: object;
  addEmptyNode: { readonly after: number; readonly form: string; readonly edge: EdgeText };
  removeEmptyNode: { readonly node: string };
  /** Sets the comment `# text` to what the tokens spell. */
  text: object;
  /** Other lines, also of a sentence that breaks the format. */
  lines: { readonly text: string };
  /** Fixes words, or frees them. */
  fix: { readonly words: readonly number[]; readonly isFixed: boolean };
  notes: { readonly notes: readonly Note[] };
}

/** The name of a kind of edit. */
export type EditKind = keyof EditKinds;

/** An edit of a sentence, as plain data. */
export type Edit = {
  [Kind in EditKind]: { readonly kind: Kind; readonly sentence: number } & EditKinds[Kind];
}[EditKind];

/** An edit of a sentence that is known from elsewhere, such as the current one. */
export type OwnEdit = Edit extends infer One ? (One extends Edit ? Omit<One, "sentence"> : never) : never;

/** A sentence under an edit. */
interface Target {
  readonly own: EditSentence;
  readonly index: number;
  readonly draft: Draft;
  readonly content: ConlluSentence;
  readonly linked: LinkedSentence;
  /** Words on whose heads or labels the edit decides: they are fixed from now on. */
  readonly decided: { readonly heads: number[]; readonly labels: number[] };
}

type Handler<Kind extends EditKind> = (target: Target, edit: EditKinds[Kind]) => void;

/** Edits that change nodes in place. */
function changing<Kind extends EditKind>(change: Handler<Kind>): Handler<Kind> {
  return (target, edit) => {
    change(target, edit);
    const { own, index, draft, linked, decided } = target;
    const { sentence, ids } = unlink(linked);
    const { fixed, notes } = moved(own, linked, ids);
    draft.replace(index, 1, {
      ...own,
      text: sentenceText(sentence, own.text),
      fixed: { heads: union(fixed.heads, decided.heads), labels: union(fixed.labels, decided.labels) },
      notes,
    });
  };
}

/** Edits of words and arcs: what the enhanced graph connected before stays connected, and new words are. */
function connecting<Kind extends EditKind>(change: Handler<Kind>): Handler<Kind> {
  return changing((target, edit) => {
    const { linked, draft } = target;
    const connected = connectedNodes(linked);
    const before = new Set(linked.nodes);
    change(target, edit);
    if (connected.size === 0) return;
    const wanted = linked.nodes.filter((node) => connected.has(node) || !before.has(node));
    nameOrphans(draft, reconnect(linked, new Set(wanted)));
  });
}

/** Edits of tokens: attributes of MISC that found no place are named. */
function naming<Kind extends EditKind>(change: Handler<Kind>): Handler<Kind> {
  return connecting((target, edit) => {
    const { linked, draft } = target;
    const columns = () => [...linked.nodes, ...linked.tokens].map((one) => one.columns.misc);
    const before = columns();
    change(target, edit);
    const lost = lostItems(before, columns());
    if (lost.length > 0) draft.remarks.push(`Left out of MISC: ${lost.join(", ")}.`);
  });
}

function nameOrphans(draft: Draft, orphans: readonly LinkedNode[]): void {
  for (const { columns } of orphans)
    draft.remarks.push(`The empty node “${columns.form}” lost its head: it is a root of the graph now.`);
}

function union(some: readonly number[], others: readonly number[]): number[] {
  return [...new Set([...some, ...others])].sort((a, b) => a - b);
}

/** Returns fixed words and notes by the new IDs of words; of words that are left out, they are dropped. */
function moved(
  own: EditSentence,
  { byId }: LinkedSentence,
  ids: ReadonlyMap<LinkedNode, string>,
): Pick<EditSentence, "fixed" | "notes"> {
  return renumbered(own, (word) => Number(ids.get(byId.get(`${word}`)!) ?? 0));
}

/** Returns fixed words and notes by other IDs of words; 0 drops them. */
function renumbered(
  { fixed, notes }: EditSentence,
  idOf: (word: number) => number,
): Pick<EditSentence, "fixed" | "notes"> {
  const known = (words: readonly number[]) => words.map(idOf).filter((id) => id > 0);
  return {
    fixed: { heads: known(fixed.heads), labels: known(fixed.labels) },
    notes: notes.flatMap((note) => {
      if (note.word === undefined) return [note];
      const word = idOf(note.word);
      return word > 0 ? [{ ...note, word }] : [];
    }),
  };
}

function setColumns({ linked, decided }: Target, { row, columns }: EditKinds["columns"]): void {
  const [first, last] = row.split("-").map((id) => linked.byId.get(id));
  const token = linked.tokens.find((one) => one.first === first && one.last === last);
  if (token !== undefined) {
    token.columns = { ...token.columns, ...columns };
    return;
  }
  const node = nodeOf(linked, row);
  const { deprel, ...others } = columns;
  node.columns = { ...node.columns, ...others };
  if (deprel === undefined) return;
  attach(linked, node, node.head, deprel);
  if (node.kind === "word") decided.labels.push(Number(row));
}

function setTree({ linked, own, content }: Target, { heads, labels }: EditKinds["tree"]): void {
  const words = wordsOf(linked);
  const n = words.length;
  if (heads.length !== n + 1 || labels.length !== n + 1)
    throw invalidArgument(
      "tree",
      `${counted(n + 1, "head")} and labels`,
      `${heads.length} and ${labels.length}`,
    );
  const fixed = constraintsOf(content, own.fixed);
  const all = fixed.heads.map((head, m) => (head >= 0 ? head : heads[m]!));
  // A parser that knows what is fixed finds such a tree.
  const wrong = checkTree(all, { singleRoot: true });
  if (wrong !== undefined) throw invalidArgument("tree", "heads that are a tree with the fixed heads", wrong);
  for (const [i, word] of words.entries()) {
    const head = all[i + 1]!;
    attach(linked, word, head > 0 ? wordOf(linked, head) : head, fixed.labels[i + 1] || labels[i + 1]!);
  }
}

function headOf(linked: LinkedSentence, { head }: EdgeText): LinkedNode | "0" {
  return head === "0" ? "0" : nodeOf(linked, head);
}

function setEdge({ linked }: Target, { node: id, from, to }: EditKinds["edge"]): void {
  if (to !== undefined) ensureGraph(linked);
  const node = nodeOf(linked, id);
  if (from !== undefined) {
    const head = headOf(linked, from);
    const at = node.edges.findIndex((one) => one.head === head && one.relation === from.relation);
    if (at < 0) throw invalidArgument("edge", "an edge of the node", `${from.head}:${from.relation}`);
    node.edges.splice(at, 1);
  }
  if (to === undefined) return;
  if (to.head === id) throw invalidArgument("head", "another node", "the node itself");
  addEdge(linked, node, { head: headOf(linked, to), relation: to.relation });
}

function addEmpty({ linked }: Target, { after, form, edge }: EditKinds["addEmptyNode"]): void {
  ensureGraph(linked);
  const { nodes } = linked;
  let at = after === 0 ? 0 : nodes.indexOf(wordOf(linked, after)) + 1;
  while (nodes[at]?.kind === "empty") at++;
  const columns = { form, lemma: "_", upos: "_", xpos: "_", feats: "_", deprel: "_", misc: "_" };
  const edges = [{ head: headOf(linked, edge), relation: edge.relation }];
  nodes.splice(at, 0, { kind: "empty", columns, head: -1, edges });
}

function splitInTwo(
  { own, index, draft, content, linked }: Target,
  { word }: EditKinds["splitSentence"],
): void {
  const isTaken = (id: string) => draft.sentences.some((one) => idOfSentence(one) === id);
  const [first, second] = splitSentence(content, linked, wordOf(linked, word), isTaken);
  nameOrphans(draft, [...first.orphans, ...second.orphans]);
  const end = own.text.includes("\r\n") ? "\r\n" : "\n";
  const closed = own.text.endsWith("\n") ? own.text : `${own.text}${end}`;
  const kept = moved(own, linked, first.ids);
  const other = moved({ ...own, notes: own.notes.filter(({ on }) => on !== "sentence") }, linked, second.ids);
  draft.replace(
    index,
    1,
    { ...own, ...kept, text: sentenceText(first.sentence, closed), gap: end },
    { ...newSentence(draft.nextKey++, sentenceText(second.sentence, own.text), own.gap), ...other },
  );
}

function joinWithNext({ own, index, draft, content }: Target): void {
  const next = draft.sentences[index + 1];
  if (next === undefined)
    throw invalidArgument("sentence", "a sentence with another one behind it", "the last one");
  const { sentence, shift } = joinSentences(content, readable(next));
  const { fixed, notes } = renumbered(next, (word) => word + shift);
  draft.replace(index, 2, {
    ...own,
    text: sentenceText(sentence, `${own.text}${own.text.endsWith("\n") ? "" : "\n"}${next.text}`),
    gap: next.gap,
    fixed: {
      heads: [...own.fixed.heads, ...fixed.heads],
      labels: [...own.fixed.labels, ...fixed.labels],
    },
    notes: [...own.notes, ...notes],
  });
}

function readable(sentence: EditSentence): ConlluSentence {
  const content = contentOf(sentence);
  if (content.error !== undefined) throw content.error;
  return content.sentence;
}

function withLines(own: EditSentence, text: string): EditSentence {
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  if (lines.includes("")) throw invalidArgument("lines", "lines of one sentence", "an empty line");
  const changed = { ...own, text: replacedLines(lines, own.text) };
  const count = (one: EditSentence) => {
    const { sentence } = contentOf(one);
    return sentence && wordRows(sentence).length;
  };
  // Other words may be other numbers.
  if (count(changed) === count(own)) return changed;
  return { ...newSentence(own.key, changed.text, own.gap), notes: own.notes };
}

function withFixed(own: EditSentence, { words, isFixed }: EditKinds["fix"]): EditSentence {
  const change = (old: readonly number[]) =>
    isFixed ? union(old, words) : old.filter((word) => !words.includes(word));
  return { ...own, fixed: { heads: change(own.fixed.heads), labels: change(own.fixed.labels) } };
}

/** Edits of sentences that can be read. */
const HANDLERS: { readonly [Kind in Exclude<EditKind, "lines" | "notes" | "fix">]: Handler<Kind> } = {
  columns: connecting(setColumns),
  head: connecting(({ linked, decided }, { word, head, deprel }) => {
    setHead(linked, wordOf(linked, word), head === 0 ? 0 : wordOf(linked, head), deprel);
    decided.heads.push(word);
    if (deprel !== undefined) decided.labels.push(word);
  }),
  tree: connecting(setTree),
  splitWord: naming(({ linked }, { word, ...parts }) => splitWord(linked, wordOf(linked, word), parts)),
  joinWords: naming(({ linked }, { first, last }) =>
    joinWords(linked, wordOf(linked, first), wordOf(linked, last)),
  ),
  groupWords: naming(({ linked }, { first, last, form }) =>
    groupWords(linked, wordOf(linked, first), wordOf(linked, last), form),
  ),
  ungroupWords: naming(({ linked }, { word }) => {
    const token = tokenOf(linked, wordOf(linked, word));
    if (token === undefined) throw invalidArgument("word", "a word of a multiword token", `word ${word}`);
    ungroupWords(linked, token);
  }),
  insertWord: connecting(({ linked }, { after, form, tag }) =>
    insertWord(linked, after === 0 ? undefined : wordOf(linked, after), form, tag),
  ),
  deleteWord: connecting(({ linked }, { word }) => deleteWord(linked, wordOf(linked, word))),
  splitSentence: splitInTwo,
  joinSentences: joinWithNext,
  edge: changing(setEdge),
  graph: changing(({ linked }) => {
    if (hasGraph(linked)) for (const word of wordsOf(linked)) ensureEdge(linked, word);
    else ensureGraph(linked);
  }),
  addEmptyNode: changing(addEmpty),
  removeEmptyNode: connecting(({ linked }, { node: id }) => {
    const node = nodeOf(linked, id);
    if (node.kind !== "empty") throw invalidArgument("node", "an empty node", id);
    removeNode(linked, node);
  }),
  text: changing(({ linked, content }) => {
    linked.comments = withSpelledText(content).comments;
  }),
};

/** Applies an edit to a draft of a document. O(length of the sentence). */
export function applyEdit(draft: Draft, edit: Edit): void {
  const index = draft.indexOf(edit.sentence);
  const own = draft.sentences[index]!;
  if (edit.kind === "lines") draft.replace(index, 1, withLines(own, edit.text));
  else if (edit.kind === "notes") draft.replace(index, 1, { ...own, notes: edit.notes });
  else if (edit.kind === "fix") draft.replace(index, 1, withFixed(own, edit));
  else {
    const content = readable(own);
    const linked = link(content);
    const handler = HANDLERS[edit.kind] as Handler<EditKind>;
    handler({ own, index, draft, content, linked, decided: { heads: [], labels: [] } }, edit);
  }
}
