import { random } from "@arcwise/core";
import { expect, test } from "vitest";
import { Classifier } from "../src/network/classifier.ts";
import { FeatureIndex } from "../src/network/feature-index.ts";
import { networkSize } from "../src/network/layout.ts";
import { SequenceNetwork } from "../src/network/network.ts";
import { batchOf, probabilities, type Span } from "../src/network/windows.ts";

const KINDS = 3;
const SIZE = { length: 200, context: 20 };
const shape = { features: KINDS + 40, embedding: 8, units: 4, classes: 2 };

/** Returns spans that cover some positions. */
function spans(lengths: readonly number[]): Span[] {
  return lengths.map((length, k) => {
    const from = lengths.slice(0, k).reduce((sum, other) => sum + other, 0);
    return { from, end: from + length };
  });
}

test.each([
  ["few features", 3],
  ["more features than are known at a time", 60],
])("classifies texts of %s as a network without memory does, one after another", (_, variety) => {
  const stream = random(1);
  const keys = Int32Array.from({ length: 40 }, () => stream.uint32());
  const parameters = Float32Array.from({ length: networkSize(shape) }, () => 0.5 * stream.normal());
  const index = new FeatureIndex(KINDS, keys);
  const network = new SequenceNetwork(shape, false);
  network.parameters.values.set(parameters);
  network.finish();
  const classifier = new Classifier({ shape, keys, parameters, scale: 1 }, KINDS);
  for (let text = 0; text < 3; text++) {
    const sequences = spans([1, 950, ...Array.from({ length: 30 }, () => 1 + stream.int(300))]);
    const positions = sequences.at(-1)!.end;
    const own = Int32Array.from({ length: positions * KINDS }, () =>
      variety > 40 && stream.int(3) === 0 ? stream.uint32() : keys[stream.int(Math.min(40, variety))]!,
    );
    const features = index.featuresOf({ kinds: KINDS, keys: own });
    const expected = probabilities(
      network,
      (windows) => batchOf(features, KINDS, windows),
      positions,
      sequences,
      SIZE,
    );
    expect(classifier.classify({ kinds: KINDS, keys: own }, sequences, SIZE)).toEqual(expected);
  }
});
