import { graphLaws } from "@arcwise/decoder-laws";
import { test } from "vitest";
import { hillclimbGraphDecoder } from "../../src/graphs/hillclimb-graph-decoder.ts";

for (const { name, check } of graphLaws(() => hillclimbGraphDecoder(), { exact: false })) test(name, check);
