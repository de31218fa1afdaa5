import type { ConlluSentence, WordRow } from "@arcwise/conllu";
import { computed, signal } from "@preact/signals";
import { wordsOf } from "../shared/sentences.ts";
import type { Agreement, ComparedColumn } from "./agreement.ts";
import { contentOf, type EditDocument, type EditSentence } from "./document.ts";
import type { EdgeText } from "./edits.ts";
import { repeatedIds } from "./findings.ts";
import type { EditHistory } from "./history.ts";
import { type Inventory, newInventory, type OwnLists } from "./inventory.ts";
import { depsItems, idOf } from "./linked.ts";
import type { OrderName } from "./order.ts";
import type { SavedFile } from "./saved-file.ts";

/** The modes: each says what the keyboard and the panel edit. */
export const MODES = {
  arcs: "Arcs",
  relations: "Relations",
  tags: "Tags",
  lemmas: "Lemmas",
  features: "Features",
  graph: "Graph",
  text: "Text",
} as const;
/** A name of `MODES`. */
export type Mode = keyof typeof MODES;
/** The names of modes, in their order: key 1 is the first. */
export const MODE_NAMES = Object.keys(MODES) as Mode[];

/** The document with its steps; undefined until a file is opened. */
export const history = signal<EditHistory | undefined>(undefined);
/** The file that the document is saved to; undefined: it is downloaded. */
export const savedFile = signal<SavedFile | undefined>(undefined);
/** Key of the current sentence. */
export const currentKey = signal(-1);
/** ID of the selected word or empty node. */
export const selected = signal("1");
/** The edge of the enhanced graph that was chosen last among the edges that enter the selected node. */
export const chosenEdge = signal<EdgeText | undefined>(undefined);
/** A head that is aimed at by keys: "0" is the root; undefined if none is. */
export const aim = signal<string | undefined>(undefined);
export const mode = signal<Mode>("arcs");
/** In the mode of arcs: whether letters choose the relation of the selected word, and not its head. */
export const labelling = signal(false);
/** Whether the list of sentences, and what is found in them, are shown next to the tree. */
export const showsList = signal((globalThis.innerWidth ?? 0) > 720);
export const showsSide = signal(false);
/** The scale of the tree, and whether its rows are as wide as their place. */
export const zoom = signal(1);
export const wraps = signal(true);
/** Whether the rest of the tree follows the parser under what is fixed. */
export const follows = signal(false);
/** Whether arcs show the probabilities that the parser gives them. */
export const showsDoubts = signal(false);
/** Whether the last action came from the keyboard: words then show their letters. */
export const usesKeys = signal(false);

/** The order of the list, the text that listed sentences contain, and the keys of the sentences in their order. */
export const order = signal<OrderName>("file");
export const filter = signal("");
/** Whether the list has only sentences on which the annotations differ. */
export const onlyDiffering = signal(false);
export const listed = signal<readonly number[]>([]);

/** The values of the treebank; `indexed` is the number of sentences that were counted. */
export const inventory = signal<Inventory>(newInventory());
export const indexed = signal(0);
/** Number of sentences whose probabilities are known, while they are computed; undefined otherwise. */
export const scored = signal<number | undefined>(undefined);

/** Lists, and keys of values, of one's own. */
export const ownLists = signal<OwnLists>({});
export const ownKeys = signal<Readonly<Record<string, string>>>({});

/**
 * A second annotation: its name, the columns that both files have, its sentences by the keys of the sentences of the
 * document, and the agreement.
 */
export interface SecondAnnotation {
  readonly name: string;
  readonly columns: readonly ComparedColumn[];
  readonly pairs: ReadonlyMap<number, ConlluSentence>;
  readonly agreement: Agreement;
}
export const second = signal<SecondAnnotation | undefined>(undefined);

/** The dialog that is open. */
export type DialogName = "help" | "lists" | "mass" | "notes" | "split" | "token" | "insert";
export const dialog = signal<DialogName | undefined>(undefined);

/** The document; undefined until a file is opened. */
export const treebank = computed<EditDocument | undefined>(() => history.value?.document);

/** The sentences by their keys. */
const byKey = computed(
  () => new Map(treebank.value?.sentences.map((sentence, index) => [sentence.key, { sentence, index }])),
);

/** Returns a sentence and its index; undefined when the document does not have it. */
export function sentenceOf(
  key: number,
): { readonly sentence: EditSentence; readonly index: number } | undefined {
  return byKey.value.get(key);
}

/** The current sentence. */
export const current = computed(() => sentenceOf(currentKey.value)?.sentence);
/** The rows of the current sentence; undefined where it cannot be read. */
export const content = computed(() =>
  current.value === undefined ? undefined : contentOf(current.value).sentence,
);
/** The words of the current sentence. */
export const words = computed<readonly WordRow[]>(() =>
  content.value === undefined ? [] : wordsOf(content.value),
);
/** The IDs of its words, and in the mode of graphs of its empty nodes. */
export const nodeIds = computed<readonly string[]>(() => {
  const isNode = { word: true, range: false, empty: mode.value === "graph" };
  return (content.value?.rows ?? []).filter(({ kind }) => isNode[kind]).map(idOf);
});
/** The row of the selected word or empty node. */
export const selectedRow = computed(() => content.value?.rows.find((row) => idOf(row) === selected.value));
/** The edges of the enhanced graph that enter the selected node. */
export const edges = computed<readonly EdgeText[]>(() =>
  depsItems(selectedRow.value?.deps ?? "_").map(({ head, relation = "" }) => ({ head, relation })),
);
/** The selected edge; undefined once the node does not have it. */
export const selectedEdge = computed(() => {
  const { value: chosen } = chosenEdge;
  return edges.value.find(({ head, relation }) => head === chosen?.head && relation === chosen.relation);
});
/** The selected word; undefined for empty nodes. */
export const selectedWord = computed(() => {
  const { value: row } = selectedRow;
  return row?.kind === "word" ? row : undefined;
});

/** Keys of sentences whose `sent_id` another sentence has, once the document is counted. */
export const repeated = computed<ReadonlySet<number>>(() => {
  const document = treebank.value;
  return document === undefined || indexed.value < document.sentences.length
    ? new Set()
    : repeatedIds(document);
});

/** Probabilities of the heads of words, by sentence. */
export const probabilities = new WeakMap<EditSentence, readonly number[]>();
