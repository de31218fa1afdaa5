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
${environmentHtml(environment, command)}
${sections.length > 1 ? contentsHtml(sections) : ""}
${sections.map((section, i) => sectionHtml(section, i, sections[i - 1]?.chapter)).join("\n")}
</main>
<script>${script}</script>
</body>
</html>
`;
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
  return `<dl class="environment">${list}${again}</dl>`;
}

/** Returns the table of contents: sections, within chapters where there are some. */
function contentsHtml(sections: readonly Section[]): string {
  const items = sections.map(({ title, chapter, sentences, parts = [] }, i) => {
    const inner = [
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

function sectionHtml(section: Section, index: number, chapterBefore: string | undefined): string {
  const { title, chapter, text, parts = [], sentences } = section;
  const id = sectionId(index);
  return [
    chapter === undefined || chapter === chapterBefore ? "" : `<p class="chapter">${escapeXml(chapter)}</p>`,
    `<section id="${id}">`,
    `<h2>${escapeXml(title)}</h2>`,
    text === undefined ? "" : `<p>${escapeXml(text)}</p>`,
    contentHtml(section),
    ...parts.map((part, k) => partHtml(part, partId(index, k))),
    sentences === undefined ? "" : sentencesHtml(sentences, `${id}-sentences`),
    "</section>",
  ].join("\n");
}

function partHtml(part: SectionPart, id: string): string {
  const text = part.text === undefined ? "" : `<p>${escapeXml(part.text)}</p>`;
  const heading = `<h3>${escapeXml(part.title)}</h3>`;
  return `<section class="part" id="${id}">${heading}${text}${contentHtml(part)}</section>`;
}

function contentHtml({ figures, tables }: Pick<Section, "figures" | "tables">): string {
  return [
    figures.length === 0 ? "" : `<div class="figures">${figures.map(figureHtml).join("\n")}</div>`,
    ...tables.map(tableHtml),
  ].join("\n");
}

function figureHtml({ title, note, svg, narrow, legend = [], size }: Figure): string {
  const caption = note === undefined ? "" : `<figcaption>${escapeXml(note)}</figcaption>`;
  const list = legend.length === 0 ? "" : `<ul class="legend">${legend.map(legendHtml).join("")}</ul>`;
  const name = escapeXml(title);
  const drawing =
    narrow === undefined
      ? `<div class="scroll" tabindex="0" role="group" aria-label="${name}">${svg}</div>`
      : `<div class="plot wide" role="img" aria-label="${name}">${svg}</div>` +
        `<div class="plot narrow" role="img" aria-label="${name}">${narrow}</div>`;
  const sized = size === undefined ? "" : ` class="${size}"`;
  return `<figure${sized}><h4>${name}</h4>${list}${drawing}${caption}</figure>`;
}

function legendHtml({ label, color, mark, dash }: LegendItem): string {
  const line =
    dash === undefined
      ? ""
      : `<path d="M-13,0H13" stroke="${color}" stroke-width="2" stroke-dasharray="${dash}"/>`;
  const symbol = mark === undefined ? "" : `<path d="${mark}" fill="${color}" stroke="${color}"/>`;
  const key = `<svg viewBox="-14 -7 28 14" width="28" height="14" aria-hidden="true">${line}${symbol}</svg>`;
  return `<li>${key}${escapeXml(label)}</li>`;
}

function tableHtml({ title, columns, rows, note }: Table): string {
  const head = columns.map(({ name, align }) => `<th scope="col" class="${align}">${cellHtml(name)}</th>`);
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
    `<h4>${name}</h4>`,
    `<div class="scroll" tabindex="0" role="region" aria-label="${name}">`,
    `<table class="sortable"><thead><tr>${head.join("")}</tr></thead>`,
    `<tbody>${body.join("\n")}</tbody></table></div>`,
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
