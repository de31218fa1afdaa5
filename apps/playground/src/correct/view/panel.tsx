import type { Row } from "@arcwise/conllu";
import { moveFocus } from "../../shared/keyboard.ts";
import { enterMode } from "../commands.ts";
import { idOf } from "../linked.ts";
import * as state from "../state.ts";
import { MODE_NAMES, MODES } from "../state.ts";
import { Choices } from "./choices.tsx";
import { FeaturesPanel } from "./features-panel.tsx";
import { GraphPanel } from "./graph-panel.tsx";
import { TextPanel } from "./text-panel.tsx";
import { ValueField } from "./value-field.tsx";
import { WordBar } from "./word-bar.tsx";

/** The panel below the tree: what the present mode edits. It never covers the tree. */
export function Panel() {
  const { value: mode } = state.mode;
  const row = state.content.value?.rows.find((one) => idOf(one) === state.selected.value);
  return (
    <section class="panel" aria-label="Editor">
      <div class="modes" role="toolbar" aria-label="Modes" onKeyDown={(event) => moveFocus(event, "button")}>
        {MODE_NAMES.map((name, i) => (
          <button key={name} type="button" aria-pressed={name === mode} onClick={() => enterMode(name)}>
            {MODES[name]}
            <kbd>{i + 1}</kbd>
          </button>
        ))}
      </div>
      {row !== undefined && mode !== "text" && <WordBar row={row} />}
      <ModePanel row={row} />
    </section>
  );
}

function ModePanel({ row }: { readonly row: Row | undefined }) {
  const { value: mode } = state.mode;
  if (mode === "text" || row === undefined) return <TextPanel />;
  const key = `${state.currentKey.value} ${idOf(row)} ${mode}`;
  if (mode === "arcs") return <ArcsPanel />;
  if (mode === "relations") return <ChoicePanel key={key} column="deprel" value={row.deprel} />;
  if (mode === "tags") return <TagPanel key={key} row={row} />;
  if (mode === "lemmas") return <LemmaPanel key={key} row={row} />;
  if (mode === "features") return <FeaturesPanel key={key} row={row} />;
  return <GraphPanel key={key} />;
}

function ArcsPanel() {
  return (
    <p class="soft hint">
      Drag a word or an arc onto its head. By keys: the letter below a word makes it the head and goes to the
      next word; <kbd>Shift</kbd> with arrow keys aims, <kbd>Enter</kbd> accepts, <kbd>0</kbd> makes the root.
    </p>
  );
}

/** The values of a column with their keys, and a field for any other value. */
function ChoicePanel({ column, value }: { readonly column: "deprel" | "upos"; readonly value: string }) {
  return (
    <>
      <Choices value={value} />
      <ValueField
        column={column}
        label={column === "deprel" ? "Another relation" : "Another tag"}
        value={value}
      />
    </>
  );
}

function TagPanel({ row }: { readonly row: Row }) {
  return (
    <>
      <ChoicePanel column="upos" value={row.upos} />
      <ValueField column="xpos" label="XPOS" value={row.xpos} isSecond />
    </>
  );
}

function LemmaPanel({ row }: { readonly row: Row }) {
  return (
    <div class="fields">
      <ValueField column="lemma" label="Lemma" value={row.lemma} />
      <ValueField column="form" label="Form" value={row.form} isSecond />
      <ValueField column="misc" label="MISC" value={row.misc} isSecond />
    </div>
  );
}
