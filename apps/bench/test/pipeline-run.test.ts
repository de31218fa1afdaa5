import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseConllu, rawText } from "@arcwise/conllu";
import { UnsupportedPart } from "@arcwise/core";
import { ad3Decoder } from "@arcwise/decode-ad3";
import { mstDecoder, plainMstDecoder } from "@arcwise/decode-mst";
import * as whole from "@arcwise/pipeline";
import { createPipeline, loadPipeline, ModelError } from "@arcwise/pipeline/run";
import { beforeAll, describe, expect, test } from "vitest";
import { SAMPLE } from "../src/data/treebanks.ts";

const TREEBANK = parseConllu(readFileSync(join(SAMPLE, "dev.conllu"), "utf8"));
const TEXT = rawText(TREEBANK.slice(0, 20)).text;
const files: Record<string, Uint8Array> = {};

beforeAll(async () => {
  for (const [name, parser] of [
    ["mst", { order: 1, decoder: "mst", epochs: 2 }],
    ["ad3", { order: 2, decoder: "ad3", epochs: 1 }],
  ] as const) {
    const settings = { tokenizer: { epochs: 4 }, tagger: { epochs: 2 }, parser, jackknife: 2 };
    files[name] = whole.savePipeline(await whole.trainPipeline(TREEBANK, { preset: "linear", settings }));
  }
});

describe("@arcwise/pipeline/run", () => {
  test.each([
    ["mst", plainMstDecoder],
    ["mst", mstDecoder],
    ["ad3", ad3Decoder],
  ] as const)("finds what the pipeline with built-in decoders finds: %s", (name, make) => {
    const expected = whole.createPipeline(whole.loadPipeline(files[name]!));
    const pipeline = createPipeline(loadPipeline(files[name]!), { parser: { decoder: make() } });
    expect(pipeline.facts).toEqual(expected.facts);
    expect(pipeline.run(TEXT, { report: true })).toEqual(expected.run(TEXT, { report: true }));
    const words = [["Cats", "sing", "here"]];
    expect(pipeline.read(words)[0]!.best()).toEqual(expected.read(words)[0]!.best());
  });

  test("takes other steps, and reads only the wanted parts", () => {
    const model = loadPipeline(files.mst!, ["tokenizer", "tagger"]);
    expect(Object.keys(model).sort()).toEqual(["description", "tagger", "tokenizer"]);
    const chain = createPipeline(model, {
      parser: (words) => ({
        heads: Int32Array.from([-1, ...words.map((_, i) => i)]),
        labels: ["", ...words.map(() => "dep")],
      }),
    });
    expect(chain.annotate([["Cats", "sing", "."]])[0]!.words.map(({ head }) => head?.form)).toEqual([
      undefined,
      "Cats",
      "sing",
    ]);
    const flat = createPipeline(loadPipeline(files.mst!), { parser: false });
    expect(
      flat.annotate([["Cats", "sing", "."]])[0]!.rows.map((row) => row.kind === "word" && row.head),
    ).toEqual([-1, -1, -1]);
  });

  test("fills in DEPS by a graph parser that is given", () => {
    const parse = (words: readonly unknown[]) => {
      const edges = words.map((_, m) => ({ head: 0, modifier: m + 1, label: "own" }));
      return { n: words.length, edges, tops: [], predicates: [], score: 0, bound: 0 };
    };
    const pipeline = createPipeline(loadPipeline(files.mst!), { parser: false, graphs: { parse } });
    const [sentence] = pipeline.annotate([["Cats", "sing"]]);
    expect(sentence!.rows).toMatchObject([{ deps: "0:own" }, { deps: "0:own" }]);
  });

  test("a decoder that does not score the parts of the model is refused", () => {
    const model = loadPipeline(files.ad3!);
    expect(() => createPipeline(model, { parser: { decoder: plainMstDecoder() } })).toThrow(UnsupportedPart);
  });

  test.each([
    ["no options", undefined, "invalid-option"],
    ["no parser", {}, "invalid-option"],
    ["no decoder", { parser: {} }, "invalid-decoder"],
    ["an unknown option", { parser: false, parsers: 1 }, "unknown-option"],
  ])("%s: refused", (_, options, code) => {
    const model = loadPipeline(files.mst!);
    expect(() => createPipeline(model, options as never)).toThrow(expect.objectContaining({ code }));
  });

  test("a file that is not a model is refused", () => {
    expect(() => loadPipeline(files.mst!.subarray(0, 100))).toThrow(ModelError);
    expect(() => loadPipeline("text.model" as never)).toThrow(
      expect.objectContaining({ code: "invalid-argument" }),
    );
  });
});
