import { graphLaws } from "@arcwise/decoder-laws";
import { describe, test } from "vitest";
import { basicGraphDecoder } from "../../src/graphs/basic-graph-decoder.ts";

describe("the decoder of basic parts", () => {
  for (const { name, check } of graphLaws(() => basicGraphDecoder(), { exact: true })) test(name, check);
});
