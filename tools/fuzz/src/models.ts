import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkGraph, isTree, type Sentence } from "@arcwise/core";
import {
  createGraphParser,
  type GraphTrainOptions,
  loadGraphParser,
  saveGraphParser,
  trainGraphParser,
} from "@arcwise/graph-parser";
import { createParser, loadParser, saveParser, type TrainOptions, trainParser } from "@arcwise/parser";
import { createTagger, loadTagger, saveTagger, trainTagger } from "@arcwise/sequence";
import fc from "fast-check";
import { type Area, Fault, type Outcome, refusalOf } from "./area.ts";
import { type ContainerEdits, containerEdits, editContainer, headerEdits } from "./container-edits.ts";
import { PAST_MODELS } from "./corpus.ts";
import { checkCommand, runHere, startProcess } from "./programs.ts";
import { GRAPH_EXAMPLES, sampleText, shortExamples } from "./samples.ts";

/** Names of errors that refuse a model, because of its file or of modules that it needs. */
const REFUSALS = ["ModelError", "MissingDecoder", "TreeFeatureError"];

/** Models that together have all kinds of sections and train in a second or two. */
const MODELS: Readonly<Record<string, TrainOptions>> = {
  "first order": { epochs: 1 },
  "second order": { epochs: 1, order: 2, decoder: "eisner", labeller: "sequence" },
  "whole trees": { epochs: 1, order: 2, decoder: "hillclimb", global: true, prune: false },
  network: { epochs: 1, network: { units: 8, epochs: 1 } },
  "network alone": { terms: ["network"], network: { units: 8, epochs: 1, characters: true } },
};

/** Graph models: with parts and unique labels, with a network, and of a network alone. */
const GRAPH_MODELS: Readonly<Record<string, GraphTrainOptions>> = {
  graphs: { epochs: 1, parts: ["grandparent"], unique: true },
  "graphs, network": { epochs: 1, network: { units: 4, epochs: 1 } },
  "graphs, network alone": { terms: ["network"], network: { units: 4, epochs: 1 } },
};

/** The kinds of models. */
const KINDS: readonly string[] = [...Object.keys(MODELS), ...Object.keys(GRAPH_MODELS), "tagger"];

/** A file to be changed, and the function that uses it. */
export interface Subject {
  readonly file: Uint8Array;
  use(bytes: Uint8Array): void;
}

/** Unknown words, and words with empty columns. */
const STRANGE: Sentence = [
  { form: "xyzzy" },
  { form: "", upos: "?" },
  { form: "__proto__", lemma: "constructor", upos: "NOUN", feats: "Case=Nom" },
];

/** Parses with a model. @throws Fault if a score is not finite, or the result is not a tree */
function useModel(bytes: Uint8Array, sentences: readonly Sentence[]): void {
  const parser = createParser(loadParser(bytes));
  for (const sentence of sentences) {
    const { heads, labels, score, bound } = parser.parse(sentence);
    if (!Number.isFinite(score) || Number.isNaN(bound))
      throw new Fault(`a tree has the score ${score} and the bound ${bound}`, bytes);
    if (!isTree(heads)) throw new Fault(`parsed to no tree: ${heads.join(" ")}`, bytes);
    if (labels.some((label) => label === undefined)) throw new Fault("a word has no label", bytes);
    const { arcScores, parts } = parser.read([sentence])[0]!.problem();
    for (const scores of [arcScores, ...parts.map((table) => table.scores)]) {
      const wrong = scores.find((one) => Number.isNaN(one) || one === Infinity);
      if (wrong !== undefined) throw new Fault(`a part has the score ${wrong}`, bytes);
    }
  }
}

/** Parses to graphs. @throws Fault if a score is not finite, or an edge is invalid */
function useGraphModel(bytes: Uint8Array, sentences: readonly Sentence[]): void {
  const parser = createGraphParser(loadGraphParser(bytes));
  for (const sentence of sentences) {
    const parse = parser.parse(sentence);
    if (!Number.isFinite(parse.score) || Number.isNaN(parse.bound))
      throw new Fault(`a graph has the score ${parse.score} and the bound ${parse.bound}`, bytes);
    const wrong = checkGraph(parse);
    if (wrong !== undefined) throw new Fault(`parsed to no graph: ${wrong}`, bytes);
  }
}

function useTagger(bytes: Uint8Array, sentences: readonly Sentence[]): void {
  const tagger = createTagger(loadTagger(bytes));
  for (const word of sentences.flatMap((sentence) => tagger.tag(sentence)))
    for (const column of tagger.columns)
      if (typeof word[column] !== "string") throw new Fault(`a word has no ${column}`, bytes);
}

/** Trains a model of a kind. */
export async function trainSubject(kind: string): Promise<Subject> {
  const examples = shortExamples();
  const sentences = [...examples.slice(0, 2).map(({ sentence }) => sentence), STRANGE, []];
  if (kind === "tagger") {
    const words = examples.map(({ sentence }) => sentence);
    const file = saveTagger(await trainTagger(words, { epochs: 1 }));
    return { file, use: (bytes) => useTagger(bytes, sentences) };
  }
  if (Object.hasOwn(GRAPH_MODELS, kind)) {
    const options = { preset: "linear", ...GRAPH_MODELS[kind] } as const;
    const file = saveGraphParser(await trainGraphParser(GRAPH_EXAMPLES, options));
    const words = [...GRAPH_EXAMPLES.map(({ sentence }) => sentence), STRANGE, []];
    return { file, use: (bytes) => useGraphModel(bytes, words) };
  }
  const file = saveParser(await trainParser(examples, { preset: "linear", ...MODELS[kind] }));
  return { file, use: (bytes) => useModel(bytes, sentences) };
}

/** Uses a changed file. @throws Fault if it is neither refused nor used correctly */
export function useFile(subject: Subject, bytes: Uint8Array): Outcome {
  try {
    subject.use(bytes);
    return "survived";
  } catch (error) {
    return refusalOf(REFUSALS, bytes, error);
  }
}

/** A changed model file, used by functions, or by one of the commands. */
interface ModelInput {
  readonly kind: string;
  readonly edits: ContainerEdits;
  readonly by: "functions" | number;
}

/** Returns command lines that read a model. */
function readersOf(file: string, words: string, out: string): readonly (readonly string[])[] {
  return [
    ["parse", "--model", file, "-o", out, words],
    ["parse", "--model", words, "--tagger", file, "-o", out, words],
    ["tag", "run", "--model", file, "-o", out, words],
    ["info", file],
    ["info", "--json", file],
    ["evaluate", words, file],
    ["validate", file],
  ];
}

type Run = (argv: readonly string[]) => ReturnType<typeof runHere>;

/** Returns an area of some kinds of models. @param by how the changed files are used */
function modelArea(
  about: Omit<Area, "prepare">,
  kinds: readonly string[],
  { by, run }: { readonly by: fc.Arbitrary<ModelInput["by"]>; readonly run: Run },
): Area<ModelInput> {
  return {
    ...about,
    prepare: async ({ folder }) => {
      const subjects = new Map<string, Subject>();
      for (const kind of kinds) subjects.set(kind, await trainSubject(kind));
      const [file, words, out] = ["changed", "words.conllu", "out"].map((name) => join(folder, name));
      writeFileSync(words!, sampleText(2));
      const codes = new Map<number | string, number>();
      const inputs = kinds.map((kind) =>
        fc.record({ kind: fc.constant(kind), edits: containerEdits(subjects.get(kind)!.file), by }),
      );
      const past = PAST_MODELS.filter(([, kind]) => subjects.has(kind));
      return {
        inputs: fc.oneof(...inputs),
        examples: past.map(([, kind, edits]) => ({ kind, edits: headerEdits(edits), by: "functions" })),
        async try({ kind, edits, by }) {
          const subject = subjects.get(kind)!;
          const bytes = editContainer(subject.file, edits);
          if (by === "functions") return useFile(subject, bytes);
          writeFileSync(file!, bytes);
          const argv = readersOf(file!, words!, out!)[by]!;
          const result = await run(argv);
          codes.set(result.code, (codes.get(result.code) ?? 0) + 1);
          rmSync(out!, { force: true });
          checkCommand(argv, result, bytes);
          return result.code === 0 ? "survived" : "refused";
        },
        notes: () =>
          `exit codes: ${Array.from(codes, ([code, count]) => `${code} ${count} times`).join(", ")}`,
      };
    },
  };
}

const commands = fc.nat(readersOf("", "", "").length - 1);

/** Returns the area of changed models of some kinds, which are loaded and used; some by the command. */
export function modelsOf(kinds: readonly string[]): Area<ModelInput> {
  const functions = fc.constant("functions" as const);
  return modelArea(
    {
      name: "models",
      description: "changed models and taggers, most with a checksum that fits, loaded and used",
      share: 3,
    },
    kinds,
    { by: fc.oneof({ weight: 11, arbitrary: functions }, commands), run: runHere },
  );
}

export const models: Area<ModelInput> = modelsOf(KINDS);

/** Passes changed models to processes of the command. */
export const crafted: Area<ModelInput> = modelArea(
  {
    name: "crafted",
    description: "changed models, a process of the command each: exit code and one line",
    share: 2,
    isSlow: true,
  },
  ["first order", "second order", "network", "network alone", "graphs", "tagger"],
  { by: commands, run: (argv) => startProcess(argv).ended },
);
