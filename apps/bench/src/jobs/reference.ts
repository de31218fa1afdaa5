import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DataError } from "@arcwise/cli/command";
import { dataFolder } from "../data/treebanks.ts";

/** Measurements of another parser, on another machine, in percent, seconds, megabytes. */
export interface ReferenceRow {
  readonly parser: string;
  readonly treebank: string;
  readonly uas: number;
  readonly las: number;
  readonly train_s: number;
  readonly train_mb: number;
  readonly words_per_second: number;
  readonly model_mb: number;
}

export interface Reference {
  readonly note: string;
  readonly rows: readonly ReferenceRow[];
}

const FIGURES = ["uas", "las", "train_s", "train_mb", "words_per_second", "model_mb"] as const;

/**
 * Reads figures of other parsers from `reference/parsers.json` in the data folder; `undefined` without such a
 * file.
 */
export function readReference(env: Readonly<Record<string, string | undefined>>): Reference | undefined {
  const path = join(dataFolder(env), "reference", "parsers.json");
  if (!existsSync(path)) return undefined;
  const content = JSON.parse(readFileSync(path, "utf8")) as { note?: unknown; rows?: unknown };
  const rows = Array.isArray(content.rows) ? (content.rows as Partial<ReferenceRow>[]) : [];
  const sound = rows.every(
    (row) =>
      typeof row.parser === "string" &&
      typeof row.treebank === "string" &&
      FIGURES.every((figure) => typeof row[figure] === "number"),
  );
  if (!sound) throw new DataError(`${path}: every row needs parser, treebank, ${FIGURES.join(", ")}`);
  return { note: typeof content.note === "string" ? content.note : "", rows: rows as ReferenceRow[] };
}
