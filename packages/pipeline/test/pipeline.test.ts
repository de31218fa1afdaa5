import {
  type ConlluSentence,
  enhance,
  parseConllu,
  RULES,
  rawText,
  validate,
  writeConllu,
} from "@arcwise/conllu";
import type { Sentence } from "@arcwise/core";
import { here, type Place } from "@arcwise/jobs";
import type { GivenColumns } from "@arcwise/parser";
import { beforeAll, describe, expect, test } from "vitest";
import { MemoryCheckpoint } from "../../../tools/memory-checkpoint.ts";
import {
  analysisOf,
  createPipeline,
  loadPipeline,
  modelParts,
  type Pipeline,
  type PipelineModel,
  type PipelineOptions,
  type PipelineSettings,
  type PipelineTrainOptions,
  type RunOptions,
  savePipeline,
  type TrainingProgress,
  trainPipeline,
} from "../src/index.ts";
import type { ParseStep, StepReading } from "../src/steps.ts";
import { chainTree } from "./chains.ts";
import { pipelineFile, trainedPipeline } from "./trained.ts";
import { TREEBANK } from "./treebank.ts";

const OPTIONS: PipelineTrainOptions = {
  preset: "linear",
  dev: TREEBANK.slice(0, 48),
  settings: { tokenizer: { epochs: 8 }, tagger: { epochs: 4 }, parser: { epochs: 4 }, jackknife: 2 },
};

/** A value where TypeScript does not allow it. */
const untyped = (value: unknown): never => value as never;

let model: PipelineModel;
let pipeline: Pipeline;

beforeAll(async () => {
  model = await trainedPipeline(TREEBANK, OPTIONS);
  pipeline = createPipeline(model);
});

/** Words as `form/UPOS/lemma/head/deprel`, with the forms of ranges in brackets. */
function shownRows({ rows }: ConlluSentence): string {
  return rows
    .map((row) =>
      row.kind === "word" ? [row.form, row.upos, row.lemma, row.head, row.deprel].join("/") : `[${row.form}]`,
    )
    .join(" ");
}

test("canonically equivalent texts have the same words, tags and trees", () => {
  const text = "Zoë eats crème brûlée in Ångström. Phở là ngon.";
  const [composed, decomposed] = [text.normalize("NFC"), text.normalize("NFD")].map((own) =>
    pipeline.run(own).map(shownRows),
  );
  expect(decomposed!.map((rows) => rows.normalize("NFC"))).toEqual(composed);
  expect(decomposed).not.toEqual(composed);
});

test("trees are valid unless the option or the parser's own says otherwise", () => {
  const words = TREEBANK.slice(0, 40).flatMap(({ rows }) => rows.map(({ form }) => form));
  const jumbled = Array.from({ length: 20 }, (_, s) =>
    Array.from({ length: 20 }, (_, i) => words[(s * 31 + i * 7) % words.length]!),
  );
  const broken = (options: PipelineOptions) =>
    createPipeline(model, options)
      .annotate(jumbled)
      .flatMap((sentence) => [...validate(sentence)].filter(({ rule }) => RULES[rule].searched));
  expect(broken({})).toEqual([]);
  expect(broken({ valid: false, parser: { valid: true } })).toEqual([]);
  const count = broken({ valid: false }).length;
  expect(count).toBeGreaterThan(0);
  expect(broken({ parser: { valid: false } })).toHaveLength(count);
});

/** A parser that finds chains, and columns of all sentences. */
function chains(columns: (given: GivenColumns) => Record<string, string[]>): ParseStep {
  const reading = ({ length }: Sentence): StepReading => ({
    best: () => chainTree(length),
    withWords: reading,
    columns: (given = {}) => columns(given),
  });
  return { read: (sentences) => sentences.map(reading) };
}

test.each([[], [{ sentences: [] }]])("a training without sentences is refused: %j", async (...treebanks) => {
  const expected = { code: "invalid-argument", expected: "sentences to learn from" };
  await expect(trainPipeline(treebanks)).rejects.toMatchObject(expected);
});

describe("a pipeline that has learned a small treebank", () => {
  test("finds its sentences, words, tags and trees again", () => {
    const found = pipeline.run(rawText(TREEBANK).text);
    expect(found.map(shownRows)).toEqual(TREEBANK.map(shownRows));
  });

  test("keeps what it scored on the development set", () => {
    expect(model.description?.dev).toMatchObject({ tokens: 100, words: 100, lemmas: 100, las: 100 });
    expect(model.description).toMatchObject({ seed: 1, trainingSentences: 192, jackknife: 2 });
  });

  test("reports the progress of all steps, in order", async () => {
    const shown: TrainingProgress[] = [];
    await trainPipeline(TREEBANK.slice(0, 12), { ...OPTIONS, onProgress: (at) => shown.push(at) });
    const steps = shown.map(({ step }) => step).filter((step, i, all) => step !== all[i - 1]);
    expect(steps.slice(0, 3)).toEqual(["tokenizer", "tagger", "jackknife"]);
    expect(steps).toContain("weights");
    for (const step of new Set(steps)) {
      const reports = shown.filter((at) => at.step === step);
      expect([reports.filter(({ share }) => share === 1).length, reports.at(-1)!.share]).toEqual([1, 1]);
    }
    const shares = shown.map(({ trainingShare }) => trainingShare);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares[0]).toBeGreaterThan(0);
    expect(shares.at(-1)).toBeCloseTo(1, 10);
  });

  test("writes all columns of a new sentence", () => {
    const [sentence] = pipeline.run("Dogs can't run here!");
    expect(writeConllu([sentence!]).split("\n").slice(0, 6)).toEqual([
      "# newpar",
      "# sent_id = 1",
      "# text = Dogs can't run here!",
      "1\tDogs\tdogs\tNOUN\t_\t_\t4\tnsubj\t_\tTokenRange=0:4",
      "2-3\tcan't\t_\t_\t_\t_\t_\t_\t_\tTokenRange=5:10",
      "2\tca\tcan\tAUX\t_\t_\t4\taux\t_\t_",
    ]);
  });

  test("gives the same sentences from chunks of a stream", async () => {
    const { text } = rawText(TREEBANK.slice(0, 40));
    const chunks = async function* () {
      for (let at = 0; at < text.length; at += 7) yield text.slice(at, at + 7);
    };
    const found: ConlluSentence[] = [];
    for await (const sentence of pipeline.stream(chunks())) found.push(sentence);
    expect(found).toEqual(pipeline.run(text));
  });

  test.each(["", " \n\n"])("finds no sentences in %j", (text) => {
    expect(pipeline.run(text)).toEqual([]);
  });

  test("analyses a sentence of 10,000 characters", () => {
    const found = pipeline.run("sees now ".repeat(1_112).trim());
    expect(found.flatMap(({ rows }) => rows)).toHaveLength(2_224);
  });
});

const words = "1\tAnn\t_\tX\t_\t_\t_\t_\t_\tx=y\n2\tsleeps\t_\tX\t_\t_\t_\t_\t_\t_\n\n";
const given = parseConllu(words)[0]!;

describe("steps", () => {
  test("annotate words that are given, and keep their other columns", () => {
    const { rows } = pipeline.annotate([given])[0]!;
    expect(rows).toMatchObject([
      { form: "Ann", upos: "NOUN", head: 2, deprel: "nsubj", misc: "x=y" },
      { form: "sleeps", upos: "VERB", lemma: "sleep", head: 0 },
    ]);
  });

  test("can be left out: given tags are kept, and there is no tree", () => {
    const { rows } = createPipeline(model, { tagger: false, parser: false }).annotate([given])[0]!;
    expect(rows).toEqual(given.rows);
    expect(createPipeline(model, { parser: false }).run("Ann sings well.")[0]!.rows[1]).toMatchObject({
      upos: "VERB",
      head: -1,
    });
  });

  test("keep or drop DEPS as the options say", () => {
    const pipeline = createPipeline({}, { parser: ({ length }) => chainTree(length), tagger: false });
    const full = enhance(TREEBANK[0]!);
    const depsOf = (deps: RunOptions["deps"]) =>
      pipeline.annotate([full], { deps })[0]!.rows.map((row) => row.deps);
    expect(depsOf("keep")).toEqual(full.rows.map((row) => row.deps));
    expect(depsOf("drop").every((deps) => deps === "_")).toBe(true);
  });

  test("can be replaced, and followed by another one", () => {
    const own = createPipeline(model, {
      tokenizer: (text) => [{ tokens: text.split("_").map(token), startsParagraph: false }],
      tagger: { columns: ["xpos"], tag: (list) => list.map((word) => ({ ...word, xpos: "T" })) },
      parser: ({ length }) => chainTree(length),
      finish: enhance,
    });
    expect(own.run("a_b").map(({ rows }) => rows)).toMatchObject([
      [
        { form: "a", xpos: "T", upos: "_", head: 0, deps: "0:root" },
        { form: "b", xpos: "T", head: 1, deps: "1:dep" },
      ],
    ]);
  });

  test.each<[string, PipelineOptions, at: string]>([
    ["sentences of a tokeniser", { tokenizer: untyped(() => [{}]) }, "tokenizer.end[0].tokens"],
    ["a promise of words", { tagger: untyped({ columns: [], tag: async () => [] }) }, "tagger.tag"],
    ["fewer words", { tagger: { columns: [], tag: () => [] } }, "tagger.tag"],
    ["no readings", { parser: untyped({ read: () => undefined }) }, "parser.read"],
    ["a tree without labels", { parser: untyped(() => ({ heads: [-1] })) }, "best[0]"],
    ["a last step that returns nothing", { finish: untyped(() => undefined) }, "finish"],
  ])("that return something else are named: %s", (_, options, at) => {
    const pipeline = createPipeline(model, options);
    expect(() => pipeline.run("Ann sings.")).toThrow(expect.objectContaining({ code: "invalid-data", at }));
  });

  test("that are missing are named", () => {
    const { tokenizer: _, ...rest } = model;
    expect(() => createPipeline(rest).run("a")).toThrow("expected a model with a tokeniser");
    expect(createPipeline(rest).annotate([given])[0]!.rows[0]).toMatchObject({ upos: "NOUN" });
  });
});

function token(form: string) {
  return { form, words: [], start: 0, end: form.length, spaceAfter: true };
}

describe("the network of a parser", () => {
  test("learns to predict the columns of the tagger, and decides on them", async () => {
    const small = TREEBANK.slice(0, 24);
    const trained = await trainPipeline(small, {
      settings: {
        tokenizer: false,
        tagger: { epochs: 1 },
        parser: { epochs: 1, network: { units: 16, epochs: 2 } },
        jackknife: 2,
      },
    });
    expect(trained.parser!.description).toMatchObject({
      network: { characters: true, columns: ["upos"] },
    });
    const read = loadPipeline(savePipeline(trained));
    expect(createPipeline(read).annotate(small)).toEqual(createPipeline(trained).annotate(small));
  });

  test("is told what the tagger found, and has the last word", () => {
    const tagged = createPipeline(model, { parser: false }).annotate([given])[0]!;
    const seen: GivenColumns[] = [];
    const own = createPipeline(model, {
      parser: chains((found) => {
        seen.push(found);
        return { upos: ["PROPN", "VERB"] };
      }),
    }).annotate([given])[0]!;
    expect(seen[0]).toMatchObject({ upos: { labels: tagged.rows.map((row) => "upos" in row && row.upos) } });
    expect(own.rows).toMatchObject([
      { upos: "PROPN", lemma: "ann" },
      { upos: "VERB", lemma: "sleep" },
    ]);
  });

  test("is not asked where there is no tagger: the tags of the sentence stay", () => {
    const { tagger: _, ...untagged } = model;
    const own = createPipeline(untagged).annotate([given])[0]!;
    const words = (sentence: ConlluSentence) => sentence.rows.map((row) => "upos" in row && row.upos);
    expect(words(own)).toEqual(words(given));
    expect(own.rows.some((row) => "head" in row && row.head === 0)).toBe(true);
  });

  test("does not change what a tagger of one's own found", () => {
    const own = createPipeline(model, {
      tagger: { columns: ["upos"], tag: (list) => list.map((word) => ({ ...word, upos: "INTJ" })) },
      parser: chains(() => ({ upos: ["X", "X"] })),
    });
    expect(own.annotate([given])[0]!.rows).toMatchObject([{ upos: "INTJ" }, { upos: "INTJ" }]);
  });
});

describe("a file", () => {
  test("has the same steps when it is read again, each part of which can be read by itself", () => {
    const bytes = savePipeline(model);
    expect(Buffer.compare(savePipeline(loadPipeline(bytes)), bytes)).toBe(0);
    expect(Object.keys(modelParts(bytes).parts)).toEqual(["tokenizer", "tagger", "parser"]);
    expect(modelParts(bytes).description).toEqual(model.description);
  });

  test("may lack steps", () => {
    const { description, tagger } = model;
    const read = loadPipeline(savePipeline({ description, tagger: tagger! }));
    expect(Object.keys(read)).toEqual(["description", "tagger"]);
  });

  test("of one step alone is a pipeline of that step", () => {
    const { tagger } = modelParts(savePipeline(model)).parts;
    expect(Object.keys(loadPipeline(tagger!))).toEqual(["tagger"]);
    expect(Object.keys(loadPipeline(savePipeline(model), ["parser"]))).toEqual(["description", "parser"]);
    for (const parts of [null, 5, "parser", ["toString"], [5]] as never[])
      for (const read of [loadPipeline, modelParts])
        expect(() => read(tagger!, parts)).toThrow(expect.objectContaining({ code: "invalid-argument" }));
  });
});

describe("training", () => {
  const small = TREEBANK.slice(0, 12);
  const settings: PipelineSettings = {
    preset: "linear",
    tokenizer: { epochs: 1 },
    tagger: { epochs: 1 },
    parser: { epochs: 2 },
    jackknife: 2,
  };
  const brief = { settings };

  test("resumes from every checkpoint to the same model", async () => {
    const kept = new MemoryCheckpoint();
    const whole = savePipeline(await trainPipeline(small, { ...brief, checkpoint: kept }));
    expect([...kept.moments.at(-1)!.keys()]).toEqual(["tokenizer", "tagger", "tagged", "parser-weights"]);
    expect(kept.moments).toHaveLength(5);
    for (const checkpoint of [kept.after(0), kept.after(2), kept.after(-1)]) {
      const resumed = savePipeline(await trainPipeline(small, { ...brief, checkpoint }));
      expect(Buffer.compare(resumed, whole)).toBe(0);
    }
    // A resumed training keeps the same states, and writes none of the steps that it does not do.
    const checkpoint = kept.after(-2);
    await trainPipeline(small, { ...brief, checkpoint });
    expect(checkpoint.moments).toEqual([kept.moments.at(-1)]);
    const other = trainPipeline(small, { ...brief, seed: 2, checkpoint: kept.after(0) });
    await expect(other).rejects.toMatchObject({ code: "invalid-model" });
  });

  describe("of all steps together", () => {
    const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    /** A place for several jobs, which calls a function before each of them. */
    const placeFor = (before: (job: string, signal: AbortSignal | undefined) => Promise<unknown>): Place => ({
      width: 4,
      do: async (job, input, run) => {
        await before(job.name, run?.signal);
        return here().do(job, input, run);
      },
      close: async () => {},
    });
    /** The tokeniser is done last, and the tagger after the taggers of parts. */
    const DELAYS: Readonly<Record<string, number>> = { tokenizer: 1500, tagger: 500 };
    const slow = { place: placeFor((job) => later(DELAYS[job] ?? 0)) };

    test("gives the same model, whatever is done first, and from every checkpoint", async () => {
      const whole = await pipelineFile(small, brief);
      const kept = new MemoryCheckpoint();
      const found = await trainPipeline(small, { ...brief, ...slow, checkpoint: kept });
      expect(Buffer.compare(savePipeline(found), whole)).toBe(0);
      for (const write of kept.moments.keys()) {
        const checkpoint = kept.after(write);
        const resumed = savePipeline(await trainPipeline(small, { ...brief, ...slow, checkpoint }));
        expect(Buffer.compare(resumed, whole)).toBe(0);
      }
    });

    test.each(["tokenizer", "tagger", "tag-part"])(
      "stops the others when the job %s fails, and throws its error alone",
      async (name) => {
        const stopped = new Set<string>();
        const place = placeFor(async (job, signal) => {
          if (job === name) await later(10).then(() => Promise.reject(new Error(`${name} failed`)));
          await new Promise<never>((_, reject) => {
            signal!.addEventListener("abort", () => {
              stopped.add(job);
              reject(signal!.reason);
            });
          });
        });
        await expect(trainPipeline(small, { ...brief, place })).rejects.toThrow(`${name} failed`);
        const others = ["tokenizer", "tagger", "tag-part"].filter((own) => own !== name);
        expect([...stopped].filter((own) => own !== name).sort()).toEqual(others.sort());
      },
    );

    test("stops all of them when it is stopped", async () => {
      const stop = new AbortController();
      const reason = new Error("enough");
      const training = trainPipeline(small, {
        ...brief,
        place: placeFor(async () => {}),
        signal: stop.signal,
        onProgress: () => stop.abort(reason),
      });
      await expect(training).rejects.toBe(reason);
    });
  });

  test("one stage after the other begins none after one that fails", async () => {
    const own = here();
    const jobs: string[] = [];
    const place: Place = {
      ...own,
      do: (job, input, run) => {
        jobs.push(job.name);
        return job.name === "tagger" ? Promise.reject(new Error("no tagger")) : own.do(job, input, run);
      },
    };
    await expect(trainPipeline(small, { ...brief, place })).rejects.toThrow("no tagger");
    expect(jobs).toEqual(["tokenizer", "tagger"]);
  });

  test("can do without a tokeniser and jackknifed tags", async () => {
    const trained = await trainPipeline(small, {
      settings: { ...settings, tokenizer: false, jackknife: 0 },
      dev: small,
    });
    expect(trained).toMatchObject({ tokenizer: undefined, tagger: {}, parser: {} });
    expect(trained.description).toEqual({ seed: 1, trainingSentences: 12, jackknife: 0 });
  });

  test.each([1, 2])("learns from fewer sentences than parts: %d", async (count) => {
    const few = TREEBANK.slice(0, count);
    const trained = await trainPipeline(few, { settings: { ...settings, jackknife: 5 } });
    expect(createPipeline(trained).annotate(few)).toHaveLength(count);
  });
});

test.each([
  [null, "invalid-option"],
  [5, "invalid-option"],
  [{ rset: 5 }, "unknown-option"],
  [{ signal: 5 }, "invalid-option"],
])("a session with the options %j is refused", (options, code) => {
  const tokenizer = { session: () => ({ push: () => [], end: () => [] }) };
  const pipeline = analysisOf(createPipeline({}, { tokenizer, tagger: false, parser: false }));
  expect(() => pipeline.session(options as never)).toThrow(expect.objectContaining({ code }));
});
