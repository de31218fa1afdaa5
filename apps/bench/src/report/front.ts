import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DataError, writeOutput } from "@arcwise/cli/command";
import { barX, dot, gridX, ruleX, ruleY, text } from "@observablehq/plot";
import { planFile } from "../data/files.ts";
import { REPOSITORY } from "../data/treebanks.ts";
import type { ComparisonResult } from "../measures/compare-trees.ts";
import { sum } from "../measures/timing.ts";
import type { Environment } from "../results/environment.ts";
import { formatInteger, formatPercent } from "../results/format.ts";
import { figureOf } from "./plots.ts";

/** The figures of a decoder on a treebank. Shares are from 0 to 1. */
type FrontFigures = Pick<
  ComparisonResult["decoders"][number],
  "decoder" | "las" | "optimal" | "certified" | "wordsPerSecond"
>;

/** The decoders of a treebank on the same scores. */
export interface FrontTreebank {
  readonly treebank: string;
  readonly sentences: number;
  readonly decoders: readonly FrontFigures[];
}

/** Data of the front page of the benchmark: decoders on the same scores of treebanks. */
export interface FrontData {
  readonly date: string;
  readonly version: string;
  readonly machine: string;
  /** All with the same decoders. */
  readonly treebanks: readonly FrontTreebank[];
}

/** Returns the data of the front page, rounded to what it shows. */
export function frontData(
  results: readonly ComparisonResult[],
  { date, arcwise, cpu, node }: Pick<Environment, "date" | "arcwise" | "cpu" | "node">,
): FrontData {
  return {
    date: date.slice(0, 10),
    version: arcwise,
    machine: `one core of ${cpu}, Node ${node}`,
    treebanks: results.map(({ treebank, sentences, decoders }) => ({
      treebank,
      sentences,
      decoders: decoders.map(({ decoder, las, optimal, certified, wordsPerSecond }) => ({
        decoder,
        las: rounded(las),
        optimal: rounded(optimal),
        certified: rounded(certified),
        wordsPerSecond: Math.round(wordsPerSecond),
      })),
    })),
  };
}

const rounded = (share: number): number => Math.round(share * 1e5) / 1e5;

/**
 * Returns each decoder with its figures by treebank, shares of the sentences of all treebanks, and words per second of the
 * first treebank.
 */
function rowsOf({ treebanks }: FrontData) {
  const sentences = sum(treebanks.map((one) => one.sentences));
  return treebanks[0]!.decoders.map(({ decoder, wordsPerSecond }, k) => {
    const byTreebank = treebanks.map(({ decoders }) => decoders[k]!);
    const share = (key: "optimal" | "certified"): number =>
      sum(treebanks.map((one, i) => one.sentences * byTreebank[i]![key])) / sentences;
    const speed = roundedSpeed(wordsPerSecond).toLocaleString("en");
    return {
      ...{ decoder, byTreebank, wordsPerSecond, speed },
      ...{ optimal: share("optimal"), certified: share("certified") },
    };
  });
}

/** Returns the language of a treebank: `French` of `UD_French-Sequoia`. */
const languageOf = ({ treebank }: FrontTreebank): string => treebank.replace(/^UD_/, "").replace(/-.*/, "");

/** Returns a speed with two digits. */
function roundedSpeed(wordsPerSecond: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(wordsPerSecond)) - 1);
  return unit * Math.round(wordsPerSecond / unit);
}

function frontTable(data: FrontData): string {
  const languages = data.treebanks.map((one) => `${languageOf(one)} LAS`);
  const columns = ["decoder", ...languages, "optimal %", "certified %", "words/s"];
  const rows = rowsOf(data).map(({ decoder, byTreebank, optimal, certified, speed }) => [
    ...[decoder, ...byTreebank.map(({ las }) => formatPercent(las))],
    ...[formatPercent(optimal, 1), formatPercent(certified, 1), speed],
  ]);
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(columns), `|---|${"---:|".repeat(columns.length - 1)}`, ...rows.map(line)].join("\n");
}

/** The legend is the first row. */
const LEGEND = " ";
const [WIDTH, LEFT, RIGHT] = [560, 176, 92];

/** Places the names of languages in the first row, from left to right, by the width of a symbol and of a letter. */
function legendOf(languages: readonly string[]): { decoder: string; optimal: number; language: string }[] {
  let at = 0;
  return languages.map((language) => {
    const entry = { decoder: LEGEND, optimal: (100 * at) / (WIDTH - LEFT - RIGHT), language };
    at += 26 + 7.2 * language.length;
    return entry;
  });
}

/** Returns where labels at a side of the frame stand. */
const labels = (frameAnchor: "left" | "right", dx: number) =>
  ({ frameAnchor, dx, textAnchor: "end" }) as const;

const STYLE =
  "svg { color: #1c2024; background: #fff } @media (prefers-color-scheme: dark) { svg { color: #e6e9ec; background: #14181c } }";

/**
 * Draws the picture of the front page as SVG, the fastest decoder first: per decoder a bar up to the share of
 * certified trees, a symbol per treebank at the share of optimal ones, and words per second.
 */
export function frontPicture(data: FrontData): string {
  const rows = rowsOf(data).sort((a, b) => b.wordsPerSecond - a.wordsPerSecond);
  const languages = data.treebanks.map(languageOf);
  const points = rows.flatMap(({ decoder, byTreebank }) =>
    byTreebank.map(({ optimal }, i) => ({ decoder, optimal: 100 * optimal, language: languages[i]! })),
  );
  const legend = legendOf(languages);
  const by = { x: "optimal", y: "decoder", stroke: "language", symbol: "language" } as const;
  const svg = figureOf({
    width: WIDTH,
    height: 76 + 32 * (rows.length + 1),
    marginLeft: LEFT,
    marginRight: RIGHT,
    marginTop: 34,
    marginBottom: 40,
    x: { domain: [0, 100], label: "% of sentences", labelArrow: "none", ticks: [0, 25, 50, 75, 100] },
    y: { type: "band", domain: [LEGEND, ...rows.map(({ decoder }) => decoder)], axis: null, padding: 0.25 },
    color: { domain: languages },
    symbol: { domain: languages },
    marks: [
      gridX([25, 50, 75, 100]),
      ruleY(rows, { y: "decoder", strokeOpacity: 0.12 }),
      barX(rows, {
        x: ({ certified }) => 100 * certified,
        y: "decoder",
        fillOpacity: 0.16,
        fill: "currentColor",
      }),
      ruleX([0]),
      text(rows, { ...{ text: "decoder", y: "decoder" }, ...labels("left", -8), lineWidth: 12 }),
      text(rows, { ...{ text: "speed", y: "decoder" }, ...labels("right", 84), fontVariant: "tabular-nums" }),
      text(["words/s"], { y: () => LEGEND, ...labels("right", 84), fontWeight: "bold" }),
      text(["symbols: optimal, bars: certified"], { frameAnchor: "top-left", dy: -26, fontWeight: "bold" }),
      dot([...points, ...legend], { ...by, r: 4.5, strokeWidth: 2 }),
      text(legend, { x: "optimal", y: "decoder", text: "language", dx: 8, textAnchor: "start" }),
    ],
  });
  const names = languages.join(", ");
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  svg.setAttribute("role", "img");
  svg.setAttribute(
    "aria-label",
    `Share of optimal trees and words per second of ${rows.length} decoders on ${names}`,
  );
  const style = svg.ownerDocument.createElement("style");
  style.textContent = STYLE;
  svg.prepend(style);
  return svg.outerHTML;
}

/** The files of the front page, in the repository. */
export const FRONT_FILES = {
  data: join(REPOSITORY, "apps/bench/front/decoders.json"),
  picture: join(REPOSITORY, "apps/bench/front/decoders.svg"),
  readme: join(REPOSITORY, "apps/bench/README.md"),
} as const;

/** The table of the README, from its head to the last row, and the line about its measurement. */
const TABLE = /^\| decoder \|.*(?:\n\|.*)*\n\nVersion .*$/m;

/** Returns the content of each file of the front page; the rest of the README stays. */
export function frontFiles(data: FrontData): Readonly<Record<keyof typeof FRONT_FILES, string>> {
  const readme = readFileSync(FRONT_FILES.readme, "utf8");
  if (!TABLE.test(readme))
    throw new DataError(`${FRONT_FILES.readme}: expected a table "| decoder |" and "Version", found none`);
  return {
    data: `${JSON.stringify(data, undefined, 2)}\n`,
    picture: `${frontPicture(data)}\n`,
    readme: readme.replace(TABLE, `${frontTable(data)}\n\n${measurement(data)}`),
  };
}

function measurement({ version, date, machine, treebanks }: FrontData): string {
  const sentences = treebanks.map((one) => `${one.treebank} ${formatInteger(one.sentences)}`).join(", ");
  return `Version ${version}, ${date}, ${machine}. Sentences: ${sentences}.`;
}

/** Writes the files of the front page. */
export async function writeFront(data: FrontData): Promise<void> {
  const files = Object.entries(frontFiles(data)) as [keyof typeof FRONT_FILES, string][];
  for (const [name, content] of files) {
    const path = FRONT_FILES[name];
    await writeOutput(process, await planFile(dirname(path), basename(path)), content);
  }
}

/** Returns the data that was recorded last; undefined before the first time. */
export function recordedFront(): FrontData | undefined {
  if (!existsSync(FRONT_FILES.data)) return undefined;
  return JSON.parse(readFileSync(FRONT_FILES.data, "utf8")) as FrontData;
}
