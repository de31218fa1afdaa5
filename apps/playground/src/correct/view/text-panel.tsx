import { useDraft } from "../../shared/use-draft.ts";
import { edit } from "../actions.ts";
import type { EditSentence } from "../document.ts";
import * as state from "../state.ts";
import { CommandButton } from "./command-button.tsx";

/** The lines of the sentence as a text: comments, columns, and sentences that break the format. */
export function TextPanel() {
  const own = state.current.value;
  return own === undefined ? null : <Lines key={own.key} own={own} />;
}

function Lines({ own }: { readonly own: EditSentence }) {
  const [text, setText] = useDraft(own.text);
  const apply = () => text !== own.text && edit("Lines", { kind: "lines", text });
  return (
    <div class="lines">
      <label class="field">
        <span>Lines of the sentence: comments and rows, with tabs</span>
        <textarea
          data-value
          rows={Math.min(16, own.text.split("\n").length + 1)}
          spellcheck={false}
          wrap="off"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Tab" && !event.shiftKey) insertTab(event, setText);
            else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
              event.preventDefault();
              event.stopPropagation();
              apply();
            }
          }}
        />
      </label>
      <div class="row">
        <button type="button" class="primary" disabled={text === own.text} onClick={apply}>
          Apply <kbd>Ctrl + Enter</kbd>
        </button>
        <button type="button" disabled={text === own.text} onClick={() => setText(own.text)}>
          Discard
        </button>
        <CommandButton of="Write # text from the words">Write # text from the words</CommandButton>
        <span class="soft">Tab inserts a tab; Shift + Tab leaves the field.</span>
      </div>
    </div>
  );
}

function insertTab(event: KeyboardEvent, setText: (text: string) => void): void {
  event.preventDefault();
  const field = event.currentTarget as HTMLTextAreaElement;
  field.setRangeText("\t", field.selectionStart, field.selectionEnd, "end");
  setText(field.value);
}
