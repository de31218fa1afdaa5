import type { Environment } from "../environment.ts";
import type { Figure, Report, Section, Table } from "./report.ts";
import { STYLE } from "./style.ts";

/** Returns a report as one HTML file without external references. */
export function htmlReport(report: Report): string {
  const { title, command, environment, sections } = report;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${environmentHtml(environment, command)}
${sections.length > 1 ? contentsHtml(sections) : ""}
${sections.map(sectionHtml).join("\n")}
</main>
</body>
</html>
`;
}

/** Escapes text for elements and attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

function environmentHtml(environment: Environment, command: string): string {
  const { date, cpu, cores, memoryGb, system, node, v8 } = environment;
  const rows = [
    ["Date", date.replace("T", " ").replace(/\.\d+Z$/, " UTC")],
    ["Processor", `${cpu}, ${cores} cores; every measurement uses one`],
    ["Memory", `${memoryGb} GB`],
    ["System", system],
    ["Node", `${node} (V8 ${v8})`],
  ];
  const list = rows.map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value!)}</dd>`).join("");
  const again = `<dt>Command</dt><dd><code>${escapeHtml(command)}</code></dd>`;
  return `<dl class="environment">${list}${again}</dl>`;
}

function contentsHtml(sections: readonly Section[]): string {
  const items = sections.map(
    ({ title }) => `<li><a href="#${sectionId(title)}">${escapeHtml(title)}</a></li>`,
  );
  return `<nav><ul>${items.join("")}</ul></nav>`;
}

function sectionId(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}

function sectionHtml({ title, text, figures, tables }: Section): string {
  return [
    `<section id="${sectionId(title)}">`,
    `<h2>${escapeHtml(title)}</h2>`,
    text === undefined ? "" : `<p>${escapeHtml(text)}</p>`,
    figures.length === 0 ? "" : `<div class="figures">${figures.map(figureHtml).join("\n")}</div>`,
    ...tables.map(tableHtml),
    "</section>",
  ].join("\n");
}

function figureHtml({ title, note, svg, legend = [] }: Figure): string {
  const items = legend.map(
    ({ label, color }) => `<li><span style="background:${color}"></span>${escapeHtml(label)}</li>`,
  );
  const caption = note === undefined ? "" : `<figcaption>${escapeHtml(note)}</figcaption>`;
  const list = items.length === 0 ? "" : `<ul class="legend">${items.join("")}</ul>`;
  return `<figure><h3>${escapeHtml(title)}</h3>${list}${svg}${caption}</figure>`;
}

function tableHtml({ title, columns, rows, note }: Table): string {
  const head = columns.map(({ name, align }) => `<th scope="col" class="${align}">${cellHtml(name)}</th>`);
  const body = rows.map((row) => {
    const cells = row.map((text, column) => `<td class="${columns[column]!.align}">${cellHtml(text)}</td>`);
    return `<tr>${cells.join("")}</tr>`;
  });
  return [
    `<h3>${escapeHtml(title)}</h3>`,
    `<div class="table"><table><thead><tr>${head.join("")}</tr></thead>`,
    `<tbody>${body.join("\n")}</tbody></table></div>`,
    note === undefined ? "" : `<p class="note">${escapeHtml(note)}</p>`,
  ].join("\n");
}

function cellHtml(text: string): string {
  const [first = "", ...more] = text.split("\n").map(escapeHtml);
  return more.length === 0 ? first : `${first}<br><small>${more.join("<br>")}</small>`;
}
