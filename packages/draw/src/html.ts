import { invalidArgument } from "@arcwise/core/errors";
import { checkArgument, iterable } from "@arcwise/core/options";
import { type ArcKind, checkDiagram, type Diagram } from "./diagram.ts";
import type { Layout } from "./layout/layout.ts";
import { type DrawOptions, optionsFor, type PageOptions } from "./options.ts";
import type { DrawableSentence } from "./sentence-diagram.ts";
import { DRAWING_STYLE } from "./style.ts";
import { diagramOf, layoutOf, lineElement, svgOf } from "./svg.ts";
import { type Markup, markup, rawMarkup, styleElement } from "./text/markup.ts";

/** Width of lines of words on pages, unless `width` is given: what a screen of 1280 pixels shows. */
const PAGE_WIDTH = 1140;
/** Width of lines of words on phones: what a screen of 390 pixels shows. */
const PHONE_WIDTH = 358;

/** The policy of a page: it loads only its own content. */
const POLICY = markup`default-src 'none'; style-src 'unsafe-inline'`;

const PAGE_STYLE = `*{box-sizing:border-box}
html{color-scheme:light dark;background:var(--aw-paper);color:var(--aw-ink)}
body{margin:0;font:16px/1.5 system-ui,'Segoe UI','Noto Sans',sans-serif;-webkit-text-size-adjust:100%}
main{max-width:1204px;margin:0 auto;padding:24px 32px 64px}
h1{font-size:24px;line-height:1.25;margin:8px 0 28px;overflow-wrap:anywhere}
article{padding:20px 0 12px;border-top:1px solid var(--aw-rule);break-inside:avoid}
article{content-visibility:auto;contain-intrinsic-size:auto 320px}
h2{font:12px/1.4 ui-monospace,'Noto Sans Mono',monospace;color:var(--aw-soft);margin:0 0 4px;overflow-wrap:anywhere}
h2 a{color:inherit;text-decoration:none}h2 a:hover,h2 a:focus{text-decoration:underline}
article p{margin:0 0 10px;font-size:17px;overflow-wrap:anywhere}
figure{margin:0}
.scroll{overflow-x:auto;padding-bottom:8px}
.scroll:focus-visible{outline:2px solid var(--aw-missed);outline-offset:2px}
.scroll svg{display:block;margin:0 auto;direction:ltr}
figcaption{font-size:13px;color:var(--aw-soft);display:flex;flex-wrap:wrap;gap:2px 18px;margin:0 0 12px}
figcaption svg{margin-right:6px;vertical-align:-1px}
.narrow{display:none}.narrow svg{max-width:100%;height:auto}
@media(max-width:640px){main{padding:12px 16px 40px}h1{font-size:20px;margin:4px 0 16px}.scroll svg{margin:0}
.scroll .wide{display:none}.narrow{display:block}}
:root{--aw-rule:#d9dee3}@media(prefers-color-scheme:dark){:root{--aw-rule:#333b43}}`;

const SENTENCES = iterable("sentences or diagrams");

/**
 * Returns a page of sentences: each with its number, ID, text and drawing. The page loads nothing, has no
 * scripts, follows the light or dark preference of its reader, has drawings of its own for phones, and scrolls
 * drawings that are wider than the screen. O(size).
 *
 * @throws ArcwiseError with code `invalid-argument` as `drawSvg` does
 *
 * @example
 * await writeFile("trees.html", drawHtml(nlp.run("Dogs bark. Cats sleep."), { title: "Two trees" }));
 */
export function drawHtml(sentences: Iterable<DrawableSentence | Diagram>, options?: PageOptions): string {
  const { title: _title, language: _language, style: _style, ...drawing } = optionsFor("drawHtml", options);
  // A sentence is iterable as well: its words would be taken for sentences.
  if (typeof sentences === "object" && sentences !== null && "words" in sentences)
    throw invalidArgument("drawHtml", "sentences", "a sentence: put it in a list");
  checkArgument(SENTENCES, sentences, "drawHtml: sentences");
  const { start, sentence, end } = htmlWriter(options);
  return `${start}${Array.from(sentences, (one) => sentence(one, drawing)).join("")}${end()}`;
}

/** The pieces of a page that is written sentence by sentence. */
interface HtmlWriter {
  /** The text before the first sentence. */
  readonly start: string;
  /** Returns the text of a sentence. @param number by default the next one, from 1 */
  sentence(what: DrawableSentence | Diagram, options?: SentenceOptions, number?: number): string;
  /** Returns the text after the last sentence. */
  end(): string;
}

type SentenceOptions = Omit<DrawOptions, "isStandalone">;

/** Returns what writes a page sentence by sentence; of the options, those of drawings are given with each sentence. */
export function htmlWriter(options?: PageOptions): HtmlWriter {
  let count = 0;
  return {
    start: startOf(options),
    sentence: (what, drawing, number = ++count) => htmlSentence(what, number, drawing),
    end: () => "</main>\n</body>\n</html>\n",
  };
}

function startOf(options?: PageOptions): string {
  const { title, language, style } = optionsFor("drawHtml", options);
  return String(markup`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${title}</title>
${styleElement(`${DRAWING_STYLE}\n${PAGE_STYLE}${style}`)}
</head>
<body>
<main>
<h1>${title}</h1>
`);
}

/** Returns a sentence of a page, with its number. */
function htmlSentence(what: DrawableSentence | Diagram, number: number, options?: SentenceOptions): string {
  const { layout, width = PAGE_WIDTH, ...sentence } = optionsFor("htmlWriter", options);
  const diagram = diagramOf("drawHtml", what, sentence);
  checkDiagram(diagram);
  const { id, text = diagram.words.map(({ form }) => form).join(" ") } = diagram;
  const drawings = pageDrawings(diagram, { layout, width });
  // A wide drawing that is read from the right is scrolled from there.
  const direction = diagram.direction === "rtl" ? markup` dir="rtl"` : undefined;
  const name = id === undefined ? number : markup`${number} · ${id}`;
  return String(markup`<article id="sentence-${number}">
<h2><a href="#sentence-${number}">${name}</a></h2>
<p dir="auto">${text}</p>
<figure>${legend(diagram)}<div class="scroll"${direction} tabindex="0" role="group" aria-label="Diagram of sentence ${number}">${drawings}</div></figure>
</article>
`);
}

/** Returns the drawing of a diagram, and another one for phones where it is wider than these. */
function pageDrawings(diagram: Diagram, options: Pick<DrawOptions, "layout" | "width">): readonly Markup[] {
  const wide = layoutOf(diagram, options);
  const svg = (layout: Layout): Markup => rawMarkup(svgOf(layout, false));
  if (wide.width <= PHONE_WIDTH || wide.kind === "tree") return [svg(wide)];
  const narrow = layoutOf(diagram, { ...options, width: PHONE_WIDTH });
  return [markup`<div class="wide">${svg(wide)}</div>`, markup`<div class="narrow">${svg(narrow)}</div>`];
}

const LEGEND: readonly (readonly [kind: ArcKind, text: string])[] = [
  ["right", "right"],
  ["relabelled", "wrong label (predicted / gold)"],
  ["wrong", "wrong head"],
  ["missed", "gold, missed"],
  ["alternative", "alternative"],
];

/** Returns the number of arcs of each kind, with a key; nothing for plain trees. */
function legend({ arcs }: Diagram): Markup | undefined {
  const items = LEGEND.flatMap(([kind, text]) => {
    const count = arcs.filter((arc) => arc.kind === kind && !(kind === "right" && arc.isBelow)).length;
    return count === 0 ? [] : markup`<span>${arcKey(kind)}${count} ${text}</span>`;
  });
  return items.length === 0 ? undefined : markup`<figcaption>${items}</figcaption>`;
}

/** Returns a short line that is drawn as arcs of a kind are, for legends. */
function arcKey(kind: ArcKind): Markup {
  return markup`<svg class="aw" viewBox="0 0 26 10" width="26" height="10" aria-hidden="true"><g class="arc ${kind}">${lineElement("M1,5H25", kind)}</g></svg>`;
}
