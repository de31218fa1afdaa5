import { type ConlluSentence, viewSentence, writeConllu } from "@arcwise/conllu";
import { type Diagram, type DrawOptions, drawSvg, drawTikz } from "@arcwise/draw";
import { EXPORTS, type ExportName } from "./export-formats.ts";

/** A drawing of a sentence, with the name of its file. */
export interface NamedDrawing {
  /** Such as `sentence-3`, or `sentence-3-2` for the second tree that is shown of it. */
  readonly name: string;
  readonly drawn: ConlluSentence | Diagram;
  readonly options: DrawOptions;
}

/** What an export writes: sentences, and drawings of them as the page shows them. */
export interface Exported {
  readonly sentences: readonly ConlluSentence[];
  readonly drawings: readonly NamedDrawing[];
  /** Name of the file, without its ending, if there is one file for all. */
  readonly name: string;
}

/** Formats with a file for all sentences. */
const TEXTS: Readonly<Record<Exclude<ExportName, "svg" | "png">, (exported: Exported) => string>> = {
  conllu: ({ sentences }) => writeConllu(sentences),
  json: ({ sentences }) =>
    `${JSON.stringify(
      sentences.map((sentence) => viewSentence(sentence).toJSON()),
      null,
      2,
    )}\n`,
  tikz: ({ drawings }) =>
    drawings
      .map(({ name, drawn }) => `${drawings.length === 1 ? "" : `% ${name}\n`}${drawTikz(drawn)}`)
      .join("\n"),
};

/** Formats with a file for each tree. */
const PICTURES: Readonly<Record<"svg" | "png", (drawing: NamedDrawing) => Promise<Blob>>> = {
  svg: async ({ drawn, options }) => new Blob([drawSvg(drawn, options)], { type: EXPORTS.svg.type }),
  png: ({ drawn, options }) => pngOf(drawSvg(drawn, { ...options, isStandalone: false })),
};

/** Writes what is exported in a format, and saves it: one file, or an archive if there are several pictures. */
export async function exportTrees(format: ExportName, exported: Exported): Promise<void> {
  const { ending, type } = EXPORTS[format];
  if (format !== "svg" && format !== "png") {
    const text = TEXTS[format](exported);
    return save(`${exported.name}.${ending}`, new Blob([text], { type }));
  }
  const { drawings } = exported;
  const files: (readonly [string, Blob])[] = [];
  for (const drawing of drawings) files.push([`${drawing.name}.${ending}`, await PICTURES[format](drawing)]);
  if (files.length === 1) return save(...files[0]!);
  const { zipSync } = await import("fflate");
  const entries = files.map(
    async ([name, blob]) => [name, new Uint8Array(await blob.arrayBuffer())] as const,
  );
  const archive = zipSync(Object.fromEntries(await Promise.all(entries)));
  save(`${exported.name}-${ending}.zip`, new Blob([archive as BlobPart], { type: "application/zip" }));
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
