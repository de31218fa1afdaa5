import CliTable from "cli-table3";
import type { Report, Section, Table } from "./report.ts";

/** Returns the sections of a report as text with tables, without figures. */
export function terminalReport({ sections }: Report): string {
  return sections.map(terminalSection).join("\n");
}

function terminalSection({ title, text, tables, parts = [] }: Section): string {
  const lines = ["", title, "=".repeat(title.length), ...(text === undefined ? [] : [text])];
  const shown = [...tables, ...parts.flatMap((part) => part.tables)].filter(({ isDetail }) => !isDetail);
  for (const table of shown) lines.push("", table.title, terminalTable(table), ...noteOf(table));
  return `${lines.join("\n")}\n`;
}

function noteOf({ note }: Table): string[] {
  return note === undefined ? [] : [note];
}

/** Returns the names and cells of a table in columns without lines. */
export function plainTable({ columns, rows }: Table): string {
  const lines = [columns.map(({ name }) => name), ...rows];
  const widths = columns.map((_, c) => Math.max(...lines.map((line) => line[c]!.length)));
  return lines
    .map((line) =>
      line
        .map((cell, c) =>
          columns[c]!.align === "left" ? cell.padEnd(widths[c]!) : cell.padStart(widths[c]!),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Returns a table as text. */
export function terminalTable({ columns, rows }: Table): string {
  const table = new CliTable({
    head: columns.map(({ name }) => name),
    colAligns: columns.map(({ align }) => align),
    // No colours: they would be noise in files and unreadable on some terminals.
    style: { head: [], border: [] },
  });
  for (const row of rows) table.push([...row]);
  return table.toString();
}
