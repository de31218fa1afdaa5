import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { languagesOf } from "@arcwise/pipeline";

type Facts = Readonly<Record<string, unknown>>;

/** Parts of a pipeline, as its facts name them, and as a reader does. */
const PARTS = { tokenizer: "tokeniser", tagger: "tagger", parser: "parser", graphs: "graphs" };
/** Scores of a card. */
const SCORES = { words: "words", upos: "UPOS", lemmas: "lemmas", uas: "UAS", las: "LAS" };

/**
 * Returns what a model for text is, in a line per fact: language, treebank and licence, which are facts of its package or
 * follow from the names of its treebanks, its parts, size and scores.
 *
 * @param name the name that the user gave
 * @param path its file
 * @param facts all that the file says
 */
export async function modelCard(name: string, path: string, facts: Facts): Promise<Facts> {
  const about = await manifestOf(path);
  const treebank = /trained on (.*)\.$/.exec(about?.description ?? "")?.[1] ?? treebanksOf(facts);
  return {
    kind: "pipeline",
    ...(about !== undefined && { package: `${about.name} ${about.version}` }),
    language: languagesOf(treebank ?? ""),
    treebank,
    licence: about?.license,
    parts: Object.entries(PARTS)
      .flatMap(([part, text]) => (part in facts ? [text] : []))
      .join(", "),
    "development set": scoresOf(facts.dev),
    size: `${(Number(facts.bytes) / 1e6).toFixed(1)} MB, ${Number(facts.trainingSentences)} training sentences`,
    more: `arcwise info ${name} --all`,
  };
}

/** The package.json of a package with a model, as `arcwise package` writes it. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly arcwise: { readonly model: string };
}

/** Returns the manifest of the package that a model file belongs to; undefined for other files. */
async function manifestOf(file: string): Promise<Manifest | undefined> {
  try {
    const folder = dirname(file);
    const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Manifest;
    return resolve(folder, manifest.arcwise.model) === resolve(file) ? manifest : undefined;
  } catch {
    return undefined;
  }
}

/** The names of treebanks in the file of a model: sentences without a file have none. */
function treebanksOf({ treebanks }: Facts): string | undefined {
  if (!Array.isArray(treebanks)) return undefined;
  return treebanks.map(({ name }: { readonly name: string }) => name.replace(/-train$/, "")).join(", ");
}

function scoresOf(dev: unknown): string | undefined {
  if (typeof dev !== "object" || dev === null) return undefined;
  const scores = dev as Readonly<Record<string, number | undefined>>;
  return Object.entries(SCORES)
    .flatMap(([name, text]) =>
      typeof scores[name] === "number" ? [`${text} ${scores[name].toFixed(2)}`] : [],
    )
    .join(", ");
}
