import { report, reportError } from "../app/store.ts";
import { keyName } from "../shared/keyboard.ts";
import * as actions from "./actions.ts";
import { takeOther } from "./compare-actions.ts";
import { pickFile, save } from "./files.ts";
import { parseSentence } from "./follow.ts";
import * as graph from "./graph-actions.ts";
import { hotKeysOf, wordOfLetter } from "./hot-keys.ts";
import { offered } from "./inventory.ts";
import * as go from "./navigation.ts";
import { nextDifference, nextDoubt, nextFinding } from "./next.ts";
import * as state from "./state.ts";
import { MODE_NAMES, MODES, type Mode } from "./state.ts";

/** When the keys of a command work: in all modes, and not while text is typed, unless it says otherwise. */
interface When {
  readonly modes?: readonly Mode[];
  readonly inText?: boolean;
}

/** A command of the editor: names of keys as `keyName` gives them, and what they do. */
type Command = readonly [keys: readonly string[], run: () => unknown, when?: When];

const IN_TEXT: When = { inText: true };
const ARCS: When = { modes: ["arcs"] };
const HEADS: When = { modes: ["arcs", "graph"] };
const GRAPH: When = { modes: ["graph"] };
const WORDS: When = { modes: MODE_NAMES.filter((mode) => mode !== "graph") };

const MODE_COMMANDS: Readonly<Record<`Mode ${string}`, Command>> = Object.fromEntries(
  MODE_NAMES.map((mode, i) => [`Mode ${MODES[mode]}`, [[`${i + 1}`], () => enterMode(mode)]]),
);

/** All that the editor does, by group and title, in the order of the help. */
export const GROUPS = {
  File: {
    "Open a file": [["Ctrl+o"], chooseFile, IN_TEXT],
    Save: [["Ctrl+s"], save, IN_TEXT],
  },
  Move: {
    "Next word": [["ArrowRight"], () => go.stepWord(forward())],
    "Word before": [["ArrowLeft"], () => go.stepWord(-forward())],
    "Accept, and next word": [["Enter"], accept],
    "Back to the word before": [["Shift+Enter"], () => go.stepWord(-1)],
    "First word": [["Home"], () => go.select("1")],
    "Last word": [["End"], () => go.select(state.nodeIds.value.at(-1) ?? "1")],
    "Next sentence": [["PageDown", "]"], () => go.stepSentence(1), IN_TEXT],
    "Sentence before": [["PageUp", "["], () => go.stepSentence(-1), IN_TEXT],
    "Next doubtful word": [["ArrowDown"], nextDoubt, WORDS],
    "Next finding": [["F8"], nextFinding, IN_TEXT],
    "Next difference": [["F7"], nextDifference, IN_TEXT],
    "Filter sentences by a text": [["Ctrl+k"], filterSentences, IN_TEXT],
    ...MODE_COMMANDS,
  },
  Edit: {
    Undo: [["Ctrl+z"], () => go.travel("undo"), IN_TEXT],
    Redo: [["Ctrl+Shift+z", "Ctrl+y"], () => go.travel("redo"), IN_TEXT],
    "Type a value": [["'"], typeValue],
    "Leave a field, or stop aiming": [["Escape"], leave, IN_TEXT],
  },
  Arcs: {
    "Aim at a head to the right": [["Shift+ArrowRight"], () => aimBy(forward()), HEADS],
    "Aim at a head to the left": [["Shift+ArrowLeft"], () => aimBy(-forward()), HEADS],
    "Make the word the root": [["0"], () => chooseHead(0), ARCS],
    "Choose the relation of the word": [[";"], () => setLabelling(true), ARCS],
    "Fix or free the word": [[" "], withWord(toggleFixed)],
    "Fix or free all words": [["!"], toggleAllFixed],
  },
  "Words and sentences": {
    "Split the word": [["/"], open("split", state.selectedWord)],
    "Join the word with the next": [["+"], withWord(joinWithNext)],
    "Write the word without its spaces": [["="], writeTogether, WORDS],
    "Make a multiword token": [["("], open("token", state.selectedWord)],
    "Dissolve the multiword token": [[")"], withWord(editing("Dissolve token", "ungroupWords"))],
    "Insert a word behind": [["*"], open("insert", state.selectedWord)],
    "Delete the word": [["Delete"], withWord(editing("Delete word", "deleteWord")), WORDS],
    "Split the sentence before the word": [["|"], withWord(editing("Split sentence", "splitSentence"))],
    "Join the sentence with the next": [
      ["&"],
      () => actions.edit("Join sentences", { kind: "joinSentences" }),
    ],
    "Write # text from the words": [["#"], () => actions.edit("Text", { kind: "text" })],
  },
  Graph: {
    "Next edge of the node": [["ArrowDown"], () => graph.stepEdge(1), GRAPH],
    "Edge before": [["ArrowUp"], () => graph.stepEdge(-1), GRAPH],
    "Add an edge from the word that is aimed at": [["Ctrl+ArrowDown"], graph.addFromAim, GRAPH],
    "Move the edge to the word that is aimed at": [["Ctrl+ArrowUp"], graph.applyAim, GRAPH],
    "Add an empty node": [["."], graph.addEmptyNode, GRAPH],
    "Remove the edge or the empty node": [["Delete"], graph.removeSelected, GRAPH],
    "Make the tree the graph": [["="], () => actions.edit("Graph", { kind: "graph" }), GRAPH],
  },
  Parser: {
    "Parse the words that are not fixed": [
      ["Ctrl+Enter"],
      () => parseSentence(state.currentKey.value),
      IN_TEXT,
    ],
    "After edits, words that are not fixed follow the parser, or stay": [["~"], toggleFollows],
    "Show or hide the probability of each arc": [["%"], toggle(state.showsDoubts)],
  },
  Screen: {
    "Show or fold the sentences": [["Ctrl+b"], toggle(state.showsList)],
    "Show or fold findings, notes and agreement": [["Ctrl+i"], toggle(state.showsSide)],
    "Larger tree": [["Alt+ArrowUp"], () => zoomBy(1.1)],
    "Smaller tree": [["Alt+ArrowDown"], () => zoomBy(1 / 1.1)],
    "Wrap the rows, or not": [["Alt+w"], toggle(state.wraps)],
  },
  "Notes and tools": {
    "Note on the word, arc or sentence": [['"'], open("notes", state.current)],
    "Take the other annotation of the word": [["<"], withWord(takeOther)],
    "Change by pattern": [["Ctrl+m"], open("mass", state.current), IN_TEXT],
    "Lists and keys of your own": [[","], open("lists")],
    "Commands and keys": [["?", "F1"], open("help")],
  },
} satisfies Record<string, Record<string, Command>>;

/** The title of a command. */
export type CommandTitle = {
  [Group in keyof typeof GROUPS]: keyof (typeof GROUPS)[Group];
}[keyof typeof GROUPS];

/** The commands by their titles. */
export const COMMANDS: Readonly<Record<CommandTitle, Command>> = Object.assign({}, ...Object.values(GROUPS));

/** Returns a function that opens a dialog if its subject is there: keys wait for an open dialog to close. */
function open(name: state.DialogName, subject: { readonly value: unknown } = { value: name }): () => void {
  return () => {
    if (subject.value !== undefined) state.dialog.value = name;
  };
}

/** Returns a function that turns a setting over. */
function toggle(signal: { value: boolean }): () => void {
  return () => {
    signal.value = !signal.value;
  };
}

function zoomBy(factor: number): void {
  const next = Math.round(20 * state.zoom.value * factor) / 20;
  state.zoom.value = Math.max(0.5, Math.min(3, next));
}

/** 1 when the next word is to the right, -1 when it is to the left. */
function forward(): 1 | -1 {
  return document.querySelector("[data-direction=rtl]") === null ? 1 : -1;
}

function chooseFile(): void {
  pickFile().then((isPicked) => {
    if (!isPicked) document.querySelector<HTMLElement>("[data-open]")?.click();
  }, reportError);
}

/** Selects the text of a field that is there once the page is rendered, which is done before the next key. */
export function focusOn(selector: string): void {
  queueMicrotask(() => {
    const field = document.querySelector<HTMLInputElement>(selector);
    field?.focus();
    if (field instanceof HTMLInputElement) field.select();
  });
}

function filterSentences(): void {
  state.showsList.value = true;
  focusOn("[data-filter]");
}

/** Shows a mode; modes of text wait for what is typed. */
export function enterMode(mode: Mode): void {
  state.mode.value = mode;
  state.aim.value = undefined;
  setLabelling(false);
  const [word] = state.selected.value.split(".");
  if (mode !== "graph") go.select(word === "0" ? "1" : word!);
  if (mode === "lemmas" || mode === "features" || mode === "text") typeValue();
}

/** Waits for what is typed; in the mode of arcs, for a relation. */
function typeValue(): void {
  if (state.mode.value === "arcs") setLabelling(true);
  focusOn("[data-value]");
}

/** Lets letters choose the relation of the selected word in the mode of arcs, or its head again. */
export function setLabelling(isLabelling: boolean): void {
  state.labelling.value = isLabelling;
}

function leave(): void {
  state.aim.value = undefined;
  setLabelling(false);
  (document.activeElement as HTMLElement | null)?.blur();
}

function toggleFollows(): void {
  state.follows.value = !state.follows.value;
  report(state.follows.value ? "The rest of the tree follows the parser." : "The rest of the tree stays.");
}

function withWord(run: (word: number) => void): () => void {
  return () => {
    const { value: word } = state.selectedWord;
    if (word !== undefined) run(word.id);
  };
}

/** Returns a function that performs an edit of a word, which needs nothing else. */
function editing(name: string, kind: "ungroupWords" | "deleteWord" | "splitSentence") {
  return (word: number) => actions.edit(name, { kind, word });
}

function joinWithNext(first: number): void {
  if (!actions.edit("Join words", { kind: "joinWords", first, last: first + 1 })) return;
  const { form = "" } = state.selectedWord.value ?? {};
  if (form.includes(" ")) report(`“${form}” has the space of the text: press = to write it together.`);
}

function writeTogether(): void {
  const { value: word } = state.selectedWord;
  if (word === undefined) return;
  const together = (text: string) => text.replaceAll(" ", "");
  const columns = { form: together(word.form), lemma: together(word.lemma) };
  actions.edit("Write together", { kind: "columns", row: `${word.id}`, columns }, { kind: "text" });
}

function toggleFixed(word: number): void {
  const { heads, labels } = state.current.value!.fixed;
  const isFixed = heads.includes(word) && labels.includes(word);
  actions.edit("Fix", { kind: "fix", words: [word], isFixed: !isFixed });
}

function toggleAllFixed(): void {
  const words = state.words.value.map(({ id }) => id);
  const { heads = [] } = state.current.value?.fixed ?? {};
  actions.edit("Fix", { kind: "fix", words, isFixed: heads.length < words.length });
}

/** Moves the aim among the nodes and the root, from the present head on. */
function aimBy(by: number): void {
  const ids = ["0", ...state.nodeIds.value].filter((id) => id !== state.selected.value);
  const head = state.aim.value ?? state.selectedEdge.value?.head ?? `${state.selectedWord.value?.head ?? 0}`;
  const at = Math.max(0, ids.indexOf(head)) + by;
  state.aim.value = ids[(at + ids.length) % ids.length];
}

/** Gives the selected word a head; its relation is chosen next, unless it is the root. */
function chooseHead(head: number): void {
  const { value: word } = state.selectedWord;
  if (word === undefined || word.id === head || !actions.setHead(word.id, head)) return;
  if (head === 0) go.stepWord(1);
  else setLabelling(true);
}

/** Applies the aim, or accepts the word and goes to the next one. */
function accept(): void {
  const { value: aim } = state.aim;
  if (aim !== undefined && state.mode.value === "graph") graph.applyAim();
  else if (aim !== undefined) chooseHead(Number(aim));
  else go.stepWord(1);
}

/** Returns the values that letters choose in the present mode. */
export function choices(): readonly string[] {
  const { value: mode } = state.mode;
  const { upos = "_" } = state.selectedRow.value ?? {};
  const values = (column: "upos" | "deprel" | "edeprel") =>
    offered(state.inventory.value, column, upos, state.ownLists.value);
  if (mode === "relations" || state.labelling.value) return values("deprel");
  if (mode === "tags") return values("upos");
  if (mode === "graph") return [...new Set([...values("edeprel").slice(0, 40), ...values("deprel")])];
  return [];
}

/** Returns the keys of the values of the present mode: keys stay when the order of values changes with the word. */
export function choiceKeys(): Map<string, string> {
  return hotKeysOf([...choices()].sort(), state.ownKeys.value);
}

/** Gives the selected word a value of the present mode. */
export function choose(value: string): boolean {
  const { value: mode } = state.mode;
  if (mode === "relations" || mode === "arcs") return actions.setColumn("deprel", value);
  if (mode === "tags") return actions.setColumn("upos", value);
  const from = state.selectedEdge.value;
  if (mode !== "graph" || from === undefined) return false;
  return graph.setEdge("Edge", state.selected.value, { head: from.head, relation: value }, from);
}

/** Whether a letter means something in the present mode. */
function letterAction(key: string): (() => void) | undefined {
  if (!/^[a-zA-Z]$/.test(key)) return undefined;
  if (state.mode.value === "arcs" && !state.labelling.value) {
    const head = wordOfLetter(key);
    return head !== undefined && head <= state.words.value.length ? () => chooseHead(head) : undefined;
  }
  const value = [...choiceKeys()].find(([, one]) => one === key)?.[0];
  if (value === undefined) return undefined;
  return () => {
    if (choose(value) && state.mode.value !== "graph") go.stepWord(1);
  };
}

/** Runs the command of a key. @param isTyping whether the key was pressed in a field */
export function runKey(event: KeyboardEvent, isTyping: boolean): void {
  const name = keyName(event);
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
  const letter =
    isTyping || hasModifier || state.current.value === undefined ? undefined : letterAction(event.key);
  const command = Object.values<Command>(COMMANDS).find(
    ([keys, , { modes = MODE_NAMES, inText = false } = {}]) =>
      keys.includes(name) && modes.includes(state.mode.value) && (!isTyping || (inText && name.length > 1)),
  );
  const run = letter ?? command?.[1];
  if (run === undefined) return;
  // Undo and redo of a field that is being typed in are its own.
  if (isTyping && /^Ctrl\+(?:Shift\+)?[zy]$/.test(name)) return;
  event.preventDefault();
  state.usesKeys.value = true;
  const isField = isTyping && (event.target as Element).matches("input[data-value]");
  // A field that is typed in gives its value to the word first.
  if (isTyping) (event.target as HTMLElement).blur();
  run();
  if (isField && name.startsWith("Page")) enterMode(state.mode.value);
}
