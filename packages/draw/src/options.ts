import {
  type Complete,
  checkOptions,
  defineOptions,
  flag,
  integer,
  list,
  notNegative,
  type OptionTable,
  oneOf,
  positive,
  string,
} from "@arcwise/core/options";
import { TAG_COLUMNS, type TagColumn } from "./diagram.ts";

/**
 * Options of `sentenceDiagram`.
 *
 * @example
 * const options: SentenceDiagramOptions = { graph: "enhanced", tags: ["upos", "xpos"], marked: [1, 2] };
 * const diagram = sentenceDiagram(sentence, options);
 */
export interface SentenceDiagramOptions {
  /**
   * `basic` (the default) draws HEAD and DEPREL; `enhanced` draws DEPS with its empty nodes, which only
   * sentences of @arcwise/conllu have.
   */
  readonly graph?: "basic" | "enhanced" | undefined;
  /** Columns below each word, from top to bottom; `["upos"]` by default. */
  readonly tags?: readonly TagColumn[] | undefined;
  /** `auto` (the default) is the direction of most letters of the sentence. */
  readonly direction?: "auto" | "ltr" | "rtl" | undefined;
  /** Positions, from 1, of the words that stand out in SVG; none by default. */
  readonly marked?: readonly number[] | undefined;
}

/** Options of `layoutArcs`. */
export interface ArcLayoutOptions {
  /** Width in pixels beyond which words go to a further line; no limit by default. */
  readonly width?: number | undefined;
}

/** Options of `renderSvg`. */
export interface RenderOptions {
  /**
   * `true` (the default) makes a file of its own, with namespace, style and background; `false` an element
   * for a page that has `DRAWING_STYLE`.
   */
  readonly isStandalone?: boolean | undefined;
}

/**
 * Options of `drawSvg`. Those of sentences apply to sentences only.
 *
 * @example
 * const options: DrawOptions = { layout: "tree", tags: ["upos", "lemma"], isStandalone: false };
 * element.innerHTML = drawSvg(sentence, options);
 */
export interface DrawOptions extends RenderOptions, ArcLayoutOptions, SentenceDiagramOptions {
  /** Arcs above the words (`arcs`, the default), or words below their heads (`tree`, which never wraps). */
  readonly layout?: "arcs" | "tree" | undefined;
}

/**
 * Options of HTML pages.
 *
 * @example
 * const options: PageOptions = { title: "Trees", language: "fr", layout: "tree" };
 * const page = drawHtml(sentences, options);
 */
export interface PageOptions extends Omit<DrawOptions, "isStandalone" | "marked"> {
  /** Title and heading; `Dependency trees` by default. */
  readonly title?: string | undefined;
  /** Language of the page, for screen readers; `en` by default. */
  readonly language?: string | undefined;
  /** Further rules of the style sheet, which are not escaped. */
  readonly style?: string | undefined;
}

/**
 * Options of `drawText`. Those of sentences apply to sentences only.
 *
 * @example
 * const options: TextOptions = { characters: "ascii", tags: ["upos", "feats"] };
 * console.log(drawText(sentence, options));
 */
export interface TextOptions extends Omit<SentenceDiagramOptions, "marked"> {
  /** `box` (the default) draws lines with the characters of U+2500 and later; `ascii` with ASCII. */
  readonly characters?: "box" | "ascii" | undefined;
  /** Colour by the escape sequences of terminals; false by default. */
  readonly hasColour?: boolean | undefined;
}

/** Options of `compareDiagrams`. */
export interface CompareOptions {
  /**
   * Gold arcs below the words: those whose words the prediction does not link (`missed`, the default), or
   * `all`.
   */
  readonly gold?: "missed" | "all" | undefined;
}

/** Options of `withProbabilities`. */
export interface ProbabilityOptions {
  /** Draw other arcs with at least this probability below the words; 0.1 by default. */
  readonly threshold?: number | undefined;
}

const SENTENCE = {
  graph: {
    check: oneOf("basic", "enhanced"),
    help: "the tree, or DEPS with its empty nodes",
    default: "basic",
  },
  tags: {
    check: list(oneOf(...TAG_COLUMNS)),
    help: "columns below each word, from top to bottom",
    defaultHelp: "upos",
  },
  direction: { check: oneOf("auto", "ltr", "rtl"), help: "direction of the words", default: "auto" },
} as const;
const MARKED = {
  check: list(integer(1)),
  help: "positions of the words that stand out",
  defaultHelp: "none",
};
const ARCS = {
  width: { check: positive, help: "maximum width in pixels", defaultHelp: "no limit" },
} as const;
const RENDER = {
  isStandalone: { check: flag, help: "whether it is a file of its own", default: true },
} as const;
const LAYOUT = {
  check: oneOf("arcs", "tree"),
  help: "arcs above the words, or a tree",
  default: "arcs",
} as const;

/** The options of each function that draws. */
const TABLES = {
  sentenceDiagram: defineOptions<SentenceDiagramOptions>()({ ...SENTENCE, marked: MARKED }),
  layoutArcs: defineOptions<ArcLayoutOptions>()(ARCS),
  renderSvg: defineOptions<RenderOptions>()(RENDER),
  drawSvg: defineOptions<DrawOptions>()({ ...SENTENCE, marked: MARKED, ...ARCS, ...RENDER, layout: LAYOUT }),
  htmlSentence: defineOptions<Omit<DrawOptions, "isStandalone">>()({
    ...SENTENCE,
    marked: MARKED,
    ...ARCS,
    layout: LAYOUT,
  }),
  drawHtml: defineOptions<PageOptions>()({
    ...SENTENCE,
    ...ARCS,
    layout: LAYOUT,
    title: { check: string, help: "title and heading", default: "Dependency trees" },
    language: { check: string, help: "language of the page", default: "en" },
    style: { check: string, help: "further rules of the style sheet", default: "" },
  }),
  drawText: defineOptions<TextOptions>()({
    ...SENTENCE,
    characters: { check: oneOf("box", "ascii"), help: "characters of the lines", default: "box" },
    hasColour: { check: flag, help: "colour by the escape sequences of terminals", default: false },
  }),
  compareDiagrams: defineOptions<CompareOptions>()({
    gold: { check: oneOf("missed", "all"), help: "gold arcs that are drawn", default: "missed" },
  }),
  withProbabilities: defineOptions<ProbabilityOptions>()({
    threshold: { check: notNegative, help: "minimum probability of other arcs", default: 0.1 },
  }),
} as const;

/**
 * Returns the options of a call with their defaults.
 *
 * @throws ArcwiseError `unknown-option`, `invalid-option`
 */
export function optionsFor<Name extends keyof typeof TABLES>(
  name: Name,
  options: unknown,
): Complete<(typeof TABLES)[Name]> {
  return checkOptions(TABLES[name] as OptionTable<object>, options, name) as Complete<(typeof TABLES)[Name]>;
}
