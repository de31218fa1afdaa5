import type { ConlluSentence } from "@arcwise/conllu";
import type { Diagram, DrawOptions } from "@arcwise/draw";

/** How the page draws sentences. */
export interface Drawn {
  readonly diagramOf: (sentence: ConlluSentence) => Diagram;
  readonly options: Omit<DrawOptions, "isStandalone" | "width">;
}

/** A way to write sentences into a file. */
export interface ExportFormat {
  readonly title: string;
  readonly ending: string;
  readonly type: string;
  /** Whether a file has one sentence. */
  readonly isPicture: boolean;
}

/** The formats of exports, in the order of their menu. */
export const EXPORTS = {
  conllu: { title: "CoNLL-U", ending: "conllu", type: "text/plain", isPicture: false },
  json: { title: "JSON", ending: "json", type: "application/json", isPicture: false },
  svg: { title: "SVG", ending: "svg", type: "image/svg+xml", isPicture: true },
  png: { title: "PNG", ending: "png", type: "image/png", isPicture: true },
  tikz: { title: "tikz-dependency", ending: "tex", type: "text/plain", isPicture: false },
} as const satisfies Record<string, ExportFormat>;

/** The name of a format of `EXPORTS`. */
export type ExportName = keyof typeof EXPORTS;
