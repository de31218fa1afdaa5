import * as actions from "./actions.ts";
import type { Command } from "./command.ts";
import type { EdgeText } from "./edits.ts";
import { depsItems, idOf } from "./linked.ts";
import * as go from "./navigation.ts";
import * as state from "./state.ts";
import { UNDECIDED } from "./tree-edits.ts";

/** Returns the edges that enter the selected node. */
export function selectedEdges(): EdgeText[] {
  const row = state.content.value?.rows.find((one) => idOf(one) === state.selected.value);
  return depsItems(row?.deps ?? "_").map(({ head, relation = "" }) => ({ head, relation }));
}

/** Selects the edge some places on among the edges of the selected node. */
function stepEdge(by: number): void {
  const edges = selectedEdges();
  if (edges.length === 0) return;
  const { value: now } = state.selectedEdge;
  const at = edges.findIndex(({ head, relation }) => head === now?.head && relation === now.relation);
  state.selectedEdge.value = edges[(at + by + edges.length) % edges.length];
}

/** Adds an edge from a head to a node, and selects it. */
export function addEdgeFrom(head: string, node: string): void {
  const to = { head, relation: head === "0" ? "root" : UNDECIDED };
  if (!actions.edit("Add edge", { kind: "edge", node, to })) return;
  go.select(node);
  state.selectedEdge.value = to;
}

/** Gives an edge of a node another head, and selects it. */
export function moveEdge(node: string, from: EdgeText, head: string): void {
  const to = { ...from, head };
  if (!actions.edit("Move edge", { kind: "edge", node, from, to })) return;
  go.select(node);
  state.selectedEdge.value = to;
}

/** Moves the selected edge to the head that is aimed at, or adds an edge from there. */
export function applyAim(): void {
  const [aim, edge, node] = [state.aim.value, state.selectedEdge.value, state.selected.value];
  if (aim === undefined) return;
  if (edge === undefined) addEdgeFrom(aim, node);
  else moveEdge(node, edge, aim);
  state.aim.value = undefined;
}

/** Adds an empty node behind the selected word, below the head of the word. */
export function addEmptyNode(): void {
  const [word = 0] = state.selected.value.split(".").map(Number);
  const rows = state.content.value?.rows ?? [];
  const count = rows.filter((row) => row.kind === "empty" && row.after === word).length;
  const head = rows.find((row) => row.kind === "word" && row.head === 0);
  const edge = { head: head === undefined ? "0" : idOf(head), relation: "conj" };
  if (!actions.edit("Add empty node", { kind: "addEmptyNode", after: word, form: "_", edge })) return;
  go.select(`${word}.${count + 1}`);
}

/** Removes the selected edge, or the selected empty node. */
export function removeSelected(): void {
  const [edge, node] = [state.selectedEdge.value, state.selected.value];
  if (edge !== undefined) {
    if (actions.edit("Remove edge", { kind: "edge", node, from: edge })) state.selectedEdge.value = undefined;
  } else if (node.includes(".")) actions.edit("Remove empty node", { kind: "removeEmptyNode", node });
}

const GRAPH = { group: "Graph", modes: ["graph"] } as const;

/** The commands of the mode of graphs. */
export const graphCommands: readonly Command[] = [
  { ...GRAPH, title: "Next edge of the node", keys: ["ArrowDown"], run: () => stepEdge(1) },
  { ...GRAPH, title: "Edge before", keys: ["ArrowUp"], run: () => stepEdge(-1) },
  {
    ...GRAPH,
    title: "Add an edge from the word that is aimed at",
    keys: ["Ctrl+ArrowDown"],
    run: addFromAim,
  },
  { ...GRAPH, title: "Move the edge to the word that is aimed at", keys: ["Ctrl+ArrowUp"], run: applyAim },
  { ...GRAPH, title: "Add an empty node", keys: ["."], run: addEmptyNode },
  { ...GRAPH, title: "Remove the edge or the empty node", keys: ["Delete"], run: removeSelected },
  {
    ...GRAPH,
    title: "Make the tree the graph",
    keys: ["="],
    run: () => actions.edit("Graph", { kind: "graph" }),
  },
];

function addFromAim(): void {
  const { value: aim } = state.aim;
  if (aim === undefined) return;
  addEdgeFrom(aim, state.selected.value);
  state.aim.value = undefined;
}
