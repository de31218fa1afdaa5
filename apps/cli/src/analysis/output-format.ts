import { basename } from "node:path";
import { viewSentence, writeSentence } from "@arcwise/conllu";
import { Option } from "commander";
import { UsageError } from "../command/errors.ts";
import type { DrawingOptions, SentenceWriter } from "./sentence-writer.ts";
import { jsonWriter } from "./sentence-writer.ts";

/**
 * Formats of parsed sentences: CoNLL-U; JSON, as one list or an object per line; trees in characters; drawings as one
 * SVG file, as a page, or for tikz-dependency of LaTeX; the data of displaCy.
 */
export const OUTPUT_FORMATS = ["conllu", "json", "jsonl", "tree", "svg", "html", "tikz", "displacy"] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** The values of `--output-format`, for help. */
export const OUTPUT_FORMAT_HELP =
  "CoNLL-U; JSON, a list of sentences or a line for each; trees in characters; drawings as SVG, as an HTML page or " +
  "for tikz-dependency of LaTeX; the data of displaCy; by default as the name of the output ends";

/** `--layout <name>`: how SVG and pages are drawn. */
export function layoutOption(): Option {
  const help =
    "drawings as svg or html with arcs above the words (arcs, the default), or with words below their heads (tree)";
  return new Option("--layout <name>", help).choices(["arcs", "tree"]);
}

/** Checks that a format has a layout, if there is one. */
export function checkLayout(layout: DrawingOptions["layout"], format: string | undefined): void {
  if (layout === undefined || format === "svg" || format === "html") return;
  throw new UsageError(
    `--layout requires drawings as svg or html${format === undefined ? "" : `, found ${format}`}`,
  );
}

/** Returns the title of a page with the sentences of a file; undefined for several files, or the standard input. */
export function pageTitle(paths: readonly (string | undefined)[]): string | undefined {
  const [path] = paths;
  return paths.length > 1 || path === undefined || path === "-" ? undefined : basename(path);
}

/** Returns a writer of a format. Drawings are loaded when they are asked for. */
export async function sentenceWriter(format: OutputFormat, drawing: DrawingOptions): Promise<SentenceWriter> {
  if (format === "conllu") return { sentence: writeSentence };
  if (format === "json" || format === "jsonl")
    return jsonWriter(format, (sentence) => [viewSentence(sentence)]);
  const { DRAWING_WRITERS } = await import("./drawing-writers.ts");
  return DRAWING_WRITERS[format](drawing);
}
