import { useRef } from "preact/hooks";
import { host } from "../../app/host.ts";
import { modelState } from "../../model/model.ts";
import { moveFocus } from "../../shared/keyboard.ts";
import { compareWith, openHostFile, openPlainFile, pickFile, save } from "../files.ts";
import { parseSentence } from "../follow.ts";
import { isChanged } from "../history.ts";
import { travel } from "../navigation.ts";
import { toggle } from "../screen.ts";
import * as state from "../state.ts";
import { FindingsButton } from "./findings-list.tsx";

/** The commands of the document. */
export function Toolbar() {
  const history = state.history.value!;
  const changed = isChanged(history);
  const [last, next] = [history.past.at(-1), history.future[0]];
  const hasModel = modelState.value.status === "ready";
  const byModel = (title: string) => (hasModel ? title : "Needs a model: open one in the menu above");
  const show = (name: state.DialogName) => () => {
    state.dialog.value = name;
  };
  return (
    <div class="toolbar" role="toolbar" aria-label="Document" onKeyDown={(event) => moveToolbar(event)}>
      <button
        type="button"
        aria-pressed={state.showsList.value}
        title="Show or fold the sentences (Ctrl + B)"
        onClick={toggle(state.showsList)}
      >
        Sentences
      </button>
      <strong
        class="file-name"
        data-changed={changed || undefined}
        title={`${history.document.name}${changed ? ", with changes that are not saved" : ""}`}
      >
        {history.document.name}
      </strong>
      <span class="toolbar-group">
        {host !== undefined && host.files.length > 1 && (
          <select
            aria-label="File"
            value={state.savedFile.value?.id}
            onChange={({ currentTarget: { value } }) =>
              void openHostFile(host!.files.find(({ path }) => path === value)!)
            }
          >
            {host.files.map(({ name, path }) => (
              <option key={path} value={path}>
                {name}
              </option>
            ))}
          </select>
        )}
        <OpenButton />
        <button
          type="button"
          class={changed ? "primary" : undefined}
          onClick={() => void save()}
          title="Save (Ctrl + S)"
        >
          Save
        </button>
      </span>
      <span class="toolbar-group">
        <button
          type="button"
          disabled={last === undefined}
          onClick={() => travel("undo")}
          title={last && `Undo: ${last.name} (Ctrl + Z)`}
        >
          Undo
        </button>
        <button
          type="button"
          disabled={next === undefined}
          onClick={() => travel("redo")}
          title={next && `Redo: ${next.name} (Ctrl + Shift + Z)`}
        >
          Redo
        </button>
      </span>
      <span class="toolbar-group">
        <button
          type="button"
          disabled={!hasModel}
          aria-pressed={state.follows.value}
          title={byModel("After an edit, words that are not fixed take the tree of the parser (~)")}
          onClick={toggle(state.follows)}
        >
          Rest follows
        </button>
        <button
          type="button"
          disabled={!hasModel}
          title={byModel("Parse the words that are not fixed (Ctrl + Enter)")}
          onClick={() => void parseSentence(state.currentKey.value)}
        >
          Parse
        </button>
        <button
          type="button"
          disabled={!hasModel}
          aria-pressed={state.showsDoubts.value}
          title={byModel("Show the probability of each arc (%)")}
          onClick={toggle(state.showsDoubts)}
        >
          Probabilities
        </button>
      </span>
      <span class="toolbar-group">
        <FindingsButton />
        <CompareButton />
        <button type="button" onClick={show("mass")} title="Change by pattern (Ctrl + M)">
          Change by pattern
        </button>
        <button type="button" onClick={show("lists")} title="Lists and keys of your own (,)">
          Lists
        </button>
        <button
          type="button"
          class="icon"
          aria-label="Commands and keys"
          onClick={show("help")}
          title="Commands and keys (?)"
        >
          ?
        </button>
      </span>
    </div>
  );
}

/** Arrow keys move between the buttons of the toolbar, and not between words. */
function moveToolbar(event: KeyboardEvent): void {
  if (!/^Arrow(?:Left|Right)$/.test(event.key)) return;
  moveFocus(event, "button:not(:disabled)");
  event.stopPropagation();
}

interface FileButtonProperties {
  readonly name: string;
  readonly title: string;
  /** Name of the file field, for screen readers. */
  readonly label: string;
  readonly onFile: (file: File) => Promise<void>;
  /** Another way to pick a file; returns whether the browser has it. */
  readonly onPick?: () => Promise<boolean>;
  readonly isPrimary?: boolean;
  readonly isPressed?: boolean | undefined;
}

/** A button that picks a file. */
function FileButton(properties: FileButtonProperties) {
  const { name, title, label, onFile, onPick, isPrimary = false, isPressed } = properties;
  const input = useRef<HTMLInputElement>(null);
  const onChange = async () => {
    const file = input.current?.files?.[0];
    if (file !== undefined) await onFile(file);
    if (input.current !== null) input.current.value = "";
  };
  const pick = async () => {
    const isPicked = onPick !== undefined && (await onPick());
    if (!isPicked) input.current?.click();
  };
  return (
    <>
      <button
        type="button"
        class={isPrimary ? "primary" : undefined}
        aria-pressed={isPressed}
        title={title}
        onClick={pick}
      >
        {name}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        data-open={onPick === undefined ? undefined : true}
        aria-label={label}
        onChange={onChange}
      />
    </>
  );
}

/** Opens a file: by the picker that can save in place, or by a file field. */
export function OpenButton({ isPrimary = false }: { readonly isPrimary?: boolean }) {
  return (
    <FileButton
      name="Open…"
      title="Open (Ctrl + O)"
      label="CoNLL-U file"
      onFile={openPlainFile}
      onPick={pickFile}
      isPrimary={isPrimary}
    />
  );
}

function CompareButton() {
  return (
    <FileButton
      name="Compare…"
      title="Compare with a second annotation"
      label="Second annotation"
      onFile={async (file) => compareWith(file.name, new Uint8Array(await file.arrayBuffer()))}
      isPressed={state.second.value !== undefined}
    />
  );
}
