/**
 * Measures how long a model takes to load, and how many words a second it reads then, several times in one
 * process:
 *
 *     node apps/bench/scripts/text-speed.mjs MODEL FILE [RUNS] [DECODER]
 *
 * A FILE that ends with .conllu has tagged words for the parser of the model; any other one is raw text, for
 * all steps of a pipeline. The first run is also that in which the engine compiles the code. No run remembers
 * words of those before.
 */
import { readFileSync } from "node:fs";
import { parseConllu, sentenceWords } from "@arcwise/conllu";
import { createParser, loadParser } from "@arcwise/parser";
import { createPipeline, loadPipeline, modelParts } from "@arcwise/pipeline";

const [model, file, runs = "4", decoder] = process.argv.slice(2);
if (file === undefined) throw new Error("expected a model and a file");

/** Sentences that are parsed together. */
const BATCH = 64;

const bytes = readFileSync(model);
const text = readFileSync(file, "utf8");
const sentences = file.endsWith(".conllu") ? parseConllu(text).map(sentenceWords) : undefined;
const before = process.cpuUsage();
const newReader = () => (sentences ? taggedWords(sentences) : rawText());
const first = newReader();
console.log(`loading: ${seconds(process.cpuUsage(before)).toFixed(2)} s of processor time`);
for (let run = 1; run <= Number(runs); run++) {
  const read = run === 1 ? first : newReader();
  const processor = process.cpuUsage();
  const clock = performance.now();
  const words = read();
  const perSecond = (time) => Math.round(words / time).toLocaleString("en");
  const byClock = perSecond((performance.now() - clock) / 1000);
  const byProcessor = perSecond(seconds(process.cpuUsage(processor)));
  console.log(
    `run ${run}: ${words} words, ${byClock} words/s by the clock, ${byProcessor} of processor time`,
  );
}

/** Seconds of what `process.cpuUsage` returns. */
function seconds({ user, system }) {
  return (user + system) / 1e6;
}

/** Returns a function that tokenises, tags and parses the text, and returns the number of words. */
function rawText() {
  const pipeline = createPipeline(loadPipeline(bytes), { parser: { decoder } });
  return () => {
    const sentences = pipeline.run(text);
    return sentences.flatMap(({ rows }) => rows.filter(({ kind }) => kind === "word")).length;
  };
}

/** Returns a function that parses sentences, and returns the number of words. */
function taggedWords(sentences) {
  const parser = createParser(loadParser(modelParts(bytes).parts.parser), { decoder });
  return () => {
    for (let from = 0; from < sentences.length; from += BATCH) {
      for (const reading of parser.read(sentences.slice(from, from + BATCH))) reading.best();
    }
    return sentences.reduce((sum, { length }) => sum + length, 0);
  };
}
