import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { type ConlluSentence, parseConllu } from "@arcwise/conllu";
import { savePipeline, trainPipeline } from "@arcwise/pipeline";
import { expect, test } from "vitest";
import { learn } from "../src/learn/learning.ts";

const SAMPLE = parseConllu(readFileSync(new URL("../../bench/sample/train.conllu", import.meta.url), "utf8"))
  .filter(({ rows }) => rows.length < 20)
  .slice(0, 100);
const SMALL = { network: { units: 8, epochs: 2 } };

/** Returns a sentence whose words all depend on the first one. */
function flat(sentence: ConlluSentence): ConlluSentence {
  const rows = sentence.rows.map((row) =>
    row.kind !== "word" ? row : { ...row, head: row.id === 1 ? 0 : 1, deprel: row.id === 1 ? "root" : "dep" },
  );
  return { ...sentence, rows };
}

test("every fifth sentence is measured, and has no influence on the model", async () => {
  const model = await trainPipeline(SAMPLE.slice(0, 20), {
    preset: "fast",
    settings: { parser: SMALL },
  });
  const bytes = savePipeline(model);
  const lesson = { bytes, epochs: 2, holdsOut: true };
  const [learned, same, all] = [
    await learn({ ...lesson, sentences: SAMPLE }, () => {}),
    await learn({ ...lesson, sentences: SAMPLE.map((s, i) => (i % 5 === 4 ? flat(s) : s)) }, () => {}),
    await learn({ ...lesson, sentences: SAMPLE, holdsOut: false }, () => {}),
  ];
  expect(learned.heldOut!.sentences).toBe(20);
  expect(learned.learned.sentences).toBe(80);
  expect(Buffer.compare(same.bytes, learned.bytes)).toBe(0);
  expect(same.heldOut!.after).not.toEqual(learned.heldOut!.after);
  expect(all.heldOut).toBeUndefined();
  expect(Buffer.compare(all.bytes, learned.bytes)).not.toBe(0);
});
