import { join } from "node:path";
import type { Encoder } from "@arcwise/core/encoders";
import { here } from "@arcwise/jobs";
import { createPipeline, trainPipeline } from "@arcwise/pipeline";
import { writePipelineFile } from "@arcwise/pipeline/node";
import { expect, onTestFinished, test } from "vitest";
import { startServer } from "../src/index.ts";
import { TREEBANK, temporaryFolder } from "./support.ts";

test("models that were trained with an encoder are served with it, and refused without it", async () => {
  const file = join(temporaryFolder(), "encoded.model");
  let isClosed = false;
  const encoder: Encoder = {
    ...{ name: "lengths", width: 2, fingerprint: "lengths 1" },
    encode: async (sentences) =>
      sentences.map((words) => Float32Array.from(words.flatMap((word, k) => [word.length, k]))),
    close: async () => {
      isClosed = true;
    },
  };
  const settings = { tokenizer: { epochs: 2 }, parser: { network: { units: 8, epochs: 2 } } };
  const model = await trainPipeline(TREEBANK, { settings, encoder });
  await writePipelineFile(file, model);
  const common = { models: [file], port: 0, place: here, log: { write: () => {} } };
  await expect(startServer(common)).rejects.toMatchObject({
    code: "missing-encoder",
    message: expect.stringMatching(/lengths/),
  });
  const asked: unknown[] = [];
  const server = await startServer({
    ...common,
    encoder: async (...given) => {
      asked.push(given);
      return encoder;
    },
  });
  onTestFinished(() => server.close());
  expect(asked).toEqual([[{ name: "lengths", width: 2, fingerprint: "lengths 1" }, file]]);
  const answer = await fetch(`${server.url}/v1/parse?text=Ann+sings+now.`);
  const { sentences } = (await answer.json()) as { sentences: { words: { head: number }[] }[] };
  const [expected] = await createPipeline(model, { encoder }).run("Ann sings now.");
  expect(sentences[0]!.words.map(({ head }) => head)).toEqual(
    expected!.words.map(({ head }) => head?.id ?? 0),
  );
  await server.close();
  expect(isClosed).toBe(true);
});
