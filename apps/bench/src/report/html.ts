import { escapeXml } from "@arcwise/draw";
import type { Environment } from "../results/environment.ts";
import { ARC_LEGEND, drawDiagram, sentenceDiagram } from "./page/sentence-browser.ts";
import { packSentences, type SentenceSet } from "./page/sentences.ts";
import type { Figure, LegendItem, Report, Section, SectionPart, Table } from "./report.ts";
import { STYLE } from "./style.ts";

/** What the page may load: nothing but what is in it. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/** Width of lines of words, where the width of the screen is not known. */
const DIAGRAM_WIDTH = 1150;

/**
 * Returns a report as one HTML file without external references.
 *
 * @param script the script of the page: `pageScript()`
 */
export function htmlReport(report: Report, script: string): string {
  const { title, command, environment, sections } = report;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${escapeXml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeXml(title)}</h1>
${leadHtml(sections)}
${contentsHtml(sections)}
${sections.map((section, i) => sectionHtml(shownFinding(section, sections.length), i, sections[i - 1]?.chapter)).join("\n")}
${environmentHtml(environment, command)}
</main>
<script>${script}</script>
</body>
</html>
`;
}

/** Returns what was found: a sentence, or one for each section. */
function leadHtml(sections: readonly Section[]): string {
  const found = sections.flatMap(({ title, finding }, i) =>
    finding === undefined ? [] : [{ title, finding, id: sectionId(i) }],
  );
  if (found.length === 0) return "";
  if (sections.length === 1) return `<p class="finding">${escapeXml(found[0]!.finding)}</p>`;
  const items = found.map(({ title, finding, id }) => `<li>${link(id, title)}: ${escapeXml(finding)}</li>`);
  return `<ul class="findings">${items.join("")}</ul>`;
}

/** Returns a section without its finding where it is the only one: the finding is at the head of the page. */
function shownFinding(section: Section, count: number): Section {
  return count === 1 ? { ...section, finding: undefined } : section;
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
  const list = rows.map(([name, value]) => `<dt>${name}</dt><dd>${escapeXml(value!)}</dd>`).join("");
  const again = `<dt>Command</dt><dd><code>${escapeXml(command)}</code></dd>`;
  return (
    `<details class="environment"><summary>Machine, versions and command</summary>` +
    `<dl>${list}${again}</dl></details>`
  );
}

/** Returns the table of contents: sections, within chapters where there are some. */
function contentsHtml(sections: readonly Section[]): string {
  const items = sections.map(({ title, chapter, figures, tables, sentences, parts = [] }, i) => {
    const inner = [
      ...(figures.length + tables.length > 2
        ? tables.filter(({ isDetail }) => !isDetail).map((table, k) => link(tableId(i, k), table.title))
        : []),
      ...parts.map((part, k) => link(partId(i, k), part.title)),
      ...(sentences === undefined ? [] : [link(`${sectionId(i)}-sentences`, "Sentences")]),
    ];
    const list = inner.length === 0 ? "" : `<ul>${inner.map((one) => `<li>${one}</li>`).join("")}</ul>`;
    const begins = chapter !== undefined && chapter !== sections[i - 1]?.chapter;
    const heading = begins ? `<li class="chapter">${escapeXml(chapter)}</li>` : "";
    return `${heading}<li>${link(sectionId(i), title)}${list}</li>`;
  });
  return `<nav aria-label="Contents"><h2>Contents</h2><ul>${items.join("")}</ul></nav>`;
}

function link(id: string, text: string): string {
  return `<a href="#${id}">${escapeXml(text)}</a>`;
}

function sectionId(index: number): string {
  return `section-${index + 1}`;
}

function partId(index: number, part: number): string {
  return `${sectionId(index)}-${part + 1}`;
}

function tableId(index: number, table: number): string {
  return `${sectionId(index)}-table-${table + 1}`;
}

function sectionHtml(section: Section, index: number, chapterBefore: string | undefined): string {
  const { title, chapter, finding, text, parts = [], sentences } = section;
  const id = sectionId(index);
  return [
    chapter === undefined || chapter === chapterBefore ? "" : `<p class="chapter">${escapeXml(chapter)}</p>`,
    `<section id="${id}">`,
    `<h2>${escapeXml(title)}</h2>`,
    finding === undefined ? "" : `<p class="finding">${escapeXml(finding)}</p>`,
    text === undefined ? "" : `<p>${escapeXml(text)}</p>`,
    contentHtml(section, (k) => ` id="${tableId(index, k)}"`),
    ...parts.map((part, k) => partHtml(part, partId(index, k))),
    sentences === undefined ? "" : sentencesHtml(sentences, `${id}-sentences`),
    "</section>",
  ].join("\n");
}

function partHtml(part: SectionPart, id: string): string {
  const text = part.text === undefined ? "" : `<p>${escapeXml(part.text)}</p>`;
  const summary = `<summary><h3>${escapeXml(part.title)}</h3></summary>`;
  return `<details class="part" id="${id}">${summary}${text}${contentHtml(part)}</details>`;
}

/** @param idOf returns the attribute `id` of a table that is not folded, by its number among these */
function contentHtml(
  { legend, figures, tables }: Pick<Section, "legend" | "figures" | "tables">,
  idOf: (index: number) => string = () => "",
): string {
  const main = tables.filter(({ isDetail }) => !isDetail);
  const details = tables.filter(({ isDetail }) => isDetail);
  // A drawing beside its table: both would leave half of the page empty.
  const isPair = figures.length === 1 && figures[0]!.size === undefined && tables.length === 1;
  const pictures = figures.map(figureHtml).join("\n");
  if (isPair) {
    const table = `<div class="table">${tableHtml(tables[0]!, idOf(0))}</div>`;
    return `${legendHtml(legend)}<div class="figures">${pictures}${table}</div>`;
  }
  return [
    legendHtml(legend),
    figures.length === 0 ? "" : `<div class="figures">${pictures}</div>`,
    ...main.map((table, i) => tableHtml(table, idOf(i))),
    ...details.map(
      (table) =>
        `<details><summary>${escapeXml(table.title)}</summary>${tableHtml({ ...table, title: "" }, "")}</details>`,
    ),
  ].join("\n");
}

function legendHtml(legend: readonly LegendItem[] = []): string {
  return legend.length === 0 ? "" : `<ul class="legend">${legend.map(legendItemHtml).join("")}</ul>`;
}

function figureHtml({ title, note, svg, narrow, legend, key = [], size }: Figure): string {
  const caption = note === undefined ? "" : `<figcaption>${escapeXml(note)}</figcaption>`;
  const names = key.map((one) => `<li>${escapeXml(one)}</li>`).join("");
  const numbered = key.length === 0 ? "" : `<ol class="key">${names}</ol>`;
  const name = escapeXml(title);
  const drawing =
    narrow === undefined
      ? `<div class="scroll" tabindex="0" role="group" aria-label="${name}">${svg}</div>`
      : `<div class="plot wide" role="img" aria-label="${name}">${svg}</div>` +
        `<div class="plot narrow" role="img" aria-label="${name}">${narrow}</div>`;
  const sized = size === undefined ? "" : ` class="${size}"`;
  return `<figure${sized}><h4>${name}</h4>${legendHtml(legend)}${drawing}${numbered}${caption}</figure>`;
}

function legendItemHtml({ label, color, mark, dash }: LegendItem): string {
  const line =
    dash === undefined
      ? ""
      : `<path d="M-13,0H13" stroke="${color}" stroke-width="2" stroke-dasharray="${dash}"/>`;
  const symbol = mark === undefined ? "" : `<path d="${mark}" fill="${color}" stroke="${color}"/>`;
  const key = `<svg viewBox="-14 -7 28 14" width="28" height="14" aria-hidden="true">${line}${symbol}</svg>`;
  return `<li>${key}${escapeXml(label)}</li>`;
}

/** @param id the attribute `id` of the heading */
function tableHtml({ title, columns, rows, note }: Table, id: string): string {
  const head = columns.map(({ name, align, hint }) => {
    const about = hint === undefined ? "" : ` title="${escapeXml(hint)}"`;
    return `<th scope="col" class="${align}"${about}>${cellHtml(name)}</th>`;
  });
  const hints = columns.flatMap(({ name, hint }) =>
    hint === undefined ? [] : [`<dt>${escapeXml(name)}</dt><dd>${escapeXml(hint)}</dd>`],
  );
  const body = rows.map((row) => {
    const cells = row.map((text, column) => {
      const { align } = columns[column]!;
      const isName = column === 0 && align === "left" && text !== "";
      return isName
        ? `<th scope="row" class="left">${cellHtml(text)}</th>`
        : `<td class="${align}">${cellHtml(text)}</td>`;
    });
    return `<tr>${cells.join("")}</tr>`;
  });
  const name = escapeXml(title);
  return [
    title === "" ? "" : `<h4${id}>${name}</h4>`,
    `<div class="scroll" tabindex="0" role="region" aria-label="${title === "" ? "Table" : name}">`,
    `<table class="sortable"><thead><tr>${head.join("")}</tr></thead>`,
    `<tbody>${body.join("\n")}</tbody></table></div>`,
    hints.length === 0
      ? ""
      : `<details class="hints"><summary>What the columns mean</summary><dl>${hints.join("")}</dl></details>`,
    note === undefined ? "" : `<p class="note">${escapeXml(note)}</p>`,
  ].join("\n");
}

function cellHtml(text: string): string {
  const [first = "", ...more] = text.split("\n").map(escapeXml);
  return more.length === 0 ? first : `${first}<br><small>${more.join("<br>")}</small>`;
}

/** Returns a browser of sentences: its data, and a sentence with an error for pages without scripts. */
function sentencesHtml(set: SentenceSet, id: string): string {
  const first = set.sentences.find(({ found }) => found.some((graph) => graph !== 0)) ?? set.sentences[0];
  const name = escapeXml(set.contestants[0] ?? "");
  const still =
    first === undefined
      ? "<p>No sentences.</p>"
      : `<p>${name} above the words, gold arcs that it misses below; with scripts, all sentences.</p>` +
        `<div class="scroll" tabindex="0" role="group" aria-label="Arc diagram">` +
        `${drawDiagram(sentenceDiagram(first, 0, "missed"), DIAGRAM_WIDTH)}</div>${ARC_LEGEND}`;
  // Data must not end its element.
  const data = JSON.stringify(packSentences(set)).replaceAll("<", "\\u003c");
  return [
    `<section class="part browser" id="${id}"><h3>Sentences</h3>`,
    `<div class="browser-body">${still}</div>`,
    `<script type="application/json">${data}</script></section>`,
  ].join("\n");
}
