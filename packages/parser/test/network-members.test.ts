import { here, type Place } from "@arcwise/jobs";
import { MatrixMemory, sentenceBatch } from "@arcwise/neural";
import { describe, expect, test } from "vitest";
import { elsewhere } from "../../../tools/elsewhere.ts";
import { MemoryCheckpoint } from "../../../tools/memory-checkpoint.ts";
import { createParser, loadParser, ModelError, saveParser } from "../src/index.ts";
import type { EncodedTree } from "../src/scoring/arcs/label-filter.ts";
import { ArcNetwork, type NetworkInput } from "../src/scoring/network/arc-network.ts";
import { NetworkEnsemble } from "../src/scoring/network/network-ensemble.ts";
import { NETWORK_TEMPLATES } from "../src/scoring/network/network-reader.ts";
import type { NetworkState } from "../src/training/network-state.ts";
import type { NetworkWork } from "../src/training/network-task.ts";
import { trainNetwork } from "../src/training/network-training.ts";
import { treeNetworkTask } from "../src/training/tree-network-jobs.ts";
import { trainParser } from "./fast-training.ts";
import { encoded, sample } from "./support.ts";

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
  const { sentences, golds, labels } = encoded(examples);
  const work: NetworkWork<EncodedTree> = {
    ...{ sentences, golds },
    shape: { units: 8, labels: labels.strings.length },
    templates: NETWORK_TEMPLATES,
    settings: { members: 1, minCount: 2, dropout: 0.33, rate: 0.002 },
  };
  const withMembers = (members: number, dropout = work.settings.dropout) => ({
    ...work,
    settings: { ...work.settings, members, dropout },
  });
  const options = { epochs: 3, seed: 5 };

  test("begins with the network of the seed, and gives others besides", async () => {
    const one = await trainNetwork(treeNetworkTask(work), options);
    const { parameters } = await trainNetwork(treeNetworkTask(withMembers(3)), options);
    const size = one.parameters.length;
    expect(parameters).toHaveLength(3 * size);
    expect(parameters.subarray(0, size)).toEqual(one.parameters);
    expect(parameters.subarray(size, 2 * size)).not.toEqual(one.parameters);
    expect(parameters.subarray(size, 2 * size)).not.toEqual(parameters.subarray(2 * size));
  });

  test("does not depend on where it was interrupted, but on its seed", async () => {
    const task = treeNetworkTask(withMembers(2));
    const states: NetworkState[] = [];
    const onEpoch = (state: NetworkState) => void states.push(structuredClone(state));
    const whole = await trainNetwork(task, { ...options, onEpoch });
    expect(states.map(({ epoch }) => epoch)).toEqual([1, 2, 3]);
    for (const resume of states) expect(await trainNetwork(task, { ...options, resume })).toEqual(whole);
    expect((await trainNetwork(task, { ...options, seed: 6 })).parameters).not.toEqual(whole.parameters);
    await expect(trainNetwork(treeNetworkTask(work), { ...options, resume: states[0]! })).rejects.toThrow(
      /expected the state of \d+ parameters/,
    );
  });

  test("is the same where each epoch of each member is a job of another machine", async () => {
    const task = treeNetworkTask(withMembers(3));
    const losses: (number | undefined)[][] = [[], []];
    const run = async (k: number, place: Place) =>
      trainNetwork(task, {
        ...options,
        place,
        onProgress: ({ epochDone, loss }) => {
          if (epochDone) losses[k]!.push(loss?.value);
        },
      });
    expect(await run(0, elsewhere())).toEqual(await run(1, here()));
    expect(losses[0]).toHaveLength(options.epochs);
    expect(losses[0]).toEqual(losses[1]);
  });

  test("drops states at a rate", async () => {
    const [dropped, kept] = await Promise.all(
      [0.5, 0.33].map((rate) => trainNetwork(treeNetworkTask(withMembers(1, rate)), { epochs: 1, seed: 5 })),
    );
    expect(dropped!.parameters).not.toEqual(kept!.parameters);
    expect(dropped!.parameters.every(Number.isFinite)).toBe(true);
  });

  test("keeps the rate of dropout in the model, and refuses to go on with another", async () => {
    const network = { units: 8, epochs: 2, dropout: 0.3 };
    const checkpoint = new MemoryCheckpoint();
    const { description } = await trainParser(examples, { epochs: 1, network, checkpoint });
    expect(description.network).toMatchObject({ units: 8, dropout: 0.3 });
    const other = { ...network, dropout: 0.2 };
    await expect(trainParser(examples, { epochs: 1, network: other, checkpoint })).rejects.toThrow(
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
    const kept = new MemoryCheckpoint();
    await trainParser(examples, { epochs: 1, network, checkpoint: kept });
    const checkpoint = kept.after(0);
    expect(saveParser(await trainParser(examples, { epochs: 1, network, checkpoint }))).toEqual(bytes);
    const single = { ...network, members: 1 };
    await expect(trainParser(examples, { epochs: 1, network: single, checkpoint })).rejects.toThrow(
      ModelError,
    );
  });
});
