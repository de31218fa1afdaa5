import { useState } from "preact/hooks";
import { edit, editAll } from "../actions.ts";
import { GROUPS } from "../command.ts";
import { COMMANDS } from "../commands.ts";
import { saveNotes } from "../files.ts";
import { LIST_NAMES, type ListName, usualTag } from "../inventory.ts";
import { selectedWord } from "../navigation.ts";
import { withNote } from "../notes.ts";
import { storeLists } from "../settings.ts";
import * as state from "../state.ts";
import { closeDialog, Dialog, Form } from "./dialog.tsx";
import { MassDialog } from "./mass-dialog.tsx";
import { keyTitle } from "./word-bar.tsx";

/** The dialog that is open. */
export function Dialogs() {
  switch (state.dialog.value) {
    case "help":
      return <HelpDialog />;
    case "lists":
      return <ListsDialog />;
    case "mass":
      return <MassDialog />;
    case "notes":
      return <NoteDialog />;
    case "split":
      return <SplitDialog />;
    case "token":
      return <TokenDialog />;
    case "insert":
      return <InsertDialog />;
    default:
      return null;
  }
}

/** All commands with their keys. */
function HelpDialog() {
  return (
    <Dialog title="Commands and keys" isWide>
      <div class="help">
        {GROUPS.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {COMMANDS.filter((command) => command.group === group).map(({ title, keys }) => (
                <div key={title}>
                  <dt>{title}</dt>
                  <dd>
                    {keys.map((key) => (
                      <kbd key={key}>{keyTitle(key)}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
              {group === "Arcs" && <HelpRow title="Choose the head by its letter" keys="a – z, A – Z" />}
              {group === "Edit" && (
                <HelpRow title="Choose a relation or a tag" keys="letters on the buttons" />
              )}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function HelpRow({ title, keys }: { readonly title: string; readonly keys: string }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <kbd>{keys}</kbd>
      </dd>
    </div>
  );
}

const LIST_TITLES: Readonly<Record<ListName, string>> = {
  upos: "Tags (UPOS)",
  xpos: "Tags (XPOS)",
  deprel: "Relations",
  edeprel: "Relations of graphs",
  feats: "Features, as Number=Plur",
};

/** Lists of one's own, which are offered in place of the values of the treebank, and keys of values. */
function ListsDialog() {
  const [lists, setLists] = useState(() =>
    Object.fromEntries(LIST_NAMES.map((name) => [name, (state.ownLists.value[name] ?? []).join(" ")])),
  );
  const [keys, setKeys] = useState(
    Object.entries(state.ownKeys.value)
      .map(([value, key]) => `${value}=${key}`)
      .join(" "),
  );
  const wordsOf = (text: string | undefined) => (text ?? "").split(/\s+/).filter((word) => word !== "");
  const save = () => {
    const pairs = wordsOf(keys).map((item) => [item.slice(0, -2), item.slice(-1)] as const);
    storeLists(
      Object.fromEntries(LIST_NAMES.map((name) => [name, wordsOf(lists[name])])),
      Object.fromEntries(pairs.filter(([value]) => value !== "")),
    );
    closeDialog();
  };
  const fill = (name: ListName) => {
    const counts = [...state.inventory.value[name]].sort(([, n], [, m]) => m - n);
    setLists({ ...lists, [name]: counts.map(([value]) => value).join(" ") });
  };
  return (
    <Dialog title="Lists and keys of your own" isWide>
      <p class="soft">
        Values with spaces between them. A list that is empty offers what the treebank and Universal
        Dependencies have.
      </p>
      <Form action="Use these" onAccept={save}>
        <div class="lists">
          {LIST_NAMES.map((name) => (
            <label key={name} class="field">
              <span>{LIST_TITLES[name]}</span>
              <textarea
                rows={3}
                spellcheck={false}
                value={lists[name]}
                data-first={name === "upos" || undefined}
                onInput={(event) => setLists({ ...lists, [name]: event.currentTarget.value })}
              />
              <button type="button" class="small" onClick={() => fill(name)}>
                From this file
              </button>
            </label>
          ))}
          <label class="field">
            <span>Keys, as nsubj=s NOUN=n</span>
            <textarea
              rows={3}
              spellcheck={false}
              value={keys}
              onInput={(event) => setKeys(event.currentTarget.value)}
            />
          </label>
        </div>
      </Form>
    </Dialog>
  );
}

type NotePlace = "word" | "arc" | "sentence";

/** A note on the word, its arc, or the sentence. Notes are kept apart from the file. */
function NoteDialog() {
  const own = state.current.value!;
  const word = selectedWord();
  const [on, setOn] = useState<NotePlace>(word === undefined ? "sentence" : "word");
  const place = (kind: NotePlace) => (kind === "sentence" ? undefined : word?.id);
  const textOf = (kind: NotePlace) =>
    own.notes.find((note) => note.on === kind && note.word === place(kind))?.text ?? "";
  const [text, setText] = useState(textOf(on));
  const accept = () => {
    const note = { on, text, ...(place(on) === undefined ? {} : { word: place(on) }) };
    editAll("Note", [{ kind: "notes", sentence: own.key, notes: withNote(own.notes, note) }]);
    state.showsSide.value = true;
    closeDialog();
  };
  return (
    <Dialog title="Note">
      <Form action="Keep the note" onAccept={accept}>
        <div class="row" role="radiogroup" aria-label="On">
          {(["word", "arc", "sentence"] as const).map((kind) => (
            <label key={kind} class="row">
              <input
                type="radio"
                name="on"
                checked={kind === on}
                disabled={kind !== "sentence" && word === undefined}
                onChange={() => {
                  setOn(kind);
                  setText(textOf(kind));
                }}
              />
              {kind === "sentence"
                ? "The sentence"
                : kind === "word"
                  ? `The word ${word?.form ?? ""}`
                  : "Its arc"}
            </label>
          ))}
        </div>
        <label class="field">
          <span>Text; empty removes the note</span>
          <input data-first value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <p class="soft">Notes are not written into the file. Save them apart:</p>
        <div class="row">
          <button type="button" class="small" onClick={() => saveNotes("json")}>
            As JSON
          </button>
          <button type="button" class="small" onClick={() => saveNotes("comments")}>
            As comments of a copy
          </button>
        </div>
      </Form>
    </Dialog>
  );
}

/** The first field of a dialog: a text with its label. */
function FirstField(props: { label: string; value: string; onInput: (text: string) => void }) {
  return (
    <label class="field">
      <span>{props.label}</span>
      <input
        data-first
        value={props.value}
        spellcheck={false}
        onInput={(event) => props.onInput(event.currentTarget.value)}
      />
    </label>
  );
}

/** Splits the selected word at the spaces of a text. */
function SplitDialog() {
  const word = selectedWord();
  const [text, setText] = useState(word?.form ?? "");
  const [asToken, setAsToken] = useState(false);
  const forms = text.split(/\s+/).filter((form) => form !== "");
  if (word === undefined) return null;
  const accept = () => {
    const tags = forms.map((form) => usualTag(state.inventory.value, form));
    if (forms.length > 1 && edit("Split word", { kind: "splitWord", word: word.id, forms, tags, asToken }))
      closeDialog();
  };
  return (
    <Dialog title={`Split ${word.form}`}>
      <Form action="Split" onAccept={accept} isDisabled={forms.length < 2}>
        <FirstField label="The parts, with spaces between them" value={text} onInput={setText} />
        <label class="row">
          <input type="checkbox" checked={asToken} onChange={() => setAsToken(!asToken)} />
          Words of the multiword token {word.form}
        </label>
      </Form>
    </Dialog>
  );
}

/** Makes the selected word and words behind it a multiword token. */
function TokenDialog() {
  const word = selectedWord();
  const words = state.content.value?.rows.flatMap((row) => (row.kind === "word" ? [row] : [])) ?? [];
  const [last, setLast] = useState(Math.min(words.length, (word?.id ?? 0) + 1));
  const group = words.filter(({ id }) => word !== undefined && id >= word.id && id <= last);
  const [form, setForm] = useState<string>();
  if (word === undefined) return null;
  const spelled = form ?? group.map((one) => one.form).join("");
  const accept = () => {
    if (edit("Make token", { kind: "groupWords", first: word.id, last, form: spelled })) closeDialog();
  };
  return (
    <Dialog title="Multiword token">
      <Form action="Make the token" onAccept={accept} isDisabled={group.length < 2 || spelled === ""}>
        <label class="field">
          <span>From {word.form} to</span>
          <select data-first value={last} onChange={(event) => setLast(Number(event.currentTarget.value))}>
            {words
              .filter(({ id }) => id > word.id)
              .map((one) => (
                <option key={one.id} value={one.id}>
                  {one.id} {one.form}
                </option>
              ))}
          </select>
        </label>
        <label class="field">
          <span>Form of the token</span>
          <input value={spelled} spellcheck={false} onInput={(event) => setForm(event.currentTarget.value)} />
        </label>
      </Form>
    </Dialog>
  );
}

/** Inserts a word behind the selected word, or at the start. */
function InsertDialog() {
  const [text, setText] = useState("");
  const [isFirst, setFirst] = useState(false);
  const word = selectedWord();
  if (word === undefined) return null;
  const accept = () => {
    const after = isFirst ? 0 : word.id;
    const tag = usualTag(state.inventory.value, text);
    if (text !== "" && edit("Insert word", { kind: "insertWord", after, form: text, tag })) closeDialog();
  };
  return (
    <Dialog title={`Insert a word behind ${word.form}`}>
      <Form action="Insert" onAccept={accept} isDisabled={text === ""}>
        <FirstField label="Form" value={text} onInput={setText} />
        <label class="row">
          <input type="checkbox" checked={isFirst} onChange={() => setFirst(!isFirst)} />
          At the start of the sentence
        </label>
      </Form>
    </Dialog>
  );
}
