import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkGraph, dependencyGraph, isTree, type Random, type Sentence } from "@arcwise/core";
import {
  createGraphParser,
  createParser,
  type GraphExample,
  type GraphTrainOptions,
  loadGraphParser,
  loadParser,
  type ParserModel,
  saveGraphParser,
  saveParser,
  type TrainOptions,
  trainGraphParser,
  trainParser,
} from "@arcwise/parser";
import { createTagger, loadTagger, saveTagger, type TaggerModel, trainTagger } from "@arcwise/sequence";
import { readSplit, SAMPLE } from "../data/treebanks.ts";
import { type Area, Fault, type FuzzContext, type Fuzzer, type Outcome, pick, refusalOf } from "./area.ts";
import { checkCommand, runHere } from "./commands.ts";
import { type Forgery, putTogether, takeApart, withChecksum } from "./forge.ts";
import { mutateBytes, mutateJson } from "./mutations.ts";
import { withFewerPatches } from "./reductions.ts";

/** Names of errors that refuse a model, because of its file or of modules that it needs. */
const MODEL_REFUSALS: ReadonlySet<string> = new Set(["ModelError", "MissingDecoder", "TreeFeatureError"]);

/** Number of training sentences. */
const SENTENCES = 4;
const MAX_WORDS = 8;
/** One in this many trials runs a command. */
const EVERY_COMMAND = 12;

/** Models that together have all kinds of sections and train in a second or two. */
const MODELS: Readonly<Record<string, TrainOptions>> = {
  "first order": { epochs: 1 },
  "second order": { epochs: 1, order: 2, decoder: "eisner", labeller: "sequence" },
  "whole trees": { epochs: 1, order: 2, decoder: "hillclimb", global: true, prune: false },
  network: { epochs: 1, network: { units: 8, epochs: 1 } },
  "network alone": { terms: ["network"], network: { units: 8, epochs: 1, characters: true } },
};

/** Sentences with graphs in which a word has two heads, edges as `head>modifier:label`. */
export const GRAPH_EXAMPLES: readonly GraphExample[] = [
  graphExample("She wants to sleep", "2>1:ARG0 2>4:ARG1 4>1:ARG0"),
  graphExample("Dogs bark", "2>1:ARG0"),
  graphExample("Cats see dogs", "2>1:ARG0 2>3:ARG1"),
];

function graphExample(words: string, arcs: string): GraphExample {
  const sentence = words.split(" ").map((form) => ({ form, lemma: form.toLowerCase(), upos: "X" }));
  const edges = arcs.split(" ").map((arc) => {
    const [head, modifier, label] = arc.split(/[>:]/) as [string, string, string];
    return { head: Number(head), modifier: Number(modifier), label };
  });
  const heads = [...new Set(edges.map(({ head }) => head))].sort((a, b) => a - b);
  const predicates = heads.map((position) => ({ position, sense: "01" }));
  return { sentence, graph: dependencyGraph(sentence.length, { edges, predicates }) };
}

/** Graph models: with parts and unique labels, with a network, and of a network alone. */
const GRAPH_MODELS: Readonly<Record<string, GraphTrainOptions>> = {
  graphs: { epochs: 1, parts: ["grandparent"], unique: true },
  "graphs, network": { epochs: 1, network: { units: 4, epochs: 1 } },
  "graphs, network alone": { terms: ["network"], network: { units: 4, epochs: 1 } },
};

/** A file to be changed, and the function that uses it. */
export interface Subject {
  readonly name: string;
  readonly file: Uint8Array;
  use(bytes: Uint8Array): void;
}

/** Returns short sentences for quick trials. */
export const quickExamples = () =>
  readSplit(SAMPLE, "dev")
    .filter(({ sentence }) => sentence.length >= 3 && sentence.length <= MAX_WORDS)
    .slice(0, SENTENCES);

/** Unknown words, and words with empty columns. */
const STRANGE: Sentence = [
  { form: "xyzzy" },
  { form: "", upos: "?" },
  { form: "__proto__", lemma: "constructor", upos: "NOUN", feats: "Case=Nom" },
];

/** Parses with a model. @throws Fault when a score is not finite, or the result is not a tree */
function useModel(bytes: Uint8Array, sentences: readonly Sentence[]): void {
  const parser = createParser(loadParser(bytes));
  for (const sentence of sentences) {
    const { heads, labels, score, bound } = parser.parse(sentence);
    if (!Number.isFinite(score)) throw new Fault(`a tree has the score ${score}`, bytes);
    if (Number.isNaN(bound)) throw new Fault("a tree has the bound NaN", bytes);
    if (!isTree(heads)) throw new Fault(`parsed to no tree: ${heads.join(" ")}`, bytes);
    if (labels.some((label) => label === undefined)) throw new Fault("a word has no label", bytes);
    const { arcScores, parts } = parser.read([sentence])[0]!.problem();
    for (const scores of [arcScores, ...parts.map((table) => table.scores)]) {
      const wrong = scores.find((one) => Number.isNaN(one) || one === Infinity);
      if (wrong !== undefined) throw new Fault(`a part has the score ${wrong}`, bytes);
    }
  }
}

/** Parses to graphs. @throws Fault when a score is not finite, or an edge is invalid */
function useGraphModel(bytes: Uint8Array, sentences: readonly Sentence[]): void {
  const parser = createGraphParser(loadGraphParser(bytes));
  for (const sentence of sentences) {
    const parse = parser.parse(sentence);
    const { score, bound } = parse;
    if (!Number.isFinite(score)) throw new Fault(`a graph has the score ${score}`, bytes);
    if (Number.isNaN(bound)) throw new Fault("a graph has the bound NaN", bytes);
    const wrong = checkGraph(parse);
    if (wrong !== undefined) throw new Fault(`parsed to no graph: ${wrong}`, bytes);
  }
}

function useTagger(bytes: Uint8Array, sentences: readonly Sentence[]): void {
  const tagger = createTagger(loadTagger(bytes));
  for (const sentence of sentences) {
    for (const word of tagger.tag(sentence)) {
      for (const column of tagger.columns) {
        if (typeof word[column] !== "string") throw new Fault(`a word has no ${column}`, bytes);
      }
    }
  }
}

/** Trains a model of each kind and a tagger. */
export async function trainSubjects(names?: readonly string[]): Promise<readonly Subject[]> {
  const examples = quickExamples();
  const sentences = [...examples.slice(0, 2).map(({ sentence }) => sentence), STRANGE, []];
  const subjects: Subject[] = [];
  for (const [name, options] of Object.entries(MODELS)) {
    if (names !== undefined && !names.includes(name)) continue;
    const model: ParserModel = await trainParser(examples, { preset: "linear", ...options });
    subjects.push({ name, file: saveParser(model), use: (bytes) => useModel(bytes, sentences) });
  }
  for (const [name, options] of Object.entries(GRAPH_MODELS)) {
    if (names !== undefined && !names.includes(name)) continue;
    const file = saveGraphParser(await trainGraphParser(GRAPH_EXAMPLES, { preset: "linear", ...options }));
    const words = [...GRAPH_EXAMPLES.map(({ sentence }) => sentence), STRANGE, []];
    subjects.push({ name, file, use: (bytes) => useGraphModel(bytes, words) });
  }
  if (names !== undefined && !names.includes("tagger")) return subjects;
  const tagger: TaggerModel = await trainTagger(
    examples.map(({ sentence }) => sentence),
    { epochs: 1 },
  );
  subjects.push({ name: "tagger", file: saveTagger(tagger), use: (bytes) => useTagger(bytes, sentences) });
  return subjects;
}

/** Uses a changed file. @throws Fault when it is neither refused nor used correctly */
export function useFile(subject: Subject, bytes: Uint8Array): Outcome {
  try {
    subject.use(bytes);
    return "survived";
  } catch (error) {
    return refusalOf(MODEL_REFUSALS, bytes, error);
  }
}

/** Loads changed model and tagger files, most of them with a correct checksum. */
export const models: Area = modelsOf();

/** Returns the area with some kinds of models; the larger ones take seconds to train and to load. */
export function modelsOf(names?: readonly string[]): Area {
  return {
    name: "models",
    description: "changed models and taggers, most with a checksum that fits, loaded and used",
    share: 3,
    prepare: async (context) => new ModelFuzzer(context, await trainSubjects(names)),
  };
}

interface ForgedSubject extends Subject {
  readonly parts: Forgery;
}

class ModelFuzzer implements Fuzzer {
  readonly #context: FuzzContext;
  readonly #subjects: readonly ForgedSubject[];
  /** The subject of the last trial; undefined when it was a command. */
  #last: ForgedSubject | undefined;

  constructor(context: FuzzContext, subjects: readonly Subject[]) {
    this.#context = context;
    this.#subjects = subjects.map((subject) => ({ ...subject, parts: takeApart(subject.file) }));
  }

  async try(stream: Random): Promise<Outcome> {
    const subject = pick(stream, this.#subjects);
    const bytes = changedFile(subject, stream);
    this.#last = undefined;
    if (stream.int(EVERY_COMMAND) === 0) return this.#command(bytes, stream);
    this.#last = subject;
    return useFile(subject, bytes);
  }

  async shrink(fault: Fault): Promise<Fault> {
    const subject = this.#last;
    if (subject === undefined) return fault;
    return withFewerPatches(fault, subject.parts, (bytes) => useFile(subject, bytes));
  }

  async #command(bytes: Uint8Array, stream: Random): Promise<Outcome> {
    const { folder } = this.#context;
    const [file, input] = [join(folder, "changed"), join(folder, "words.conllu")];
    writeFileSync(file, bytes);
    const text = readFileSync(join(SAMPLE, "dev.conllu"), "utf8");
    writeFileSync(input, `${text.split("\n\n").slice(0, 2).join("\n\n")}\n\n`);
    const argv = pick(stream, [
      ["info", file],
      ["info", "--json", file],
      ["parse", "--model", file, input],
      ["tag", "run", "--model", file, input],
    ]);
    const result = await runHere(argv);
    checkCommand(argv, result, bytes);
    rmSync(file);
    return result.code === 0 ? "survived" : "refused";
  }
}

/** Returns a file with changed bytes, sections or header, mostly with a correct checksum. */
export function changedFile(
  { file, parts }: { file: Uint8Array; parts: Forgery },
  stream: Random,
): Uint8Array {
  switch (stream.int(8)) {
    case 0:
      return mutateBytes(file, stream);
    case 1:
      return withChecksum(mutateBytes(file, stream));
    case 2:
      return putTogether({ json: parts.json, bodies: changedBodies(parts.bodies, stream) });
    case 3:
      return putTogether(mutateSections(parts, stream));
    default:
      return putTogether({ ...parts, json: mutateHeader(parts.json, stream) });
  }
}

/** Applies one to three mutations to a header. */
function mutateHeader(json: unknown, stream: Random): unknown {
  const copy = { ...(json as { header: unknown }) };
  for (let count = stream.int(3); count >= 0; count--) copy.header = mutateJson(copy.header, stream);
  return copy;
}

interface Listed {
  readonly sections: readonly { readonly name: string; readonly bytes: number }[];
}

/** Drops, duplicates, moves, renames or resizes sections. */
function mutateSections({ json, bodies }: Forgery, stream: Random): Forgery {
  const { sections } = json as Listed;
  const paired = sections.map((section, k) => ({ section, body: bodies[k]! }));
  const at = stream.int(paired.length);
  const one = paired[at]!;
  const changes: readonly (() => void)[] = [
    () => void paired.splice(at, 1),
    () => void paired.push(one),
    () =>
      void paired.push({ ...one, section: { ...one.section, name: pick(stream, ["more", "__proto__"]) } }),
    () => void paired.reverse(),
    () => {
      paired[at] = { ...one, section: mutateJson(one.section, stream) as typeof one.section };
    },
    () => {
      paired[at] = { ...one, body: mutateBytes(one.body, stream) };
    },
  ];
  pick(stream, changes)();
  const listed = paired.map(({ section, body }) =>
    stream.int(2) === 0 ? section : { ...section, bytes: body.length },
  );
  return { json: { ...(json as object), sections: listed }, bodies: paired.map(({ body }) => body) };
}

/** Changes bytes of sections, keeping their lengths. */
function changedBodies(bodies: readonly Uint8Array[], stream: Random): readonly Uint8Array[] {
  const at = stream.int(bodies.length);
  return bodies.map((body, k) => {
    if (k !== at || body.length === 0) return body;
    const copy = body.slice();
    for (let count = 1 + stream.int(20); count > 0; count--) copy[stream.int(copy.length)] = stream.int(256);
    return copy;
  });
}
