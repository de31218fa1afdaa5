import { buildEncoder } from "@arcwise/core/features";
import { MatrixMemory, sentenceBatch } from "@arcwise/neural";
import { here, type Place } from "@arcwise/work";
import { describe, expect, test } from "vitest";
import { createParser, loadParser, ModelError, saveParser } from "../src/index.ts";
import { networksAt } from "../src/node/network-jobs.ts";
import { ArcNetwork, type NetworkInput } from "../src/scoring/network/arc-network.ts";
import { NetworkEnsemble } from "../src/scoring/network/network-ensemble.ts";
import type { NetworkState } from "../src/training/network-state.ts";
import { networkTask } from "../src/training/network-task.ts";
import { trainNetwork } from "../src/training/network-training.ts";
import { trainParser } from "./fast-training.ts";
import { sample } from "./support.ts";

const examples = sample("train").slice(0, 12);

describe("networks whose scores are averaged", () => {
  const SHAPE = {
    ...{ features: 6, units: 8, labels: 3 },
    columns: [{ labels: 4, parts: [[0], [0, 1], [], [1]] }],
  };
  const batch = sentenceBatch([5, 3]);
  const start = Int32Array.from({ length: 9 }, (_, row) => row);
  const input: NetworkInput = { batch, start, features: Int32Array.from([0, 1, 2, 3, 4, 5, 0, 1]) };
  const arcs = [
    { first: 0, second: 2 },
    { first: 1, second: 0 },
  ];
  const network = (seed: number) => {
    const made = new ArcNetwork(new MatrixMemory(), SHAPE, false);
    made.initialize(seed);
    return made;
  };
  /** All scores of the readings of a batch, of which labels and columns are asked last first. */
  function scoresOf(ensemble: NetworkEnsemble) {
    const readings = ensemble.read(input);
    const backwards = readings.toReversed();
    const labels = backwards.map((reading) => [...ensemble.labelScores(reading, arcs).values]);
    const tags = backwards.map((reading) => ensemble.columnScores(reading).map(({ values }) => [...values]));
    return {
      heads: readings.flatMap((reading) => [...reading.arcs]),
      labels: labels.reverse().flat(),
      tags: tags.reverse().flat(2),
    };
  }

  test("have the mean scores of all of them, each time they read", () => {
    const alone = [1, 2, 3].map((seed) => scoresOf(new NetworkEnsemble([network(seed)])));
    const ensemble = new NetworkEnsemble([1, 2, 3].map(network));
    for (let time = 0; time < 3; time++) {
      const found = scoresOf(ensemble);
      for (const kind of ["heads", "labels", "tags"] as const) {
        expect(new Set(alone.map((scores) => scores[kind].join())).size).toBe(3);
        for (const [i, score] of found[kind].entries()) {
          expect(score).toBeCloseTo(alone.reduce((sum, scores) => sum + scores[kind][i]!, 0) / 3, 5);
        }
      }
    }
  });

  test("have the scores of the network where there is one, and are not none", () => {
    const own = network(4);
    const trace = own.read(input);
    const heads = trace.sentences.flatMap(({ scores: { at, row }, length }) =>
      Array.from({ length: length * length }, (_, k) => {
        const [m, h] = [Math.floor(k / length), k % length];
        return own.memory.values[at + m * row + h]!;
      }),
    );
    expect(scoresOf(new NetworkEnsemble([network(4)])).heads).toEqual(heads);
    expect(() => new NetworkEnsemble([])).toThrow("expected at least one network");
  });
});

describe("training of several networks", () => {
  const encoder = buildEncoder(examples.map(({ sentence }) => sentence));
  const names = [...new Set(examples.flatMap(({ tree }) => tree.labels.slice(1)))].sort();
  const work = {
    sentences: examples.map(({ sentence }) => encoder.encode(sentence)),
    golds: examples.map(({ tree }) => ({
      heads: tree.heads,
      labels: Int32Array.from(tree.labels, (label, m) => (m === 0 ? -1 : names.indexOf(label))),
    })),
    shape: { units: 8, labels: names.length },
  };
  const withMembers = (members: number, recurrentDropout = 0) => ({
    ...work,
    settings: { members, recurrentDropout, augment: { permute: 0, labels: [], replace: 0 } },
  });
  const options = { epochs: 3, seed: 5 };

  test("begins with the network of the seed, and gives others besides", async () => {
    const one = await trainNetwork(networkTask(work), options);
    const { parameters } = await trainNetwork(networkTask(withMembers(3)), options);
    const size = one.parameters.length;
    expect(parameters).toHaveLength(3 * size);
    expect(parameters.subarray(0, size)).toEqual(one.parameters);
    expect(parameters.subarray(size, 2 * size)).not.toEqual(one.parameters);
    expect(parameters.subarray(size, 2 * size)).not.toEqual(parameters.subarray(2 * size));
  });

  test("does not depend on where it was interrupted", async () => {
    const task = networkTask(withMembers(2));
    const states: NetworkState[] = [];
    const onEpoch = (state: NetworkState) => void states.push(structuredClone(state));
    const whole = await trainNetwork(task, { ...options, onEpoch });
    for (const resume of states) expect(await trainNetwork(task, { ...options, resume })).toEqual(whole);
    await expect(trainNetwork(networkTask(work), { ...options, resume: states[0]! })).rejects.toThrow(
      /expected the state of \d+ parameters/,
    );
  });

  test.each([
    { count: 1, mixes: 5 },
    { count: 2, mixes: 2 },
    { count: 3, mixes: 1 },
    // More slices than sentences.
    { count: 5, mixes: 4 },
  ])("is the same in steps of which each is done by itself, with shards $count, $mixes", async (shards) => {
    const own = withMembers(2, 0.3);
    const order = { work: { ...own, settings: { ...own.settings, shards } }, ...options };
    const whole = await trainNetwork(networkTask(order.work), options);
    // Each by another machine, which is sent the state.
    const place: Place = {
      ...here(),
      do: async (...job) => structuredClone(await here().do(...job)),
    };
    const epochs: number[] = [];
    const state = await networksAt(place)(order, {
      onProgress: ({ loss }) => expect(loss).toBeGreaterThan(0),
      onEpoch: ({ epoch }) => void epochs.push(epoch),
    });
    expect(epochs).toEqual([1, 2, 3]);
    expect(state).toEqual(whole);
  });

  test("in shards goes on from each epoch to the same networks, which are others than of one shard", async () => {
    const own = withMembers(1);
    const task = networkTask({ ...own, settings: { ...own.settings, shards: { count: 2, mixes: 3 } } });
    const states: NetworkState[] = [];
    const onEpoch = (state: NetworkState) => void states.push(structuredClone(state));
    const whole = await trainNetwork(task, { ...options, onEpoch });
    for (const resume of states) expect(await trainNetwork(task, { ...options, resume })).toEqual(whole);
    expect(whole).not.toEqual(await trainNetwork(networkTask(own), options));
  });

  test("are named in the description of a model where there are several", async () => {
    const network = { units: 8, epochs: 1 };
    const serial = await trainParser(examples, { epochs: 1, network });
    expect(saveParser(serial)).toEqual(
      saveParser(await trainParser(examples, { epochs: 1, network: { ...network, shards: { mixes: 3 } } })),
    );
    const shards = { count: 2, mixes: 2 };
    const { description } = await trainParser(examples, { epochs: 1, network: { ...network, shards } });
    expect(description.network).toMatchObject({ shards });
  });

  test("drops recurrent states at a rate, which is the same wherever it was interrupted", async () => {
    const task = networkTask(withMembers(2, 0.3));
    const states: NetworkState[] = [];
    const onEpoch = (state: NetworkState) => void states.push(structuredClone(state));
    const dropped = await trainNetwork(task, { ...options, onEpoch });
    const kept = await trainNetwork(networkTask(withMembers(2)), options);
    expect(dropped.parameters).not.toEqual(kept.parameters);
    expect(dropped.parameters.every(Number.isFinite)).toBe(true);
    for (const resume of states) expect(await trainNetwork(task, { ...options, resume })).toEqual(dropped);
    const zero = await trainNetwork(networkTask(withMembers(2, 0)), options);
    expect(zero).toEqual(kept);
  });

  test("keeps the rate of dropped states in the model, and refuses to go on with another", async () => {
    const network = { units: 8, epochs: 2, recurrentDropout: 0.3 };
    const states: Uint8Array[] = [];
    const onCheckpoint = (state: Uint8Array) => void states.push(state);
    const { description } = await trainParser(examples, { epochs: 1, network, onCheckpoint });
    expect(description.network).toMatchObject({ units: 8, recurrentDropout: 0.3 });
    const other = { ...network, recurrentDropout: 0.2 };
    await expect(trainParser(examples, { epochs: 1, network: other, resume: states[0]! })).rejects.toThrow(
      ModelError,
    );
  });

  test("makes a model that is the same from its file, and another one than that of one network", async () => {
    const network = { units: 8, epochs: 2, members: 2 };
    const model = await trainParser(examples, { epochs: 1, network });
    expect(model.description.network).toMatchObject({ units: 8, members: 2 });
    const bytes = saveParser(model);
    const [here, there] = [createParser(model), createParser(loadParser(bytes))];
    for (const { sentence } of sample("dev").slice(0, 5)) {
      expect(there.parse(sentence)).toEqual(here.parse(sentence));
    }
    const states: Uint8Array[] = [];
    await trainParser(examples, { epochs: 1, network, onCheckpoint: (state) => void states.push(state) });
    expect(saveParser(await trainParser(examples, { epochs: 1, network, resume: states[0]! }))).toEqual(
      bytes,
    );
    const single = { ...network, members: 1 };
    await expect(trainParser(examples, { epochs: 1, network: single, resume: states[0]! })).rejects.toThrow(
      ModelError,
    );
  });
});
