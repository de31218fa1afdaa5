// @module-tag slow
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Encoder, encoderLaws } from "@arcwise/core/encoders";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { onnxEncoder } from "../src/node/index.ts";

const data = process.env.ARCWISE_DATA ?? fileURLToPath(new URL("../../../../shared", import.meta.url));

/** Sentences with a word, a word of like meaning in its place, and another one. */
const MEANINGS = {
  "minilm-en": [
    ["The", "cat", "sleeps", "in", "the", "garden", "."],
    ["The", "dog", "sleeps", "in", "the", "garden", "."],
    ["The", "budget", "sleeps", "in", "the", "garden", "."],
  ],
  "e5-small-multilingual": [
    ["A", "macska", "alszik", "a", "kertben", "."],
    ["A", "kutya", "alszik", "a", "kertben", "."],
    ["A", "költségvetés", "alszik", "a", "kertben", "."],
  ],
};

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, k) => sum + value * y[k]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

/** Whether native code is installed, which this repository does without. */
function hasNative(): boolean {
  try {
    createRequire(import.meta.url).resolve("onnxruntime-node");
    return true;
  } catch {
    return false;
  }
}

describe.each(Object.entries(MEANINGS))("%s", (name, sentences) => {
  const folder = join(data, "encoders", name);
  describe.skipIf(!existsSync(folder))(`in ${folder}, skipped where it is missing`, () => {
    let encoder: Encoder;
    beforeAll(async () => {
      encoder = await onnxEncoder(folder, { runtime: "wasm" });
    });
    afterAll(() => encoder?.close?.());

    for (const { name: law, check } of encoderLaws(() => encoder, { tolerance: 1e-5, longest: 200 }))
      it(law, check);

    it("words of like meaning are nearer to each other than others", async () => {
      expect(encoder).toMatchObject({ name, width: 384 });
      const [cat, dog, other] = (await encoder.encode(sentences)).map((vectors) =>
        vectors.subarray(384, 768),
      );
      expect(cosine(cat!, dog!)).toBeGreaterThan(cosine(cat!, other!) + 0.05);
    });

    it.skipIf(!hasNative())(
      "native code and WebAssembly agree, if onnxruntime-node is installed",
      async () => {
        const native = await onnxEncoder(folder, { runtime: "native" });
        const [found, expected] = [await native.encode(sentences), await encoder.encode(sentences)];
        await native.close?.();
        expect(native.fingerprint).toBe(encoder.fingerprint);
        for (const [s, vectors] of found.entries())
          expect(cosine(vectors, expected[s]!)).toBeGreaterThan(0.99);
      },
    );
  });
});
