import * as actions from "./actions.ts";
import type { EdgeText } from "./edits.ts";
import * as go from "./navigation.ts";
import * as state from "./state.ts";
import { UNDECIDED } from "./tree-edits.ts";

/** Selects the edge some places on among the edges of the selected node. */
export function stepEdge(by: number): void {
  const { value: edges } = state.edges;
  const { value: edge } = state.selectedEdge;
  const at = (edge === undefined ? -1 : edges.indexOf(edge)) + by;
  if (edges.length > 0) state.chosenEdge.value = edges[(at + edges.length) % edges.length];
}

/** Gives a node an edge, in the place of another one if there is one, and selects it. @returns whether it fits */
export function setEdge(name: string, node: string, to: EdgeText, from?: EdgeText): boolean {
  if (!actions.edit(name, { kind: "edge", node, from, to })) return false;
  go.select(node);
  state.chosenEdge.value = to;
  return true;
}

/** Moves an edge of a node to another head; without an edge, adds one from there. */
export function attachEdge(node: string, head: string, edge: EdgeText | undefined): void {
  if (edge !== undefined) setEdge("Move edge", node, { ...edge, head }, edge);
  else setEdge("Add edge", node, { head, relation: head === "0" ? "root" : UNDECIDED });
}

/** Moves the selected edge to the head that is aimed at, or adds an edge from there. */
export function applyAim(): void {
  attachAim(state.selectedEdge.value);
}

/** Adds an edge from the head that is aimed at. */
export function addFromAim(): void {
  attachAim(undefined);
}

function attachAim(edge: EdgeText | undefined): void {
  if (state.aim.value !== undefined) attachEdge(state.selected.value, state.aim.value, edge);
  state.aim.value = undefined;
}

/** Adds an empty node behind the selected word, below the root. */
export function addEmptyNode(): void {
  const [after = 0] = state.selected.value.split(".").map(Number);
  const rows = state.content.value?.rows ?? [];
  const count = rows.filter((row) => row.kind === "empty" && row.after === after).length;
  const root = state.words.value.find(({ head }) => head === 0);
  const edge = { head: `${root?.id ?? 0}`, relation: "conj" };
  if (!actions.edit("Add empty node", { kind: "addEmptyNode", after, form: "_", edge })) return;
  go.select(`${after}.${count + 1}`);
}

/** Removes the selected edge, or the selected empty node. */
export function removeSelected(): void {
  const [edge, node] = [state.selectedEdge.value, state.selected.value];
  if (edge !== undefined) actions.edit("Remove edge", { kind: "edge", node, from: edge });
  else if (node.includes(".")) actions.edit("Remove empty node", { kind: "removeEmptyNode", node });
}
