import { type Markup, markup, rawMarkup, scriptElement, styleElement } from "@arcwise/draw";
import type { Environment } from "../results/environment.ts";
import type { Figure, Report, Section, Table } from "./report.ts";
import { STYLE } from "./style.ts";

/** The policy of the page: it loads only its own content. */
const POLICY = markup`default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'`;

/** Widths of lines of words on screens and on phones, where the width of the screen is not known. */
export const DIAGRAM_WIDTHS = { wide: 1150, narrow: 358 } as const;

/**
 * Returns a report as one HTML file without external references.
 *
 * @param script the script of the page: `pageScript()`
 */
export function htmlReport(report: Report, script: string): string {
  const { title, command, environment } = report;
  const sections = report.sections.map(placed);
  return String(markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${title}</title>
${styleElement(STYLE)}
</head>
<body>
<main>
<h1>${title}</h1>
${leadHtml(sections)}
${contentsHtml(sections)}
${sections.map((section) => sectionHtml(section, sections.length === 1))}
${environmentHtml(environment, command)}
</main>
${scriptElement(script)}
</body>
</html>
`);
}

/** A section with its id, the ids of its tables that are not folded, and whether a chapter begins with it. */
interface Placed extends Section {
  readonly id: string;
  readonly open: readonly { readonly id: string; readonly table: Table }[];
  readonly heading: string | undefined;
}

function placed(section: Section, index: number, sections: readonly Section[]): Placed {
  const id = `section-${index + 1}`;
  const open = section.tables.filter(({ isDetail }) => !isDetail);
  return {
    ...section,
    id,
    open: open.map((table, k) => ({ table, id: `${id}-table-${k + 1}` })),
    heading: section.chapter === sections[index - 1]?.chapter ? undefined : section.chapter,
  };
}

/** Returns what was found: a sentence, or one for each section. */
function leadHtml(sections: readonly Placed[]): Markup | undefined {
  const found = sections.filter(({ finding }) => finding !== undefined);
  if (found.length === 0) return undefined;
  if (sections.length === 1) return markup`<p class="finding">${found[0]!.finding}</p>`;
  const items = found.map(({ id, title, finding }) => markup`<li>${link(id, title)}: ${finding}</li>`);
  return markup`<ul class="findings">${items}</ul>`;
}

function environmentHtml(environment: Environment, command: string): Markup {
  const { date, cpu, cores, memoryGb, system, node, v8 } = environment;
  const rows = [
    ["Date", date.replace("T", " ").replace(/\.\d+Z$/, " UTC")],
    ["Processor", `${cpu}, ${cores} cores; every measurement uses one`],
    ["Memory", `${memoryGb} GB`],
    ["System", system],
    ["Node", `${node} (V8 ${v8})`],
  ];
  const list = rows.map(([name, value]) => markup`<dt>${name}</dt><dd>${value}</dd>`);
  return markup`<details class="environment"><summary>Machine, versions and command</summary><dl>${list}<dt>Command</dt><dd><code>${command}</code></dd></dl></details>`;
}

/** Returns the table of contents: sections, grouped by chapters. */
function contentsHtml(sections: readonly Placed[]): Markup {
  const items = sections.map(({ id, title, heading, figures, tables, open }) => {
    const inner = figures.length + tables.length > 2 ? open : [];
    const links = inner.map((one) => markup`<li>${link(one.id, one.table.title)}</li>`);
    const list = links.length === 0 ? undefined : markup`<ul>${links}</ul>`;
    const chapter = heading === undefined ? undefined : markup`<li class="chapter">${heading}</li>`;
    return markup`${chapter}<li>${link(id, title)}${list}</li>`;
  });
  return markup`<nav aria-label="Contents"><h2>Contents</h2><ul>${items}</ul></nav>`;
}

function link(id: string, text: string): Markup {
  return markup`<a href="#${id}">${text}</a>`;
}

/** @param isOnly whether the finding is at the head of the page */
function sectionHtml(
  { id, title, heading, finding, text, figures, tables, open }: Placed,
  isOnly: boolean,
): Markup {
  const pictures = figures.map(figureHtml);
  const shown = open.map((one) => tableHtml(one.table, one.id));
  const details = tables
    .filter(({ isDetail }) => isDetail)
    .map(
      (table) =>
        markup`<details><summary>${table.title}</summary>${tableHtml({ ...table, title: "" }, undefined)}</details>`,
    );
  // A drawing next to its table: one below the other would leave half of the page empty.
  const isPair =
    figures.length === 1 && figures[0]!.size === undefined && open.length === 1 && tables.length === 1;
  const content = isPair
    ? markup`<div class="figures">${pictures}<div class="table">${shown}</div></div>`
    : markup`${figures.length === 0 ? undefined : markup`<div class="figures">${pictures}</div>`}
${shown}
${details}`;
  return markup`${heading === undefined ? undefined : markup`<p class="chapter">${heading}</p>`}
<section id="${id}">
<h2>${title}</h2>
${finding === undefined || isOnly ? undefined : markup`<p class="finding">${finding}</p>`}
${text === undefined ? undefined : markup`<p>${text}</p>`}
${content}
</section>
`;
}

function figureHtml({ title, note, drawing, narrow, size }: Figure): Markup {
  const caption = note === undefined ? undefined : markup`<figcaption>${note}</figcaption>`;
  const framed = (content: string, width = ""): Markup =>
    markup`<div class="plot${width}" role="img" aria-label="${title}">${rawMarkup(content)}</div>`;
  const drawings =
    narrow === undefined ? framed(drawing) : markup`${framed(drawing, " wide")}${framed(narrow, " narrow")}`;
  const sized = size === undefined ? undefined : markup` class="${size}"`;
  return markup`<figure${sized}><h4>${title}</h4>${drawings}${caption}</figure>
`;
}

/** @param id the id of the heading, if it has one */
function tableHtml({ title, columns, rows, note }: Table, id: string | undefined): Markup {
  const head = columns.map(({ name, align, hint }) => {
    const about = hint === undefined ? undefined : markup` title="${hint}"`;
    return markup`<th scope="col" class="${align}"${about}>${cellHtml(name)}</th>`;
  });
  const hints = columns.flatMap(({ name, hint }) =>
    hint === undefined ? [] : [markup`<dt>${name}</dt><dd>${hint}</dd>`],
  );
  const body = rows.map((row) => {
    const cells = row.map((text, column) => {
      const { align } = columns[column]!;
      const isName = column === 0 && align === "left" && text !== "";
      return isName
        ? markup`<th scope="row" class="left">${cellHtml(text)}</th>`
        : markup`<td class="${align}" data-sort="${sortKey(text)}">${cellHtml(text)}</td>`;
    });
    return markup`<tr>${cells}</tr>\n`;
  });
  const heading =
    title === "" ? undefined : markup`<h4${id === undefined ? undefined : markup` id="${id}"`}>${title}</h4>`;
  return markup`${heading}
<div class="scroll" tabindex="0" role="region" aria-label="${title === "" ? "Table" : title}">
<table class="sortable n-last"><thead><tr>${head}</tr></thead>
<tbody>${body}</tbody></table></div>
${hints.length === 0 ? undefined : markup`<details class="hints"><summary>What the columns mean</summary><dl>${hints}</dl></details>`}
${note === undefined ? undefined : markup`<p class="note">${note}</p>`}
`;
}

/** Factors that bring times of one table to the same unit. */
const SECONDS: Readonly<Record<string, number>> = { ns: 1e-9, µs: 1e-6, ms: 1e-3, s: 1, min: 60 };

const QUANTITY =
  /^([<>≤≥~≈]?\s*)([+\-−]?(?:\d+(?:,\d+)*(?:\.\d+)?|\.\d+)(?:e[+\-−]?\d+)?)\s*(ns|µs|ms|s|min)?(?=$|[\s%(–])/i;

/**
 * Returns the value by which a cell is sorted: the number that it begins with, times in seconds (`1,234`, `−0.12`,
 * `4.21 µs`, `< 0.001`, `98.2 %`), otherwise its first line; nothing for a dash.
 */
export function sortKey(text: string): string {
  const [, sign, figure, unit = ""] = QUANTITY.exec(text.trim()) ?? [];
  if (figure === undefined) return text.split("\n")[0]!.replace(/^[-–—−\s]*$/, "");
  const value = Number(figure.replaceAll(",", "").replaceAll("−", "-")) * (SECONDS[unit] ?? 1);
  // "< 0.001" comes before 0.001 itself.
  return `${sign!.startsWith("<") ? value - 1e-12 : value}`;
}

function cellHtml(text: string): Markup {
  const [first, ...more] = text.split("\n");
  if (more.length === 0) return markup`${first}`;
  const lines = more.map((line, i) => (i === 0 ? markup`${line}` : markup`<br>${line}`));
  return markup`${first}<br><small>${lines}</small>`;
}
