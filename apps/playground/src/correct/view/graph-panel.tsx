import { useState } from "preact/hooks";
import { hasGraph } from "../../shared/sentences.ts";
import { choose } from "../commands.ts";
import * as state from "../state.ts";
import { Choices } from "./choices.tsx";
import { CommandButton } from "./command-button.tsx";
import { TextField } from "./dialog.tsx";

/** The edges of the selected node, and the relations of the selected edge. */
export function GraphPanel() {
  const { value: edge } = state.selectedEdge;
  const { value: sentence } = state.content;
  const isGraph = sentence !== undefined && hasGraph(sentence);
  return (
    <>
      <div class="row">
        {state.edges.value.map((one) => (
          <button
            key={`${one.head}:${one.relation}`}
            type="button"
            class="choice"
            aria-pressed={one === edge}
            onClick={() => {
              state.chosenEdge.value = one;
            }}
          >
            {one.head} : {one.relation}
          </button>
        ))}
        {!isGraph && (
          <CommandButton of="Make the tree the graph">
            Make the tree the graph <kbd>=</kbd>
          </CommandButton>
        )}
        <CommandButton of="Add an empty node">
          Add empty node <kbd>.</kbd>
        </CommandButton>
        <CommandButton
          of="Remove the edge or the empty node"
          isDisabled={edge === undefined && !state.selected.value.includes(".")}
        >
          Remove <kbd>Del</kbd>
        </CommandButton>
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
    <TextField
      class="value-field"
      data-value
      label="Another relation"
      value={text}
      onInput={setText}
      onKeyDown={(event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        event.stopPropagation();
        if (text !== "") choose(text);
        event.currentTarget.blur();
      }}
    />
  );
}
