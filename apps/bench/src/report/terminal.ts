import CliTable from "cli-table3";
import type { Report, Section, Table } from "./report.ts";

/** Characters of a line of a name in a table that is too wide. */
const NAME = 26;
/** Borders and spaces of a cell. */
const CELL = 3;

/**
 * Returns the sections of a report as text with tables, without figures: first what was found.
 *
 * @param width the number of columns of the terminal; tables that are wider are divided
 */
export function terminalReport({ sections }: Report, width = Infinity): string {
  const found = sections.length > 1 ? sections.flatMap(findingLine) : [];
  const lead = found.length === 0 ? "" : `\n${found.join("\n")}\n`;
  return lead + sections.map((section) => terminalSection(section, width)).join("\n");
}

function findingLine({ title, finding }: Section): string[] {
  return finding === undefined ? [] : [`${title}: ${finding}`];
}

function terminalSection({ title, finding, text, tables }: Section, width: number): string {
  const lines = ["", title, "=".repeat(title.length)];
  if (finding !== undefined) lines.push(finding);
  if (text !== undefined) lines.push(text);
  for (const table of tables.filter(({ isDetail }) => !isDetail)) {
    lines.push("", table.title, terminalTable(table, width));
    if (table.note !== undefined) lines.push(table.note);
  }
  return `${lines.join("\n")}\n`;
}

/**
 * Returns a table as text. A table that is wider than the terminal becomes several: each has the first column,
 * with names in lines, and as many of the others as fit.
 */
export function terminalTable(table: Table, width = Infinity): string {
  if (widthOf(table) <= width) return drawn(table);
  const { columns, rows } = table;
  const names = rows.map(([name = ""]) => wrapText(name));
  const widths = columns.map(({ name }, c) => columnWidth([name, ...rows.map((row) => row[c]!)]));
  widths[0] = columnWidth([columns[0]!.name, ...names]);
  const blocks: number[][] = [];
  let left = -1;
  for (let c = 1; c < columns.length; c++) {
    if (left < widths[c]!) {
      blocks.push([]);
      left = width - 1 - widths[0];
    }
    blocks.at(-1)!.push(c);
    left -= widths[c]!;
  }
  return blocks
    .map((block) =>
      drawn({
        ...table,
        columns: [columns[0]!, ...block.map((c) => columns[c]!)],
        rows: rows.map((row, r) => [names[r]!, ...block.map((c) => row[c]!)]),
      }),
    )
    .join("\n");
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

function wrapText(name: string): string {
  const lines: string[] = [];
  for (const word of name.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= NAME) lines[lines.length - 1] += ` ${word}`;
    else lines.push(word);
  }
  return lines.join("\n");
}

function widthOf({ columns, rows }: Table): number {
  const widths = columns.map(({ name }, c) => columnWidth([name, ...rows.map((row) => row[c]!)]));
  return widths.reduce((sum, width) => sum + width, 1);
}

function columnWidth(cells: readonly string[]): number {
  return CELL + Math.max(...cells.flatMap((cell) => cell.split("\n").map((line) => [...line].length)));
}

function drawn({ columns, rows }: Table): string {
  const table = new CliTable({
    head: columns.map(({ name }) => name),
    colAligns: columns.map(({ align }) => align),
    // No colours: they would be noise in files and unreadable on some terminals.
    style: { head: [], border: [] },
  });
  for (const row of rows) table.push([...row]);
  return table.toString();
}
