import {
  type ContainerHeader,
  firstContainer,
  readBundle,
  readContainerHeader,
} from "@arcwise/core/container";
import { readFileAs } from "@arcwise/core/node";
import { loadGraphParser } from "@arcwise/graph-parser";
import { loadParser } from "@arcwise/parser";
import { modelParts } from "@arcwise/pipeline";
import { howToGet, type InstalledModel, installedModels, modelFile } from "@arcwise/pipeline/node";
import { loadTagger } from "@arcwise/sequence";
import { Command } from "commander";
import { modelCard } from "../analysis/model-summary.ts";
import type { CommandFactory } from "../command/options.ts";
import { inFile } from "../errors.ts";
import { type Io, printableLines, printLine } from "../files/io.ts";
import { jsonText, printOutput } from "../files/output.ts";

/** `arcwise info [FILE] [--all] [--json]` */
export const infoCommand: CommandFactory = (io) =>
  new Command("info")
    .description(
      "describe a file that arcwise wrote: a pipeline, a model, a tagger or a state of a checkpoint",
    )
    .argument("[file]", "the file, or the name of a package with a model; by default all installed models")
    .option("--all", "all that is known of a model for text, not only what it is")
    .option("--json", "print all as JSON")
    .action((file: string | undefined, { all = false, json = false }: InfoArguments) =>
      file === undefined ? listModels(io, json) : info(io, file, json, all),
    );

interface InfoArguments {
  readonly all?: boolean;
  readonly json?: boolean;
}

type Facts = Readonly<Record<string, unknown>>;

async function info(io: Io, name: string, json: boolean, all: boolean): Promise<void> {
  const path = await modelFile(name);
  const facts = await readFileAs(path, factsOf).catch((error: unknown) => {
    throw inFile(error, path);
  });
  const shown = !json && !all && facts.kind === "pipeline" ? await modelCard(name, path, facts) : facts;
  await printOutput(io, printableLines(json ? jsonText(shown) : lines(shown)));
}

async function listModels(io: Io, json: boolean): Promise<void> {
  const models = await installedModels();
  if (models.length === 0) printLine(io, `no model is installed; ${howToGet()}`);
  await printOutput(io, printableLines(json ? jsonText(models) : models.map(modelLine).join("")));
}

function modelLine({ name, file, package: from }: InstalledModel): string {
  const origin =
    from === undefined ? [] : [from.version === undefined ? from.name : `${from.name} ${from.version}`];
  return `${[name, ...origin, file].join("  ")}\n`;
}

function factsOf(bytes: Uint8Array): Facts {
  // Checks the header of a pipeline, which may have no parts.
  if (readContainerHeader(firstContainer(bytes)).kind === "pipeline") modelParts(bytes);
  if (firstContainer(bytes).length < bytes.length) return bundleFacts(bytes);
  const container = readContainerHeader(bytes);
  return { kind: container.kind, bytes: bytes.length, ...describe(container, bytes) };
}

/** Returns the description of a file of several parts, and of each part. */
function bundleFacts(bytes: Uint8Array): Facts {
  const { kind } = readContainerHeader(firstContainer(bytes));
  const { header, parts } = readBundle(bytes, kind, () => {});
  const described = Object.entries(parts).map(([name, part]): [string, Facts] => {
    const container = readContainerHeader(part);
    return [name, { bytes: part.length, ...describe(container, part) }];
  });
  return { kind, bytes: bytes.length, ...(isRecord(header) ? header : {}), ...Object.fromEntries(described) };
}

/** Returns the facts of a file; of a kind that is not known here, its description and sections. */
function describe({ kind, header, sections }: ContainerHeader, bytes: Uint8Array): Facts {
  if (kind === "model") return loadParser(bytes).description;
  if (kind === "graph model") {
    const { graphs, rules, description } = loadGraphParser(bytes);
    return { graphs, rules, ...description };
  }
  if (kind === "tagger") return { ...loadTagger(bytes).description };
  const known: Facts = isRecord(header) ? header : {};
  const described = isRecord(known.description) ? known.description : numbersOf(known);
  return { ...described, sections: sections.map(({ name, entries }) => `${name}:${entries}`) };
}

/** The numbers of a header and of its records: the epoch and steps of a state of a checkpoint. */
function numbersOf(header: Facts): Facts {
  return Object.fromEntries(
    Object.entries(header).flatMap(([name, value]): [string, unknown][] => {
      if (isRecord(value)) return [[name, numbersOf(value)]];
      return typeof value === "number" ? [[name, value]] : [];
    }),
  );
}

function isRecord(value: unknown): value is Facts {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Names for people of facts whose names in JSON say too little. */
const NAMES: Readonly<Record<string, string>> = {
  tokenizer: "tokeniser",
  nonZeroWeights: "weights other than zero",
  pruning: "pruning of heads",
  ratio: "minimum ratio to the most probable head",
  most: "most candidates per word",
  recall: "share of right heads kept",
  candidates: "mean candidates per word",
  minWeight: "smallest weight kept",
  mixes: "mixings per epoch",
  jackknife: "parts of jack-knifing",
  columns: "columns",
  calibration: "probabilities",
  uncalibratedError: "error before calibration",
  upos: "UPOS",
  xpos: "XPOS",
  feats: "FEATS",
  lemmas: "lemmas",
  uas: "UAS",
  las: "LAS",
};

/** Facts that are shares of words where they stand in this group, shown in percent. */
const SHARES = "columns";

/**
 * `training words: 1234`, a fact a line, after the names of what it belongs to. `--json` has the names of the
 * file.
 */
function lines(facts: Readonly<Record<string, unknown>>, before = "", group = ""): string {
  return Object.entries(facts)
    .map(([name, value]) => {
      const words = `${before}${NAMES[name] ?? name.replaceAll(/[A-Z]/g, (c) => ` ${c.toLowerCase()}`)}`;
      if (isRecord(value)) return lines(value, `${words} `, name);
      if (Array.isArray(value) && value.some(isRecord))
        return lines(Object.fromEntries(value.map((item, i) => [`${i + 1}`, item])), `${words} `, name);
      const isShare = group === SHARES && typeof value === "number";
      return `${words}: ${isShare ? `${+(100 * value).toPrecision(4)} % of the training words` : text(value)}\n`;
    })
    .join("");
}

function text(value: unknown): string {
  if (value === "tokenizer") return NAMES[value]!;
  if (Array.isArray(value)) return value.length === 0 ? "none" : `${value.length} (${value.join(" ")})`;
  if (value === false) return "none";
  if (value === undefined) return "not known";
  return typeof value === "number" && !Number.isInteger(value) ? `${+value.toPrecision(4)}` : String(value);
}
