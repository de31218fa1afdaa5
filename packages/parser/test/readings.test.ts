import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { random, type Sentence } from "@arcwise/core";
import { describe, expect, test } from "vitest";
import { createParser, loadParser, type Parser, type Reading, type TrainOptions } from "../src/index.ts";
import { parserFile } from "./fast-training.ts";
import { sample } from "./support.ts";

const SENTENCES = 12;
const train = sample("train").slice(0, 40);
const sentences = sample("dev")
  .slice(0, SENTENCES)
  .map(({ sentence }) => sentence);

const USES = ["best", "kBest", "marginals", "problem"] as const;
type Use = (typeof USES)[number];

function answer(reading: Reading, what: Use): unknown {
  if (what === "best") return reading.best();
  if (what === "kBest") return reading.kBest(3);
  if (what === "marginals") return reading.marginals();
  return reading.problem().arcScores.join();
}

/** Answers of a reading of each sentence that is read alone and used once, as text. */
function answersAlone(model: Uint8Array): Map<Use, string>[] {
  const parser = createParser(loadParser(model));
  return sentences.map((sentence) => {
    const answerAlone = (what: Use) => JSON.stringify(answer(parser.read([sentence])[0]!, what));
    return new Map(USES.map((what) => [what, answerAlone(what)]));
  });
}

/** Each use of each sentence, twice, in a random order. */
function shuffledUses(): [number, Use][] {
  const all = sentences.flatMap((_, s) => USES.map((what): [number, Use] => [s, what]));
  return random(11).shuffle([...all, ...all]);
}

const changed: Sentence[] = sentences.map((sentence) => [...sentence, { form: "changed", upos: "X" }]);

function copy(): { form: string }[][] {
  return structuredClone(sentences) as { form: string }[][];
}

const MODELS: readonly (readonly [name: string, options: TrainOptions])[] = [
  ["of order 1", { preset: "linear", epochs: 2 }],
  ["with a network", { preset: "linear", epochs: 1, network: { units: 16, epochs: 2, characters: true } }],
];

describe.each(MODELS)("readings of several sentences by a model %s", (_, options) => {
  let file: Uint8Array | undefined;
  let expected: Map<Use, string>[] | undefined;
  async function prepared(): Promise<{ file: Uint8Array; expected: Map<Use, string>[] }> {
    file ??= await parserFile(train, { ...options, seed: 3 });
    expected ??= answersAlone(file);
    return { file, expected };
  }

  test("are the same in any order, twice, after the sentences were changed", async () => {
    const { file, expected } = await prepared();
    const parser: Parser = createParser(loadParser(file));
    const given = copy();
    const readings = parser.read(given);
    for (const [s, sentence] of given.entries()) sentence.splice(0, sentence.length, ...changed[s]!);
    parser.read(changed);
    for (const [s, what] of shuffledUses()) {
      expect(JSON.stringify(answer(readings[s]!, what)), `${what} of sentence ${s}`).toBe(
        expected[s]!.get(what),
      );
    }
  });

  test("are the same in another thread", async () => {
    const { file, expected } = await prepared();
    const uses = shuffledUses();
    const worker = new Worker(new URL("./reading-thread.mjs", import.meta.url), {
      // Without the condition by which tests read the sources, which Node cannot run.
      execArgv: [],
      workerData: { model: file, sentences: copy(), changed, uses },
    });
    const [answers] = (await once(worker, "message")) as [string[]];
    await worker.terminate();
    expect(answers).toHaveLength(uses.length);
    for (const [k, [s, what]] of uses.entries()) {
      expect(answers[k], `${what} of sentence ${s}`).toBe(expected[s]!.get(what));
    }
  });
});
