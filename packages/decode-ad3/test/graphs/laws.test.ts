import { graphLaws } from "@arcwise/decoder-laws";
import { describe, test } from "vitest";
import { ad3GraphDecoder } from "../../src/graphs/ad3-graph-decoder.ts";
import { basicGraphDecoder } from "../../src/graphs/basic-graph-decoder.ts";

/** Problems per law: more in continuous integration. */
const RUNS = process.env.CI === undefined ? 10 : 30;

describe("the decoder of basic parts", () => {
  for (const { name, check } of graphLaws(() => basicGraphDecoder(), { exact: true })) test(name, check);
});

const SPLIT = { shift: "the components of a split have other scores then, and steps another size" };

describe.each([
  ["AD3", { exact: false }, {}],
  ["AD3, basic parts split", { exact: false, split: true }, SPLIT],
  ["AD3 with branch and bound", { exact: true }, {}],
  ["AD3 with branch and bound, basic parts split", { exact: true, split: true }, {}],
])("%s", (_, options, except) => {
  const laws = graphLaws(() => ad3GraphDecoder(options), { exact: options.exact, except, runs: RUNS });
  for (const { name, check } of laws) test(name, check);
});
