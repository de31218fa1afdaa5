import { host } from "../../app/host.ts";
import { modelState } from "../../model/model.ts";
import { FileButton } from "../../shared/controls.tsx";
import { moveFocus } from "../../shared/keyboard.ts";
import { compareWith, openHostFile, openPlainFile, pickFile } from "../files.ts";
import { isChanged } from "../history.ts";
import * as state from "../state.ts";
import { CommandButton } from "./command-button.tsx";
import { errorCount } from "./findings-list.tsx";

/** The commands of the document. */
export function Toolbar() {
  const history = state.history.value!;
  const changed = isChanged(history);
  const [last, next] = [history.past.at(-1), history.future[0]];
  const hasModel = modelState.value.status === "ready";
  const byModel = {
    isDisabled: !hasModel,
    hint: hasModel ? undefined : "Needs a model: open one in the menu above",
  };
  const errors = errorCount();
  return (
    <div class="toolbar" role="toolbar" aria-label="Document" onKeyDown={moveToolbar}>
      <CommandButton of="Show or fold the sentences" isPressed={state.showsList.value}>
        Sentences
      </CommandButton>
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
        <CommandButton of="Save" class={changed ? "primary" : undefined}>
          Save
        </CommandButton>
      </span>
      <span class="toolbar-group">
        <CommandButton of="Undo" isDisabled={last === undefined} hint={last && `Undo: ${last.name}`}>
          Undo
        </CommandButton>
        <CommandButton of="Redo" isDisabled={next === undefined} hint={next && `Redo: ${next.name}`}>
          Redo
        </CommandButton>
      </span>
      <span class="toolbar-group">
        <CommandButton
          of="After edits, words that are not fixed follow the parser, or stay"
          {...byModel}
          isPressed={state.follows.value}
        >
          Rest follows
        </CommandButton>
        <CommandButton of="Parse the words that are not fixed" {...byModel}>
          Parse
        </CommandButton>
        <CommandButton
          of="Show or hide the probability of each arc"
          {...byModel}
          isPressed={state.showsDoubts.value}
        >
          Probabilities
        </CommandButton>
      </span>
      <span class="toolbar-group">
        <CommandButton of="Show or fold findings, notes and agreement" isPressed={state.showsSide.value}>
          Findings <span class={errors > 0 ? "badge bad" : "badge"}>{errors}</span>
        </CommandButton>
        <FileButton
          name="Compare…"
          title="Compare with a second annotation"
          label="Second annotation"
          onFile={async (file) => compareWith(file.name, new Uint8Array(await file.arrayBuffer()))}
          isPressed={state.second.value !== undefined}
        />
        <CommandButton of="Change by pattern">Change by pattern</CommandButton>
        <CommandButton of="Lists and keys of your own">Lists</CommandButton>
        <CommandButton of="Commands and keys" class="icon">
          ?
        </CommandButton>
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
