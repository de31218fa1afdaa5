import { escapeInvisible } from "@arcwise/core/errors";
import type { Table } from "./error-tables.ts";

/** Formats of tables. */
export const TABLE_FORMATS = ["text", "markdown", "latex", "csv"] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** Returns tables in a format, an empty line between them; `csv` without titles. */
export function formatTables(tables: readonly Table[], format: TableFormat): string {
  if (format === "text") return tableText(tables).replace(/^\n/, "");
  return tables.map(WRITERS[format]).join("\n");
}

const WRITERS: Readonly<Record<Exclude<TableFormat, "text">, (table: Table) => string>> = {
  markdown: ({ title, note, columns, rows }) => {
    const line = (cells: readonly string[]) => `| ${cells.map(markdownCell).join(" | ")} |\n`;
    const rule = columns.map(({ isNumber }) => (isNumber ? "---:" : "---"));
    const head = `${line(columns.map(({ name }) => name))}|${rule.join("|")}|\n`;
    return `**${markdownCell(title)}**${note === undefined ? "" : `: ${markdownCell(note)}`}\n\n${head}${rows.map(line).join("")}`;
  },
  /** A tabular of the package booktabs. */
  latex: ({ title, note, columns, rows }) => {
    const line = (cells: readonly string[]) => `${cells.map(latexCell).join(" & ")} \\\\\n`;
    const kinds = columns.map(({ isNumber }) => (isNumber ? "r" : "l")).join("");
    return (
      `% ${[title, note]
        .filter((text) => text !== undefined)
        .map(escapeInvisible)
        .join(": ")}\n` +
      `\\begin{tabular}{${kinds}}\n\\toprule\n${line(columns.map(({ name }) => name))}\\midrule\n` +
      `${rows.map(line).join("")}\\bottomrule\n\\end{tabular}\n`
    );
  },
  csv: ({ columns, rows }) =>
    [columns.map(({ name }) => name), ...rows].map((row) => `${row.map(csvCell).join(",")}\n`).join(""),
};

function markdownCell(text: string): string {
  return escapeInvisible(text).replaceAll(/[\\|*_`<[\]]/g, "\\$&");
}

function latexCell(text: string): string {
  const escapes: Readonly<Record<string, string>> = {
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
  };
  return escapeInvisible(text)
    .replaceAll(/[\\~^#$%&_{}]/g, (found) => escapes[found] ?? `\\${found}`)
    .replace(/^-(?=\d)/, "$-$");
}

function csvCell(text: string): string {
  const shown = escapeInvisible(text);
  return /[",\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

/** Number of characters of a cell at most. */
const MAX_WIDTH = 60;

/** Returns tables as text for terminals, an empty line before each. */
export function tableText(tables: readonly Table[]): string {
  return tables.map(oneTable).join("");
}

function oneTable({ title, note, columns, rows }: Table): string {
  const cells = [columns.map((column) => column.name), ...rows].map((row) => row.map(cellText));
  const widths = columns.map((_, c) => Math.max(...cells.map((row) => row[c]!.length)));
  const lines = cells.map((row) => {
    const padded = row.map((text, c) =>
      columns[c]!.isNumber ? text.padStart(widths[c]!) : text.padEnd(widths[c]!),
    );
    return padded.join(" | ").trimEnd();
  });
  const rule = widths.map((width) => "-".repeat(width)).join("-+-");
  const heading = note === undefined ? title : `${title}: ${note}`;
  return `\n${[heading, lines[0], rule, ...lines.slice(1)].join("\n")}\n`;
}

function cellText(text: string): string {
  const shown = escapeInvisible(text);
  return shown.length > MAX_WIDTH ? `${shown.slice(0, MAX_WIDTH - 1)}…` : shown;
}
