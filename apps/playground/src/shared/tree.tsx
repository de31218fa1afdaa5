import type { ConlluSentence } from "@arcwise/conllu";
import { type Diagram, type DrawOptions, drawSvg } from "@arcwise/draw";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { moveFocus } from "./keyboard.ts";

/** A word or an arc of a drawing, by positions of words; 0 is the root. */
export type Picked =
  | { readonly kind: "word"; readonly word: number }
  | { readonly kind: "arc"; readonly head: number; readonly modifier: number; readonly label: string };

/** Properties of `Tree`. */
export interface TreeProperties {
  readonly sentence: ConlluSentence | Diagram;
  readonly options?: Omit<DrawOptions, "isStandalone" | "width">;
  /** Called for a click on a word or arc, or Enter on it. Without it the drawing is a picture. */
  readonly onPick?: (picked: Picked, element: SVGElement) => void;
  /** The words and arcs that stand out. */
  readonly picked?: Picked | readonly Picked[] | undefined;
  /** Numbers of the nodes of a pattern, by positions of their words: each node has a colour. */
  readonly nodes?: ReadonlyMap<number, number> | undefined;
}

/** What is drawn in a place of the page, for exports: what is seen is what is saved. */
export const drawings = new WeakMap<
  Element,
  { readonly sentence: TreeProperties["sentence"]; readonly options: TreeProperties["options"] | undefined }
>();

/** Number of colours of nodes, which the style sheet has. */
export const NODE_COLOURS = 4;
const NOTHING: readonly Picked[] = [];

/** Draws a sentence as wide as its place. Words and arcs can be picked by pointer and by keyboard if `onPick` is there. */
export function Tree({ sentence, options, onPick, picked = NOTHING, nodes }: TreeProperties) {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const svg = useMemo(
    () => (width === 0 ? "" : drawSvg(sentence, { ...options, isStandalone: false, width })),
    [sentence, options, width],
  );
  const isInteractive = onPick !== undefined;
  useLayoutEffect(() => {
    if (place.current === null) return;
    drawings.set(place.current, { sentence, options });
    if (isInteractive) makeInteractive(place.current);
  }, [svg, isInteractive]);
  useLayoutEffect(() => {
    if (place.current !== null) markPicked(place.current, [picked].flat());
  }, [svg, picked]);
  useLayoutEffect(() => {
    for (const word of place.current?.querySelectorAll<SVGElement>("g.word") ?? []) {
      const node = nodes?.get(Number(word.dataset.word));
      if (node === undefined) delete word.dataset.node;
      else word.dataset.node = `${node % NODE_COLOURS}`;
    }
  }, [svg, nodes]);
  const pick = (event: Event) => {
    const element = (event.target as Element).closest<SVGElement>("g.word, g.arc");
    if (element !== null) onPick?.(pickedOf(element), element);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      pick(event);
    } else moveFocus(event, (event.target as Element).closest("g.arc") === null ? "g.word" : "g.arc");
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the words and arcs in the drawing are its buttons
    <div
      ref={place}
      class="tree"
      data-interactive={isInteractive || undefined}
      onClick={isInteractive ? pick : undefined}
      onKeyDown={isInteractive ? onKeyDown : undefined}
      dangerouslySetInnerHTML={{ __html: svg }}
    />
  );
}

/** Returns the width of an element in pixels before it is painted, and again whenever it changes; 0 at first. */
export function useWidth(place: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { paddingLeft, paddingRight } = getComputedStyle(place.current!);
    const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
    setWidth(Math.floor(place.current!.getBoundingClientRect().width - padding));
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)));
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, [place]);
  return width;
}

/** Makes buttons of the words and arcs of a drawing. The first word and the first arc can be reached by Tab. */
function makeInteractive(place: HTMLElement): void {
  place.querySelector("svg")?.setAttribute("role", "group");
  for (const kind of ["word", "arc"]) {
    for (const [i, element] of place.querySelectorAll<SVGElement>(`g.${kind}`).entries()) {
      element.setAttribute("role", "button");
      element.setAttribute("tabindex", i === 0 ? "0" : "-1");
      const name = element.querySelector(kind === "arc" ? "title" : ".form")?.textContent ?? "";
      element.setAttribute("aria-label", name);
    }
  }
}

function markPicked(place: HTMLElement, picked: readonly Picked[]): void {
  for (const element of place.querySelectorAll(".picked")) element.classList.remove("picked");
  for (const one of picked) {
    const selector =
      one.kind === "word"
        ? `g.word[data-word="${one.word}"]`
        : `g.arc[data-head="${one.head}"][data-modifier="${one.modifier}"]`;
    for (const element of place.querySelectorAll(selector)) element.classList.add("picked");
  }
}

function pickedOf({ dataset, classList }: SVGElement): Picked {
  if (classList.contains("word")) return { kind: "word", word: Number(dataset.word) };
  const { head, modifier, label = "" } = dataset;
  return { kind: "arc", head: Number(head), modifier: Number(modifier), label };
}
