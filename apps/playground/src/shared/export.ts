import { type ConlluSentence, viewSentence, writeConllu } from "@arcwise/conllu";
import { type Diagram, type DrawOptions, drawSvg, drawTikz } from "@arcwise/draw";

/** A way to write sentences into a file. */
export interface ExportFormat {
  readonly title: string;
  readonly ending: string;
  readonly type: string;
  /** Whether a file has one sentence. */
  readonly isPicture: boolean;
  /** @param drawn the diagram of each sentence as the page shows it */
  readonly write: (sentences: readonly ConlluSentence[], drawn: Drawn) => string | Promise<Blob>;
}

/** How the page draws sentences. */
export interface Drawn {
  readonly diagramOf: (sentence: ConlluSentence) => Diagram;
  readonly options: Omit<DrawOptions, "isStandalone" | "width">;
}

const svgOf = ([sentence]: readonly ConlluSentence[], { diagramOf, options }: Drawn): string =>
  drawSvg(diagramOf(sentence!), options);

/** The formats of exports, in the order of their menu. */
export const EXPORTS = {
  conllu: {
    title: "CoNLL-U",
    ending: "conllu",
    type: "text/plain",
    isPicture: false,
    write: (sentences) => writeConllu(sentences),
  },
  json: {
    title: "JSON",
    ending: "json",
    type: "application/json",
    isPicture: false,
    write: (sentences) =>
      `${JSON.stringify(
        sentences.map((sentence) => viewSentence(sentence).toJSON()),
        null,
        2,
      )}\n`,
  },
  svg: { title: "SVG", ending: "svg", type: "image/svg+xml", isPicture: true, write: svgOf },
  png: {
    title: "PNG",
    ending: "png",
    type: "image/png",
    isPicture: true,
    write: ([sentence], { diagramOf, options }) =>
      pngOf(drawSvg(diagramOf(sentence!), { ...options, isStandalone: false })),
  },
  tikz: {
    title: "tikz-dependency",
    ending: "tex",
    type: "text/plain",
    isPicture: false,
    write: (sentences, { diagramOf }) =>
      sentences.map((sentence) => drawTikz(diagramOf(sentence))).join("\n"),
  },
} as const satisfies Record<string, ExportFormat>;

/** The name of a format of `EXPORTS`. */
export type ExportName = keyof typeof EXPORTS;

/** Writes sentences in a format, and saves the file. A picture has the first sentence alone. */
export async function exportSentences(
  name: ExportName,
  sentences: readonly ConlluSentence[],
  drawn: Drawn,
): Promise<void> {
  const { ending, type, write }: ExportFormat = EXPORTS[name];
  const written = await write(sentences, drawn);
  save(`sentences.${ending}`, typeof written === "string" ? new Blob([written], { type }) : written);
}

/** Saves a file as a download. */
export function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Pixels of a picture per pixel of the drawing. */
const PNG_SCALE = 2;
/** Maximum width and height of a canvas that all browsers allow. */
const MAX_SIDE = 16_384;

/** Returns a drawing as a picture with a white background: without a style sheet it has the colours of light pages. */
async function pngOf(element: string): Promise<Blob> {
  const image = new Image();
  const svg = element.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ');
  image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  await image.decode();
  URL.revokeObjectURL(image.src);
  const scale = Math.min(PNG_SCALE, MAX_SIDE / image.width, MAX_SIDE / image.height);
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(scale * image.width);
  canvas.height = Math.ceil(scale * image.height);
  const context = canvas.getContext("2d")!;
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob === null ? reject(new Error("the picture is too large")) : resolve(blob))),
  );
}
