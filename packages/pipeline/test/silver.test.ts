import { expect, test } from "vitest";
import { MemoryCheckpoint } from "../../../tools/memory-checkpoint.ts";
import {
  createPipeline,
  loadPipeline,
  modelParts,
  type PipelineTrainOptions,
  type Treebank,
  trainPipeline,
} from "../src/index.ts";
import { pipelineFile, trainedPipeline } from "./trained.ts";
import { TREEBANK } from "./treebank.ts";

const OPTIONS: PipelineTrainOptions = {
  preset: "fast",
  settings: { tokenizer: { epochs: 2 }, parser: { network: { units: 8, embeddingUnits: 8, epochs: 2 } } },
};
const [GOLD, MORE] = [{ sentences: TREEBANK.slice(0, 96) }, { sentences: TREEBANK.slice(96) }];

/** Returns the parts of a model of some treebanks, as bytes. */
async function trained(...treebanks: Treebank[]) {
  const bytes = await pipelineFile(treebanks, OPTIONS);
  return { bytes, ...modelParts(bytes) };
}

test("a tokeniser does not learn from silver sentences; tags, lemmas and trees are learned as from gold ones", async () => {
  const silver = await trained(GOLD, { ...MORE, silver: true });
  const [alone, both] = [await trained(GOLD), await trained(GOLD, MORE)];
  expect(silver.parts.tokenizer).toEqual(alone.parts.tokenizer);
  expect(silver.parts.tokenizer).not.toEqual(both.parts.tokenizer);
  expect(silver.parts.parser).toEqual(both.parts.parser);
  expect(silver.parts.tagger).toEqual(both.parts.tagger);
  expect(silver.parts.parser).not.toEqual(alone.parts.parser);
  expect(silver.description).toMatchObject({
    trainingSentences: 96,
    treebanks: [{ sentences: 96 }, { sentences: 96, silver: true }],
  });
  expect(createPipeline(loadPipeline(silver.bytes)).run("Ann sings now.")).toHaveLength(1);
});

test("a checkpoint belongs to gold or to silver sentences", async () => {
  const checkpoint = new MemoryCheckpoint();
  await trainPipeline([GOLD, MORE], { ...OPTIONS, checkpoint });
  const treebanks = [GOLD, { ...MORE, silver: true }];
  const resumed = trainPipeline(treebanks, { ...OPTIONS, checkpoint });
  await expect(resumed).rejects.toMatchObject({ code: "invalid-model" });
});

test("silver sentences alone do not train a tokeniser", async () => {
  const silver = [{ ...MORE, silver: true }];
  const expected = { code: "invalid-argument", expected: "one that is not silver, for the tokeniser" };
  await expect(trainPipeline(silver, OPTIONS)).rejects.toMatchObject(expected);
  const settings = { ...OPTIONS.settings, tokenizer: false as const };
  expect((await trainedPipeline(silver, { ...OPTIONS, settings })).tokenizer).toBeUndefined();
});
