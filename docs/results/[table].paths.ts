import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";

/** The figures of a page: one table and how it was made. */
interface ResultFile {
  readonly title: string;
  /** What was measured, in Markdown. */
  readonly text: string;
  readonly date: string;
  readonly version: string;
  readonly machine: string;
  readonly commands: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  /** What to know of single figures, in Markdown. */
  readonly remarks: readonly string[];
}

const folder = new URL("data/", import.meta.url);

export default {
  watch: ["data/*.json"],
  paths() {
    return readdirSync(folder).map((name) => {
      const result = JSON.parse(readFileSync(new URL(name, folder), "utf8")) as ResultFile;
      return { params: { table: basename(name, ".json"), title: result.title }, content: pageOf(result) };
    });
  },
};

function pageOf({ text, date, version, machine, commands, columns, rows, remarks }: ResultFile): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  const rule = columns.map((_, i) => (rows.every((row) => isFigure(row[i]!)) ? "---:" : "---"));
  return [
    text,
    [line(columns), line(rule), ...rows.map((row) => line(row.map(unbroken)))].join("\n"),
    ...remarks,
    `Version ${version}, ${date}, ${machine}.`,
    `\`\`\`sh\n${commands.join("\n")}\n\`\`\``,
  ].join("\n\n");
}

/** A figure that stays on one line with its unit. */
function unbroken(cell: string | number): string | number {
  return isFigure(cell) ? `${cell}`.replace(" ", "\u00a0") : cell;
}

function isFigure(cell: string | number): boolean {
  return typeof cell === "number" || cell === "" || /^[\d.,]+(?: ?(?:s|min|MB|GB))?$/.test(cell);
}
