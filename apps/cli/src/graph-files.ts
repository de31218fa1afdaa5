import { Option } from "commander";
import { UsageError } from "./errors.ts";

/**
 * Formats of files of graphs: semantic graphs in SDP columns, or enhanced dependencies in DEPS of CoNLL-U.
 */
export type GraphFormat = "sdp" | "conllu";

/** The option `--format` of commands that read graphs. */
export function graphFormatOption(): Option {
  return new Option("--format <name>", "the format of the files; by default that of their names").choices([
    "sdp",
    "conllu",
  ]);
}

/**
 * Returns the format that the names of files say.
 *
 * @throws UsageError when no name says it, or two contradict each other
 */
export function graphFormat(names: readonly string[]): GraphFormat {
  const formats = new Set(names.map(formatOf).filter((format) => format !== undefined));
  const [format] = formats;
  if (formats.size > 1) throw new UsageError(`expected files of one format, got ${names.join(", ")}`);
  if (format !== undefined) return format;
  throw new UsageError(`expected names that end with .sdp or .conllu, or --format, got ${names.join(", ")}`);
}

function formatOf(name: string): GraphFormat | undefined {
  const ending = /\.(sdp|conllu)(?:\.gz)?$/.exec(name)?.[1];
  return ending === "sdp" || ending === "conllu" ? ending : undefined;
}
