import { join, relative } from "node:path";
import { integer } from "@arcwise/cli/command";
import { type SentenceView, sentenceText } from "@arcwise/conllu";
import { drawText } from "@arcwise/draw";
import { load } from "@arcwise/english";
import { evaluateConllu } from "@arcwise/evaluate";
import { createPipeline, type PipelineModel } from "@arcwise/pipeline";
import { Command } from "commander";
import { type CommandFactory, type Io, type OutputOptions, publish, withOutputs } from "../command/io.ts";
import { QUICK_TIMING, withQuick } from "../command/options.ts";
import { EWT, REPOSITORY, readSentences, readSplit } from "../data/treebanks.ts";
import { type ComparisonResult, compareTrees, scoredKinds } from "../measures/compare-trees.ts";
import { pipelineReader } from "../measures/readers.ts";
import { percentile } from "../measures/timing.ts";
import { DECODERS, type DecoderEntry } from "../registry/decoders.ts";
import { otherDecoders, withOthers } from "../registry/other-decoders.ts";
import { comparedDecoders } from "../report/compare-sections.ts";
import { words as perSecond } from "../report/quantities.ts";
import { publishedPrograms, type StartResult, startSections } from "../report/start-sections.ts";
import { plainTable } from "../report/terminal.ts";
import { formatInteger, formatPercent } from "../results/format.ts";

interface StartArguments extends OutputOptions {
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

/** `arcwise-bench start`: a tree, the accuracy and errors of the model of English, and a comparison of decoders. */
export const startCommand: CommandFactory = (io) =>
  withOutputs(
    withQuick(withOthers(new Command("start")), { time: 5 })
      .description(
        "parse a text, and 200 sentences of English to see how right the trees are: what npm start runs",
      )
      .argument("[text...]", "a text instead of a paragraph about a boat")
      .option("--time <ms>", "processor time of a decoder in a round", integer(1), 60)
      .option("--seed <n>", "random seed of the starts of climbs", integer(0), 1),
    ({ json, html = join(REPOSITORY, "reports", "start.html") }) => ({ json, html }),
  ).action((words: string[], options: StartArguments) => start(io, words.join(" "), options));

async function start(io: Io, given: string, options: StartArguments): Promise<void> {
  const others = await otherDecoders(options.with);
  const step = steps(io);
  const model = await step("load the model of English", () => load());
  const nlp = createPipeline(model);
  const sentences = await step("parse the text", () => nlp.run(given === "" ? PARAGRAPH : given));
  io.stdout.write(`\n${treesText(sentences, given !== "")}\n\n`);
  const { speed, las } = await step(`parse 200 sentences of web text ${PASSES + 1} times`, () =>
    textMeasures((text) => nlp.run(text)),
  );
  const comparison = await step("compare decoders on the scores of these sentences", () =>
    compare(model, [...DECODERS, ...others], options),
  );
  const result = { sentences, isOwn: given !== "", speed, las, comparison, programs: publishedPrograms() };
  const from = performance.now();
  await publish({ ...io, stderr: { write: () => undefined } }, options, {
    title: "Arcwise: a first look",
    sections: startSections(result),
    seed: options.seed,
    results: { wordsPerSecond: speed, las, comparison },
    contestants: [
      { group: "raw text", name: "pipeline", measures: { "words/s": perSecond(speed) } },
      ...comparedDecoders(`${comparison.treebank}, test`, comparison),
    ],
    terminal: `\n${plainTable({ ...result.programs, title: "" })}\n\n`,
  });
  io.stdout.write(`write the report ... ${seconds(from)}\n\n${summary(result, options.html!.path)}`);
}

/** Draws the sentences of a given text; of the paragraph, whose trees are in the report, the first one. */
function treesText(sentences: readonly SentenceView[], isOwn: boolean): string {
  const drawn = sentences.slice(0, isOwn ? undefined : 1).map((sentence) => drawText(sentence).trimEnd());
  const more = sentences.length - drawn.length;
  return [...drawn, ...(more > 0 ? [`${more} more in the report`] : [])].join("\n\n");
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

/** Returns words per second, by the median of several passes over the raw text of the sample, and the LAS. */
function textMeasures(run: (text: string) => readonly SentenceView[]): Pick<StartResult, "speed" | "las"> {
  const gold = readSentences(EWT, "test");
  const text = gold.map((sentence) => sentenceText(sentence)).join("\n\n");
  // The code is compiled when the first pass ends.
  let sentences = run(text);
  const speeds = Array.from({ length: PASSES }, () => {
    const from = performance.now();
    sentences = run(text);
    const words = sentences.reduce((sum, sentence) => sum + sentence.words.length, 0);
    return (1000 * words) / (performance.now() - from);
  });
  const speed = percentile(
    speeds.sort((a, b) => a - b),
    0.5,
  );
  return { speed, las: evaluateConllu(gold, sentences).metrics.LAS.f1 };
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
  return compareTrees("Decoders on 200 sentences of UD_English-EWT", readerOf, split, {
    ...QUICK_TIMING,
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

/** Returns four lines: the model, its errors, the report, and what to do next. */
function summary({ comparison, speed, las }: StartResult, html: string): string {
  const accuracies = comparison.decoders.map((decoder) => decoder.las);
  const [worst, best] = [Math.min(...accuracies), Math.max(...accuracies)].map((one) => formatPercent(one));
  return [
    `Here: ${formatPercent(las)} % of the words of ${comparison.sentences} sentences get the right head and relation from raw ` +
      `text, at ${formatInteger(speed)} words per second on one thread.`,
    `Report: ${relative(process.cwd(), html)}, a page to open in a browser: your text, where the parser errs, and the ` +
      `decoders behind it (LAS ${worst} to ${best} on given words).`,
    'Your own text: npm start -- "Dogs bark at the mail."',
    "The page: npm run playground, then open http://localhost:5173: it parses what you type, and corrects treebanks.",
    'Next: npx arcwise parse english "Dogs bark."; docs/guide/first-steps.md; npm run bench.',
    "",
  ].join("\n");
}
