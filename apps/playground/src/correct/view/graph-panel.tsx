import { useState } from "preact/hooks";
import { edit } from "../actions.ts";
import { choose } from "../commands.ts";
import { addEmptyNode, removeSelected, selectedEdges } from "../graph-actions.ts";
import * as state from "../state.ts";
import { Choices } from "./choices.tsx";

/** The edges of the selected node, and the relations of the selected edge. */
export function GraphPanel() {
  const edges = selectedEdges();
  const { value: edge } = state.selectedEdge;
  const hasGraph = state.content.value?.rows.some(({ deps }) => deps !== "_") ?? false;
  return (
    <>
      <div class="row graph-bar">
        {edges.map((one) => (
          <button
            key={`${one.head}:${one.relation}`}
            type="button"
            class="choice"
            aria-pressed={one.head === edge?.head && one.relation === edge.relation}
            onClick={() => {
              state.selectedEdge.value = one;
            }}
          >
            {one.head} : {one.relation}
          </button>
        ))}
        {!hasGraph && (
          <button type="button" onClick={() => edit("Graph", { kind: "graph" })}>
            Make the tree the graph <kbd>=</kbd>
          </button>
        )}
        <button type="button" onClick={addEmptyNode}>
          Add empty node <kbd>.</kbd>
        </button>
        <button
          type="button"
          disabled={edge === undefined && !state.selected.value.includes(".")}
          onClick={removeSelected}
        >
          Remove <kbd>Del</kbd>
        </button>
      </div>
      {edge === undefined ? (
        <p class="soft hint">
          Drag a word onto another to add an edge, and an edge onto another head. <kbd>↑</kbd> <kbd>↓</kbd>{" "}
          choose an edge of the word.
        </p>
      ) : (
        <>
          <Choices value={edge.relation} />
          <EdgeField key={`${edge.head}:${edge.relation}`} relation={edge.relation} />
        </>
      )}
    </>
  );
}

/** A field for a relation that is not listed, such as `obl:in_front_of`. */
function EdgeField({ relation }: { readonly relation: string }) {
  const [text, setText] = useState(relation);
  return (
    <label class="field value-field">
      <span>Another relation</span>
      <input
        data-value
        value={text}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          event.stopPropagation();
          if (text !== "") choose(text);
          event.currentTarget.blur();
        }}
      />
    </label>
  );
}
