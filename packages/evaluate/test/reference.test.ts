import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseConllu } from "@arcwise/conllu";
import { describe, expect, test } from "vitest";
import { attachmentScores, evaluateConllu, treePairs, type UdMetric } from "../src/index.ts";

const data = process.env.ARCWISE_DATA ?? fileURLToPath(new URL("../../../../shared", import.meta.url));
const folder = `${data}/reference/evaluation`;
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];

interface Reference {
  gold: string;
  system: string;
  kinds: string;
  counts: Record<UdMetric, Record<"correct" | "gold" | "system" | "aligned", string>>;
}

const sentences = (name: string) => parseConllu(readFileSync(`${folder}/${name}`, "utf8"));

/** Returns the counts of a reference file as text, empty where a metric has no aligned words. */
function counts(reference: Reference) {
  const { metrics } = evaluateConllu(sentences(reference.gold), sentences(reference.system));
  return Object.fromEntries(
    Object.entries(metrics).map(([name, { correct, gold, system, aligned }]) => [
      name,
      { correct: `${correct}`, gold: `${gold}`, system: `${system}`, aligned: `${aligned ?? ""}` },
    ]),
  );
}

const read = (file: string) => JSON.parse(readFileSync(`${folder}/${file}`, "utf8")) as Reference;

describe.skipIf(files.length === 0)(
  "the official evaluation (skipped when the reference data is absent)",
  () => {
    test.each(files)("%s: every count of every metric", (file) => {
      const reference = read(file);
      expect(counts(reference)).toEqual(reference.counts);
    });

    const sameTokens = files.filter((file) => !/split|merge|mwt|sents/.test(read(file).kinds));

    test.each(sameTokens)("%s: scores over gold tokens are the same where the tokens are", (file) => {
      const reference = read(file);
      const pairs = treePairs(sentences(reference.gold), sentences(reference.system));
      const { words, correctHeads, correctArcs } = attachmentScores(pairs, { subtypes: false });
      const { UAS, LAS } = reference.counts;
      expect([words, correctHeads, correctArcs]).toEqual([UAS.gold, UAS.correct, LAS.correct].map(Number));
    });
  },
);
