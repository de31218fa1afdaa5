import { basename } from "node:path";
import { viewSentence, writeSentence } from "@arcwise/conllu";
import { Option } from "commander";
import { UsageError } from "../errors.ts";
import { type DrawingOptions, jsonWriter, type SentenceWriter } from "./sentence-writer.ts";

/**
 * Formats of parsed sentences: CoNLL-U; JSON, as one list or an object per line; trees in characters; drawings as one
 * SVG file, as a page, or for tikz-dependency of LaTeX; the data of displaCy.
 */
export const OUTPUT_FORMATS = ["conllu", "json", "jsonl", "tree", "svg", "html", "tikz", "displacy"] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** Formats of parsed sentences, and of semantic graphs. */
export const WRITTEN_FORMATS = [...OUTPUT_FORMATS, "sdp"] as const;
export type WrittenFormat = (typeof WRITTEN_FORMATS)[number];

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

/** Formats that an ending of a file stands for: the first one that a command writes. */
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  conllu: ["conllu"],
  conllx: ["conllx"],
  conll09: ["conll2009"],
  sdp: ["sdp"],
  json: ["json"],
  jsonl: ["jsonl"],
  ndjson: ["jsonl"],
  txt: ["text", "tree"],
  svg: ["svg"],
  html: ["html"],
  htm: ["html"],
  tex: ["tikz"],
};

/** Pictures that a browser makes of drawings. */
const PICTURES: readonly string[] = ["pdf", "png"];
const BY_PAGE = "; the page of arcwise serve exports PNG and PDF, and a browser prints a page (.html) as PDF";

/** Returns the ending of files of a format. */
export function endingOf(format: string): string {
  if (format === "displacy") return "json";
  return Object.keys(ENDINGS).find((ending) => ENDINGS[ending]!.includes(format)) ?? "txt";
}

/** How the format of an output is chosen. */
export interface FormatChoice<Format extends string> {
  /** The output: a file, or `-`. */
  readonly output: string;
  /** The value of the option for the format. */
  readonly given: Format | undefined;
  /** The formats that the command writes. */
  readonly formats: readonly Format[];
  /** The option for the format. */
  readonly option?: string;
}

/**
 * Returns the format of an output: the given one, or else what the ending of the name says, before `.gz`; undefined for
 * names without an ending and for the standard output.
 */
export function formatOfOutput<Format extends string>(choice: FormatChoice<Format>): Format | undefined {
  const { output, given, formats, option = "--output-format" } = choice;
  const ending = /[^/\\]\.([a-z]\w*)(?:\.gz)?$/i.exec(output)?.[1]?.toLowerCase();
  if (given !== undefined || output === "-" || ending === undefined || ending === "gz") return given;
  const format = ENDINGS[ending]?.map((name) => formats.find((one) => one === name)).find((one) => one);
  if (format !== undefined) return format;
  const known = Object.keys(ENDINGS).filter((name) =>
    ENDINGS[name]!.some((one) => formats.includes(one as Format)),
  );
  throw new UsageError(
    `${output}: expected an output whose name ends with .${known.join(", .")}, found .${ending}: ` +
      `give ${option}, one of ${formats.join(", ")}${PICTURES.includes(ending) ? BY_PAGE : ""}`,
  );
}
