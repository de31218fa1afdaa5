import { counted } from "@arcwise/core/errors";
import type { CardNotes, FigureTable } from "./card-notes.ts";
import type { ModelFacts } from "./model-facts.ts";

/** The facts of a package with a model. */
export interface ModelPackage {
  readonly name: string;
  readonly version: string;
  /** The version of arcwise that made it. */
  readonly arcwise: string;
  /** An SPDX expression. */
  readonly license: string;
  readonly treebank?: string | undefined;
  readonly facts: ModelFacts;
  readonly notes: CardNotes;
  /** SHA-256 of the model file, in base64. */
  readonly hash: string;
  /** The name of the model file. */
  readonly file: string;
  readonly hasLicenseFile: boolean;
}

/** Returns the README of a package: what the model is, its use, data, figures and limits. */
export function modelCard(of: ModelPackage): string {
  const { name, license, facts, notes, file } = of;
  const figures = [...devFigures(facts), ...(notes.figures ?? [])];
  const sections = [
    `# ${name}`,
    notes.summary ?? descriptionOf(of),
    "## Install",
    `    npm install arcwise ${name}`,
    "## Use",
    useOf(name),
    ...(notes.data === undefined ? [] : ["## Data", ...notes.data]),
    "## Model",
    tableOf({ title: "", columns: ["", "value"], rows: factRows(of) }),
    ...(notes.command === undefined ? [] : ["Trained by", indented(notes.command)]),
    ...(figures.length === 0 ? [] : ["## Figures"]),
    ...figures.flatMap((table) => [table.title, tableOf(table)]),
    ...(notes.limits === undefined
      ? []
      : ["## Limits", notes.limits.map((limit) => `- ${limit}`).join("\n")]),
    "## Licence",
    `${license}, for the package and \`${file}\`${of.hasLicenseFile ? ": [LICENSE](LICENSE)" : ""}.`,
    ...(notes.use === undefined ? [] : [notes.use]),
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

/** Returns the package in a sentence. */
export function descriptionOf({ treebank, facts }: Pick<ModelPackage, "treebank" | "facts">): string {
  const { trainingSentences } = facts;
  const size =
    trainingSentences === undefined
      ? ""
      : ` of ${counted(trainingSentences.toLocaleString("en"), "sentence")}`;
  const from =
    treebank === undefined
      ? size === ""
        ? ""
        : `, trained on a treebank${size}`
      : `, trained on ${treebank}`;
  return `A pipeline for arcwise from text to dependency trees${from}.`;
}

function useOf(name: string): string {
  return `\`\`\`js
import { load } from "${name}";
import { createPipeline } from "arcwise";

const nlp = createPipeline(await load());
for (const { words } of nlp.run("A text with one sentence.")) {
  for (const { form, upos, deprel, head } of words) console.log(form, upos, deprel, head?.form ?? "ROOT");
}
\`\`\`

\`readModel()\` returns the bytes of the model, compared with their SHA-256; both functions take a \`signal\`, and a \`url\` where a bundle does not know the address of the file: \`await load({ url })\`. In a browser, the file is fetched from the folder of the module, and kept in the Cache API unless \`cache: false\`. Bundlers that know \`new URL(FILE, import.meta.url)\` copy it. On the command line: \`npx arcwise parse ${name} "A text."\``;
}

function factRows({ facts, file, hash, treebank, arcwise }: ModelPackage): [string, string | number][] {
  const rows: [string, string | number | undefined][] = [
    ["file", `\`${file}\`, ${(facts.bytes / 1e6).toFixed(1)} MB`],
    ["SHA-256", `\`${hash}\``],
    ["parts", facts.parts.join(", ")],
    ["treebank", treebank],
    ["training sentences", facts.trainingSentences],
    ["seed", facts.seed],
    ["arcwise", arcwise],
  ];
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}

function devFigures({ dev }: ModelFacts): FigureTable[] {
  if (dev === undefined) return [];
  const title =
    "From raw text, on the development set, F1 in per cent (metrics of the CoNLL 2018 shared task):";
  return [{ title, columns: Object.keys(dev), rows: [Object.values(dev).map((score) => score.toFixed(2))] }];
}

function tableOf({ columns, rows }: FigureTable): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.map(cellText).join(" | ")} |`;
  return [line(columns), `|${columns.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

function cellText(cell: string | number): string {
  return String(cell).replaceAll("|", "\\|").replaceAll("\n", " ");
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, "    ");
}
