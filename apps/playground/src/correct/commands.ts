import { report, reportError } from "../app/store.ts";
import { keyName } from "../shared/keyboard.ts";
import * as actions from "./actions.ts";
import type { Command } from "./command.ts";
import { takeOther } from "./compare-actions.ts";
import { pickFile, save } from "./files.ts";
import { parseSentence } from "./follow.ts";
import { applyAim, graphCommands } from "./graph-actions.ts";
import { hotKeysOf, wordOfLetter } from "./hot-keys.ts";
import { offered } from "./inventory.ts";
import { idOf } from "./linked.ts";
import * as go from "./navigation.ts";
import { nextDifference, nextDoubt, nextFinding } from "./next.ts";
import { SCREEN_COMMANDS, toggle } from "./screen.ts";
import * as state from "./state.ts";
import { MODE_NAMES, MODES, type Mode } from "./state.ts";

const open = (name: state.DialogName) => () => {
  state.dialog.value = name;
};

const FILE: readonly Command[] = [
  { group: "File", title: "Open a file", keys: ["Ctrl+o"], inText: true, run: chooseFile },
  { group: "File", title: "Save", keys: ["Ctrl+s"], inText: true, run: () => void save() },
];

const MOVE: readonly Command[] = [
  { group: "Move", title: "Next word", keys: ["ArrowRight"], run: () => go.stepWord(forward()) },
  { group: "Move", title: "Word before", keys: ["ArrowLeft"], run: () => go.stepWord(-forward()) },
  { group: "Move", title: "Accept, and next word", keys: ["Enter"], run: accept },
  { group: "Move", title: "Back to the word before", keys: ["Shift+Enter"], run: () => go.stepWord(-1) },
  { group: "Move", title: "First word", keys: ["Home"], run: () => go.select("1") },
  {
    group: "Move",
    title: "Last word",
    keys: ["End"],
    run: () => go.select(go.nodes().map(idOf).at(-1) ?? "1"),
  },
  {
    group: "Move",
    title: "Next sentence",
    keys: ["PageDown", "]"],
    inText: true,
    run: () => go.stepSentence(1),
  },
  {
    group: "Move",
    title: "Sentence before",
    keys: ["PageUp", "["],
    inText: true,
    run: () => go.stepSentence(-1),
  },
  {
    group: "Move",
    title: "Next doubtful word",
    keys: ["ArrowDown"],
    modes: MODE_NAMES.filter((mode) => mode !== "graph"),
    run: () => void nextDoubt(),
  },
  { group: "Move", title: "Next finding", keys: ["F8"], inText: true, run: () => void nextFinding() },
  { group: "Move", title: "Next difference", keys: ["F7"], inText: true, run: () => void nextDifference() },
  {
    group: "Move",
    title: "Filter sentences by a text",
    keys: ["Ctrl+k"],
    inText: true,
    run: () => {
      state.showsList.value = true;
      queueMicrotask(() => focusOn("[data-filter]"));
    },
  },
  ...MODE_NAMES.map(
    (mode, i): Command => ({
      group: "Move",
      title: `Mode ${MODES[mode]}`,
      keys: [`${i + 1}`],
      run: () => enterMode(mode),
    }),
  ),
];

const EDIT: readonly Command[] = [
  { group: "Edit", title: "Undo", keys: ["Ctrl+z"], inText: true, run: () => go.travel("undo") },
  {
    group: "Edit",
    title: "Redo",
    keys: ["Ctrl+Shift+z", "Ctrl+y"],
    inText: true,
    run: () => go.travel("redo"),
  },
  { group: "Edit", title: "Type a value", keys: ["'"], run: typeValue },
  { group: "Edit", title: "Leave a field, or stop aiming", keys: ["Escape"], inText: true, run: leave },
];

const ARCS: readonly Command[] = [
  {
    group: "Arcs",
    title: "Aim at a head to the right",
    keys: ["Shift+ArrowRight"],
    modes: ["arcs", "graph"],
    run: () => aimBy(forward()),
  },
  {
    group: "Arcs",
    title: "Aim at a head to the left",
    keys: ["Shift+ArrowLeft"],
    modes: ["arcs", "graph"],
    run: () => aimBy(-forward()),
  },
  { group: "Arcs", title: "Make the word the root", keys: ["0"], modes: ["arcs"], run: () => chooseHead(0) },
  {
    group: "Arcs",
    title: "Choose the relation of the word",
    keys: [";"],
    modes: ["arcs"],
    run: () => {
      state.labelling.value = true;
    },
  },
  { group: "Arcs", title: "Fix or free the word", keys: [" "], run: toggleFixed },
  { group: "Arcs", title: "Fix or free all words", keys: ["!"], run: toggleAllFixed },
];

const WORDS: readonly Command[] = [
  { group: "Words and sentences", title: "Split the word", keys: ["/"], run: open("split") },
  { group: "Words and sentences", title: "Join the word with the next", keys: ["+"], run: joinWithNext },
  {
    group: "Words and sentences",
    title: "Write the word without its spaces",
    keys: ["="],
    modes: MODE_NAMES.filter((mode) => mode !== "graph"),
    run: () => writeTogether(),
  },
  { group: "Words and sentences", title: "Make a multiword token", keys: ["("], run: open("token") },
  {
    group: "Words and sentences",
    title: "Dissolve the multiword token",
    keys: [")"],
    run: withWord((word) => actions.edit("Dissolve token", { kind: "ungroupWords", word })),
  },
  { group: "Words and sentences", title: "Insert a word behind", keys: ["*"], run: open("insert") },
  {
    group: "Words and sentences",
    title: "Delete the word",
    keys: ["Delete"],
    modes: MODE_NAMES.filter((mode) => mode !== "graph"),
    run: withWord((word) => actions.edit("Delete word", { kind: "deleteWord", word })),
  },
  {
    group: "Words and sentences",
    title: "Split the sentence before the word",
    keys: ["|"],
    run: withWord((word) => actions.edit("Split sentence", { kind: "splitSentence", word })),
  },
  {
    group: "Words and sentences",
    title: "Join the sentence with the next",
    keys: ["&"],
    run: () => actions.edit("Join sentences", { kind: "joinSentences" }),
  },
  {
    group: "Words and sentences",
    title: "Write # text from the words",
    keys: ["#"],
    run: () => actions.edit("Text", { kind: "text" }),
  },
];

const PARSER: readonly Command[] = [
  {
    group: "Parser",
    title: "Parse the words that are not fixed",
    keys: ["Ctrl+Enter"],
    inText: true,
    run: () => void parseSentence(state.currentKey.value),
  },
  { group: "Parser", title: "The rest of the tree follows, or stays", keys: ["~"], run: toggleFollows },
  { group: "Parser", title: "Show or hide probabilities", keys: ["%"], run: toggle(state.showsDoubts) },
];

const TOOLS: readonly Command[] = [
  { group: "Notes and tools", title: "Note on the word, arc or sentence", keys: ['"'], run: open("notes") },
  {
    group: "Notes and tools",
    title: "Take the other annotation of the word",
    keys: ["<"],
    run: withWord(takeOther),
  },
  { group: "Notes and tools", title: "Change by pattern", keys: ["Ctrl+m"], inText: true, run: open("mass") },
  { group: "Notes and tools", title: "Lists and keys of your own", keys: [","], run: open("lists") },
  { group: "Notes and tools", title: "This help", keys: ["?", "F1"], run: open("help") },
];

/** All commands. */
export const COMMANDS: readonly Command[] = [
  ...FILE,
  ...MOVE,
  ...EDIT,
  ...ARCS,
  ...WORDS,
  ...graphCommands,
  ...PARSER,
  ...SCREEN_COMMANDS,
  ...TOOLS,
];

/** 1 when the next word is to the right, -1 when it is to the left. */
function forward(): 1 | -1 {
  return document.querySelector("[data-direction=rtl]") === null ? 1 : -1;
}

function chooseFile(): void {
  pickFile().then((isPicked) => {
    if (!isPicked) document.querySelector<HTMLElement>("[data-open]")?.click();
  }, reportError);
}

function focusOn(selector: string): void {
  const field = document.querySelector<HTMLInputElement>(selector);
  field?.focus();
  if (field instanceof HTMLInputElement) field.select();
}

/** Shows a mode; modes of text wait for what is typed. */
export function enterMode(mode: Mode): void {
  state.mode.value = mode;
  state.aim.value = undefined;
  state.labelling.value = false;
  const [word] = state.selected.value.split(".");
  if (mode !== "graph") go.select(word === "0" ? "1" : word!);
  if (mode === "lemmas" || mode === "features" || mode === "text") typeValue();
}

/** Waits for what is typed; in the mode of arcs, for a relation. */
function typeValue(): void {
  if (state.mode.value === "arcs") state.labelling.value = true;
  // The field is there once the page is rendered, which is done before the next key.
  queueMicrotask(() => focusOn("[data-value]"));
}

/** Lets letters choose heads again. */
export function stopLabelling(): void {
  state.labelling.value = false;
}

function leave(): void {
  state.aim.value = undefined;
  stopLabelling();
  (document.activeElement as HTMLElement | null)?.blur();
}

function toggleFollows(): void {
  state.follows.value = !state.follows.value;
  report(state.follows.value ? "The rest of the tree follows the parser." : "The rest of the tree stays.");
}

function withWord(run: (word: number) => void): () => void {
  return () => {
    const word = go.selectedWord();
    if (word !== undefined) run(word.id);
  };
}

function joinWithNext(): void {
  withWord((word) => {
    if (!actions.edit("Join words", { kind: "joinWords", first: word, last: word + 1 })) return;
    const { form = "" } = go.selectedWord() ?? {};
    if (form.includes(" ")) report(`“${form}” has the space of the text: press = to write it together.`);
  })();
}

function writeTogether(): void {
  const word = go.selectedWord();
  if (word === undefined) return;
  const together = (text: string) => text.replaceAll(" ", "");
  const columns = { form: together(word.form), lemma: together(word.lemma) };
  actions.edit("Write together", { kind: "columns", row: `${word.id}`, columns }, { kind: "text" });
}

function toggleFixed(): void {
  withWord((word) => {
    const { heads, labels } = state.current.value!.fixed;
    const isFixed = heads.includes(word) && labels.includes(word);
    actions.edit("Fix", { kind: "fix", words: [word], isFixed: !isFixed });
  })();
}

function toggleAllFixed(): void {
  const words = go.nodes().flatMap((row) => (row.kind === "word" ? [row.id] : []));
  const { heads = [] } = state.current.value?.fixed ?? {};
  actions.edit("Fix", { kind: "fix", words, isFixed: heads.length < words.length });
}

/** Moves the aim among the nodes and the root, from the present head on. */
function aimBy(by: number): void {
  const ids = ["0", ...go.nodes().map(idOf)].filter((id) => id !== state.selected.value);
  const head = state.aim.value ?? state.selectedEdge.value?.head ?? `${go.selectedWord()?.head ?? 0}`;
  const at = Math.max(0, ids.indexOf(head)) + by;
  state.aim.value = ids[(at + ids.length) % ids.length];
}

/** Gives the selected word a head; its relation is chosen next, unless it is the root. */
function chooseHead(head: number): void {
  const word = go.selectedWord();
  if (word === undefined || word.id === head || !actions.setHead(word.id, head)) return;
  if (head === 0) go.stepWord(1);
  else state.labelling.value = true;
}

/** Applies the aim, or accepts the word and goes to the next one. */
function accept(): void {
  const { value: aim } = state.aim;
  if (aim !== undefined && state.mode.value === "graph") applyAim();
  else if (aim !== undefined) chooseHead(Number(aim));
  else go.stepWord(1);
}

/** Returns the values that letters choose in the present mode. */
export function choices(): readonly string[] {
  const { value: mode } = state.mode;
  const row = state.content.value?.rows.find((one) => idOf(one) === state.selected.value);
  const upos = row?.upos ?? "_";
  const [inventory, lists] = [state.inventory.value, state.ownLists.value];
  if (mode === "relations" || state.labelling.value) return offered(inventory, "deprel", upos, lists);
  if (mode === "tags") return offered(inventory, "upos", upos, lists);
  if (mode === "graph")
    return [
      ...new Set([
        ...offered(inventory, "edeprel", upos, lists).slice(0, 40),
        ...offered(inventory, "deprel", upos, lists),
      ]),
    ];
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
  const to = { head: from.head, relation: value };
  if (!actions.edit("Edge", { kind: "edge", node: state.selected.value, from, to })) return false;
  state.selectedEdge.value = to;
  return true;
}

/** Whether a letter means something in the present mode. */
function letterAction(key: string): (() => void) | undefined {
  if (!/^[a-zA-Z]$/.test(key)) return undefined;
  if (state.mode.value === "arcs" && !state.labelling.value) {
    const head = wordOfLetter(key);
    return head !== undefined && head <= go.nodes().length ? () => chooseHead(head) : undefined;
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
  const command = COMMANDS.find(
    ({ keys, modes, inText = false }) =>
      keys.includes(name) &&
      (modes === undefined || modes.includes(state.mode.value)) &&
      (!isTyping || (inText && name.length > 1)),
  );
  const run = letter ?? command?.run;
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
