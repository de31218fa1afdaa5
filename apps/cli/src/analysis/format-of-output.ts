import { UsageError } from "../command/errors.ts";

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
