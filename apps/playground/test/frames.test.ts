import { completeArcs, type DecodingStep, type ParsingProblem, random } from "@arcwise/core";
import { describe, expect, test } from "vitest";
import { DECODER_NAMES, type DecoderName } from "../src/model/decoder-names.ts";
import { decoderNamed } from "../src/model/decoders.ts";
import { describeStep, frameAfter } from "../src/watch/frames.ts";

/** A sentence of n words with random scores of all arcs. */
function problemOf(n: number, seed: number): ParsingProblem {
  const arcs = completeArcs(n);
  const stream = random(seed);
  return { arcs, arcScores: Float64Array.from(arcs.head, () => stream.next() * 10 - 5), parts: [] };
}

const decoders = await Promise.all(
  (Object.keys(DECODER_NAMES) as DecoderName[]).map(
    async (name) => [name, await decoderNamed(name)] as const,
  ),
);
const watched = decoders.filter(([, decoder]) => decoder.decodeWithSteps !== undefined);

test("the decoders that the page shows offer steps", () => {
  expect(watched.map(([name]) => name)).toEqual(["mst", "eisner", "hillclimb", "ad3"]);
});

describe.each(watched)("the frames of %s", (_, decoder) => {
  test("end in the answer of the decoder", () => {
    for (let seed = 1; seed <= 8; seed++) {
      const problem = problemOf(4 + seed, seed);
      const steps: DecodingStep[] = [];
      decoder.decodeWithSteps!(problem, (step) => steps.push(step));
      const { heads, score } = decoder.decode(problem);
      const last = frameAfter(steps, steps.length);
      expect(last.tree?.heads).toEqual(heads);
      expect(last.best?.score).toBeCloseTo(score, 9);
      expect(frameAfter(steps, 0).step).toBeUndefined();
      for (const [i, step] of steps.entries()) {
        expect(frameAfter(steps, i + 1).step).toBe(step);
        expect(describeStep(step, String)).not.toBe("");
      }
    }
  });
});

test("arcs that are chosen into a circle are shown until the tree is found", async () => {
  const arcs = completeArcs(2);
  const steps: DecodingStep[] = [];
  const problem = { arcs, arcScores: Float64Array.of(1, 5, 2, 4), parts: [] };
  (await decoderNamed("mst")).decodeWithSteps!(problem, (step) => steps.push(step));
  expect(steps.map(({ kind }) => kind)).toEqual(["arc", "arc", "circle", "arc", "tree"]);
  expect(frameAfter(steps, 3).circles).toEqual([[1, 2]]);
  expect(frameAfter(steps, 4).arcs.map(({ head, modifier }) => [head, modifier])).toEqual([
    [2, 1],
    [1, 2],
    [0, 2],
  ]);
  expect(frameAfter(steps, 5)).toMatchObject({ arcs: [], circles: [] });
});
