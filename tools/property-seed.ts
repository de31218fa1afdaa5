import fc from "fast-check";

/**
 * Seeds the examples of all property tests, so that a commit passes or fails in the same way everywhere. In continuous
 * integration, properties that do not say how many examples they take have four times as many.
 * `ARCWISE_SEED=N` draws others; a failing property prints the seed and path that reproduce it.
 */
fc.configureGlobal({
  seed: Number(process.env.ARCWISE_SEED ?? 1),
  numRuns: process.env.CI === undefined ? 25 : 100,
});
