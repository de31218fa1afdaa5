import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { saveParser, trainParser } from "@arcwise/parser";
import { onTestFinished } from "vitest";
import { kept } from "../../../tools/kept-models.ts";
import type { Io } from "../src/command/io.ts";
import { readSplit, SAMPLE } from "../src/data/treebanks.ts";
import { runParserJob } from "../src/jobs/parser-job.ts";
import type { RunParser } from "../src/jobs/spawn-parser.ts";
import { run } from "../src/run.ts";

/** The output of a command, and its exit code. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs jobs in this process: sources that are not built cannot be started as another one. */
const runHere: RunParser = (job, tell) => runParserJob(job, tell);

/** Runs jobs that save a model, and pretends to run the others. */
export const trainWhatIsKept: RunParser = (job, tell) =>
  (job.modelFile === undefined ? pretendToParse : runHere)(job, tell);

/** Gives gold trees without training; with every third word of order 1 under the root's word. */
export const pretendToParse: RunParser = async ({ treebank, split, options }, tell) => {
  tell("epoch 1/1");
  const order = options[options.indexOf("--order") + 1];
  const trees = readSplit(treebank, split).map(({ tree }) => {
    const root = tree.heads.indexOf(0);
    const spoil = (m: number): boolean => order === "1" && m % 3 === 2 && m !== root;
    return { heads: Array.from(tree.heads, (h, m) => (spoil(m) ? root : h)), labels: tree.labels };
  });
  const words = trees.reduce((sum, { heads }) => sum + heads.length - 1, 0);
  const figures = {
    trainingSeconds: 1,
    trainingProcessorSeconds: 2,
    trainingSentences: trees.length,
    epochs: 1,
    reliability: undefined,
    otherDecoders: [],
    speed: { value: 4321, low: 4200, high: 4400, samples: 3, wall: 4000, compiling: 0.5 },
    wordsPerSecond: 4321,
    trainingMemory: 1e8,
    peakMemory: 2e8,
    modelBytes: 3e6,
  };
  return { ...figures, words, candidates: 4.5, recall: 0.995, trees };
};

/** Writes a model of the training split of a treebank, of first or third order: trained once for all tests. */
export async function writeSmallModel(path: string, treebank: string, order: 1 | 3): Promise<void> {
  const examples = readSplit(treebank, "train");
  const decoder = order === 1 ? "mst" : "projective";
  const options = { preset: "linear", decoder, order, epochs: 1 } as const;
  const make = async () => saveParser(await trainParser(examples, options));
  writeFileSync(path, await kept(["parser", examples, options], make));
}

/** Runs a program on arguments, without a folder of data unless one is given. */
export async function ended(
  program: (io: Io) => Promise<number>,
  argv: readonly string[],
  data = "/nonexistent",
): Promise<Ended> {
  let out = "";
  let err = "";
  const code = await program({
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
    env: { ARCWISE_DATA: data },
    argv,
  });
  return { code, out, err };
}

/** Runs the benchmark. */
export const bench = (
  argv: readonly string[],
  { data, runParser = runHere }: { data?: string; runParser?: RunParser } = {},
): Promise<Ended> => ended((io) => run({ ...io, runParser }), argv, data);

/** A treebank of the first sentences of the sample, so that training takes no time. */
export function smallTreebank(sentences: number): string {
  const folder = join(temporaryFolder(), "UD_Small");
  mkdirSync(folder);
  for (const split of ["train", "dev", "test"]) {
    const blocks = readFileSync(join(SAMPLE, `${split}.conllu`), "utf8").split("\n\n");
    writeFileSync(join(folder, `small-ud-${split}.conllu`), `${blocks.slice(0, sentences).join("\n\n")}\n\n`);
  }
  return folder;
}

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), "arcwise-bench-test-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Elements that have no end tag in HTML. */
const VOID = new Set(["meta", "br", "link", "img", "hr", "input"]);

/** Returns faults in the nesting of the elements of a document. The content of scripts is not markup. */
export function nestingFaults(html: string): string[] {
  const open: string[] = [];
  const faults: string[] = [];
  const markup = html.replaceAll(/(<script[^>]*>).*?(?=<\/script>)/gs, "$1");
  for (const [, slash, name, rest] of markup.matchAll(/<(\/?)([a-zA-Z][\w-]*)((?:"[^"]*"|[^>"])*)>/g)) {
    if (slash === "" && (VOID.has(name!) || rest!.endsWith("/"))) continue;
    if (slash === "") open.push(name!);
    else if (open.pop() !== name) faults.push(`</${name}> ends another element`);
  }
  return [...faults, ...open.map((name) => `<${name}> does not end`)];
}

/** Returns all external references of a document. */
export function outsideReferences(html: string): string[] {
  const patterns = [
    /\bhttps?:\/\/[^\s"'<)]+/g,
    /\b(?:src|href|srcset)\s*=\s*"(?!#)[^"]*"/g,
    /url\([^)]*\)/g,
    /@import/g,
    /<link|<iframe|<object|<img/g,
  ];
  return patterns
    .flatMap((pattern) => html.match(pattern) ?? [])
    .filter((found) => !found.startsWith("http://www.w3.org/"));
}
