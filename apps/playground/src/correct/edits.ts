import type { Columns, ConlluSentence } from "@arcwise/conllu";
import { checkTree } from "@arcwise/core";
import { ArcwiseError, counted, invalidArgument } from "@arcwise/core/errors";
import {
  contentOf,
  type EditSentence,
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
  comments: { readonly comments: readonly string[] };
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

/** A sentence under an edit. */
interface Target {
  readonly own: EditSentence;
  readonly index: number;
  readonly draft: Draft;
  readonly content: ConlluSentence;
  readonly linked: LinkedSentence;
}

type Handler<Kind extends EditKind> = (target: Target, edit: EditKinds[Kind]) => void;

/** Edits that change nodes in place. */
type NodeEdit<Kind extends EditKind> = (
  linked: LinkedSentence,
  edit: EditKinds[Kind],
  target: Target,
) => void;

/** Decisions of the annotator that an edit adds: words whose heads or labels are fixed from now on. */
interface Decisions {
  readonly heads?: readonly number[];
  readonly labels?: readonly number[];
}

function changing<Kind extends EditKind>(
  change: NodeEdit<Kind>,
  decide: (edit: EditKinds[Kind]) => Decisions = () => ({}),
): Handler<Kind> {
  return (target, edit) => {
    change(target.linked, edit, target);
    target.draft.replace(target.index, 1, [rewritten(target, decide(edit))]);
  };
}

/** Edits of words and arcs: what the enhanced graph connected before stays connected, and new words are. */
function connecting<Kind extends EditKind>(
  change: NodeEdit<Kind>,
  decide?: (edit: EditKinds[Kind]) => Decisions,
): Handler<Kind> {
  return changing((linked, edit, target) => {
    const connected = connectedNodes(linked);
    const before = new Set(linked.nodes);
    change(linked, edit, target);
    if (connected.size === 0) return;
    const wanted = linked.nodes.filter((node) => connected.has(node) || !before.has(node));
    nameOrphans(target, reconnect(linked, new Set(wanted)));
  }, decide);
}

/** Edits of tokens: attributes of MISC that found no place are named. */
function naming<Kind extends EditKind>(change: NodeEdit<Kind>): Handler<Kind> {
  return connecting((linked, edit, target) => {
    const columns = () => [...linked.nodes, ...linked.tokens].map((one) => one.columns.misc);
    const before = columns();
    change(linked, edit, target);
    const lost = lostItems(before, columns());
    if (lost.length > 0) target.draft.remark(`Left out of MISC: ${lost.join(", ")}.`);
  });
}

function nameOrphans({ draft }: Target, orphans: readonly LinkedNode[]): void {
  for (const { columns } of orphans)
    draft.remark(`The empty node “${columns.form}” lost its head: it is a root of the graph now.`);
}

/** Returns a sentence with the rows of its linked words. */
function rewritten({ own, linked }: Target, decisions: Decisions): EditSentence {
  const { sentence, ids } = unlink(linked);
  const { fixed, notes } = moved(own, linked, ids);
  const also = (old: readonly number[], more: readonly number[] = []) =>
    [...new Set([...old, ...more])].sort((a, b) => a - b);
  return {
    ...own,
    text: sentenceText(sentence, own.text),
    fixed: { heads: also(fixed.heads, decisions.heads), labels: also(fixed.labels, decisions.labels) },
    notes,
  };
}

/** Returns fixed words and notes by the new IDs of words; of words that are left out, they are dropped. */
function moved(
  { fixed, notes }: EditSentence,
  { byId }: LinkedSentence,
  ids: ReadonlyMap<LinkedNode, string>,
): Pick<EditSentence, "fixed" | "notes"> {
  const idOf = (word: number) => Number(ids.get(byId.get(`${word}`)!));
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

function setColumns(linked: LinkedSentence, { row, columns }: EditKinds["columns"]): void {
  const token = linked.tokens.find(({ first, last }) => rangeId(linked, first, last) === row);
  if (token !== undefined) {
    token.columns = { ...token.columns, ...columns };
    return;
  }
  const node = nodeOf(linked, row);
  const { deprel, ...others } = columns;
  node.columns = { ...node.columns, ...others };
  if (deprel !== undefined) attach(linked, node, node.head, deprel);
}

function rangeId({ byId }: LinkedSentence, first: LinkedNode, last: LinkedNode): string {
  const idOf = (node: LinkedNode) => [...byId].find(([, one]) => one === node)?.[0];
  return `${idOf(first)}-${idOf(last)}`;
}

function setTree(linked: LinkedSentence, { heads, labels }: EditKinds["tree"], { own }: Target): void {
  const words = wordsOf(linked);
  if (heads.length !== words.length + 1 || labels.length !== words.length + 1)
    throw invalidArgument(
      "tree",
      `${counted(words.length + 1, "head")} and labels`,
      `${heads.length} and ${labels.length}`,
    );
  const [fixedHeads, fixedLabels] = [new Set(own.fixed.heads), new Set(own.fixed.labels)];
  const positionOf = ({ head }: LinkedNode) => (typeof head === "number" ? head : words.indexOf(head) + 1);
  const all = words.map((word, i) => (fixedHeads.has(i + 1) ? positionOf(word) : heads[i + 1]!));
  // A parser that knows what is fixed finds such a tree.
  const wrong = checkTree(Int32Array.from([-1, ...all]), { singleRoot: true });
  if (wrong !== undefined) throw invalidArgument("tree", "heads that are a tree with the fixed heads", wrong);
  for (const [i, word] of words.entries()) {
    const m = i + 1;
    const head = all[i]! > 0 ? wordOf(linked, all[i]!) : all[i]!;
    attach(linked, word, head, fixedLabels.has(m) ? word.columns.deprel : labels[m]!);
  }
}

function setEdge(linked: LinkedSentence, { node: id, from, to }: EditKinds["edge"]): void {
  if (to !== undefined) ensureGraph(linked);
  const node = nodeOf(linked, id);
  const headOf = (edge: EdgeText) => (edge.head === "0" ? "0" : nodeOf(linked, edge.head));
  if (from !== undefined) {
    const head = headOf(from);
    const edge = node.edges.find((one) => one.head === head && one.relation === from.relation);
    if (edge === undefined)
      throw invalidArgument("edge", "an edge of the node", `${from.head}:${from.relation}`);
    node.edges.splice(node.edges.indexOf(edge), 1);
  }
  if (to === undefined) return;
  if (to.head === id) throw invalidArgument("head", "another node", "the node itself");
  addEdge(linked, node, { head: headOf(to), relation: to.relation });
}

function addEmpty(linked: LinkedSentence, { after, form, edge }: EditKinds["addEmptyNode"]): void {
  ensureGraph(linked);
  const { nodes } = linked;
  let at = after === 0 ? 0 : nodes.indexOf(wordOf(linked, after)) + 1;
  while (nodes[at]?.kind === "empty") at++;
  const columns = { form, lemma: "_", upos: "_", xpos: "_", feats: "_", deprel: "_", misc: "_" };
  const head = edge.head === "0" ? "0" : nodeOf(linked, edge.head);
  nodes.splice(at, 0, { kind: "empty", columns, head: -1, edges: [{ head, relation: edge.relation }] });
}

function removeEmpty(linked: LinkedSentence, id: string): void {
  const node = nodeOf(linked, id);
  if (node.kind !== "empty") throw invalidArgument("node", "an empty node", id);
  removeNode(linked, node);
}

function splitInTwo(
  { own, index, draft, content, linked }: Target,
  { word }: EditKinds["splitSentence"],
): void {
  const isTaken = (id: string) => draft.hasId(id);
  const target = { own, index, draft, content, linked };
  const [first, second] = splitSentence(content, linked, wordOf(linked, word), isTaken);
  nameOrphans(target, [...first.orphans, ...second.orphans]);
  const end = own.text.includes("\r\n") ? "\r\n" : "\n";
  const closed = own.text.endsWith("\n") ? own.text : `${own.text}${end}`;
  const kept = moved(own, linked, first.ids);
  const other = moved({ ...own, notes: own.notes.filter(({ on }) => on !== "sentence") }, linked, second.ids);
  draft.replace(index, 1, [
    { ...own, ...kept, text: sentenceText(first.sentence, closed), gap: end },
    { ...newSentence(draft.takeKey(), sentenceText(second.sentence, own.text), own.gap), ...other },
  ]);
}

function joinWithNext({ own, index, draft, content }: Target): void {
  const next = draft.sentences[index + 1];
  if (next === undefined)
    throw invalidArgument("sentence", "a sentence with another one behind it", "the last one");
  const { sentence, shift } = joinSentences(content, readable(next));
  const shifted = (words: readonly number[]) => words.map((word) => word + shift);
  draft.replace(index, 2, [
    {
      ...own,
      text: sentenceText(sentence, `${own.text}${own.text.endsWith("\n") ? "" : "\n"}${next.text}`),
      gap: next.gap,
      fixed: {
        heads: [...own.fixed.heads, ...shifted(next.fixed.heads)],
        labels: [...own.fixed.labels, ...shifted(next.fixed.labels)],
      },
      notes: [
        ...own.notes,
        ...next.notes.map((note) => (note.word === undefined ? note : { ...note, word: note.word + shift })),
      ],
    },
  ]);
}

function readable(sentence: EditSentence): ConlluSentence {
  const content = contentOf(sentence);
  if (content.error !== undefined) throw content.error;
  return content.sentence;
}

function setLines(draft: Draft, index: number, text: string): void {
  const own = draft.sentences[index]!;
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  if (lines.includes("")) throw invalidArgument("lines", "lines of one sentence", "an empty line");
  const changed = { ...own, text: replacedLines(lines, own.text) };
  const words = (one: EditSentence) =>
    contentOf(one).sentence?.rows.filter(({ kind }) => kind === "word").length;
  // Other words may be other numbers.
  const isSame = words(changed) === words(own);
  draft.replace(index, 1, [
    isSame ? changed : { ...newSentence(own.key, changed.text, own.gap), notes: own.notes },
  ]);
}

function fixWords({ own, index, draft }: Target, { words, isFixed }: EditKinds["fix"]): void {
  const change = (old: readonly number[]) => {
    const all = new Set(old);
    for (const word of words) {
      if (isFixed) all.add(word);
      else all.delete(word);
    }
    return [...all].sort((a, b) => a - b);
  };
  draft.replace(index, 1, [
    { ...own, fixed: { heads: change(own.fixed.heads), labels: change(own.fixed.labels) } },
  ]);
}

/** Edits of sentences that can be read. */
const HANDLERS: { readonly [Kind in Exclude<EditKind, "lines" | "notes">]: Handler<Kind> } = {
  columns: connecting(setColumns, ({ row, columns }) => ({
    labels: columns.deprel !== undefined && /^\d+$/.test(row) ? [Number(row)] : [],
  })),
  head: connecting(
    (linked, { word, head, deprel }) =>
      setHead(linked, wordOf(linked, word), head === 0 ? 0 : wordOf(linked, head), deprel),
    ({ word, deprel }) => ({ heads: [word], labels: deprel === undefined ? [] : [word] }),
  ),
  tree: connecting(setTree),
  splitWord: naming((linked, { word, ...parts }) => {
    splitWord(linked, wordOf(linked, word), parts);
  }),
  joinWords: naming((linked, { first, last }) =>
    joinWords(linked, wordOf(linked, first), wordOf(linked, last)),
  ),
  groupWords: naming((linked, { first, last, form }) =>
    groupWords(linked, wordOf(linked, first), wordOf(linked, last), form),
  ),
  ungroupWords: naming((linked, { word }) => {
    const token = linked.tokens.find(({ first, last }) => {
      const all = wordsOf(linked);
      const at = all.indexOf(wordOf(linked, word));
      return all.indexOf(first) <= at && at <= all.indexOf(last);
    });
    if (token === undefined) throw invalidArgument("word", "a word of a multiword token", `word ${word}`);
    ungroupWords(linked, token);
  }),
  insertWord: connecting((linked, { after, form, tag }) => {
    insertWord(linked, after === 0 ? undefined : wordOf(linked, after), form, tag);
  }),
  deleteWord: connecting((linked, { word }) => deleteWord(linked, wordOf(linked, word))),
  splitSentence: splitInTwo,
  joinSentences: joinWithNext,
  edge: changing(setEdge),
  graph: changing((linked) => {
    if (hasGraph(linked)) for (const word of wordsOf(linked)) ensureEdge(linked, word);
    else ensureGraph(linked);
  }),
  addEmptyNode: changing(addEmpty),
  removeEmptyNode: connecting((linked, { node }) => removeEmpty(linked, node)),
  comments: changing((linked, { comments }) => {
    linked.comments = [...comments];
  }),
  text: changing((linked, _, { content }) => {
    linked.comments = withSpelledText(content).comments;
  }),
  fix: fixWords,
};

/** Applies an edit to a draft of a document. O(length of the sentence). */
export function applyEdit(draft: Draft, edit: Edit): void {
  const index = draft.indexOf(edit.sentence);
  const own = draft.sentences[index]!;
  if (edit.kind === "lines") {
    setLines(draft, index, edit.text);
    return;
  }
  if (edit.kind === "notes") {
    draft.replace(index, 1, [{ ...own, notes: edit.notes }]);
    return;
  }
  const content = readable(own);
  const handler = HANDLERS[edit.kind] as Handler<EditKind> | undefined;
  if (handler === undefined)
    throw new ArcwiseError(
      "invalid-argument",
      `expected a kind of edit, found ${String((edit as Edit).kind)}`,
    );
  handler({ own, index, draft, content, linked: link(content) }, edit);
}
