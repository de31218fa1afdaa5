import {
  type Complete,
  checkOptions,
  defineOptions,
  flag,
  integer,
  list,
  notNegative,
  type OptionsOf,
  type OptionTable,
  oneOf,
  positive,
  string,
} from "@arcwise/core/options";
import { TAG_COLUMNS } from "./diagram.ts";

const SENTENCE = {
  graph: {
    check: oneOf("basic", "enhanced"),
    help: "HEAD and DEPREL, or DEPS with its empty nodes, which only sentences of @arcwise/conllu have",
    default: "basic",
  },
  tags: {
    check: list(oneOf(...TAG_COLUMNS)),
    help: "columns below each word, from top to bottom",
    defaultHelp: '["upos"]',
  },
  direction: {
    check: oneOf("auto", "ltr", "rtl"),
    help: "direction of the words; auto: the direction of most letters of the sentence",
    default: "auto",
  },
} as const;
const MARKED = {
  check: list(integer(1)),
  help: "positions, from 1, of the words that stand out in SVG",
  defaultHelp: "none",
} as const;
const ARCS = {
  width: {
    check: positive,
    help: "width in pixels beyond which words go to a further line",
    defaultHelp: "no limit",
  },
} as const;
const RENDER = {
  isStandalone: {
    check: flag,
    help: "whether it is a file of its own, with namespace, style and background, or an element for a page that has DRAWING_STYLE",
    default: true,
  },
} as const;
const LAYOUT = {
  check: oneOf("arcs", "tree"),
  help: "arcs above the words, or words below their heads, which never wraps",
  default: "arcs",
} as const;

/** The options of each function that draws. Those of sentences apply to sentences only. */
const TABLES = {
  sentenceDiagram: defineOptions({ ...SENTENCE, marked: MARKED }),
  drawTikz: defineOptions({ ...SENTENCE, marked: MARKED }),
  layoutArcs: defineOptions(ARCS),
  renderSvg: defineOptions(RENDER),
  drawSvg: defineOptions({ ...SENTENCE, marked: MARKED, ...ARCS, ...RENDER, layout: LAYOUT }),
  htmlWriter: defineOptions({ ...SENTENCE, marked: MARKED, ...ARCS, layout: LAYOUT }),
  drawHtml: defineOptions({
    ...SENTENCE,
    ...ARCS,
    layout: LAYOUT,
    title: { check: string, help: "title and heading", default: "Dependency trees" },
    language: { check: string, help: "language of the page, for screen readers", default: "en" },
    style: {
      check: string,
      help: "further rules of the style sheet, which are not escaped",
      default: "",
    },
  }),
  drawText: defineOptions({
    ...SENTENCE,
    characters: {
      check: oneOf("box", "ascii"),
      help: "characters of the lines: U+2500 and later, or ASCII",
      default: "box",
    },
    hasColour: { check: flag, help: "colour by the escape sequences of terminals", default: false },
  }),
  compareDiagrams: defineOptions({
    gold: {
      check: oneOf("missed", "all"),
      help: "gold arcs below the words: those whose words the prediction does not link, or all",
      default: "missed",
    },
  }),
  withProbabilities: defineOptions({
    threshold: {
      check: notNegative,
      help: "minimum probability of other arcs, which are drawn below the words",
      default: 0.1,
    },
  }),
} as const;

/** The options of a function that draws. */
export type OptionsFor<Name extends keyof typeof TABLES> = OptionsOf<(typeof TABLES)[Name]>;

/**
 * Options of `sentenceDiagram`.
 *
 * @example
 * const options: SentenceDiagramOptions = { graph: "enhanced", tags: ["upos", "xpos"], marked: [1, 2] };
 * const diagram = sentenceDiagram(sentence, options);
 */
export interface SentenceDiagramOptions extends OptionsFor<"sentenceDiagram"> {}

/**
 * Options of `drawSvg`. Those of sentences apply to sentences only.
 *
 * @example
 * const options: DrawOptions = { layout: "tree", tags: ["upos", "lemma"], isStandalone: false };
 * element.innerHTML = drawSvg(sentence, options);
 */
export interface DrawOptions extends OptionsFor<"drawSvg"> {}

/**
 * Options of HTML pages.
 *
 * @example
 * const options: PageOptions = { title: "Trees", language: "fr", layout: "tree" };
 * const page = drawHtml(sentences, options);
 */
export interface PageOptions extends OptionsFor<"drawHtml"> {}

/**
 * Options of `drawText`. Those of sentences apply to sentences only.
 *
 * @example
 * const options: TextOptions = { characters: "ascii", tags: ["upos", "feats"] };
 * console.log(drawText(sentence, options));
 */
export interface TextOptions extends OptionsFor<"drawText"> {}

/** Returns the options of a call with their defaults. */
export function optionsFor<Name extends keyof typeof TABLES>(
  name: Name,
  options: unknown,
): Complete<(typeof TABLES)[Name]> {
  return checkOptions(TABLES[name] as OptionTable<object>, options, name) as Complete<(typeof TABLES)[Name]>;
}
