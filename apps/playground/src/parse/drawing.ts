import type { ConlluSentence } from "@arcwise/conllu";
import { sentenceDiagram } from "@arcwise/draw";
import type { Drawn } from "../shared/export-formats.ts";
import { hasGraph } from "../shared/sentences.ts";
import { settings } from "./settings.ts";

/** Returns how sentences are drawn, by the settings. */
export function drawing(): Drawn {
  const { layout, graph, tags } = settings.value;
  return {
    diagramOf: (sentence: ConlluSentence) =>
      sentenceDiagram(sentence, { tags: [...tags], graph: hasGraph(sentence) ? graph : "basic" }),
    options: { layout },
  };
}
