import { readConllu, type SentenceView } from "@arcwise/conllu";
import type { TrainingProgress } from "@arcwise/core/training";
import { here, type Place } from "@arcwise/jobs";
import { amongProcesses, folderStore } from "@arcwise/jobs/node";
import { type PipelineTrainOptions, savePipeline, trainPipeline } from "@arcwise/pipeline";
import { beforeAll, describe, expect, it } from "vitest";
import { MemoryCheckpoint } from "../../../tools/memory-checkpoint.ts";
import type { Order } from "../src/order.ts";
import { OrderCarrier } from "../src/order-jobs.ts";
import { type Carry, placeOf } from "./carriers.ts";
import { freshFolder, treebank } from "./support.ts";

/** The made-up sentences as a treebank. */
const SENTENCES: SentenceView[] = treebank(40).flatMap(({ sentence, tree }) => {
  const rows = sentence.map(({ form, upos }, k) => {
    const columns = [k + 1, form, form, upos, "_", "_", tree.heads[k + 1], tree.labels[k + 1], "_", "_"];
    return columns.join("\t");
  });
  return [...readConllu(`${rows.join("\n")}\n\n`)];
});

const OPTIONS: PipelineTrainOptions = {
  dev: SENTENCES.slice(0, 4),
  settings: {
    preset: "linear",
    seed: 3,
    jackknife: 2,
    tokenizer: { epochs: 2 },
    tagger: { epochs: 2 },
    parser: {
      epochs: 2,
      network: { units: 8, members: 2, epochs: 3 },
      prune: false,
      shards: { count: 2, mixes: 2 },
    },
  },
};

const bytesOf = (model: Awaited<ReturnType<typeof trainPipeline>>) => Buffer.from(savePipeline(model));

describe("a pipeline that workers train", () => {
  let alone: Buffer;
  const ends: TrainingProgress[] = [];
  const noteEnds = (into: TrainingProgress[]) => (at: TrainingProgress) => {
    if (at.epochDone) into.push({ ...at, trainingShare: 0 });
  };
  const trained = async (place: Place, more: PipelineTrainOptions = {}) =>
    bytesOf(await trainPipeline(SENTENCES, { ...OPTIONS, ...more, place }));

  /** A place whose jobs are noted, each done by a worker that knows nothing of those before. */
  async function noting(folder: string, fails: (orders: readonly Order[]) => boolean = () => false) {
    const store = await folderStore(folder);
    const orders: Order[] = [];
    const carry: Carry = async (order) => {
      if (fails(orders)) throw new Error("killed");
      const outcome = await new OrderCarrier(store).carryOut(order);
      if (outcome === "done") orders.push(order);
      return outcome;
    };
    return { place: placeOf(store, carry), orders };
  }

  beforeAll(async () => {
    alone = bytesOf(await trainPipeline(SENTENCES, { ...OPTIONS, onProgress: noteEnds(ends) }));
  });

  it("has the bytes of one process, and reports the same epochs", async () => {
    const found: TrainingProgress[] = [];
    const shares: number[] = [];
    const onProgress = (at: TrainingProgress) => {
      noteEnds(found)(at);
      shares.push(at.trainingShare);
    };
    const { place } = await noting(freshFolder());
    expect((await trained(place, { onProgress })).equals(alone)).toBe(true);
    // A network that is trained in parallel with the weights is not there when these are measured.
    const known = (all: readonly TrainingProgress[]) =>
      all.map(({ step, target, part, epoch }) => [step, target, part, epoch].join(" ")).sort();
    expect(known(found)).toEqual(known(ends));
    expect(shares.at(-1)).toBe(1);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  });

  it("goes on with the outputs that are there after it was stopped, and repeats no job", async () => {
    const folder = freshFolder();
    const isNetwork = ({ job }: Order) => job.startsWith("network");
    const first = await noting(folder, (orders) => orders.filter(isNetwork).length >= 3);
    await expect(trained(first.place)).rejects.toThrow("killed");
    const second = await noting(folder);
    expect((await trained(second.place)).equals(alone)).toBe(true);
    const all = [...first.orders, ...second.orders];
    expect(new Set(all.map(({ input, job }) => `${job} ${input}`)).size).toBe(all.length);
    const count = (name: string) => all.filter(({ job }) => job === name).length;
    expect([count("tokenizer"), count("tagger"), count("tag-part")]).toEqual([1, 1, 2]);
    // Three epochs of two networks.
    expect(all.filter(isNetwork)).toHaveLength(6);
    const third = await noting(folder);
    await trained(third.place);
    expect(third.orders).toEqual([]);
  });

  it("goes on from a checkpoint, with another store", async () => {
    const checkpoint = new MemoryCheckpoint();
    const stop = new AbortController();
    const stopped = trained((await noting(freshFolder())).place, {
      signal: stop.signal,
      checkpoint,
      onProgress: ({ step, epoch, epochDone }) => {
        if (step === "network" && epoch === 2 && epochDone) stop.abort(new Error("stopped"));
      },
    });
    await expect(stopped).rejects.toThrow("stopped");
    const { place, orders } = await noting(freshFolder());
    expect((await trained(place, { checkpoint })).equals(alone)).toBe(true);
    expect(orders.filter(({ job }) => job.startsWith("network")).length).toBeLessThan(6);
  });

  it("is trained by processes that share a store, without a queue", async () => {
    const folder = freshFolder();
    const models = await Promise.all(
      [2, 0, 1].map(async (index) =>
        trained(amongProcesses(here(), await folderStore(folder), { index, count: 3 })),
      ),
    );
    for (const model of models) expect(model.equals(alone)).toBe(true);
  });
});
