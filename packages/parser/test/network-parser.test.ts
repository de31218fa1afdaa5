import { arcIndex, completeArcs } from "@arcwise/core";
import { sentenceEncoder } from "@arcwise/core/features";
import { eisnerDecoder, mstDecoder } from "@arcwise/decode-mst";
import { describe, expect, it, test } from "vitest";
import { elsewhere } from "../../../tools/elsewhere.ts";
import { kept } from "../../../tools/kept-models.ts";
import { MemoryCheckpoint } from "../../../tools/memory-checkpoint.ts";
import {
  createParser,
  loadParser,
  readWordVectors,
  saveParser,
  type TrainingProgress,
  type TrainOptions,
} from "../src/index.ts";
import { trained } from "../src/model/model.ts";
import { NETWORK } from "../src/model/network-model.ts";
import { labelsOfArc } from "../src/scoring/arcs/label-filter.ts";
import { NETWORK_TEMPLATES } from "../src/scoring/network/network-reader.ts";
import { NetworkScorer } from "../src/scoring/network/network-scorer.ts";
import { quantizeNetwork } from "../src/scoring/network/quantized-network.ts";
import { trainNetwork } from "../src/training/network-training.ts";
import { prepareTraining } from "../src/training/train.ts";
import { treeNetworkTask } from "../src/training/tree-network-jobs.ts";
import { parserFile, trainedParser, trainParser } from "./fast-training.ts";
import { encoded, readingOf, sample, TREEBANK, withCode } from "./support.ts";

const train = sample("train").slice(0, 24);
const { sentences, golds, labels } = encoded(train);
const names = labels.strings;
const taskOf = (units: number) =>
  treeNetworkTask({
    ...{ sentences, golds, templates: NETWORK_TEMPLATES },
    shape: { units, labels: names.length },
    settings: { members: 1, minCount: 2, dropout: 0.33, rate: 0.002 },
  });
const task = taskOf(16);

describe("a network that is trained", () => {
  it("comes to know the heads and labels of its sentences", async () => {
    const units = 32;
    const larger = taskOf(units);
    const bytes = await kept(["a network of", train, units], async () => {
      const losses: number[] = [];
      const { parameters } = await trainNetwork(larger, {
        epochs: 120,
        seed: 1,
        onProgress: ({ epoch, epochDone, loss }) => {
          if (epochDone) losses[epoch - 1] = loss!.value;
        },
      });
      expect(losses.at(-1)!).toBeLessThan(losses[0]! / 2);
      return new Uint8Array(parameters.buffer, parameters.byteOffset, parameters.byteLength);
    });
    const parameters = new Float32Array(bytes.slice().buffer);
    const configuration = {
      units,
      labels: names.length,
      templates: NETWORK_TEMPLATES,
      weight: 2,
      labelWeight: 1,
    };
    const scorer = new NetworkScorer(quantizeNetwork(configuration, task.codes, parameters));
    let total = 0;
    let heads = 0;
    let labels = 0;
    for (const [i, sentence] of sentences.entries()) {
      const gold = golds[i]!;
      const reading = scorer.read(sentence);
      const ofLabels = reading.labelScores(gold.heads)!;
      for (let m = 1; m <= sentence.n; m++) {
        const arcs = {
          n: sentence.n,
          start: new Int32Array(sentence.n + 2).fill(sentence.n, m + 1),
          head: Int32Array.from({ length: sentence.n }, (_, k) => (k < m ? k : k + 1)),
          modifier: new Int32Array(sentence.n).fill(m),
        };
        const scores = new Float64Array(sentence.n);
        reading.addArcScores(arcs, scores);
        // The likeliest is at 0, all others below, at most 12 nats times the weight.
        expect(Math.max(...scores)).toBe(0);
        expect(Math.min(...scores)).toBeGreaterThanOrEqual(-24);
        const row = ofLabels.subarray(m * names.length, (m + 1) * names.length);
        expect(Math.max(...row)).toBe(0);
        total++;
        if (arcs.head[scores.indexOf(0)] === gold.heads[m]) heads++;
        if (row.indexOf(0) === gold.labels[m]) labels++;
      }
    }
    expect(heads / total).toBeGreaterThan(0.7);
    expect(labels / total).toBeGreaterThan(0.5);
  });
});

const common: TrainOptions = {
  labeller: "sequence",
  epochs: 2,
  network: { units: 8, epochs: 2 },
};

describe("a parser with a network", () => {
  it.each([
    ["mira", "joint", 0.2],
    ["mira", "sequence", 0.2],
    ["crf", "joint", 0.8],
    ["crf", "sequence", 0.2],
  ] as const)("counts beside the labels of %s, %s, as these were learned", async (learner, labeller, own) => {
    const options: TrainOptions = { ...common, learner, labeller };
    const { network } = trained(await trainedParser(train.slice(0, 8), options));
    expect(network!.configuration.labelWeight).toBe(own);
  });

  it("keeps embeddings that are shorter than its states", async () => {
    const vectors = await readWordVectors(
      train.flatMap(({ sentence }) => sentence.map(({ form }, k) => `${form} ${k} 1 -1`)),
    );
    const network = { units: 16, embeddingUnits: 4, epochs: 2, vectors };
    const narrow = await trainParser(train, { ...common, network });
    const bytes = saveParser(narrow);
    const loaded = loadParser(bytes);
    expect(loaded.description.network).toMatchObject({ units: 16, embeddingUnits: 4 });
    expect(saveParser(loaded)).toEqual(bytes);
    const wide = await parserFile(train, { ...common, network: { ...network, embeddingUnits: undefined } });
    expect(bytes.length).toBeLessThan(wide.length);
    const [parser, before] = [createParser(loaded), createParser(narrow)];
    for (const { sentence } of train) expect(parser.parse(sentence)).toEqual(before.parse(sentence));
  });

  it("scores arcs as it does without, and as the network does", async () => {
    const { network: _, ...plain } = common;
    const some = train.slice(0, 12);
    const unpruned = { prune: false } as const;
    const [without, both] = [
      await trainedParser(some, { ...plain, ...unpruned }),
      await trainParser(some, { ...common, ...unpruned }),
    ];
    const model = loadParser(saveParser(both));
    expect(saveParser(model)).toEqual(saveParser(both));
    expect(model.description.network).toMatchObject({ units: 8, epochs: 2, weight: 0.2 });
    const scorer = new NetworkScorer(trained(model).network!);
    const own = sentenceEncoder(trained(model).encoder);
    const [parser, other] = [createParser(model), createParser(without)];
    for (const { sentence } of sample("dev").slice(0, 10)) {
      const { arcs, arcScores } = readingOf(other, sentence).problem();
      scorer.read(own.encode(sentence)).addArcScores(arcs, arcScores);
      expect(readingOf(parser, sentence).problem()).toEqual({
        ...readingOf(other, sentence).problem(),
        arcScores,
      });
      const parse = parser.parse(sentence);
      expect(parse.bound).toBeGreaterThanOrEqual(parse.score - 1e-9);
    }
  });

  it("reads other words than the sparse features do where it is given them", async () => {
    const parser = createParser(await trainedParser(train.slice(0, 12), { ...common, prune: false }));
    for (const { sentence } of sample("dev").slice(0, 5)) {
      const other = sentence.map((word, i) => (i % 2 === 0 ? { ...word, upos: "X", feats: "" } : word));
      const scores = (words: typeof sentence, networkWords: typeof sentence) =>
        readingOf(parser, networkWords).withWords(words).problem().arcScores;
      const [own, others] = [
        readingOf(parser, sentence).problem().arcScores,
        readingOf(parser, other).problem().arcScores,
      ];
      const [one, two] = [scores(sentence, other), scores(other, sentence)];
      expect(scores(sentence, sentence)).toEqual(own);
      expect(one).not.toEqual(own);
      expect(one).not.toEqual(others);
      for (const [a, score] of one.entries()) expect(score + two[a]!).toBeCloseTo(own[a]! + others[a]!, 4);
      expect(() => readingOf(parser, sentence).withWords(sentence.slice(1))).toThrow(
        withCode("invalid-argument"),
      );
    }
    const long = Array.from({ length: 200 }, () => train[0]!.sentence).flat();
    expect(long.length).toBeGreaterThan(1000);
    expect(
      readingOf(parser, long)
        .withWords([...long])
        .best(),
    ).toEqual(parser.parse(long));
  });

  it.each(["joint", "sequence"] as const)(
    "has labels that its network likes where sparse features do not mind: %s",
    async (labeller) => {
      const network = { units: 8, epochs: 40 };
      const options = { ...common, labeller, network, prune: false } as const;
      const model = trained(await trainParser(TREEBANK, options));
      const { configuration } = model.network!;
      expect(configuration.labelWeight).toBe(0.2);
      Object.assign(model, {
        network: { ...model.network, configuration: { ...configuration, labelWeight: 1000 } },
      });
      const parser = createParser(model);
      for (const { sentence } of TREEBANK) {
        const scorer = new NetworkScorer(trained(model).network!);
        const encoded = sentenceEncoder(trained(model).encoder).encode(sentence);
        const parse = parser.parse(sentence);
        const scores = scorer.read(encoded).labelScores(parse.heads)!;
        const { labels } = trained(model);
        const filter = trained(model).filter!;
        for (let m = 1; m <= sentence.length; m++) {
          const allowed = [...labelsOfArc(filter, encoded, parse.heads[m]!, m)];
          const best = allowed.toSorted(
            (a, b) => scores[m * labels.length + b]! - scores[m * labels.length + a]!,
          )[0]!;
          expect(parse.labels[m]).toBe(labels[best]);
        }
        const forced = labels.find((label) => label !== parse.labels[1]);
        const ofWords = parse.labels.map((_, m) => (m === 1 ? forced : undefined));
        const constrained = parser.parse(sentence, { constraints: { labels: ofWords } });
        expect(constrained.labels[1]).toBe(forced);
      }
    },
  );

  it.each<TrainOptions>([
    { order: 2, decoder: "ad3" },
    { order: 1, decoder: "mst", learner: "crf" },
    { order: 3, decoder: "hillclimb", global: true },
    { order: 2, decoder: "eisner", learner: "kbest-mira" },
    { order: 1, decoder: "mst", shards: { count: 2 } },
  ])("may be of any other kind: %j", async (options) => {
    const model = await trainedParser(train.slice(0, 12), { ...common, ...options });
    const parser = createParser(model);
    for (const { sentence } of train.slice(0, 4)) {
      const parse = parser.parse(sentence);
      if (options.decoder !== "mst" && options.decoder !== "eisner") continue;
      const { headProbabilities, arcs, arcProbabilities, score } = readingOf(parser, sentence).marginals();
      expect(score).toBeCloseTo(parse.score, 8);
      for (let m = 1; m <= sentence.length; m++) {
        const sum = arcProbabilities.subarray(arcs.start[m]!, arcs.start[m + 1]!).reduce((a, b) => a + b, 0);
        expect(sum).toBeCloseTo(1, 6);
        expect(headProbabilities[m]).toBeGreaterThan(0);
      }
    }
  });

  it("is the same model when training was interrupted, in the network as in the rest", async () => {
    const options: TrainOptions = { ...common, prune: false, labeller: "joint" };
    const [some, dev] = [train.slice(0, 8), train.slice(0, 3)];
    const kept = new MemoryCheckpoint();
    const seen: TrainingProgress[] = [];
    const whole = saveParser(
      await trainParser(some, {
        ...options,
        checkpoint: kept,
        onProgress: (progress) => void seen.push(progress),
        dev,
      }),
    );
    expect(kept.moments).toHaveLength(4);
    for (const checkpoint of [kept.after(0), kept.after(2)])
      expect(saveParser(await trainParser(some, { ...options, checkpoint, dev }))).toEqual(whole);
    const networkReports = seen.filter(({ step, epochDone }) => step === "network" && epochDone);
    expect(networkReports.map(({ epoch, share }) => [epoch, share])).toEqual([
      [1, 0.5],
      [2, 1],
    ]);
    for (const { loss } of networkReports) expect(loss!.value).toBeGreaterThan(0);
    const network = { units: 12, epochs: 2 };
    await expect(trainParser(some, { ...options, network, checkpoint: kept.after(0) })).rejects.toThrow(
      /comes from other/,
    );
  });

  it("keeps each epoch of a network that outlasts the weights beside which it is trained", {
    tags: "slow",
  }, async () => {
    let learned: () => void = () => {};
    const untilLearned = new Promise<void>((resolve) => {
      learned = resolve;
    });
    const kept = new MemoryCheckpoint();
    const options: TrainOptions = {
      ...common,
      checkpoint: kept,
      onProgress: ({ step, epoch, epochs, epochDone }) => {
        if (step === "weights" && epochDone && epoch === epochs) learned();
      },
    };
    const place = elsewhere(async (job) => {
      if (job === "network-epoch") await untilLearned;
    });
    const whole = saveParser(await trainParser(train, { ...options, place }));
    // Two epochs of the weights, then two of the network.
    expect(kept.moments).toHaveLength(4);
    for (const k of kept.moments.keys()) {
      const epochs: string[] = [];
      const again = await trainParser(train, {
        ...common,
        checkpoint: kept.after(k),
        onProgress: ({ step, epoch, epochDone }) => {
          if (epochDone && (step === "network" || step === "weights")) epochs.push(`${step} ${epoch}`);
        },
      });
      expect(saveParser(again)).toEqual(whole);
      // What a state holds is not learned again.
      expect(epochs).toEqual(
        [["network 1", "network 2", "weights 2"], ["network 1", "network 2"], ["network 2"], []][k],
      );
    }
  });

  it("stops in its network when the signal is aborted", async () => {
    const controller = new AbortController();
    let epochs = 0;
    const stopped = trainParser(train.slice(0, 8), {
      ...common,
      signal: controller.signal,
      onProgress: ({ step, epochDone }) => {
        if (step === "network" && epochDone && ++epochs === 1) controller.abort();
      },
    });
    await expect(stopped).rejects.toThrow("aborted");
    expect(epochs).toBe(1);
  });

  it("is not prepared without being trained", async () => {
    await expect(prepareTraining(TREEBANK, { network: { units: 8 } })).rejects.toThrow(/trainParser alone/);
  });
});

describe("heads that the network finds unlikely", () => {
  it.each(["any", "projective"] as const)(
    "are not looked at, but for those of a tree: %s",
    async (family) => {
      const { parameters } = await trainNetwork(task, { epochs: 30, seed: 1 });
      const rest = {
        units: 16,
        labels: names.length,
        templates: NETWORK_TEMPLATES,
        weight: 0.5,
        labelWeight: 1,
      };
      const [ofAll, scorer] = [rest, { ...rest, margin: 1 }].map(
        (configuration) => new NetworkScorer(quantizeNetwork(configuration, task.codes, parameters), family),
      );
      let dropped = 0;
      for (const sentence of sentences) {
        const complete = completeArcs(sentence.n);
        const reading = ofAll!.read(sentence);
        expect(reading.restrict(complete)).toBe(complete);
        const kept = scorer!.read(sentence).restrict(complete);
        const scores = new Float64Array(complete.head.length);
        reading.addArcScores(complete, scores);
        const guard = family === "any" ? mstDecoder() : eisnerDecoder();
        const { heads } = guard.decode({ arcs: complete, arcScores: scores, parts: [] });
        for (const [a, h] of complete.head.entries()) {
          const m = complete.modifier[a]!;
          const likely = scores[a]! / rest.weight >= -1;
          expect(arcIndex(kept, h, m) >= 0).toBe(likely || heads[m] === h);
          if (!likely) dropped++;
        }
      }
      expect(dropped).toBeGreaterThan(0);
    },
  );

  it("are looked at where probabilities are learned, or nothing is pruned", async () => {
    const marginOf = async (options: TrainOptions) =>
      trained(await trainedParser(TREEBANK, { ...common, ...options })).network!.configuration.margin;
    expect(await marginOf({})).toBe(4);
    expect(await marginOf({ learner: "crf" })).toBeUndefined();
    expect(await marginOf({ prune: false })).toBeUndefined();
  });
});

describe("a network in a file", () => {
  const configuration = {
    units: 16,
    labels: names.length,
    templates: NETWORK_TEMPLATES,
    weight: 0.5,
    labelWeight: 1,
  };

  test.each([
    ["units that are none", { units: 6 }, "units"],
    ["a weight of labels that is none", { labelWeight: -1 }, "labelWeight"],
    ["a weight that is none", { weight: 0 }, "weight"],
    ["a margin that is none", { margin: -1 }, "margin"],
    ["templates that are none", { templates: [1] }, "templates[0]"],
    ["combinations of no columns", { combinations: [[1]] }, "combinations[0]"],
  ])("is refused with %s", (_, change, at) => {
    const check = (header: unknown) => () => NETWORK.header(header, "network");
    expect(check(configuration)).not.toThrow();
    expect(check({ ...configuration, ...change })).toThrow(
      expect.objectContaining({ name: "ModelError", at: `network.${at}` }),
    );
  });
});
