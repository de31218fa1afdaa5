import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type TinyOptions, writeTinyEncoder } from "../../../packages/encoder-onnx/test/tiny-encoder.ts";
import { CHROMIUM, chromiumOptions } from "../chromium.ts";
import { type FolderServer, serveFolder } from "../serve.ts";

const { folder } = inject("project");
const page = join(folder, "page");
const built = join(page, "dist");

/** What the functions of page/model.ts return in Node, from the same packages. */
interface Expected {
  readonly sparse: string;
  readonly network: string;
  readonly tour: readonly string[];
}

/** What page/encode.ts returns. */
interface Encoded {
  readonly name: string;
  readonly width: number;
  readonly fingerprint: string;
  readonly vectors: readonly (readonly number[])[];
}

/** Computes the vectors of page/encode.ts in Node, by WebAssembly. */
async function encodedInNode(encoderFolder: string): Promise<Encoded> {
  const entry = import.meta.resolve("@arcwise/encoder-onnx/node", pathToFileURL(join(page, "encode.ts")));
  const { onnxEncoder } = (await import(
    entry
  )) as typeof import("../../../packages/encoder-onnx/src/node/index.ts");
  const { name, width, fingerprint, encode, close } = await onnxEncoder(encoderFolder, { runtime: "wasm" });
  const vectors = await encode([["The", "cat", "sleeps", "."], [], ["Yes"]]);
  await close?.();
  return { name, width, fingerprint, vectors: vectors.map((own) => [...own]) };
}

const POLICIES = {
  none: undefined,
  strict: "default-src 'self'; img-src data:",
  "strict, with 'wasm-unsafe-eval'":
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src data:",
} as const;

let server: FolderServer;
let policy: string | undefined;

/** Builds a module of the pages for Node, with the packed packages, and imports it. */
async function forNode(name: string): Promise<unknown> {
  const ssr = { ssr: `${name}.ts`, outDir: "node", emptyOutDir: false };
  await build({ root: page, configFile: false, logLevel: "error", build: ssr });
  return import(pathToFileURL(join(page, `node/${name}.js`)).href);
}

/** Trains and parses in Node. */
async function inNode(): Promise<Expected> {
  const model = (await forNode("model")) as {
    trainAndParse(options: object): Promise<string>;
    trainSmall(options: object): Promise<Uint8Array>;
  };
  const tour = (await forNode("tour")) as {
    trainSmallPipeline(): Promise<Uint8Array>;
    tour(bytes: Uint8Array): Promise<string[]>;
  };
  const pipeline = await tour.trainSmallPipeline();
  writeFileSync(join(built, "small.model"), await model.trainSmall({}));
  writeFileSync(join(built, "pipeline.model"), pipeline);
  return {
    sparse: await model.trainAndParse({}),
    network: await model.trainAndParse({ network: { units: 8, epochs: 3 } }),
    tour: await tour.tour(pipeline),
  };
}

describe.skipIf(CHROMIUM === undefined)(
  `in a browser (skipped without Chromium: ARCWISE_CHROMIUM names its program; found ${CHROMIUM})`,
  () => {
    let browser: Browser;
    let expected: Expected;

    beforeAll(async () => {
      const input = ["train.html", "parse.html", "pipeline.html", "encode.html"].map((name) =>
        join(page, name),
      );
      await build({
        root: page,
        configFile: false,
        logLevel: "error",
        build: { outDir: "dist", target: "es2022", rolldownOptions: { input } },
      });
      expected = await inNode();
      server = await serveFolder(built, () =>
        policy === undefined ? {} : { "content-security-policy": policy },
      );
      browser = await chromium.launch(chromiumOptions());
    });

    afterAll(async () => {
      await browser?.close();
      server?.close();
    });

    /** Opens a page under a policy. Returns its result, and all URLs that it requested. */
    async function open(
      name: string,
      under: string | undefined,
    ): Promise<{ result: string; urls: string[] }> {
      policy = under;
      const tab = await browser.newPage();
      const urls: string[] = [];
      tab.on("request", (request) => void urls.push(request.url()));
      try {
        const failed = new Promise<never>((_, reject) => void tab.once("pageerror", reject));
        await tab.goto(`${server.origin}/${name}`);
        // The body is empty, so that it is never visible.
        const done = tab.waitForSelector("[data-result]", { state: "attached", timeout: 120_000 });
        await Promise.race([done, failed]);
        return { result: (await tab.getAttribute("body", "data-result"))!, urls };
      } finally {
        await tab.close();
      }
    }

    it.each(Object.entries(POLICIES))(
      "a page trains and parses as Node does, policy: %s",
      async (_, under) => {
        const { result, urls } = await open("train.html", under);
        const { sparse, network } = JSON.parse(result) as Expected;
        expect(sparse).toBe(expected.sparse);
        const wasm = under === undefined || under.includes("wasm-unsafe-eval");
        expect(network).toBe(wasm ? expected.network : "ArcwiseError no-webassembly");
        expect(urls.filter((url) => !url.startsWith(server.origin) && !url.startsWith("data:"))).toEqual([]);
      },
    );

    it("a pipeline does in a page and in a worker what it does in Node", async () => {
      const { result } = await open("pipeline.html", undefined);
      expect(JSON.parse(result)).toEqual({
        page: expected.tour,
        worker: ["sings ROOT sings sings", "runs ROOT runs runs"],
        streamed: ["Cats runs now."],
        lost: ["lost-connection"],
      });
    });

    it.each<TinyOptions>([{}, { isRounded: true, width: 384 }])(
      "a page encodes words as Node does by WebAssembly, and fetches nothing from elsewhere: %j",
      async (options) => {
        const expectedVectors = await encodedInNode(writeTinyEncoder(join(built, "tiny"), options));
        const { result, urls } = await open("encode.html", POLICIES["strict, with 'wasm-unsafe-eval'"]);
        expect(JSON.parse(result)).toEqual(expectedVectors);
        expect(urls.filter((url) => !url.startsWith(server.origin) && !url.startsWith("data:"))).toEqual([]);
      },
    );

    it.each(Object.entries(POLICIES))("a page loads a model and parses, policy: %s", async (_, under) => {
      const { result, urls } = await open("parse.html", under);
      expect(result).toBe("-1 2 0 nsubj root");
      expect(urls).toContain(`${server.origin}/small.model`);
    });
  },
);
