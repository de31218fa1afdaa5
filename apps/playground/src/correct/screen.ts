import type { Command } from "./command.ts";
import * as state from "./state.ts";

const MIN_ZOOM = 0.5;
const MAX_ZOOM = 3;

/** Makes the tree larger or smaller. */
export function zoomBy(factor: number): void {
  const next = Math.round(20 * state.zoom.value * factor) / 20;
  state.zoom.value = Math.max(MIN_ZOOM, Math.min(MAX_ZOOM, next));
}

/** Returns a function that turns a setting over. */
export function toggle(signal: { value: boolean }): () => void {
  return () => {
    signal.value = !signal.value;
  };
}

/** Commands that concern what is shown next to the tree, and how large the tree is. */
export const SCREEN_COMMANDS: readonly Command[] = [
  { group: "Screen", title: "Show or fold the sentences", keys: ["Ctrl+b"], run: toggle(state.showsList) },
  {
    group: "Screen",
    title: "Show or fold findings, notes and agreement",
    keys: ["Ctrl+i"],
    run: toggle(state.showsSide),
  },
  { group: "Screen", title: "Larger tree", keys: ["Alt+ArrowUp"], run: () => zoomBy(1.1) },
  { group: "Screen", title: "Smaller tree", keys: ["Alt+ArrowDown"], run: () => zoomBy(1 / 1.1) },
  { group: "Screen", title: "Wrap the rows, or not", keys: ["Alt+w"], run: toggle(state.wraps) },
];
