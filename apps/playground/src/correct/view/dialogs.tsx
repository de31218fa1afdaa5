import { useState } from "preact/hooks";
import { Check } from "../../shared/controls.tsx";
import { edit, editAll } from "../actions.ts";
import { GROUPS } from "../commands.ts";
import type { Note } from "../document.ts";
import { saveNotes } from "../files.ts";
import { keysOf, valuesOf } from "../hot-keys.ts";
import { LIST_NAMES, type ListName, ranked, usualTag } from "../inventory.ts";
import { withNote } from "../notes.ts";
import { storeLists } from "../settings.ts";
import * as state from "../state.ts";
import { keyTitle } from "./command-button.tsx";
import { closeDialog, Dialog, TextField } from "./dialog.tsx";
import { MassDialog } from "./mass-dialog.tsx";

const DIALOGS = {
  help: HelpDialog,
  lists: ListsDialog,
  mass: MassDialog,
  notes: NoteDialog,
  split: SplitDialog,
  token: TokenDialog,
  insert: InsertDialog,
} satisfies Record<state.DialogName, unknown>;

/** The dialog that is open. */
export function Dialogs() {
  const { value: name } = state.dialog;
  if (name === undefined) return null;
  const Open = DIALOGS[name];
  return <Open />;
}

/** Keys of the help that are not keys of commands, by the group that they belong to. */
const LETTERS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  Arcs: { "Choose the head by its letter": ["a – z, A – Z"] },
  Edit: { "Choose a relation or a tag": ["letters on the buttons"] },
};

/** All commands with their keys. */
function HelpDialog() {
  const rows = (group: string, commands: (typeof GROUPS)[keyof typeof GROUPS]) => [
    ...Object.entries(commands).map(([title, [keys]]) => [title, keys.map(keyTitle)] as const),
    ...Object.entries(LETTERS[group] ?? {}),
  ];
  return (
    <Dialog title="Commands and keys" isWide>
      <div class="help">
        {Object.entries(GROUPS).map(([group, commands]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {rows(group, commands).map(([title, keys]) => (
                <div key={title}>
                  <dt>{title}</dt>
                  <dd>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

/** The fields of the dialog of lists; `keys`: keys of values. */
const LISTS: Readonly<Record<ListName | "keys", string>> = {
  upos: "Tags (UPOS)",
  xpos: "Tags (XPOS)",
  deprel: "Relations",
  edeprel: "Relations of graphs",
  feats: "Features, as Number=Plur",
  keys: "Keys, as nsubj=s NOUN=n",
};

/** Lists of one's own, which are offered in place of the values of the treebank, and keys of values. */
function ListsDialog() {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() => {
    const lists = LIST_NAMES.map((name) => [name, state.ownLists.value[name] ?? []] as const);
    const keys = Object.entries(state.ownKeys.value).map((pair) => pair.join("="));
    return Object.fromEntries(
      [...lists, ["keys", keys] as const].map(([name, all]) => [name, all.join(" ")]),
    );
  });
  const save = () => {
    const lists = Object.fromEntries(LIST_NAMES.map((name) => [name, valuesOf(texts[name]!)]));
    storeLists(lists, keysOf(texts.keys!));
    closeDialog();
  };
  return (
    <Dialog title="Lists and keys of your own" isWide action="Use these" onAccept={save}>
      <p class="soft">
        Values with spaces between them. A list that is empty offers what the treebank and Universal
        Dependencies have.
      </p>
      <div class="dialog-fields">
        {(Object.keys(LISTS) as (ListName | "keys")[]).map((name) => (
          <label key={name} class="field">
            <span>{LISTS[name]}</span>
            <textarea
              rows={3}
              spellcheck={false}
              value={texts[name]}
              data-first={name === "upos" || undefined}
              onInput={(event) => setTexts({ ...texts, [name]: event.currentTarget.value })}
            />
            {name !== "keys" && (
              <button
                type="button"
                class="small"
                onClick={() => setTexts({ ...texts, [name]: ranked(state.inventory.value[name]).join(" ") })}
              >
                From this file
              </button>
            )}
          </label>
        ))}
      </div>
    </Dialog>
  );
}

/** A note on the word, its arc, or the sentence. Notes are kept apart from the file. */
function NoteDialog() {
  const own = state.current.value!;
  const { value: word } = state.selectedWord;
  const places = { word: `The word ${word?.form ?? ""}`, arc: "Its arc", sentence: "The sentence" } as const;
  const noteOn = (on: Note["on"], text: string): Note =>
    on === "sentence" || word === undefined ? { on: "sentence", text } : { on, text, word: word.id };
  const before = (on: Note["on"]) => {
    const place = noteOn(on, "");
    return own.notes.find((note) => note.on === place.on && note.word === place.word)?.text ?? "";
  };
  const [on, setOn] = useState<Note["on"]>(word === undefined ? "sentence" : "word");
  const [text, setText] = useState(before(on));
  const accept = () => {
    const notes = withNote(own.notes, noteOn(on, text));
    editAll("Note", [{ kind: "notes", sentence: own.key, notes }]);
    state.showsSide.value = true;
    closeDialog();
  };
  const choose = (kind: Note["on"]) => {
    setOn(kind);
    setText(before(kind));
  };
  return (
    <Dialog title="Note" action="Keep the note" onAccept={accept}>
      <div class="row" role="radiogroup" aria-label="On">
        {(Object.keys(places) as Note["on"][]).map((kind) => (
          <label key={kind} class="row">
            <input
              type="radio"
              name="on"
              checked={kind === on}
              disabled={kind !== "sentence" && word === undefined}
              onChange={() => choose(kind)}
            />
            {places[kind]}
          </label>
        ))}
      </div>
      <TextField data-first label="Text; empty removes the note" spellcheck value={text} onInput={setText} />
      <p class="soft">Notes are not written into the file. Save them apart:</p>
      <div class="row">
        <button type="button" class="small" onClick={() => saveNotes("json")}>
          As JSON
        </button>
        <button type="button" class="small" onClick={() => saveNotes("comments")}>
          As comments of a copy
        </button>
      </div>
    </Dialog>
  );
}

/** Returns the word that a dialog was opened for. */
function useWord() {
  return useState(() => state.selectedWord.peek()!)[0];
}

/** Splits the selected word at the spaces of a text. */
function SplitDialog() {
  const word = useWord();
  const [text, setText] = useState(word.form);
  const [asToken, setAsToken] = useState(false);
  const forms = valuesOf(text);
  const accept = () => {
    const tags = forms.map((form) => usualTag(state.inventory.value, form));
    if (edit("Split word", { kind: "splitWord", word: word.id, forms, tags, asToken })) closeDialog();
  };
  return (
    <Dialog title={`Split ${word.form}`} action="Split" onAccept={accept} isDisabled={forms.length < 2}>
      <TextField data-first label="The parts, with spaces between them" value={text} onInput={setText} />
      <Check class="row" isOn={asToken} onChange={setAsToken}>
        Words of the multiword token {word.form}
      </Check>
    </Dialog>
  );
}

/** Makes the selected word and words behind it a multiword token. */
function TokenDialog() {
  const word = useWord();
  const words = state.words.value;
  const [last, setLast] = useState(Math.min(words.length, word.id + 1));
  const [form, setForm] = useState<string>();
  const group = words.slice(word.id - 1, last);
  const spelled = form ?? group.map((one) => one.form).join("");
  const accept = () => {
    if (edit("Make token", { kind: "groupWords", first: word.id, last, form: spelled })) closeDialog();
  };
  return (
    <Dialog
      title="Multiword token"
      action="Make the token"
      onAccept={accept}
      isDisabled={group.length < 2 || spelled === ""}
    >
      <label class="field">
        <span>From {word.form} to</span>
        <select data-first value={last} onChange={(event) => setLast(Number(event.currentTarget.value))}>
          {words.slice(word.id).map((one) => (
            <option key={one.id} value={one.id}>
              {one.id} {one.form}
            </option>
          ))}
        </select>
      </label>
      <TextField label="Form of the token" value={spelled} onInput={setForm} />
    </Dialog>
  );
}

/** Inserts a word behind the selected word, or at the start. */
function InsertDialog() {
  const word = useWord();
  const [form, setForm] = useState("");
  const [isFirst, setFirst] = useState(false);
  const accept = () => {
    const tag = usualTag(state.inventory.value, form);
    if (edit("Insert word", { kind: "insertWord", after: isFirst ? 0 : word.id, form, tag })) closeDialog();
  };
  return (
    <Dialog
      title={`Insert a word behind ${word.form}`}
      action="Insert"
      onAccept={accept}
      isDisabled={form === ""}
    >
      <TextField data-first label="Form" value={form} onInput={setForm} />
      <Check class="row" isOn={isFirst} onChange={setFirst}>
        At the start of the sentence
      </Check>
    </Dialog>
  );
}
