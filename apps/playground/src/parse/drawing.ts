import type { ConlluSentence } from "@arcwise/conllu";
import { type Diagram, type DrawOptions, sentenceDiagram } from "@arcwise/draw";
import { sentences } from "../app/store.ts";
import type { Exported, NamedDrawing } from "../shared/export.ts";
import { hasGraph } from "../shared/sentences.ts";
import { drawings } from "../shared/tree.tsx";
import { settings } from "./settings.ts";

/** How the page draws sentences. */
interface Drawn {
  readonly diagramOf: (sentence: ConlluSentence) => Diagram;
  readonly options: Omit<DrawOptions, "isStandalone" | "width">;
}

/** Returns a sentence, or all of them if it is undefined, with the drawings that the page shows of them. */
export function exported(index: number | undefined): Exported {
  const all = sentences.value;
  const places = index === undefined ? [...all.keys()] : [index];
  return {
    sentences: places.map((i) => all[i]!),
    drawings: places.flatMap((i) => drawingsOf(all[i]!, i)),
    name: index === undefined ? "sentences" : `sentence-${index + 1}`,
  };
}

/** Returns the drawings of a sentence: those on the page, or what would be there. */
function drawingsOf(sentence: ConlluSentence, index: number): NamedDrawing[] {
  const { diagramOf, options } = drawing();
  const places = document.getElementById(`sentence-${index}`)?.closest("li")?.querySelectorAll(".tree") ?? [];
  const shown = [...places].flatMap((place) => drawings.get(place) ?? []);
  const all = shown.length > 0 ? shown : [{ sentence: diagramOf(sentence), options }];
  return all.map((one, i) => ({
    name: `sentence-${index + 1}${i === 0 ? "" : `-${i + 1}`}`,
    drawn: one.sentence,
    options: one.options ?? {},
  }));
}

/** Returns how sentences are drawn, by the settings. */
export function drawing(): Drawn {
  const { layout, graph, tags } = settings.value;
  return {
    diagramOf: (sentence: ConlluSentence) =>
      sentenceDiagram(sentence, { tags: [...tags], graph: hasGraph(sentence) ? graph : "basic" }),
    options: { layout },
  };
}
