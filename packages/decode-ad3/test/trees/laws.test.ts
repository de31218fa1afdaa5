import { laws } from "@arcwise/decoder-laws";
import { describe, test } from "vitest";
import { type Ad3DecoderOptions, ad3Decoder } from "../../src/trees/ad3-decoder.ts";

const FAMILIES = [
  { singleRoot: true },
  { singleRoot: false },
  { projective: true },
  { projective: true, singleRoot: false },
];

/** Few runs: each law has an enumeration behind it, and there are many settings. More in continuous integration. */
const RUNS = { runs: process.env.CI === undefined ? 8 : 25, words: 4, large: 12 };

describe.each(FAMILIES)("with branch and bound, %o", (family) => {
  const checks = laws(() => ad3Decoder({ ...family, exact: true }), { exact: true, ...RUNS });
  for (const { name, check } of checks) test(name, check);
});

const DECOMPOSITIONS: readonly Ad3DecoderOptions[] = [
  {},
  { decomposition: { grandparent: "pairwise", sides: "apart", triSibling: "apart" } },
  { ascent: 0, maxIterations: 200 },
  { maxIterations: 0 },
];

describe.each(DECOMPOSITIONS)("without, %o", (options) => {
  const checks = laws(() => ad3Decoder(options), { exact: false, ...RUNS });
  for (const { name, check } of checks) test(name, check);
});
