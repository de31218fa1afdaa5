import { counted } from "@arcwise/core/errors";
import { compareDiagrams, htmlWriter, type Markup, markup, rawMarkup, sentenceDiagram } from "@arcwise/draw";
import { errorTables, percent, type Table } from "./error-tables.ts";
import type { ComparedFiles, TreeErrors } from "./tree-errors.ts";

/** The files and errors that a page shows. */
export interface ErrorPage {
  readonly files: ComparedFiles;
  readonly names: Readonly<Record<"gold" | "system", string>>;
  readonly errors: TreeErrors;
}

const STYLE = `
main>section,.tables>section{scroll-margin-top:12px}
main>section{margin:0 0 36px}
h2.title{font:600 18px/1.3 system-ui,'Segoe UI','Noto Sans',sans-serif;color:inherit;margin:0 0 4px}
.note{margin:0 0 8px;color:var(--aw-soft);font-size:14px}
.scores{display:grid;grid-template-columns:max-content 1fr;gap:2px 18px;margin:0 0 20px}
.scores dt{color:var(--aw-soft)}.scores dd{margin:0;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
.contents{display:flex;flex-wrap:wrap;gap:2px 18px;margin:0 0 28px;font-size:14px}
.tables{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,340px),1fr));gap:28px 40px;margin:0 0 32px}
.tables>section{min-width:0}
table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums}
th,td{padding:3px 14px 3px 0;text-align:left;vertical-align:baseline;border-bottom:1px solid var(--aw-rule)}
th{font-weight:400}thead th{color:var(--aw-soft)}.number{text-align:right}
.wide td:nth-child(2){overflow-wrap:anywhere;min-width:110px}
.wide td:last-child{width:60%;min-width:220px;max-width:420px;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
a{color:var(--aw-arc)}
.steps{display:flex;flex-wrap:wrap;align-items:baseline;gap:4px 18px;margin:0 0 4px;font-size:14px}
.steps span{color:var(--aw-soft)}
.one article{border-top:0;padding-top:8px;scroll-margin-top:64px}
@supports selector(:has(a)){@media screen{
.one:not(:has(article:target)){display:none}
.trees:not(:has(article:target))>.one:first-of-type{display:block}}}`;

/**
 * Returns a page with the scores, the worst sentences as diagrams, one at a time, and the tables of errors. Predicted
 * arcs are above the words, gold arcs that are missed below them. The page does not load anything, nor run scripts: a link
 * shows the sentence that it leads to.
 */
export function errorPage({ files, names, errors }: ErrorPage): string {
  const title = `${names.system} against ${names.gold}`;
  const tables = errorTables(errors).map((table, i) => ({ ...table, id: `table-${i + 1}` }));
  const [worst, others] = [true, false].map((isWorst) => tables.filter((one) => isWorst === isWide(one)));
  const page = htmlWriter({ title, style: STYLE });
  const trees = treesHtml(page, files, errors);
  const contents = [
    ...worst!,
    ...(trees === undefined ? [] : [{ id: "trees", title: "Trees" }]),
    ...others!,
  ].map((one) => markup`<a href="#${one.id}">${one.title}</a>`);
  const body = markup`${scoresHtml(errors)}<nav class="contents" aria-label="Contents">${contents}</nav>
${worst!.map(tableHtml)}${trees}<div class="tables">
${others!.map(tableHtml)}</div>
`;
  return `${page.start}${body}${page.end()}`;
}

/** The sentences with the most errors, each with links to those before and after it. */
function treesHtml(
  page: ReturnType<typeof htmlWriter>,
  files: ComparedFiles,
  { worst }: TreeErrors,
): Markup | undefined {
  if (worst.length === 0) return undefined;
  const link = (i: number, text: string): Markup => {
    const to = worst[i];
    return to === undefined
      ? markup`<span>${text}</span>`
      : markup`<a href="#sentence-${to.index + 1}">${text}</a>`;
  };
  const trees = worst.map(({ index, words, wrongHeads, wrongArcs }, i) => {
    const [gold, system] = [files.gold, files.system].map((sentences) => sentenceDiagram(sentences[index]!));
    const place = `${i + 1} of ${worst.length}: ${wrongArcs} wrong of ${counted(words, "word")}, ${wrongHeads} by the head`;
    return markup`<div class="one"><nav class="steps" aria-label="Sentences">${link(i - 1, "← Previous")}${link(i + 1, "Next →")}<span>${place}</span></nav>
${rawMarkup(page.sentence(compareDiagrams(gold!, system!), {}, index + 1))}</div>
`;
  });
  return markup`<section class="trees" id="trees"><h2 class="title">Trees</h2>
<p class="note">Predicted arcs are above the words, gold arcs that they miss below.</p>
${trees}</section>
`;
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

/** Whether a table lists sentences: it has a column `text`, and its numbers are links to the diagrams. */
function isWide({ columns }: Table): boolean {
  return columns.some(({ name }) => name === "text");
}

function tableHtml(table: Table & { readonly id: string }): Markup {
  const { id, title, note, columns, rows } = table;
  const kind = (column: number) => (columns[column]!.isNumber ? markup` class="number"` : undefined);
  const head = columns.map(({ name }, c) => markup`<th scope="col"${kind(c)}>${name}</th>`);
  const body = rows.map((row) => {
    const cells = row.map((text, c) => {
      if (c > 0) return markup`<td${kind(c)}>${text}</td>`;
      const linked = isWide(table) ? markup`<a href="#sentence-${text}">${text}</a>` : text;
      return markup`<th scope="row"${kind(c)}>${linked}</th>`;
    });
    return markup`<tr>${cells}</tr>\n`;
  });
  return markup`<section id="${id}"${isWide(table) ? markup` class="wide"` : undefined}><h2 class="title">${title}</h2>
${note === undefined ? undefined : markup`<p class="note">${note}</p>\n`}<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table><thead><tr>${head}</tr></thead>
<tbody>${body}</tbody></table></div></section>
`;
}
