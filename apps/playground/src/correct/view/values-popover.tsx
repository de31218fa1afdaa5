import "./values-popover.css";
import type { Row } from "@arcwise/conllu";
import { useLayoutEffect, useRef } from "preact/hooks";
import { setLabelling } from "../commands.ts";
import { idOf } from "../linked.ts";
import * as state from "../state.ts";
import { Choices } from "./choices.tsx";
import { FeaturesPanel } from "./features-panel.tsx";
import { GraphPanel } from "./graph-panel.tsx";
import { ValueField } from "./value-field.tsx";

/** Pixels between the values and the word, and between them and the edge of the tree. */
const GAP = 8;

/** The values of the present mode, at the selected word; on a phone a sheet at the bottom of the page. */
export function ValuesPopover() {
  const place = useRef<HTMLElement>(null);
  const { value: mode } = state.mode;
  const { value: row } = state.selectedRow;
  const isOpen = row !== undefined && mode !== "text" && (mode !== "arcs" || state.labelling.value);
  useLayoutEffect(() => {
    if (!isOpen) return;
    const move = () => place.current !== null && moveTo(place.current, idOf(row));
    move();
    // The tree may be drawn anew in the same frame.
    const frame = requestAnimationFrame(move);
    const end = new AbortController();
    addEventListener("resize", move, { signal: end.signal });
    addEventListener("scroll", move, { signal: end.signal, capture: true });
    return () => {
      cancelAnimationFrame(frame);
      end.abort();
    };
  });
  if (!isOpen) return null;
  return (
    <section ref={place} class="popover" aria-label={`Values of ${row.form}`}>
      {mode === "arcs" && (
        <button
          type="button"
          class="icon close"
          aria-label="Close the values"
          onClick={() => setLabelling(false)}
        >
          ×
        </button>
      )}
      <Values key={`${state.currentKey.value} ${idOf(row)} ${mode}`} row={row} />
    </section>
  );
}

/** Moves the values below a word, or above it where there is no room below. The style sheet ignores this on phones. */
function moveTo(box: HTMLElement, id: string): void {
  const word = document.querySelector(`.edit-tree g.word[data-id="${id}"]`)?.getBoundingClientRect();
  const frame = box.closest(".workspace")!.getBoundingClientRect();
  if (word === undefined) return;
  const { width, height } = box.getBoundingClientRect();
  const middle = word.left + word.width / 2 - width / 2;
  const left = Math.max(frame.left + GAP, Math.min(frame.right - width - GAP, middle));
  const below = word.bottom + GAP;
  const top =
    below + height <= innerHeight - GAP ? below : Math.max(frame.top + GAP, word.top - height - GAP);
  box.style.setProperty("--left", `${left}px`);
  box.style.setProperty("--top", `${top}px`);
}

function Values({ row }: { readonly row: Row }) {
  switch (state.mode.value) {
    case "tags":
      return (
        <>
          <ChoiceValues column="upos" label="Another tag" value={row.upos} />
          <ValueField column="xpos" label="XPOS" value={row.xpos} isSecond />
        </>
      );
    case "lemmas":
      return (
        <div class="fields">
          <ValueField column="lemma" label="Lemma" value={row.lemma} />
          <ValueField column="form" label="Form" value={row.form} isSecond />
          <ValueField column="misc" label="MISC" value={row.misc} isSecond />
        </div>
      );
    case "features":
      return <FeaturesPanel row={row} />;
    case "graph":
      return <GraphPanel />;
    default:
      return <ChoiceValues column="deprel" label="Another relation" value={row.deprel} />;
  }
}

/** The values of a column with their keys, and a field for any other value. */
function ChoiceValues(props: {
  readonly column: "deprel" | "upos";
  readonly label: string;
  readonly value: string;
}) {
  return (
    <>
      <Choices value={props.value} />
      <ValueField {...props} />
    </>
  );
}
