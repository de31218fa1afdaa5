import {
  compareDiagrams,
  HTML_END,
  htmlSentence,
  htmlStart,
  type Markup,
  markup,
  sentenceDiagram,
} from "@arcwise/draw";
import { errorTables, percent, type Table } from "./error-tables.ts";
import type { ComparedFiles, TreeErrors } from "./tree-errors.ts";

/** What a page is about. */
export interface ErrorPage {
  readonly files: ComparedFiles;
  readonly names: Readonly<Record<"gold" | "system", string>>;
  readonly errors: TreeErrors;
}

const STYLE = `
main>section{margin:0 0 28px}
h2.title{font:600 18px/1.3 system-ui,'Segoe UI','Noto Sans',sans-serif;color:inherit;margin:0 0 4px}
.note{margin:0 0 8px;color:var(--aw-soft);font-size:14px}
.scores{display:grid;grid-template-columns:max-content 1fr;gap:2px 18px;margin:0 0 28px}
.scores dt{color:var(--aw-soft)}.scores dd{margin:0;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
.tables{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,340px),1fr));gap:28px 40px;margin:0 0 32px}
.tables>section{min-width:0}.tables>.wide{grid-column:1/-1}
table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums}
th,td{padding:3px 14px 3px 0;text-align:left;vertical-align:baseline;border-bottom:1px solid var(--aw-rule)}
th{font-weight:400}thead th{color:var(--aw-soft)}.number{text-align:right}
.wide td:nth-child(2){overflow-wrap:anywhere;min-width:110px}.wide td:last-child{min-width:220px;width:60%}
a{color:var(--aw-arc)}`;

/**
 * Returns a page with the scores, the tables of errors, and the worst sentences as diagrams: predicted arcs above
 * the words, gold arcs that are missed below them. The page loads nothing and has no scripts.
 */
export function errorPage({ files, names, errors }: ErrorPage): string {
  const title = `${names.system} against ${names.gold}`;
  const sentences = errors.worst.map(({ index }) => {
    const diagram = compareDiagrams(
      sentenceDiagram(files.gold[index]!),
      sentenceDiagram(files.system[index]!),
    );
    return htmlSentence(diagram, index + 1);
  });
  const heading =
    sentences.length === 0
      ? ""
      : `<h2 class="title">Trees</h2>\n<p class="note">Predicted arcs are above the words, gold arcs that they miss below.</p>\n`;
  const tables = markup`<div class="tables">\n${errorTables(errors).map(tableHtml)}</div>\n`;
  return `${htmlStart({ title, style: STYLE })}${scoresHtml(errors)}${tables}${heading}${sentences.join("")}${HTML_END}`;
}

function scoresHtml({ attachment }: TreeErrors): Markup {
  const { words, sentences, uas, las, la, exactMatchLabelled, rootAccuracy } = attachment;
  const rows = [
    ["Sentences", sentences],
    ["Words", words],
    ["UAS", `${percent(uas)} %`],
    ["LAS", `${percent(las)} %, labels with their subtypes`],
    ["Labels", `${percent(la)} %`],
    ["Sentences without error", `${percent(exactMatchLabelled)} %`],
    ["Roots", `${percent(rootAccuracy)} %`],
  ];
  const items = rows.map(([name, value]) => markup`<dt>${name}</dt><dd>${value}</dd>`);
  return markup`<dl class="scores">${items}</dl>\n`;
}

/** The table of sentences is the one with a column `text`; its numbers are links to the diagrams. */
function tableHtml({ title, note, columns, rows }: Table): Markup {
  const isWide = columns.some(({ name }) => name === "text");
  const kind = (column: number) => (columns[column]!.isNumber ? markup` class="number"` : undefined);
  const head = columns.map(({ name }, c) => markup`<th scope="col"${kind(c)}>${name}</th>`);
  const body = rows.map((row) => {
    const cells = row.map((text, c) => {
      if (c > 0) return markup`<td${kind(c)}>${text}</td>`;
      const linked = isWide ? markup`<a href="#sentence-${text}">${text}</a>` : text;
      return markup`<th scope="row"${kind(c)}>${linked}</th>`;
    });
    return markup`<tr>${cells}</tr>\n`;
  });
  return markup`<section${isWide ? markup` class="wide"` : undefined}><h2 class="title">${title}</h2>
${note === undefined ? undefined : markup`<p class="note">${note}</p>\n`}<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table><thead><tr>${head}</tr></thead>
<tbody>${body}</tbody></table></div></section>
`;
}
