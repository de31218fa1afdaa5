import {
  collapseEmptyNodes,
  enhance,
  enhancedGraph,
  parseConll2009,
  parseConllu,
  parseConllX,
  parseSdp,
  rawText,
  sdpGraph,
  sdpWords,
  validateText,
  viewSentence,
  withEnhancedGraph,
  writeConllu,
} from "@arcwise/conllu";
import { compilePattern } from "@arcwise/conllu/search";
import { drawHtml, drawSvg } from "@arcwise/draw";
import { evaluateConllu } from "@arcwise/evaluate";
import { lexiconVectors, readTemplates, readWordVectors } from "@arcwise/parser";

/** A text that grows with a run of characters. */
type Shape = (fill: string) => string;
/** A reader of a text. */
type Use = (text: string) => unknown;

/** A format with the places where a run of characters stands, and what reads it. */
export interface TimeFormat {
  readonly name: string;
  readonly shapes: Readonly<Record<string, Shape>>;
  readonly fills: readonly string[];
  readonly uses: Readonly<Record<string, Use>>;
}

/** Runs of characters that regular expressions, readers and rules may look at again and again. */
const FILLS = [
  ...["x", " ", "  x", "\t", "\u00a0", "e\u0301", "\u0301", "\u200d", "👍🏽"],
  ...`= x= | a=1| : 0:x| - 1 1- . x. _ # ( " ' « \\ / & % [ { ß İ`.split(" "),
];
const TEXT_FILLS = [
  ...FILLS.filter((fill) => fill !== "\t"),
  ...["1. ", "1.\n", "- ", "\n", "\n\n", "?! ", "(a ", '"a" ', "A. ", "e.g. ", "\r"],
  ..."http:// www. a@ @a #a :) :- a.b a@b. ! 。 \u0e01 \u1100 \u{1f1e6} \ufe0f ’ a' ...".split(" "),
];

const row = (id: number | string, form: string, head: number | string, more = "x\t_\t_") =>
  `${id}\t${form}\t_\tX\t_\t_\t${head}\t${more}\n`;
const rows = (count: number, headOf: (id: number) => number) =>
  `${Array.from({ length: count }, (_, i) => row(i + 1, "w", headOf(i + 1))).join("")}\n`;

/** Number of rows for a run: each run counts as about 20 characters a row. */
const rowsFor = (fill: string) => Math.max(1, Math.min(60_000, Math.floor(fill.length / 20)));

const CONLLU: TimeFormat = {
  name: "CoNLL-U",
  fills: FILLS,
  shapes: {
    comment: (fill) => `# ${fill}\n${row(1, "w", 0)}\n`,
    "sent_id comment": (fill) => `# sent_id = ${fill}\n${row(1, "w", 0)}\n`,
    "text comment": (fill) => `# text =${fill}w\n${row(1, "w", 0)}\n`,
    "newpar comment": (fill) => `# newpar${fill}id\n${row(1, "w", 0)}\n`,
    "many comments": (fill) => `${"# a = b\n".repeat(rowsFor(fill))}${row(1, "w", 0)}\n`,
    form: (fill) => `${row(1, `w${fill.replaceAll("\t", " ")}w`, 0)}\n`,
    features: (fill) => `1\tw\t_\tX\t_\t${fill}A=1\t0\troot\t_\t_\n\n`,
    relation: (fill) => `${row(1, "w", 0, `a${fill}\t_\t_`)}\n`,
    edges: (fill) => `${row(1, "w", 0, `root\t${fill}0:root\t_`)}\n`,
    MISC: (fill) => `${row(1, "w", 0, `root\t_\t${fill}SpaceAfter=No`)}\n`,
    "spaces after": (fill) => `${row(1, "w", 0, `root\t_\tSpacesAfter=${fill}`)}\n`,
    "words below the root": (fill) => rows(rowsFor(fill), (id) => (id === 1 ? 0 : 1)),
    "words in a chain": (fill) => rows(rowsFor(fill), (id) => id - 1),
    "words in a chain from the right": (fill) =>
      rows(rowsFor(fill), (id) => (id < rowsFor(fill) ? id + 1 : 0)),
    "many sentences": (fill) => `# sent_id = a\n${row(1, "w", 0)}\n`.repeat(rowsFor(fill)),
    ranges: (fill) =>
      `${Array.from({ length: rowsFor(fill) }, (_, i) => row(`${i + 1}-${i + 1}`, "w", "_", "_\t_\t_") + row(i + 1, "w", i)).join("")}\n`,
    "empty nodes": (fill) =>
      `${row(1, "w", 0, "root\t0:root\t_")}${Array.from({ length: rowsFor(fill) }, (_, i) => row(`1.${i + 1}`, "e", "_", `_\t${i === 0 ? "1" : `1.${i}`}:dep\t_`)).join("")}\n`,
  },
  uses: {
    "parse and write": (text) => writeConllu(parseConllu(text)),
    validate: (text) => [...validateText(text)],
    evaluate: (text) => evaluateConllu(parseConllu(text), parseConllu(text)),
    view: (text) => JSON.stringify(parseConllu(text).map((sentence) => viewSentence(sentence).toJSON())),
    "raw text": (text) => rawText(parseConllu(text)).text,
    "graph of DEPS": (text) =>
      parseConllu(text).map((sentence) => withEnhancedGraph(sentence, enhancedGraph(sentence))),
    collapse: (text) => parseConllu(text).map(collapseEmptyNodes),
    enhance: (text) => parseConllu(text).map(enhance),
    page: (text) => drawHtml(parseConllu(text)),
    "drawn tree": (text) => parseConllu(text).map((sentence) => drawSvg(sentence, { layout: "tree" })),
    search: (text) => {
      const pattern = compilePattern("{upos:X} > {}=m");
      return parseConllu(text).map((sentence) => [...pattern.matches(sentence)].length);
    },
    "CoNLL-X": (text) => parseConllX(text),
    "CoNLL-2009": (text) => parseConll2009(text),
  },
};

const SDP: TimeFormat = {
  name: "SDP",
  fills: ["x", " ", "-", "+"],
  shapes: {
    form: (fill) => `#SDP 2015\n#1\n1\t${fill}\t_\tX\t+\t-\t_\n\n`,
    words: (fill) =>
      `#SDP 2015\n#1\n${Array.from({ length: rowsFor(fill) }, (_, i) => `${i + 1}\tw\t_\tX\t-\t${i === 0 ? "+" : "-"}\t_\tA\n`).join("")}\n`,
  },
  uses: {
    "parse and convert": (text) => parseSdp(text).map((sentence) => [sdpWords(sentence), sdpGraph(sentence)]),
  },
};

const VECTORS: TimeFormat = {
  name: "vectors",
  fills: ["x", " ", "1 ", "0.1\t", "\t", "e", "."],
  shapes: {
    "a line": (fill) => `w ${fill}\n`,
    "many lines": (fill) => `${Array.from({ length: rowsFor(fill) }, (_, i) => `w${i} 1 2`).join("\n")}\n`,
    entries: (fill) => `w\tw\tN;${fill};SG\n`,
  },
  uses: {
    vectors: (text) => readWordVectors(text.split("\n")),
    lexicon: (text) => lexiconVectors(text.split("\n"), { minimumCount: 1 }),
  },
};

const TEMPLATES: TimeFormat = {
  name: "templates",
  fills: ["h.upos ", "m.form ", " ", "x", "["],
  shapes: {
    "a template": (fill) => JSON.stringify({ arc: [fill] }),
    "many templates": (fill) =>
      JSON.stringify({ arc: { add: Array.from({ length: rowsFor(fill) }, (_, i) => `h.upos m.F${i}`) } }),
    nesting: (fill) => `${"[".repeat(fill.length)}${"]".repeat(fill.length)}`,
  },
  uses: { templates: (text) => readTemplates(text) },
};

/** Returns the formats. @param tokenize cuts a text by a model */
export function timeFormats(tokenize: Use): readonly TimeFormat[] {
  const text: TimeFormat = {
    name: "text",
    fills: TEXT_FILLS,
    shapes: {
      "run alone": (fill) => fill,
      "run before a word": (fill) => `${fill} cats sleep.`,
      "run in a word": (fill) => `cats${fill}sleep`,
    },
    uses: { tokenize },
  };
  return [CONLLU, SDP, VECTORS, TEMPLATES, text];
}
