import { type ConlluSentence, parseConllu, writeConllu } from "@arcwise/conllu";
import { ModelError } from "@arcwise/core/container";
import { beforeAll, describe, expect, test } from "vitest";
import { MemoryCheckpoint } from "../../../tools/memory-checkpoint.ts";
import {
  createPipeline,
  loadPipeline,
  type PipelineModel,
  type PipelineTrainOptions,
  savePipeline,
  trainPipeline,
} from "../src/index.ts";
import { trainedPipeline } from "./trained.ts";
import { TREEBANK } from "./treebank.ts";

let model: PipelineModel;

const SETTINGS = {
  tokenizer: { epochs: 4 },
  tagger: { epochs: 2 },
  parser: { terms: ["network"], network: { units: 8, epochs: 12 } },
} as const;

beforeAll(async () => {
  model = await trainedPipeline(TREEBANK, { settings: SETTINGS });
});

/** Sentences of another kind, in which adverbs come first; words in brackets are annotated in part. */
function corrected(count: number, isPartial = false): ConlluSentence[] {
  return ["Ann", "Bob", "Cats", "Dogs", "Zed", "Ann", "Zed", "Bob"].slice(0, count).flatMap((subject, k) => {
    const rows = [
      `1\tSoon\tsoon\tADV\t_\t_\t3\tadvmod:time\t_\t_`,
      isPartial && k % 2 === 0
        ? `2\t${subject}\t_\t_\t_\t_\t_\t_\t_\t_`
        : `2\t${subject}\t${subject.toLowerCase()}\tPROPN\t_\t_\t3\tnsubj\t_\t_`,
      `3\truns\trun\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No`,
      `4\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\t_`,
    ];
    return parseConllu(`${rows.join("\n")}\n\n`);
  });
}

const isAdverb = ({ form }: { readonly form: string }) => ["now", "well", "here", "often"].includes(form);

/** Continues a model with sentences whose adverbs have a label, and returns the words that it then finds in them. */
async function withAdverbs(known: PipelineModel, column: "deprel" | "upos", label: string) {
  const changed = TREEBANK.map((sentence) => ({
    ...sentence,
    rows: sentence.rows.map((row) =>
      row.kind === "word" && isAdverb(row) ? { ...row, [column]: label } : row,
    ),
  }));
  const better = await trainedPipeline(changed, { continue: known });
  return createPipeline(better)
    .annotate(changed.map(({ rows }) => rows.flatMap((row) => (row.kind === "word" ? [row.form] : []))))
    .flatMap((sentence) => sentence.words);
}

/** A sentence with a relation that no other sentence has. */
function withManner(subject: string): ConlluSentence[] {
  const rows = [
    `1\t${subject}\t${subject.toLowerCase()}\tNOUN\t_\t_\t2\tnsubj\t_\t_`,
    "2\tsings\tsing\tVERB\t_\t_\t0\troot\t_\t_",
    "3\toddly\toddly\tADV\t_\t_\t2\tmanner\t_\tSpaceAfter=No",
    "4\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_",
  ];
  return parseConllu(`${rows.join("\n")}\n\n`);
}

/** Bytes of a model, compared as one text. */
const fileOf = (own: PipelineModel) => Buffer.from(savePipeline(own)).toString("base64");

const withDefaults = (options: PipelineTrainOptions): PipelineTrainOptions => ({
  continue: model,
  ...options,
  settings: { parser: { network: { epochs: 15, rate: 0.02 } }, ...options.settings },
});
const learn = (sentences: readonly ConlluSentence[], options: PipelineTrainOptions = {}) =>
  trainPipeline(sentences, withDefaults(options));
/** `learn`, once for all tests. */
const learned = (sentences: readonly ConlluSentence[], options: PipelineTrainOptions = {}) =>
  trainedPipeline(sentences, withDefaults(options));

/** HEAD, DEPREL and UPOS of the words of sentences, as a model finds them from their forms. */
function found(own: PipelineModel, sentences: readonly ConlluSentence[]) {
  const forms = sentences.map(({ rows }) => rows.flatMap((row) => (row.kind === "word" ? [row.form] : [])));
  return createPipeline(own)
    .annotate(forms)
    .map(({ words }) => words.map(({ head, deprel, upos }) => [head?.id ?? 0, deprel, upos].join(" ")));
}

describe("a pipeline that is continued", () => {
  test("learns trees and tags, also labels and tags that it did not know, and keeps its other steps", async () => {
    const better = await learn(corrected(8));
    const [first] = found(better, corrected(1));
    expect(first).toEqual(["3 advmod:time ADV", "3 nsubj PROPN", "0 root VERB", "3 punct PUNCT"]);
    expect(found(model, corrected(1))[0]).not.toEqual(first);
    expect(better.tokenizer).toBe(model.tokenizer);
    expect(better.tagger).toBe(model.tagger);
    const { trainingSentences, jackknife, dev } = better.description!;
    expect({ trainingSentences, jackknife, dev }).toEqual({
      ...{ trainingSentences: TREEBANK.length + 8, jackknife: 0, dev: undefined },
    });
    expect(fileOf(loadPipeline(savePipeline(better)))).toBe(fileOf(better));
  });

  test.each([
    ["relation", "deprel", "manner"],
    ["subtype", "deprel", "advmod:manner"],
    ["tag", "upos", "MANNER"],
  ] as const)("learns a new %s by default, and no other word gets it", async (_, column, label) => {
    const words = await withAdverbs(model, column, label);
    expect(words.filter((word) => word[column] === label).map(({ form }) => form)).toEqual(
      words.filter(isAdverb).map(({ form }) => form),
    );
  });

  test("learns a relation that it knows from two words as a new one", async () => {
    const known = await trainedPipeline([...TREEBANK, ...["Ann", "Bob"].flatMap(withManner)], {
      settings: SETTINGS,
    });
    const words = await withAdverbs(known, "deprel", "manner");
    const found = words.filter(({ deprel }) => deprel === "manner");
    expect(found.filter((word) => !isAdverb(word))).toEqual([]);
    expect(found.length / words.filter(isAdverb).length).toBeGreaterThan(0.95);
  });

  test("learns with old sentences mixed in, with weights, and measures each development set", async () => {
    await expect(learn([])).rejects.toMatchObject({ code: "invalid-argument" });
    const mixed = await trainedPipeline(
      [
        { name: "old", sentences: TREEBANK.slice(0, 32), weight: 0.5 },
        { name: "new", sentences: corrected(8), weight: 2 },
      ],
      { continue: model, dev: TREEBANK.slice(0, 16), settings: { parser: { network: { epochs: 2 } } } },
    );
    expect(mixed.description).toMatchObject({
      treebanks: [
        { name: "old", weight: 0.5 },
        { name: "new", weight: 2 },
      ],
      dev: { las: expect.any(Number) },
    });
  });

  test("learns nothing of words that are not annotated", async () => {
    const partial = await learned(corrected(8, true), { partial: true });
    const [first] = found(partial, corrected(1));
    expect(first![0]).toBe("3 advmod:time ADV");
    expect(partial.parser!.description.labels).not.toContain("");
    await expect(learn(corrected(8, true))).rejects.toMatchObject({ rule: "invalid-head" });
  });

  test("columns that the sentences lack stay as they are", async () => {
    const untagged = corrected(8).map((sentence) => ({
      ...sentence,
      rows: sentence.rows.map((row) => (row.kind === "word" ? { ...row, upos: "_" } : row)),
    }));
    const better = await learned(untagged);
    expect(found(better, corrected(1))[0]!.every((word) => !word.endsWith(" "))).toBe(true);
  });

  test("resumes from its checkpoints to the same bytes", async () => {
    const settings = { parser: { network: { epochs: 2 } } };
    const kept = new MemoryCheckpoint();
    const bytes = fileOf(await learn(corrected(4), { settings, checkpoint: kept }));
    expect(kept.moments).toHaveLength(2);
    expect(fileOf(await learn(corrected(4), { settings, checkpoint: kept.after(0) }))).toBe(bytes);
    const other = trainPipeline(corrected(4), {
      preset: "fast",
      checkpoint: kept.after(0),
      settings: { tokenizer: false },
    });
    await expect(other).rejects.toThrow(ModelError);
  });

  test.each<[string, PipelineTrainOptions, string]>([
    ["a preset", { preset: "fast" }, "preset"],
    ["settings of a tokeniser", { settings: { tokenizer: { epochs: 2 } } }, "tokenizer"],
    ["settings of a tagger", { settings: { tagger: { epochs: 2 } } }, "tagger"],
    ["other units", { settings: { parser: { network: { units: 16 } } } }, "network.units"],
  ])("refuses %s", async (_, options, at) => {
    await expect(learn(corrected(2), options)).rejects.toMatchObject({ code: "invalid-option", at });
  });

  test("refuses a model without a parser", async () => {
    const { parser: _, ...others } = model;
    await expect(trainPipeline(corrected(2), { continue: others })).rejects.toMatchObject({
      code: "missing-step",
    });
  });

  test("writes trees of sentences that it learned from", async () => {
    const better = await learned(corrected(8));
    const [sentence] = createPipeline(better).run("Soon Ann runs.");
    expect(writeConllu([sentence!])).toContain("\tadvmod:time\t");
  });
});
