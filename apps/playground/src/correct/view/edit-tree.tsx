import { type Layout, layoutArcs, renderSvg } from "@arcwise/draw";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { running } from "../../model/model.ts";
import { useWidth } from "../../shared/tree.tsx";
import { setHead } from "../actions.ts";
import { otherSentence } from "../compare-actions.ts";
import { scoreSentence } from "../doubts.ts";
import { errorsOf } from "../findings.ts";
import { attachEdge } from "../graph-actions.ts";
import { select } from "../navigation.ts";
import * as state from "../state.ts";
import { editorDiagram } from "./diagrams.ts";
import { type Drag, type DropTarget, dragOf, nearestWord } from "./dragging.ts";

/** The tree of the current sentence: words are selected and arcs dragged to other heads. */
export function EditTree() {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const sentence = state.content.value;
  const probabilities = useProbabilities();
  const [mode, other, usesKeys] = [state.mode.value, otherSentence(), state.usesKeys.value];
  const hasLetters = usesKeys && mode === "arcs" && other === undefined;
  const { value: zoom } = state.zoom;
  const room = state.wraps.value ? Math.floor(width / zoom) : undefined;
  const layout = useMemo(() => {
    if (sentence === undefined || room === 0) return undefined;
    const diagram = editorDiagram(sentence, { mode, hasLetters, probabilities, other });
    return layoutArcs(diagram, room === undefined ? {} : { width: room });
  }, [sentence, mode, hasLetters, probabilities, other, room]);
  const svg = useMemo(
    () => (layout === undefined ? "" : renderSvg(layout, { isStandalone: false })),
    [layout],
  );
  const { drag, target, handlers } = useDragging(layout);
  useMarks(place, svg);
  const aim = state.aim.value;
  const shown =
    drag ?? (aim === undefined ? undefined : { from: state.selected.value, edge: undefined, isMoved: true });
  return (
    <div
      ref={place}
      class="tree edit-tree"
      data-direction={layout?.diagram.direction}
      data-dragging={drag?.isMoved || undefined}
      {...handlers}
    >
      {drag?.isMoved && (
        <div class="root-zone" data-over={target?.id === "0" || undefined}>
          root
        </div>
      )}
      <div class="edit-drawing" style={{ zoom }}>
        <div dangerouslySetInnerHTML={{ __html: svg }} />
        {layout !== undefined && shown?.isMoved && (
          <DragLine
            layout={layout}
            from={shown.from}
            target={target ?? (aim === undefined ? undefined : { id: aim })}
          />
        )}
      </div>
    </div>
  );
}

/** The probabilities of the heads of the current sentence, if they are shown. */
function useProbabilities(): readonly number[] | undefined {
  const own = state.current.value;
  const isShown = state.showsDoubts.value;
  const model = running.value;
  const [found, setFound] = useState<readonly number[]>();
  useEffect(() => {
    setFound(own === undefined ? undefined : state.probabilities.get(own));
    if (!isShown || own === undefined || model === undefined) return;
    let isCurrent = true;
    scoreSentence(own).then(
      (known) => isCurrent && setFound(known),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [own, isShown, model]);
  return isShown ? found : undefined;
}

/** Marks the selection, fixed words, findings and notes in the drawing, and makes its words buttons. */
function useMarks(place: { readonly current: HTMLDivElement | null }, svg: string): void {
  const own = state.current.value;
  const [id, edge, aim] = [state.selected.value, state.selectedEdge.value, state.aim.value];
  useLayoutEffect(() => {
    const root = place.current;
    if (root === null || own === undefined) return;
    root.querySelector("svg")?.setAttribute("role", "group");
    const bad = new Set(errorsOf(own).map(({ row }) => row));
    const noted = new Set(own.notes.map(({ word }) => `${word}`));
    const [heads, labels] = [new Set(own.fixed.heads.map(String)), new Set(own.fixed.labels.map(String))];
    const ids: string[] = ["0"];
    for (const word of root.querySelectorAll<SVGElement>("g.word")) {
      const own = word.dataset.id!;
      ids.push(own);
      word.setAttribute("role", "button");
      word.setAttribute("aria-pressed", `${own === id}`);
      word.setAttribute("aria-label", word.querySelector(".form")?.textContent ?? "");
      word.classList.toggle("picked", own === id);
      word.classList.toggle("aimed", own === aim);
      word.classList.toggle("bad", bad.has(own));
      word.classList.toggle("noted", noted.has(own));
    }
    for (const arc of root.querySelectorAll<SVGElement>(".arcs g.arc")) {
      const modifier = ids[Number(arc.dataset.modifier)]!;
      const isEdge = edge?.head === ids[Number(arc.dataset.head)] && edge?.relation === arc.dataset.label;
      arc.classList.toggle("picked", modifier === id && (edge === undefined || isEdge));
      arc.classList.toggle("fixed", heads.has(modifier));
      arc.classList.toggle("fixed-label", labels.has(modifier));
    }
    // Firefox scrolls to texts, but of a group of them only to the whole drawing.
    for (const text of root.querySelectorAll("g.word.picked text"))
      text.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [svg, own, id, edge, aim, place]);
}

/** Follows a pointer that drags an arc or a word to its head. */
function useDragging(layout: Layout | undefined) {
  const [drag, setDrag] = useState<Drag>();
  const [target, setTarget] = useState<DropTarget>();
  const end = () => {
    setDrag(undefined);
    setTarget(undefined);
  };
  const handlers = {
    onPointerDown(event: PointerEvent & { readonly currentTarget: HTMLElement }) {
      state.usesKeys.value = false;
      const begun = layout === undefined ? undefined : dragOf(event, layout);
      if (begun === undefined) return;
      setDrag(begun);
      // A field that is typed in keeps its value before another word is selected.
      (document.activeElement as HTMLElement | null)?.blur();
      event.currentTarget.setPointerCapture(event.pointerId);
      event.preventDefault();
    },
    onPointerMove(event: PointerEvent & { readonly currentTarget: HTMLElement }) {
      if (drag === undefined || layout === undefined) return;
      const isMoved = drag.isMoved || Math.hypot(event.clientX - drag.x!, event.clientY - drag.y!) > 5;
      if (isMoved && !drag.isMoved) setDrag({ ...drag, isMoved });
      if (isMoved) setTarget(nearestWord(event, layout, drag.from));
    },
    onPointerUp() {
      if (drag === undefined) return;
      end();
      if (!drag.isMoved) pick(drag);
      else if (target !== undefined) drop(drag, target.id);
    },
    onPointerCancel: end,
  };
  return { drag, target, handlers };
}

function pick({ from, edge }: Drag): void {
  const isGraph = state.mode.value === "graph";
  select(from);
  state.chosenEdge.value = isGraph ? edge : undefined;
  if (edge !== undefined && state.mode.value === "arcs") state.labelling.value = true;
}

function drop({ from, edge }: Drag, head: string): void {
  if (state.mode.value === "graph") attachEdge(from, head, edge);
  else if (setHead(Number(from), Number(head))) select(from);
}

/** The arc that would be there: from the head that is aimed at to a word. */
function DragLine(props: {
  readonly layout: Layout;
  readonly from: string;
  readonly target: DropTarget | undefined;
}) {
  const { layout, from, target } = props;
  const placeOf = (id: string | undefined) =>
    layout.words[layout.diagram.words.findIndex((word) => word.id === id)];
  const [word, head] = [placeOf(from), placeOf(target?.id)];
  if (word === undefined) return null;
  const top = word.y - 16;
  const [x, y] =
    head !== undefined ? [head.x, head.y - 16] : target?.id === "0" ? [word.x, 0] : [target?.x, target?.y];
  if (x === undefined || y === undefined) return null;
  const bend = Math.max(0, Math.min(top, y) - 14 - Math.abs(x - word.x) / 6);
  return (
    <svg class="drag-layer" width={layout.width} height={layout.height} aria-hidden="true">
      <path d={`M${x},${y}C${x},${bend} ${word.x},${bend} ${word.x},${top - 5}`} />
      <path class="tip" d={`M${word.x},${top + 2}l-4,-8h8z`} />
    </svg>
  );
}
