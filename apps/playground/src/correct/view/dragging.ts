import type { Layout } from "@arcwise/draw";
import type { EdgeText } from "../edits.ts";

/** A word or an arc under a pointer that is down. */
export interface Drag {
  /** ID of the word, or of the modifier of the arc. */
  readonly from: string;
  /** The arc; undefined where a word is dragged. */
  readonly edge: EdgeText | undefined;
  /** Where the pointer went down. */
  readonly x?: number;
  readonly y?: number;
  /** Whether the pointer has moved: it drags, and does not click. */
  readonly isMoved: boolean;
}

/** The head that an arc would get: a word, the root ("0"), or a place of the pointer. */
export interface DropTarget {
  readonly id: string;
  readonly x?: number;
  readonly y?: number;
}

/** Returns what a pointer takes hold of; undefined if it is neither a word nor an arc above the words. */
export function dragOf(event: PointerEvent, { diagram }: Layout): Drag | undefined {
  const element = (event.target as Element).closest<SVGElement>("g.word, g.arc");
  if (element === null || event.button !== 0) return undefined;
  const start = { x: event.clientX, y: event.clientY, isMoved: false };
  if (element.classList.contains("word")) return { ...start, from: element.dataset.id!, edge: undefined };
  const { head, modifier, label: relation = "" } = element.dataset;
  const idOf = (position: string | undefined) =>
    position === "0" ? "0" : diagram.words[Number(position) - 1]!.id;
  return { ...start, from: idOf(modifier), edge: { head: idOf(head), relation } };
}

/** Pixels above the drawing from which the root is meant, and the weight of vertical distances. */
const ROOT_ABOVE = 4;
const VERTICAL = 2;

/** Returns the word nearest to a pointer, or the root above the drawing. O(words). */
export function nearestWord(event: PointerEvent, layout: Layout, from: string): DropTarget | undefined {
  const drawing = (event.currentTarget as Element).querySelector("svg");
  if (drawing === null) return undefined;
  const box = drawing.getBoundingClientRect();
  const zoom = box.width / layout.width || 1;
  const [x, y] = [(event.clientX - box.left) / zoom, (event.clientY - box.top) / zoom];
  if (y < ROOT_ABOVE) return { id: "0", x, y };
  let [best, distance] = [-1, Number.POSITIVE_INFINITY];
  for (const [i, word] of layout.words.entries()) {
    if (layout.diagram.words[i]!.id === from) continue;
    const away =
      Math.max(0, Math.abs(x - word.x) - word.width / 2) + VERTICAL * Math.max(0, Math.abs(y - word.y) - 24);
    if (away < distance) [best, distance] = [i, away];
  }
  return best < 0 ? undefined : { id: layout.diagram.words[best]!.id, x, y };
}
