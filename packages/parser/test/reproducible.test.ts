import { setFlagsFromString } from "node:v8";
import { MatrixMemory } from "@arcwise/neural";
import { beforeAll, describe, expect, it } from "vitest";
import { createParser, type ParserModel, trainParser } from "../src/index.ts";
import { sample } from "./support.ts";

// Node 20 has relaxed SIMD behind a flag.
if (Number.parseInt(process.versions.node, 10) < 21) setFlagsFromString("--experimental-wasm-relaxed-simd");

const examples = sample("train").slice(0, 40);
const tags = examples.map(({ sentence }) => sentence.map(({ upos }) => upos ?? ""));

describe("a network with fused multiply-adds", () => {
  let model: ParserModel;
  beforeAll(async () => {
    const network = { units: 32, epochs: 20, members: 2, columns: [{ name: "upos", labels: tags }] };
    model = await trainParser(examples, { network, labels: { labeller: "sequence" }, epochs: 2 });
  });

  it("finds the trees and the tags of the one that is the same on every machine", () => {
    expect(new MatrixMemory({ exact: false }).exact).toBe(false);
    const [fused, exact] = [createParser(model), createParser(model, { reproducible: true })];
    let differ = 0;
    for (const { sentence } of [...examples, ...sample("dev")]) {
      expect(fused.columns(sentence)).toEqual(exact.columns(sentence));
      const [one, other] = [fused.parse(sentence), exact.parse(sentence)];
      expect([one.heads, one.labels]).toEqual([other.heads, other.labels]);
      expect(one.score).toBeCloseTo(other.score, 3);
      if (one.score !== other.score) differ++;
    }
    expect(differ).toBeGreaterThan(0);
  });
});
