import { type ConlluSentence, viewSentence, writeConllu } from "@arcwise/conllu";
import { drawSvg, drawTikz } from "@arcwise/draw";
import { type Drawn, EXPORTS, type ExportName } from "./export-formats.ts";

/** Writes sentences, drawn as the page shows them. */
type Writer = (sentences: readonly ConlluSentence[], drawn: Drawn) => string | Promise<Blob>;

const WRITERS: Readonly<Record<ExportName, Writer>> = {
  conllu: (sentences) => writeConllu(sentences),
  json: (sentences) =>
    `${JSON.stringify(
      sentences.map((sentence) => viewSentence(sentence).toJSON()),
      null,
      2,
    )}\n`,
  svg: ([sentence], { diagramOf, options }) => drawSvg(diagramOf(sentence!), options),
  png: ([sentence], { diagramOf, options }) =>
    pngOf(drawSvg(diagramOf(sentence!), { ...options, isStandalone: false })),
  tikz: (sentences, { diagramOf }) => sentences.map((sentence) => drawTikz(diagramOf(sentence))).join("\n"),
};

/** Writes sentences in a format, and saves the file. A picture has the first sentence alone. */
export async function exportSentences(
  name: ExportName,
  sentences: readonly ConlluSentence[],
  drawn: Drawn,
): Promise<void> {
  const { ending, type } = EXPORTS[name];
  const written = await WRITERS[name](sentences, drawn);
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
