import fc from "fast-check";

/**
 * The examples of all property tests are drawn from one seed, so that the same commit passes or fails alike
 * everywhere. `ARCWISE_SEED=N` draws others; a failing property prints the seed and path that show it again.
 */
fc.configureGlobal({ seed: Number(process.env.ARCWISE_SEED ?? 1) });
