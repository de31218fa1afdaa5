import type { Random } from "@arcwise/core";
import type { TreeSampler } from "./sampling.ts";

/** Draws trees of n words without end from a sampler that has been prepared. */
export function* drawTrees(
  sampler: Pick<TreeSampler, "sample">,
  n: number,
  stream: Random,
): Generator<Int32Array, never> {
  for (;;) {
    const heads = new Int32Array(n + 1);
    sampler.sample(stream, heads);
    yield heads;
  }
}
