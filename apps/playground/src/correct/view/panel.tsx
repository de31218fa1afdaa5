import { moveFocus } from "../../shared/keyboard.ts";
import { enterMode } from "../commands.ts";
import * as state from "../state.ts";
import { MODE_NAMES, MODES } from "../state.ts";
import { TextPanel } from "./text-panel.tsx";
import { WordBar } from "./word-bar.tsx";

/** The panel below the tree: the modes, the selected word, and in the mode Text the lines of the sentence. */
export function Panel() {
  const { value: mode } = state.mode;
  const { value: row } = state.selectedRow;
  return (
    <section class="panel" aria-label="Editor">
      <div class="modes" role="toolbar" aria-label="Modes" onKeyDown={(event) => moveFocus(event, "button")}>
        {MODE_NAMES.map((name, i) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === mode}
            title={name === "arcs" ? ARCS_HINT : undefined}
            onClick={() => enterMode(name)}
          >
            {MODES[name]}
            <kbd>{i + 1}</kbd>
          </button>
        ))}
      </div>
      {row === undefined || mode === "text" ? <TextPanel /> : <WordBar row={row} />}
    </section>
  );
}

const ARCS_HINT =
  "Drag a word or an arc onto its head, click an arc for its relation. By keys: the letter below a word makes it the head; then a letter or Enter settles the relation.";
