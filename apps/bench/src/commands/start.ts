import { join, relative } from "node:path";
import { integer } from "@arcwise/cli/command";
import { type SentenceView, sentenceText } from "@arcwise/conllu";
import { drawSvg, drawText } from "@arcwise/draw";
import { load } from "@arcwise/english";
import { createPipeline, type PipelineModel } from "@arcwise/pipeline";
import { Command } from "commander";
import { type CommandFactory, type Io, type OutputOptions, publish, withOutputs } from "../command/io.ts";
import { timingOf } from "../command/options.ts";
import { EWT, REPOSITORY, readSentences, readSplit } from "../data/treebanks.ts";
import { type ComparisonResult, compareDecoders, scoredKinds } from "../measures/compare-decoders.ts";
import { pipelineReader } from "../measures/readers.ts";
import { percentile } from "../measures/timing.ts";
import { DECODERS, type DecoderEntry } from "../registry/decoders.ts";
import { otherDecoders, withOthers } from "../registry/other-decoders.ts";
import { compareSections } from "../report/compare-sections.ts";
import { left, right, type Section } from "../report/report.ts";
import { plainTable } from "../report/terminal.ts";
import { comparedDecoders, words as perSecond } from "../results/contestants.ts";
import { formatInteger, formatPercent } from "../results/format.ts";

interface StartArguments extends OutputOptions {
  readonly text: string;
  readonly time: number;
  readonly with?: readonly string[] | undefined;
  readonly seed: number;
}

/** A paragraph without a licence: its first sentence is the tree that is printed. */
const PARAGRAPH =
  "The storm damaged two houses and an old boat. Nobody was hurt, but three families had to leave their homes " +
  "for a week. The boat belonged to a fisherman who had repaired it all winter. “I will start again tomorrow,” he " +
  "said. His neighbours brought tools, wood and soup, and by Friday the boat was back in the water.";

/** Time limit of branch and bound per sentence, in milliseconds. */
const LIMIT = 1000;
/** Number of passes over the text that are timed. */
const PASSES = 3;
/** Width of the diagrams of the report, in pixels. */
const WIDTH = 1150;

/** `arcwise-bench start`: a tree, a speed and a comparison of decoders with the model of English. */
export const startCommand: CommandFactory = (io) =>
  withOutputs(
    withOthers(new Command("start"))
      .description("parse English, and compare the decoders on 200 sentences: what npm start runs")
      .option("--text <text>", "a text instead of the paragraph", PARAGRAPH)
      .option("--time <ms>", "processor time of a decoder in a round", integer(1), 60)
      .option("--seed <n>", "random seed of the starts of climbs", integer(0), 1),
  ).action((options: StartArguments) => start(io, options));

async function start(io: Io, options: StartArguments): Promise<void> {
  const others = await otherDecoders(options.with);
  const step = steps(io);
  const model = await step("load the model of English", () => load());
  const nlp = createPipeline(model);
  const sentences = await step("parse a paragraph", () => nlp.run(options.text));
  if (sentences[0] !== undefined) io.stdout.write(`\n${drawText(sentences[0]).trimEnd()}\n\n`);
  const speed = await step(`parse 200 sentences of web text ${PASSES + 1} times`, () =>
    textSpeed((text) => nlp.run(text)),
  );
  const result = await step("compare decoders on the scores of these sentences", () =>
    compare(model, [...DECODERS, ...others], options),
  );
  const html = options.html ?? join(REPOSITORY, "reports", "start.html");
  const from = performance.now();
  await publish(
    { ...io, stderr: { write: () => undefined } },
    { ...options, html },
    {
      title: "Arcwise: a first look",
      sections: [paragraphSection(sentences, speed), ...compareSections([result])],
      seed: options.seed,
      results: { wordsPerSecond: speed, comparison: result },
      contestants: [
        { group: "raw text", name: "pipeline", measures: { "words/s": perSecond(speed) } },
        ...comparedDecoders(result, "test"),
      ],
      terminal: `\n${decoderTable(result)}\n\n`,
    },
  );
  io.stdout.write(`write the report ... ${seconds(from)}\n\n${summary(result, speed, html)}`);
}

/** Returns a function that runs a step, and writes its name before it and its time after it. */
function steps(io: Io) {
  return async <T>(name: string, work: () => T | Promise<T>): Promise<T> => {
    const from = performance.now();
    io.stdout.write(`${name} ... `);
    const result = await work();
    io.stdout.write(`${seconds(from)}\n`);
    return result;
  };
}

function seconds(from: number): string {
  return `${((performance.now() - from) / 1000).toFixed(1)} s`;
}

/** Returns the words per second, by the median of several passes over the raw text of the sample. */
function textSpeed(run: (text: string) => readonly SentenceView[]): number {
  const text = readSentences(EWT, "test")
    .map((sentence) => sentenceText(sentence))
    .join("\n\n");
  const pass = (): number => {
    const from = performance.now();
    const words = run(text).reduce((sum, sentence) => sum + sentence.words.length, 0);
    return (1000 * words) / (performance.now() - from);
  };
  // The code is compiled by then.
  pass();
  const speeds = Array.from({ length: PASSES }, pass);
  return percentile(
    speeds.sort((a, b) => a - b),
    0.5,
  );
}

/** Compares the decoders that score what the model scores, one row each, and those that take any scores. */
function compare(
  model: PipelineModel,
  entries: readonly DecoderEntry[],
  { time, seed }: StartArguments,
): ComparisonResult {
  const split = readSplit(EWT, "test").filter(({ sentence }) => sentence.length > 0);
  const readerOf = pipelineReader(model);
  const kinds = scoredKinds(readerOf, split[0]!.sentence);
  return compareDecoders("Decoders on 200 sentences of UD_English-EWT", readerOf, split, {
    ...timingOf({ quick: true }),
    entries: entries
      .filter((entry) => !entry.exact || entry.kinds.every((kind) => kinds.has(kind)))
      .map((entry) => ({ ...entry, variants: undefined })),
    restarts: [],
    limit: LIMIT,
    seed,
    timed: split.length,
    time,
    warmUp: 2 * time,
  });
}

function paragraphSection(sentences: readonly SentenceView[], speed: number): Section {
  return {
    title: "From text to trees",
    text:
      "The model @arcwise/english found sentences, words, tags, lemmas and trees in the text. It parses " +
      `${formatInteger(speed)} words per second on one thread, by the clock, on the raw text of the sentences below.`,
    figures: sentences.map((sentence) => ({
      title: sentence.text,
      size: "wide",
      svg: drawSvg(sentence, { width: WIDTH, isStandalone: false }),
    })),
    tables: [],
  };
}

function decoderTable({ decoders }: ComparisonResult): string {
  return plainTable({
    title: "",
    columns: [
      left("decoder"),
      ...["UAS", "LAS", "best tree %", "decoded words/s"].map((name) => right(name)),
    ],
    rows: decoders.map(({ decoder, uas, las, optimal, wordsPerSecond }) => [
      decoder,
      formatPercent(uas),
      formatPercent(las),
      formatPercent(optimal, 1),
      formatInteger(wordsPerSecond),
    ]),
  });
}

/** Returns four lines: the model, the decoders, the report, and what to do next. */
function summary(result: ComparisonResult, speed: number, html: string): string {
  const { decoders, sentences } = result;
  const accuracies = decoders.map(({ las }) => las);
  const [worst, best] = [Math.min(...accuracies), Math.max(...accuracies)].map((las) => formatPercent(las));
  const fastest = decoders.reduce((a, b) => (b.wordsPerSecond > a.wordsPerSecond ? b : a));
  return [
    `Model: ${formatInteger(speed)} words per second from raw text, on one thread; LAS ${best} on ${sentences} ` +
      "sentences of given words.",
    `Decoders: LAS ${worst} to ${best} on the same scores; the fastest is ${fastest.decoder}.`,
    `Report: ${relative(process.cwd(), html)}, a page to open in a browser.`,
    'Next: npx arcwise parse english "Dogs bark."; docs/guide/first-steps.md; npm run bench.',
    "",
  ].join("\n");
}
