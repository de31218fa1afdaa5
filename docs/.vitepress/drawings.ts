import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Markup, markup, rawMarkup } from "@arcwise/draw";
import { load } from "@arcwise/english";
import { createPipeline, type DrawOptions, drawSvg, parseConllu } from "arcwise";
import type { MarkdownRenderer } from "vitepress";

/** Pixels of a line of words next to the contents of a page, and on phones. */
export const WIDTHS = { wide: 660, narrow: 340 } as const;
const LAYOUTS: Readonly<Record<string, DrawOptions>> = {
  arcs: {},
  tree: { layout: "tree" },
  enhanced: { graph: "enhanced" },
};

/**
 * Draws blocks of code in CoNLL-U: "```conllu" shows the rows and then the picture, "```conllu draw" the picture
 * alone. A third word is the layout: "arcs", "tree" or "enhanced". Columns may be separated by spaces.
 *
 * @throws ConlluError when a block is not CoNLL-U; Error for an unknown layout
 */
export function drawings(markdown: MarkdownRenderer): void {
  const code = markdown.renderer.rules.fence!;
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const token = tokens[index]!;
    const [language, what = "show", layout = "arcs"] = token.info.trim().split(/\s+/);
    if (language !== "conllu") return code(tokens, index, ...rest);
    const options = LAYOUTS[layout];
    if (options === undefined)
      throw new Error(`expected a layout of ${Object.keys(LAYOUTS).join(", ")}, got ${layout}`);
    const drawn = figure(parseConllu(withTabs(token.content)).map((sentence) => picture(sentence, options)));
    token.info = "txt"; // CoNLL-U has no colours
    token.content = aligned(token.content);
    return what === "draw" ? drawn : code(tokens, index, ...rest) + drawn;
  };
}

const english = createPipeline(await load());

/** Parses blocks "```english" by `@arcwise/english`, and shows the drawings of their sentences alone. */
export function englishTrees(markdown: MarkdownRenderer): void {
  const code = markdown.renderer.rules.fence!;
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info, content } = tokens[index]!;
    if (info.trim() !== "english") return code(tokens, index, ...rest);
    return figure(english.run(content).map((sentence) => picture(sentence, LAYOUTS.arcs!)));
  };
}

type Drawn = Parameters<typeof drawSvg>[0];

/** Draws a sentence, and once more for phones if it has lines of words. */
function picture(sentence: Drawn, options: DrawOptions): Markup {
  const drawn = (width?: number) => rawMarkup(drawSvg(sentence, { ...options, width, isStandalone: false }));
  if (options.layout === "tree") return drawn();
  return markup`${Object.entries(WIDTHS).map(([name, width]) => markup`<div class="${name}">${drawn(width)}</div>`)}`;
}

function figure(pictures: readonly Markup[]): string {
  return String(markup`<div class="drawing" v-pre>${pictures}</div>\n`);
}

const ARCWISE = fileURLToPath(new URL("../../packages/arcwise/bin/arcwise.js", import.meta.url));

/** Shows what the command line of a block "```help" prints, such as `arcwise parse --help`. */
export function help(markdown: MarkdownRenderer): void {
  const code = markdown.renderer.rules.fence!;
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const token = tokens[index]!;
    if (token.info.trim() === "help") {
      const [, ...args] = token.content.trim().split(" ");
      token.content = execFileSync(process.execPath, [ARCWISE, ...args], { encoding: "utf8" });
      token.info = "txt";
    }
    return code(tokens, index, ...rest);
  };
}

/** Lines that begin with a program, a prompt or a variable. */
const COMMAND = /^(?:\$ |npx |npm |node |curl |arcwise |[A-Z]+=)/m;

/** An installation of packages of this project from npm, which READMEs state for their readers there. */
const INSTALLATION = /^npm install (?!.*\.tgz).*\barcwise/m;
const BEFORE_RELEASE =
  '<p><small>Before the first release: <a href="/guide/first-steps.html#install">packed in a clone</a>.</small></p>\n';

/** Shows indented blocks as code, which scrolls in itself; commands of a shell have colours. */
export function commands(markdown: MarkdownRenderer): void {
  const { rules } = markdown.renderer;
  const fence = rules.fence!;
  rules.fence = (tokens, index, ...rest) =>
    fence(tokens, index, ...rest) + (INSTALLATION.test(tokens[index]!.content) ? BEFORE_RELEASE : "");
  rules.code_block = (tokens, index, ...rest) => {
    tokens[index]!.info = COMMAND.test(tokens[index]!.content) ? "sh" : "txt";
    return rules.fence!(tokens, index, ...rest);
  };
}

/** Width up to which cells of a column are padded: a longer cell moves the rest of its row. */
const MAX_PADDING = 24;

/** Rows of words with columns that begin below each other. */
function aligned(rows: string): string {
  const table = rows
    .trimEnd()
    .split("\n")
    .map((line) => (line.startsWith("#") ? [line] : line.trim().split(/\s+/)));
  const widths = Array.from({ length: 10 }, (_, c) =>
    Math.min(
      MAX_PADDING,
      Math.max(...table.map((cells) => (cells.length > 1 ? (cells[c]?.length ?? 0) : 0))),
    ),
  );
  const lines = table.map((cells) =>
    cells
      .map((cell, c) => cell.padEnd(widths[c]!))
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n`;
}

/** Rows of words with tabs in place of runs of spaces; comments as they are. */
function withTabs(rows: string): string {
  const lines = rows.trimEnd().split("\n");
  return `${lines.map((line) => (line.startsWith("#") ? line : line.trim().replaceAll(/ +/g, "\t"))).join("\n")}\n\n`;
}
