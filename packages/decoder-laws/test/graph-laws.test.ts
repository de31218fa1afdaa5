import { bruteForceGraphDecoder, graphLaws } from "@arcwise/decoder-laws";
import { test } from "vitest";

for (const { name, check } of graphLaws(() => bruteForceGraphDecoder(), { exact: true })) test(name, check);
