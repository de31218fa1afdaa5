import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SentenceView } from "@arcwise/conllu";
import { encodeWords } from "@arcwise/core/encoders";
import { trainGraphParser } from "@arcwise/graph-parser";
import { here } from "@arcwise/jobs";
import { createParser } from "@arcwise/parser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { analysisOf, createPipeline, type PipelineModel, savePipeline, trainPipeline } from "../src/index.ts";
import { openPipeline, writePipelineFile } from "../src/node/index.ts";
import { createPipeline as createRunPipeline } from "../src/run/index.ts";
import { closeChannels, connected } from "./connected.ts";
import { positions } from "./positions.ts";
import { trainedPipeline } from "./trained.ts";
import { TREEBANK } from "./treebank.ts";

const TEXT = "Ann can't sing now. Dogs sleeps here!";
const SETTINGS = { tokenizer: { epochs: 4 }, parser: { network: { units: 8, epochs: 4 } } };
const sentences = TREEBANK.filter((_, k) => k % 3 === 0);
const dev = TREEBANK.slice(0, 12);
const folder = mkdtempSync(join(tmpdir(), "arcwise-"));
const file = join(folder, "my.model");

let model: PipelineModel;
beforeAll(async () => {
  model = await trainedPipeline(sentences, { settings: SETTINGS, encoder: positions(), dev });
  await writePipelineFile(file, model);
}, 60_000);

const shown = (found: readonly SentenceView[]) =>
  found.map(({ words }) => words.map(({ form, upos, head, deprel }) => [form, upos, head?.form, deprel]));

afterAll(closeChannels);

describe("a pipeline with an encoder", () => {
  test("returns promises of what the parser finds with the vectors", async () => {
    const encoder = positions();
    const nlp = createPipeline(model, { encoder });
    const found = await nlp.run(TEXT);
    expect(encoder.calls.flat()).toHaveLength(2);
    const words = found.map((sentence) => sentence.words.map(({ form }) => ({ form })));
    const encoded = await encodeWords(positions(), words);
    const parser = createParser(model.parser!);
    const heads = encoded.map((sentence) => [...parser.parse(sentence).heads.subarray(1)]);
    const valid = createPipeline(model, { encoder, valid: false });
    const own = (await valid.run(TEXT)).map((sentence) => sentence.words.map(({ head }) => head?.id ?? 0));
    expect(own).toEqual(heads);
    expect(shown(await nlp.annotate(words))).toEqual(shown(found));
    const streamed: SentenceView[] = [];
    for await (const sentence of nlp.stream([TEXT.slice(0, 20), TEXT.slice(20)])) streamed.push(sentence);
    expect(shown(streamed)).toEqual(shown(found));
    expect(nlp.tokenize(TEXT)).toHaveLength(2);
    const [reading] = await nlp.read(TEXT);
    expect(reading!.kBest(2)).toHaveLength(2);
  });

  test("is the same at a place, at the end of a channel, and with its own decoder", async () => {
    const expected = shown(await createPipeline(model, { encoder: positions() }).run(TEXT));
    const placed = await openPipeline({ model: file }, { place: here(), encoder: positions() });
    expect(shown(await placed.run(TEXT))).toEqual(expected);
    const encodedThere = connected(createPipeline(model, { encoder: positions() }));
    expect((await encodedThere.ready()).encoder).toBeUndefined();
    expect(shown(await encodedThere.run(TEXT))).toEqual(expected);
    const encodedHere = connected(createPipeline(model), positions());
    expect((await encodedHere.ready()).encoder?.name).toBe("positions");
    expect(shown(await encodedHere.run(TEXT))).toEqual(expected);
    const parser = createParser(model.parser!, { valid: true });
    const own = createRunPipeline(model, { parser, encoder: positions() });
    expect(shown(await own.run(TEXT))).toEqual(expected);
  });

  test("is trained to the same bytes, with scores from raw text", async () => {
    expect(model.description?.dev?.las).toBeGreaterThan(0);
    const again = await trainPipeline(sentences, { settings: SETTINGS, encoder: positions(), dev });
    expect(savePipeline(again)).toEqual(savePipeline(model));
  });

  const identity = /positions \(3 numbers, fingerprint positions 1\)/;
  test.each<[string, () => unknown]>([
    ["without an encoder, when it parses", () => createPipeline(model).run(TEXT)],
    ["with another encoder", () => createPipeline(model, { encoder: positions("other") })],
    ["at a place without an encoder", () => openPipeline({ model: file }, { place: here() })],
    [
      "at a place with another encoder",
      () => openPipeline({ model: file }, { place: here(), encoder: positions("other") }),
    ],
    ["at the end of a channel without an encoder", () => connected(createPipeline(model)).run(TEXT)],
    [
      "at the end of a channel with another encoder",
      () => connected(createPipeline(model), positions("other")).run(TEXT),
    ],
  ])("is refused %s", async (_, open) => {
    await expect((async () => open())()).rejects.toMatchObject({
      code: "missing-encoder",
      message: expect.stringMatching(identity),
    });
  });

  test("is refused with an encoder where the model was trained without one", () => {
    const { parser: _, ...others } = model;
    expect(() => createPipeline(others, { encoder: positions() })).toThrow(
      expect.objectContaining({ code: "missing-encoder", message: expect.stringMatching(/no encoder/) }),
    );
  });

  test("cuts text and tags without an encoder", () => {
    expect(createPipeline(model).tokenize(TEXT)).toHaveLength(2);
    expect(createPipeline(model, { parser: false }).run(TEXT)).toHaveLength(2);
  });

  test("ends by the reason of a signal", async () => {
    const nlp = createPipeline(model, { encoder: positions() });
    const reason = new Error("stopped");
    await expect(nlp.run(TEXT, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test("fills in graphs of a parser that reads the same vectors", async () => {
    const examples = dev.map(({ rows }) => {
      const words = rows.filter((row) => row.kind === "word");
      return {
        sentence: words.map(({ form }) => ({ form })),
        graph: {
          n: words.length,
          edges: words.map((row, k) => ({ head: row.head, modifier: k + 1, label: row.deprel })),
          tops: [],
          predicates: [],
        },
      };
    });
    const options = {
      graphs: "enhanced" as const,
      terms: ["network"] as const,
      network: { units: 8, epochs: 2 },
    };
    const graphs = await trainGraphParser(examples, { ...options, encoder: positions() });
    const nlp = createPipeline({ ...model, graphs }, { encoder: positions() });
    const [sentence] = await nlp.run(TEXT);
    expect(sentence!.words.some(({ deps }) => deps !== undefined)).toBe(true);
    const words = sentence!.words.map(({ form }) => ({ form }));
    const { results } = await analysisOf(nlp).findGraphs([{ words }]);
    expect(results[0]!.error).toBeUndefined();
    const other = await trainGraphParser(examples, { ...options, encoder: positions("other") });
    expect(() => createPipeline({ ...model, graphs: other }, { encoder: positions() })).toThrow(
      expect.objectContaining({ code: "missing-encoder" }),
    );
  });
});

test("a training with an encoder needs a network", async () => {
  await expect(trainPipeline(sentences, { preset: "linear", encoder: positions() })).rejects.toMatchObject({
    code: "invalid-option",
    at: "encoder",
  });
});
