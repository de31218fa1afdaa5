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
