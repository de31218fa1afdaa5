import { type Encoder, encodeWords } from "@arcwise/core/encoders";
import { expect, test } from "vitest";
import { elsewhere } from "../../../tools/elsewhere.ts";
import {
  createGraphParser,
  encoderOfGraphs,
  loadGraphParser,
  saveGraphParser,
  trainGraphParser,
} from "../src/index.ts";
import { PLAIN } from "./graph-support.ts";

test("graph parsers read the vectors of an encoder", async () => {
  const identity = { name: "lengths", width: 2, fingerprint: "lengths", parts: { layers: "2 3" } };
  const encoder: Encoder = {
    ...identity,
    encode: async (sentences) =>
      sentences.map((words) => Float32Array.from(words.flatMap((word, k) => [word.length, k]))),
  };
  const options = { terms: ["network"] as const, network: { units: 8, epochs: 2 }, encoder };
  const model = await trainGraphParser(PLAIN, options);
  const file = saveGraphParser(model);
  expect(saveGraphParser(await trainGraphParser(PLAIN, { ...options, place: elsewhere() }))).toEqual(file);
  const read = loadGraphParser(file);
  expect(encoderOfGraphs(read)).toEqual(identity);
  expect(model.description.encoder).toEqual(encoderOfGraphs(read));
  const { sentence } = PLAIN[0]!;
  const [encoded] = await encodeWords(encoder, [sentence]);
  expect(createGraphParser(read).parse(encoded!)).toEqual(createGraphParser(model).parse(encoded!));
  expect(() => createGraphParser(read).parse(sentence)).toThrow(
    expect.objectContaining({ code: "missing-encoder" }),
  );
});
