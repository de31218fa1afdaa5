import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Encoder, encoderLaws, requireSameEncoder } from "@arcwise/core/encoders";
import fc from "fast-check";
import * as web from "onnxruntime-web";
import { afterAll, afterEach, describe, expect, it, test, vi } from "vitest";
import { foundInstead } from "../src/files.ts";
import { type EncoderFiles, onnxEncoder as encoderOfFiles } from "../src/index.ts";
import { type FolderEncoderOptions, onnxEncoder } from "../src/node/index.ts";
import { chosenOutputs } from "../src/outputs.ts";
import { type TinyOptions, tinyEncoder, writeTinyEncoder } from "./tiny-encoder.ts";

const folder = mkdtempSync(join(tmpdir(), "arcwise-encoder-"));
const opened: Encoder[] = [];
let count = 0;
afterEach(async () => {
  for (const encoder of opened.splice(0)) await encoder.close?.();
});

/** Writes an encoder and loads it. */
async function tiny(files: TinyOptions = {}, options: FolderEncoderOptions = {}): Promise<Encoder> {
  const at = writeTinyEncoder(join(folder, String(count++)), files);
  const encoder = await onnxEncoder(at, { runtime: "wasm", ...options });
  opened.push(encoder);
  return encoder;
}

async function vectorsOf(encoder: Encoder, ...words: readonly string[]): Promise<number[]> {
  const [vectors] = await encoder.encode([words]);
  return [...vectors!];
}

/** The largest difference of two lists of vectors. */
function difference(a: readonly Float32Array[], b: readonly Float32Array[]): number {
  return Math.max(0, ...a.flatMap((vectors, s) => [...vectors].map((x, i) => Math.abs(x - b[s]![i]!))));
}

describe.each<[string, TinyOptions, FolderEncoderOptions]>([
  ["hidden states of each layer", {}, {}],
  ["a last hidden state", { names: "last" }, {}],
  ["inputs of 32 bits", { type: "int32" }, {}],
  ["positions", { inputs: ["position_ids"] }, {}],
  ["a graph that rounds a batch as a whole", { isRounded: true }, {}],
  ["first pieces", {}, { pieces: "first" }],
  ["short windows", {}, { maxLength: 12, batchTokens: 40 }],
])("%s", (_, files, options) => {
  const made = tiny(files, options).then((encoder) => {
    opened.splice(opened.indexOf(encoder), 1);
    return encoder;
  });
  for (const { name, check } of encoderLaws(() => made, { tolerance: 1e-5 })) test(name, check);
  afterAll(async () => (await made).close?.());
});

describe("vectors", () => {
  it("are the mean over layers, and over the pieces of a word", async () => {
    const layers = await Promise.all([3, 4, 5].map((n) => tiny({}, { layers: [n] })));
    const [third, fourth, fifth] = await Promise.all(layers.map((one) => vectorsOf(one, "the", "sleeping")));
    const mean = third!.map((x, i) => (x + fourth![i]! + fifth![i]!) / 3);
    expect(await vectorsOf(await tiny(), "the", "sleeping")).toEqual(mean.map((x) => expect.closeTo(x, 6)));

    const pieces = await vectorsOf(await tiny(), "the", "sleep", "##ing");
    const first = await vectorsOf(await tiny({}, { pieces: "first" }), "the", "sleeping");
    // "##ing" as a word has other pieces: only the piece "sleep" can be compared by its embedding.
    const [alone] = await Promise.all([vectorsOf(await tiny({}, { layers: [0] }), "sleep")]);
    expect(await vectorsOf(await tiny({}, { layers: [0], pieces: "first" }), "sleeping")).toEqual(alone);
    expect(first).not.toEqual(pieces);
  });

  it("are of the outputs that are asked for", async () => {
    const layer = await vectorsOf(await tiny({}, { layers: [2] }), "the", "cat");
    expect(await vectorsOf(await tiny({}, { outputs: ["hidden_states.2"] }), "the", "cat")).toEqual(layer);
    const scores = await tiny({ hasHeads: true }, { outputs: ["scores"] });
    expect(scores.width).toBe(3);
    expect(await vectorsOf(scores, "the", "cat")).toHaveLength(6);
    const last = await vectorsOf(await tiny({}, { layers: [6] }), "cat");
    expect(await vectorsOf(await tiny({ names: "last" }), "cat")).toEqual(last);
  });

  it("depend on the words around", async () => {
    const encoder = await tiny();
    const [saw] = await encoder.encode([["i", "saw"]]);
    const [was] = await encoder.encode([["dog", "saw"]]);
    expect([...saw!.slice(8)]).not.toEqual([...was!.slice(8)]);
  });

  const words = fc.array(fc.constantFrom("the", "cat", "sleeping", "x", "", "saw", "zzzz", "日本"), {
    maxLength: 30,
  });
  test("do not depend on the batch, which is sorted and padded", async () => {
    const [large, alone] = [await tiny({}, { batchTokens: 4096 }), await tiny({}, { batchTokens: 1 })];
    await fc.assert(
      fc.asyncProperty(fc.array(words, { maxLength: 12 }), async (sentences) => {
        const together = await large.encode(sentences);
        expect(difference(together, await alone.encode(sentences))).toBeLessThan(1e-5);
      }),
      { numRuns: 30 },
    );
  });

  test("of a graph that rounds a batch as a whole do not depend on the batch at all", async () => {
    const encoder = await tiny({ isRounded: true }, { batchTokens: 4096 });
    const sentences = [["the", "cat"], ["i", "saw", "zzzz", "q"], ["x"]];
    const apart = await Promise.all(
      sentences.map(async (sentence) => (await encoder.encode([sentence]))[0]!),
    );
    expect(difference(await encoder.encode(sentences), apart)).toBe(0);
  });

  test("of a long sentence come from the window in whose middle the word is", async () => {
    const encoder = await tiny({}, { maxLength: 10 });
    const sentence = [..."abcdefghijkl"];
    const found = await vectorsOf(encoder, ...sentence);
    // Eight pieces per window: a to h, whose first six words are nearest to its middle, and e to l.
    const first = await vectorsOf(encoder, ...sentence.slice(0, 8));
    const second = await vectorsOf(encoder, ...sentence.slice(4));
    expect(found).toEqual([...first.slice(0, 6 * 8), ...second.slice(2 * 8)]);
  });

  test("of a long word are of its first pieces", async () => {
    const encoder = await tiny();
    // A quarter of the 62 pieces of a window.
    const long = await vectorsOf(encoder, "x".repeat(90));
    expect(long).toEqual(await vectorsOf(encoder, "x".repeat(15)));
    expect(long).not.toEqual(await vectorsOf(encoder, "x".repeat(14)));
  });

  test("are read at positions that begin after the padding in models such as RoBERTa", async () => {
    const files = tinyEncoder({ inputs: ["position_ids"] });
    const config = (type: string) =>
      new TextEncoder().encode(
        JSON.stringify({ model_type: type, pad_token_id: 1, max_position_embeddings: 66 }),
      );
    const make = (type: string) =>
      encoderOfFiles(
        { model: files["model.onnx"]!, tokenizer: files["tokenizer.json"]!, config: config(type) },
        { runtime: web, layers: [0] },
      );
    const [bert, roberta] = [await make("bert"), await make("xlm-roberta")];
    opened.push(bert, roberta);
    expect(await vectorsOf(bert, "cat")).not.toEqual(await vectorsOf(roberta, "cat"));
    expect(bert.fingerprint).not.toBe(roberta.fingerprint);
  });
});

describe("identity", () => {
  test("the name is the name of the folder, or the given one", async () => {
    const at = writeTinyEncoder(join(folder, "tiny-en"));
    for (const [path, options, name] of [
      [at, {}, "tiny-en"],
      [`${at}/`, {}, "tiny-en"],
      [pathToFileURL(at), {}, "tiny-en"],
      [at, { name: "mine" }, "mine"],
    ] as const) {
      const encoder = await onnxEncoder(path, { runtime: "wasm", ...options });
      opened.push(encoder);
      expect(encoder).toMatchObject({ name, width: 8 });
    }
  });

  test.each<[string, TinyOptions, FolderEncoderOptions, boolean]>([
    ["the same files", {}, {}, true],
    ["a default that is given", {}, { layers: [3, 4, 5], pieces: "mean", maxLength: 64 }, true],
    ["how the graph is run", {}, { batchTokens: 7, threads: 2, name: "other" }, true],
    ["other weights", { seed: 2 }, {}, false],
    ["other layers", {}, { layers: [3, 4] }, false],
    ["first pieces", {}, { pieces: "first" }, false],
    ["shorter windows", {}, { maxLength: 32 }, false],
  ])("the fingerprint of %s", async (_, files, options, isSame) => {
    const { fingerprint } = await tiny();
    const other = await tiny(files, options);
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(other.fingerprint === fingerprint).toBe(isSame);
  });

  test("parts of the fingerprint say in what two encoders differ", async () => {
    const [first, other] = [await tiny(), await tiny({ seed: 2 }, { layers: [3, 4] })];
    const parts = first.parts!;
    expect(parts).toMatchObject({
      outputs: "hidden_states.3 hidden_states.4 hidden_states.5",
      pieces: "mean",
      maxLength: "64",
      tokenizer: expect.stringMatching(/^[0-9a-f]{12}$/),
    });
    const different = Object.keys(parts).filter((name) => parts[name] !== other.parts?.[name]);
    expect(different.sort()).toEqual(["model", "outputs"]);
    expect(() => requireSameEncoder(first, other)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/outputs \(expected .*5, found .*4\), model/),
      }),
    );
  });

  test("options are in encoder.json of the folder, and options of a call replace them", async () => {
    const at = writeTinyEncoder(join(folder, "with-options"));
    writeFileSync(join(at, "encoder.json"), '{ "name": "mine", "layers": [2, 3], "pieces": "first" }');
    const encoder = await onnxEncoder(at, { runtime: "wasm", pieces: "mean" });
    opened.push(encoder);
    const { fingerprint } = await tiny({}, { layers: [2, 3] });
    expect(encoder).toMatchObject({ name: "mine", fingerprint });
    for (const json of ['{ "layer": 3 }', '{ "runtime": "wasm" }', '{ "layers": 3 }', "[]", "{"]) {
      writeFileSync(join(at, "encoder.json"), json);
      await expect(onnxEncoder(at, { runtime: "wasm" })).rejects.toMatchObject({
        code: expect.stringMatching(/^(invalid-data|unknown-option)$/),
        message: expect.stringContaining("encoder.json"),
      });
    }
  });

  test("weights in a file of their own are read and are a part of the fingerprint", async () => {
    const [inside, outside] = [await tiny(), await tiny({ isExternal: true })];
    const other = await tiny({ isExternal: true, seed: 2 });
    expect(await vectorsOf(outside, "the", "cat")).toEqual(await vectorsOf(inside, "the", "cat"));
    expect(new Set([inside, outside, other].map(({ fingerprint }) => fingerprint)).size).toBe(3);
  });
});

describe("files of pages", () => {
  const files = tinyEncoder();
  const named = (name: string) => new File([files[name]!], name);
  const each: EncoderFiles = {
    model: files["model.onnx"]!,
    tokenizer: new Blob([files["tokenizer.json"]!]),
    tokenizerConfig: files["tokenizer_config.json"]!.buffer,
    config: named("config.json"),
  };
  afterEach(() => void vi.unstubAllGlobals());

  it.each<[string, string | URL | EncoderFiles | readonly File[], string]>([
    ["an address", "/encoders/tiny/", "tiny"],
    ["a URL", new URL("http://localhost/encoders/tiny"), "tiny"],
    ["files of a folder", Object.keys(files).map(named), "encoder"],
    ["each file", each, "encoder"],
    ["each address", { ...each, model: "/encoders/tiny/model.onnx" }, "encoder"],
  ])("%s", async (_, source, name) => {
    vi.stubGlobal("fetch", async (address: string) => {
      const bytes = files[address.split("/").at(-1)!];
      return bytes === undefined ? new Response("", { status: 404 }) : new Response(bytes);
    });
    const encoder = await encoderOfFiles(source, { runtime: web });
    opened.push(encoder);
    const expected = await tiny();
    expect(encoder).toMatchObject({ name, fingerprint: expected.fingerprint });
    expect(await vectorsOf(encoder, "the", "cat")).toEqual(await vectorsOf(expected, "the", "cat"));
  });

  it.each<[string, string, () => Promise<Response>, string]>([
    ["is missing", "/tiny", async () => new Response("", { status: 404 }), "/tiny/tokenizer.json"],
    ["is refused", "/tiny", async () => new Response("", { status: 403 }), "/tiny/encoder.json"],
    ["cannot be reached", "/tiny", () => Promise.reject(new TypeError("failed")), "/tiny/encoder.json"],
    ["is not JSON", "/tiny", async () => new Response("<!doctype html>"), "/tiny/encoder.json"],
    [
      "is the page of an application",
      "/tiny",
      async () => new Response("<!doctype html>", { headers: { "content-type": "text/html" } }),
      "/tiny/tokenizer.json",
    ],
  ])("a file that %s", async (_, address, respond, file) => {
    vi.stubGlobal("fetch", respond);
    await expect(encoderOfFiles(address, { runtime: web })).rejects.toMatchObject({
      code: "invalid-data",
      file,
    });
  });
});

describe("errors", () => {
  it.each<[string, TinyOptions, FolderEncoderOptions, object]>([
    [
      "a layer that does not exist",
      {},
      { layers: [7] },
      { code: "invalid-option", at: "layers", found: "hidden_states.7" },
    ],
    [
      "layers without hidden states",
      { names: "last" },
      { layers: [1] },
      { code: "invalid-option", at: "layers" },
    ],
    ["no layers", {}, { layers: [] }, { code: "invalid-option", at: "layers", found: "none" }],
    [
      "an output that does not exist",
      { names: "last", hasHeads: true },
      { outputs: ["pooler"] },
      { expected: "outputs of the graph: last_hidden_state, scores, pooled", found: "pooler" },
    ],
    [
      "layers and outputs",
      {},
      { layers: [1], outputs: ["hidden_states.1"] },
      { code: "invalid-option", at: "outputs" },
    ],
    [
      "outputs of different widths",
      { hasHeads: true },
      { outputs: ["hidden_states.1", "scores"] },
      { code: "invalid-option", at: "outputs", found: "hidden_states.1 8, scores 3" },
    ],
    ["an output that is not of words", { hasHeads: true }, { outputs: ["pooled"] }, { code: "invalid-data" }],
    [
      "an unknown input",
      { inputs: ["pixels"] },
      {},
      { code: "invalid-data", message: expect.stringContaining("pixels") },
    ],
    [
      "windows that the model cannot read",
      {},
      { maxLength: 65 },
      { code: "invalid-option", at: "maxLength", found: "65" },
    ],
    ["an unknown option", {}, { layer: 3 } as object, { code: "unknown-option", at: "layer" }],
    [
      "a graph that is not in the folder",
      {},
      { model: "onnx/model.onnx" },
      { code: "invalid-data", file: expect.stringMatching(/onnx.model\.onnx$/) },
    ],
    ["a device that is not there", {}, { device: "webgpu" }, { code: "invalid-option", at: "device" }],
  ])("%s", async (_, files, options, error) => {
    await expect(tiny(files, options)).rejects.toMatchObject(error);
  });

  it.each([
    ["model.onnx", new Uint8Array([1, 2, 3])],
    ["tokenizer.json", new TextEncoder().encode("{")],
    ["tokenizer.json", new TextEncoder().encode("[]")],
    ["config.json", new TextEncoder().encode("7")],
  ])("a broken %s", async (name, bytes) => {
    const files: Record<string, Uint8Array<ArrayBuffer>> = { ...tinyEncoder(), [name]: bytes };
    const source = Object.entries(files).map(([own, content]) => new File([content], own));
    await expect(encoderOfFiles(source, { runtime: web })).rejects.toMatchObject({
      code: "invalid-data",
      file: name,
    });
  });

  it("a runtime that is not installed, with the command that installs it", async () => {
    const at = writeTinyEncoder(join(folder, "plain"));
    await expect(onnxEncoder(at, { runtime: "native" })).rejects.toMatchObject({
      code: "invalid-module",
      message: expect.stringContaining("ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node"),
    });
  });

  it("an encoder that was closed, and words that are not texts", async () => {
    const encoder = await tiny();
    await expect(encoder.encode([["a", 7 as unknown as string]])).rejects.toMatchObject({
      code: "invalid-argument",
    });
    await encoder.close?.();
    await encoder.close?.();
    await expect(encoder.encode([["a"]])).rejects.toMatchObject({ code: "invalid-argument" });
  });

  it("a signal ends the work between batches, and the encoder can be used again", async () => {
    const encoder = await tiny({}, { batchTokens: 1 });
    const controller = new AbortController();
    const reason = new Error("enough");
    const sentences = Array.from({ length: 20_000 }, () => ["the", "cat"]);
    setTimeout(() => controller.abort(reason), 20);
    await expect(encoder.encode(sentences, { signal: controller.signal })).rejects.toBe(reason);
    expect(await vectorsOf(encoder, "cat")).toHaveLength(8);
  });
});

const html = new TextEncoder().encode("<!doctype html><title>Not here</title>");
const pointer = new TextEncoder().encode(
  "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
);
test.each<[string, (graph: Uint8Array) => Uint8Array, RegExp]>([
  ["a page", () => html, /HTML page/],
  ["a pointer", () => pointer, /Git LFS/],
  ["nothing", () => new Uint8Array(0), /empty file/],
  ["zeros", () => new Uint8Array(300), /other binary data/],
  ["a message without a graph", (graph) => graph.subarray(0, 8), /other binary data/],
  [
    "a graph with another first byte",
    (graph) => Uint8Array.of(0x0f, ...graph.subarray(1)),
    /other binary data/,
  ],
  ["a part of a graph", (graph) => graph.subarray(0, graph.length - 100), /cut off/],
])("a graph that is %s is named", (_, change, found) => {
  // The version of the format, the name of the producer, and a graph of 200 bytes.
  const producer = [0x12, 4, ...new TextEncoder().encode("onnx")];
  const whole = Uint8Array.from([0x08, 0x08, ...producer, 0x3a, 0xc8, 0x01, ...new Uint8Array(200)]);
  expect(foundInstead(whole)).toBeUndefined();
  expect(foundInstead(change(whole))).toMatch(found);
});

test("the name of an output is not the number of layers that are listed", () => {
  expect(chosenOutputs(["hidden_states.99999999999"], {})).toEqual(["hidden_states.99999999999"]);
});
