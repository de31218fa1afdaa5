import { useRef } from "preact/hooks";
import { useDraft } from "../../shared/use-draft.ts";
import { type FieldColumn, selectedPlace, setColumn } from "../actions.ts";
import { focusOn } from "../commands.ts";
import { valueFindings } from "../findings.ts";
import { unusualFeatures } from "../inventory.ts";
import { stepWord } from "../navigation.ts";
import * as state from "../state.ts";
import { TextField } from "./dialog.tsx";

interface ValueFieldProperties {
  readonly column: FieldColumn;
  readonly label: string;
  readonly value: string;
  /** Whether another field is the main one of the mode. */
  readonly isSecond?: boolean;
}

/** A field for a column, checked while one types. Enter sets it and goes to the next word; Escape leaves it as it was. */
export function ValueField({ column, label, value, isSecond = false }: ValueFieldProperties) {
  const [text, setText] = useDraft(value);
  const said = column === "form" || text === "" ? [] : valueFindings(column, text);
  const { upos = "_" } = state.selectedRow.value ?? {};
  const unusual =
    column === "feats" && said.length === 0
      ? unusualFeatures(state.inventory.value, upos, text, state.ownLists.value)
      : [];
  const isLeft = useRef(false);
  // A field that goes away since another word is selected still belongs to its own word.
  const place = useRef(selectedPlace());
  const set = () => text === value || setColumn(column, text, place.current);
  const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLInputElement }) => {
    if (event.key === "Escape") {
      isLeft.current = true;
      event.currentTarget.blur();
      event.stopPropagation();
    }
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (!set()) return;
    stepWord(event.shiftKey ? -1 : 1);
    const mode = state.mode.value;
    if (mode === "lemmas" || mode === "features") focusOn("[data-value]");
    else event.currentTarget.blur();
  };
  return (
    <TextField
      class="value-field"
      data-value={isSecond ? undefined : true}
      label={label}
      value={text}
      aria-invalid={said.length > 0 || undefined}
      onInput={setText}
      onBlur={() => {
        if (isLeft.current) setText(value);
        else set();
        isLeft.current = false;
      }}
      onKeyDown={onKeyDown}
    >
      {said[0] !== undefined && <span class="error said">Expected {said[0].expected}.</span>}
      {unusual.length > 0 && (
        <span class="soft said">
          {unusual.join(", ")}: no other {upos} of this treebank has it.
        </span>
      )}
    </TextField>
  );
}
