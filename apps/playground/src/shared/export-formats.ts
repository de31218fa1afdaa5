/** A way to write sentences into a file. */
export interface ExportFormat {
  readonly title: string;
  readonly ending: string;
  readonly type: string;
}

/** The formats of exports, in the order of their menu. */
export const EXPORTS = {
  conllu: { title: "CoNLL-U", ending: "conllu", type: "text/plain" },
  json: { title: "JSON", ending: "json", type: "application/json" },
  svg: { title: "SVG", ending: "svg", type: "image/svg+xml" },
  png: { title: "PNG", ending: "png", type: "image/png" },
  tikz: { title: "tikz-dependency", ending: "tex", type: "text/plain" },
} as const satisfies Record<string, ExportFormat>;

/** The name of a format of `EXPORTS`. */
export type ExportName = keyof typeof EXPORTS;
