import { escapeInvisible } from "@arcwise/core/errors";
import type { Table } from "./error-tables.ts";

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
