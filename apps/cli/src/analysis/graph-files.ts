import { Option } from "commander";
import { UsageError } from "../command/errors.ts";

/**
 * Formats of files of graphs: semantic graphs in SDP columns, or enhanced dependencies in DEPS of CoNLL-U.
 */
export type GraphFormat = "sdp" | "conllu";

/** Returns the noun for the graphs of a format. */
export function graphsOf(format: GraphFormat): string {
  return format === "sdp" ? "semantic graphs" : "enhanced dependencies";
}

/** The option `--format` of commands that read graphs. */
export function graphFormatOption(
  description = "the format of the files; by default their names decide",
): Option {
  return new Option("--format <name>", description).choices(["sdp", "conllu"]);
}

/**
 * Returns the format that the names of files say.
 *
 * @throws UsageError when no name says it, or two contradict each other
 */
export function graphFormat(names: readonly string[]): GraphFormat {
  const format = namedFormat(names);
  if (format !== undefined) return format;
  throw new UsageError(`expected names that end with .sdp or .conllu, or --format, got ${names.join(", ")}`);
}

/**
 * Returns the format that the names of files say, undefined when none says it.
 *
 * @throws UsageError when two contradict each other
 */
export function namedFormat(names: readonly string[]): GraphFormat | undefined {
  const formats = new Set(names.map(formatOf).filter((format) => format !== undefined));
  const [format] = formats;
  if (formats.size > 1) throw new UsageError(`expected files of one format, got ${names.join(", ")}`);
  return format;
}

function formatOf(name: string): GraphFormat | undefined {
  const ending = /\.(sdp|conllu)(?:\.gz)?$/.exec(name)?.[1];
  return ending === "sdp" || ending === "conllu" ? ending : undefined;
}
