/** Factors that bring times of one table to the same unit. */
const SECONDS: Readonly<Record<string, number>> = { ns: 1e-9, µs: 1e-6, ms: 1e-3, s: 1, min: 60 };

const QUANTITY =
  /^([<>≤≥~≈]?\s*)([+\-−]?(?:\d+(?:,\d+)*(?:\.\d+)?|\.\d+)(?:e[+\-−]?\d+)?)\s*(ns|µs|ms|s|min)?(?=$|[\s%(–])/i;

/**
 * Returns the number that a cell begins with, times in seconds: `1,234`, `−0.12`, `4.21 µs`, `< 0.001`,
 * `3.1e-4`, `98.2 %`. `undefined` for text, and for a dash, which stands for no figure.
 */
export function cellNumber(text: string): number | undefined {
  const found = QUANTITY.exec(text.trim());
  if (found === null) return undefined;
  const value = Number(found[2]!.replaceAll(",", "").replaceAll("−", "-"));
  // "< 0.001" comes before 0.001 itself.
  const shift = found[1]!.startsWith("<") ? -1e-12 : 0;
  return value * (SECONDS[found[3] ?? ""] ?? 1) + shift;
}

/**
 * Compares two cells for ascending order: numbers before text, empty cells and dashes last. `direction` is
 * -1 for descending order, in which empty cells still come last.
 */
export function compareCells(a: string, b: string, direction: 1 | -1): number {
  const [emptyA, emptyB] = [isEmpty(a), isEmpty(b)];
  if (emptyA || emptyB) return Number(emptyA) - Number(emptyB);
  const [x, y] = [cellNumber(a), cellNumber(b)];
  if (x !== undefined && y !== undefined) return direction * (x - y);
  if (x !== undefined || y !== undefined) return direction * (x === undefined ? 1 : -1);
  return direction * a.localeCompare(b, undefined, { numeric: true, sensitivity: "base" });
}

function isEmpty(text: string): boolean {
  return /^[-–—−\s]*$/.test(text);
}

/**
 * Makes the tables of a page sortable: each column header becomes a button, whose first press sorts figures
 * from the highest and text from A, and whose second press reverses the order, which `aria-sort` states.
 * Tables of one row stay as they are.
 */
export function sortableTables(page: ParentNode): void {
  for (const table of page.querySelectorAll<HTMLTableElement>("table.sortable")) {
    const body = table.querySelector("tbody");
    if (body === null || body.children.length < 2) continue;
    for (const [column, header] of [...table.querySelectorAll<HTMLElement>("thead th")].entries()) {
      if ((header.textContent ?? "").trim() !== "") makeSortable(table, body, header, column);
    }
  }
}

function makeSortable(table: Element, body: Element, header: HTMLElement, column: number): void {
  const button = header.ownerDocument.createElement("button");
  button.type = "button";
  button.append(...header.childNodes);
  header.append(button);
  button.addEventListener("click", () => {
    const rows = [...body.children];
    const before = header.getAttribute("aria-sort");
    const isNumeric = rows.some((row) => cellNumber(cellText(row, column)) !== undefined);
    const first = isNumeric ? "descending" : "ascending";
    const other = isNumeric ? "ascending" : "descending";
    const order = before === first ? other : first;
    const direction = order === "ascending" ? 1 : -1;
    for (const one of table.querySelectorAll("thead th")) one.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", order);
    const sorted = rows.toSorted((a, b) => compareCells(cellText(a, column), cellText(b, column), direction));
    body.append(...sorted);
  });
}

/** Returns the first line of a cell; smaller lines below it do not count. */
function cellText(row: Element, column: number): string {
  return row.children[column]?.firstChild?.textContent?.trim() ?? "";
}
