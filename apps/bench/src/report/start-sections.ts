import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SentenceView } from "@arcwise/conllu";
import { drawSvg } from "@arcwise/draw";
import { REPOSITORY } from "../data/treebanks.ts";
import type { ComparisonResult } from "../measures/compare-trees.ts";
import { formatInteger, formatPercent } from "../results/format.ts";
import { compareSections } from "./compare-sections.ts";
import { DIAGRAM_WIDTHS } from "./html.ts";
import { left, right, type Section, type Table } from "./report.ts";

/** The results of the command `start`. */
export interface StartResult {
  /** The parsed text, and whether the user gave it. */
  readonly sentences: readonly SentenceView[];
  readonly isOwn: boolean;
  /** Words per second of the pipeline, and its LAS on the raw text of the sample. */
  readonly speed: number;
  readonly las: number;
  readonly comparison: ComparisonResult;
  readonly programs: Table;
}

const DECODERS = "For those who write parsers";

/** Returns the sections of the report: the text, its accuracy, its errors, what to do next, and the decoders. */
export function startSections(result: StartResult): Section[] {
  const decoders = compareSections([result.comparison]).map(
    (section): Section => ({
      ...section,
      chapter: DECODERS,
      // The head of the page is for those who want to know the parser.
      finding: undefined,
      text: `${section.finding ?? ""} ${section.text ?? ""}`.trim(),
    }),
  );
  return [textSection(result), accuracySection(result), errorSection(result.comparison), NEXT, ...decoders];
}

function textSection({ sentences, isOwn, speed }: StartResult): Section {
  return {
    title: isOwn ? "Your text" : "A text and its trees",
    text:
      "Each arrow goes from a head to its modifier, and names the relation; below each word is its part of speech. The model " +
      `found the sentences and words in the text, at ${formatInteger(speed)} words per second on one thread. ` +
      `${isOwn ? "" : 'Yours: npm start -- "Your own text."'}`.trim(),
    figures: sentences.map((sentence) => ({
      title: sentence.text,
      size: "wide",
      drawing: drawn(sentence, DIAGRAM_WIDTHS.wide),
      narrow: drawn(sentence, DIAGRAM_WIDTHS.narrow),
    })),
    tables: sentences.slice(0, 1).map(wordTable),
  };
}

function drawn(sentence: SentenceView, width: number): string {
  return drawSvg(sentence, { width, isStandalone: false });
}

function wordTable({ words }: SentenceView): Table {
  return {
    title: "The words of the first sentence",
    isDetail: true,
    columns: ["word", "lemma", "part of speech", "features", "head", "relation"].map((name) => left(name)),
    rows: words.map(({ form, lemma, upos, feats, head, deprel }) => [
      form,
      lemma ?? "",
      upos ?? "",
      Object.entries(feats)
        .map(([name, value]) => `${name}=${value}`)
        .join(", "),
      head?.form ?? "(root)",
      deprel ?? "",
    ]),
  };
}

/** The page of results that has the figures of other programs. */
interface ResultsPage {
  readonly date: string;
  readonly machine: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const TREEBANK = "English-EWT";
const COLUMNS = ["program", "LAS", "UAS", "UPOS", "words", "model", "training, processor time"];

/** Returns the figures of other programs on the whole test split, as docs/results has them. */
export function publishedPrograms(): Table {
  const path = join(REPOSITORY, "docs/results/data/programs.json");
  const { date, columns, rows } = JSON.parse(readFileSync(path, "utf8")) as ResultsPage;
  const own = rows.filter((row) => row[columns.indexOf("treebank")] === TREEBANK);
  return {
    title: "Compared with other programs, on all 2,077 sentences of the test split",
    columns: COLUMNS.map((name) => (name === "program" ? left(name) : right(name))),
    rows: own.map((row) => COLUMNS.map((name) => row[columns.indexOf(name)] ?? "")),
    note:
      `From raw text, measured ${date.replaceAll("`", "")}; the commands and more figures are in docs/results. LAS: words with the right ` +
      "head and relation; UAS: with the right head; UPOS: with the right part of speech; words: found in the text, all in %.",
  };
}

function accuracySection({ las, comparison, programs }: StartResult): Section {
  return {
    title: "How right it is",
    finding:
      `On the raw text of ${formatInteger(comparison.sentences)} sentences from the web, ${formatPercent(las, 1)} % of the ` +
      "words get the right head and relation.",
    text:
      "The sentences are from blogs, e-mails, newsgroups, questions and reviews, and the model has not been trained on " +
      "them. Errors in finding words and sentences count.",
    figures: [],
    tables: [programs],
  };
}

/** Where the pipeline errs: its first decoder against the gold trees. */
function errorSection({ shown }: ComparisonResult): Section {
  const wrong = shown.filter(({ found }) => found[0] !== 0).length;
  return {
    title: "Where it errs",
    finding: `${formatInteger(wrong)} of ${formatInteger(shown.length)} sentences have an error.`,
    text:
      "Here the words are given. Long arcs and rare relations are hardest: npx arcwise evaluate GOLD PARSED --html " +
      "errors.html counts errors by length, depth and relation, and draws the sentences that have most of them.",
    figures: [],
    tables: [],
  };
}

const NEXT: Section = {
  title: "What next",
  text: "Each line is a command in this folder, or a page of it.",
  figures: [],
  tables: [
    {
      title: "",
      columns: [left("to"), left("do")],
      rows: [
        ["see your own text here", 'npm start -- "Dogs bark at the mail."'],
        ["parse what you type, see why, correct a treebank", "npm run playground: a page"],
        [
          "parse a text or a file",
          'npx arcwise parse english "Dogs bark." or npx arcwise parse english text.txt -o parsed.conllu',
        ],
        [
          "see sentences with errors drawn",
          "npx arcwise parse english FILE -o parsed.conllu, and npx arcwise evaluate FILE parsed.conllu --html errors.html",
        ],
        ["use it in a program", "docs/guide/first-steps.md"],
        ["use it in a page", "docs/guide/browser.md"],
        ["parse another language", "docs/guide/train.md: a model from a treebank, in minutes"],
        [
          "find sentences with a construction",
          "npx arcwise search '{upos:VERB} >obj {lemma:mail}' parsed.conllu",
        ],
        ["compare decoders on your own data", "npm run bench -- --help"],
      ],
    },
  ],
};
