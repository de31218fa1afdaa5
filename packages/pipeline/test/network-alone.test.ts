import { type ConlluSentence, writeConllu } from "@arcwise/conllu";
import { beforeAll, describe, expect, test } from "vitest";
import { MemoryCheckpoint } from "../../../tools/memory-checkpoint.ts";
import {
  createPipeline,
  loadPipeline,
  modelParts,
  type Pipeline,
  type PipelineModel,
  type PipelineTrainOptions,
  savePipeline,
  type TrainingProgress,
  trainPipeline,
} from "../src/index.ts";
import { networkColumns } from "../src/retagging.ts";
import { pipelineFile } from "./trained.ts";
import { TREEBANK } from "./treebank.ts";

const OPTIONS: PipelineTrainOptions = {
  preset: "balanced",
  dev: TREEBANK.slice(0, 24),
  settings: {
    tokenizer: { epochs: 8 },
    tagger: { epochs: 2 },
    parser: { terms: ["network"], network: { units: 16, epochs: 40 } },
  },
};

let model: PipelineModel;
let bytes: Uint8Array;
let nlp: Pipeline;

beforeAll(async () => {
  bytes = await pipelineFile(TREEBANK, OPTIONS);
  model = loadPipeline(bytes);
  nlp = createPipeline(model);
});

/** The share of words with the tags, lemma, head and label of the treebank. */
function accuracy(found: readonly ConlluSentence[], column: "upos" | "lemma" | "head" | "deprel"): number {
  const valuesOf = ({ rows }: ConlluSentence) =>
    rows.flatMap((row) => (row.kind === "word" ? [row[column]] : []));
  const pairs = TREEBANK.flatMap((gold, s) => {
    const own = valuesOf(found[s]!);
    return valuesOf(gold).map((value, i) => [value, own[i]] as const);
  });
  return pairs.filter(([gold, own]) => gold === own).length / pairs.length;
}

const forms = TREEBANK.map(({ rows }) => rows.filter(({ kind }) => kind === "word").map(({ form }) => form));

describe("a pipeline of a network alone", () => {
  test("predicts tags, lemmas and trees from words", () => {
    const found = nlp.annotate(forms);
    for (const column of ["upos", "lemma", "head", "deprel"] as const)
      expect([column, accuracy(found, column)]).toEqual([column, expect.closeTo(1, 0)]);
    expect(nlp.facts).toMatchObject({ tagged: ["upos", "lemma"], columns: { upos: 0, lemma: 0 } });
  });

  test("replaces tags that are there, unless they are to be kept, and reads neither", () => {
    const wrong = TREEBANK.slice(0, 4).map((sentence) => ({
      ...sentence,
      rows: sentence.rows.map((row) => (row.kind === "word" ? { ...row, upos: "X", lemma: "x" } : row)),
    }));
    const text = (sentences: ReturnType<Pipeline["annotate"]>) =>
      sentences.map(({ words }) =>
        words.map(({ form, upos, lemma, deprel }) => ({ form, upos, lemma, deprel })),
      );
    const bare = text(nlp.annotate(forms.slice(0, 4)));
    expect(text(nlp.annotate(wrong))).toEqual(bare);
    // By the rules of treebanks, a word with the tag X is no punctuation.
    const free = createPipeline(model, { valid: false });
    expect(text(free.annotate(wrong, { tags: "given" }))).toEqual(
      bare.map((words) => words.map((word) => ({ ...word, upos: "X", lemma: "x" }))),
    );
    const own = {
      columns: ["upos" as const],
      tag: (words: readonly object[]) => words.map((word) => ({ ...word, upos: "Y" })),
    };
    const tagged = createPipeline(model, { tagger: own as never }).annotate(forms.slice(0, 1));
    expect(tagged[0]!.words.map(({ upos }) => upos)).toEqual(forms[0]!.map(() => "Y"));
  });

  test("has a lemmatiser for its tagger", () => {
    expect(model.tagger!.description.columns).toEqual(["lemma"]);
    expect(Object.keys(modelParts(bytes).parts)).toEqual(["tokenizer", "tagger", "parser"]);
    expect(model.description).toMatchObject({ jackknife: 0, dev: { tokens: expect.any(Number) } });
    expect(savePipeline(model)).toEqual(bytes);
  });

  test("trains nothing else, and continues from its checkpoints to the same bytes", async () => {
    const kept = new MemoryCheckpoint();
    const seen: TrainingProgress[] = [];
    const parser = { terms: ["network" as const], network: { units: 8, epochs: 4 } };
    const short = { ...OPTIONS, settings: { ...OPTIONS.settings, tokenizer: { epochs: 1 }, parser } };
    const some = TREEBANK.slice(0, 24);
    const whole = savePipeline(
      await trainPipeline(some, {
        ...short,
        onProgress: (at) => void seen.push(at),
        checkpoint: kept,
      }),
    );
    expect(new Set(seen.map(({ step }) => step))).toEqual(new Set(["tokenizer", "tagger", "network"]));
    expect(seen.at(-1)!.trainingShare).toBe(1);
    for (const checkpoint of [kept.after(0), kept.after(3), kept.after(-1)])
      expect(savePipeline(await trainPipeline(some, { ...short, checkpoint }))).toEqual(whole);
  });

  test("needs no tagger for a treebank without lemmas", async () => {
    const settings = {
      ...OPTIONS.settings,
      tokenizer: false as const,
      tagger: { columns: ["upos" as const] },
    };
    const made = await trainPipeline(TREEBANK.slice(0, 20), { ...OPTIONS, dev: undefined, settings });
    expect(Object.keys(modelParts(savePipeline(made)).parts)).toEqual(["parser"]);
    const [sentence] = createPipeline(made).annotate(forms.slice(0, 1));
    expect(writeConllu([sentence!])).toMatch(/\tNOUN\t|\tVERB\t|\tPUNCT\t/);
  });
});

test("the columns that a network learns are empty where a treebank has identifiers", () => {
  const words = (s: number) =>
    Array.from({ length: 10 }, (_, i) => ({ form: "a", xpos: `${s}.${i}`, upos: "X" }));
  const sentences = Array.from({ length: 60 }, (_, s) => words(s));
  const columns = networkColumns(sentences, undefined, ["upos", "xpos"], {
    partial: false,
    continued: undefined,
  });
  const labels = columns.map((column) => [column.name, [...new Set(column.labels.flat())]]);
  expect(labels).toEqual([
    ["upos", ["X"]],
    ["xpos", [""]],
  ]);
});
