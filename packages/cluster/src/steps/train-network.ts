import { type Check, integer, record, withMembers } from "@arcwise/core/options";
import { type LearnedSlice, type NetworkOrder, NetworkSteps } from "@arcwise/parser/node";
import { readData, writeData } from "../blobs/contents.ts";
import { readOrMake } from "../blobs/damaged.ts";
import { blobName, type Hash, outputName } from "../blobs/hash.ts";
import { readOutput, writeOutput } from "../blobs/outputs.ts";
import { decodeData, encodeData } from "../blobs/plain-data.ts";
import type { Patience, ReadOptions, Store } from "../blobs/store.ts";
import { MAX_COUNT } from "./counts.ts";

/** A round of the networks of an order. */
export interface NetworkRound {
  /** Name of the order, which says from what the first epoch begins. */
  readonly order: Hash;
  /** From 1. */
  readonly epoch: number;
  /** Rounds of an epoch; 1 where there is one shard. */
  readonly rounds: number;
  /** From 0. */
  readonly round: number;
  readonly shards: number;
}

/** Settings of the step `train-network`: what a shard learns in a round. */
export interface NetworkSettings extends NetworkRound {
  /** From 0. */
  readonly shard: number;
}

const ROUND = {
  order: blobName,
  epoch: integer(1, MAX_COUNT),
  rounds: integer(1, MAX_COUNT),
  round: integer(0, MAX_COUNT),
  shards: integer(1, MAX_COUNT),
};
/** Accepts settings of the step `average-network`. */
export const NETWORK_ROUND = record<NetworkRound>(ROUND);
/** Accepts settings of the step `train-network`. */
export const NETWORK_SETTINGS = record<NetworkSettings>({ ...ROUND, shard: integer(0, MAX_COUNT) });

/** Returns the name of the output of the step `train-network`, which the order and its numbers determine. */
export function sliceName({ order, epoch, round, shard }: NetworkSettings): Hash {
  return outputName("train-network", { epoch, round, shard }, [order]);
}

/** Returns the name of the output of the step `average-network`. */
export function averageName({ order, epoch, round }: NetworkRound): Hash {
  return outputName("average-network", { epoch, round }, [order]);
}

/** Returns the name of the networks at the end of a round. */
export function roundName(at: NetworkRound): Hash {
  return at.shards === 1 ? sliceName({ ...at, shard: 0 }) : averageName(at);
}

/** Returns a round and all after it, to the end of an epoch. */
export function* roundsFrom(first: NetworkRound, epochs: number): Generator<NetworkRound> {
  for (let { epoch, round } = first; epoch <= epochs; epoch++, round = 0)
    for (; round < first.rounds; round++) yield { ...first, epoch, round };
}

/** Returns the name of the networks that a round begins with; undefined: it is the first one. */
export function nameBefore(at: NetworkRound, first: NetworkRound): Hash | undefined {
  if (at.epoch === first.epoch && at.round === first.round) return undefined;
  return roundName(
    at.round > 0 ? { ...at, round: at.round - 1 } : { ...at, epoch: at.epoch - 1, round: at.rounds - 1 },
  );
}

/** Reads the networks at the end of a round. @throws ArcwiseError `missing-blob`; DamagedBlob */
export function readRound(store: Store, at: NetworkRound, options: ReadOptions): Promise<LearnedSlice> {
  const what = `the network after epoch ${at.epoch}, round ${at.round}`;
  return readNetworks(store, { ...options, name: roundName(at), what });
}

const SLICE: Check = (value, at) => {
  withMembers("networks with a state", "state", "loss", "words")(value, at);
  withMembers("a state", "epoch", "parameters")((value as LearnedSlice).state, `${at}.state`);
};

function readNetworks(
  store: Store,
  request: ReadOptions & { readonly name: Hash; readonly what: string },
): Promise<LearnedSlice> {
  const decode = (bytes: Uint8Array) => {
    const networks = decodeData(bytes);
    SLICE(networks, "networks");
    return networks as LearnedSlice;
  };
  return readOutput(store, { ...request, decode });
}

/** An order as it is in the store: its data is a blob of its own, since all members of a network have the same. */
interface StoredOrder extends Omit<NetworkOrder, "work"> {
  readonly data: Hash;
  readonly work: Pick<NetworkOrder["work"], "settings" | "firstMember">;
}

const STORED_ORDER: Check = (value, at) => {
  withMembers("an order", "data", "work", "epochs", "seed")(value, at);
  const { data, work } = value as StoredOrder;
  blobName(data, `${at}.data`);
  withMembers("work", "settings")(work, `${at}.work`);
};

/** Writes orders to a store. The data of orders that share it is encoded once. */
export class NetworkOrders {
  readonly #store: Store;
  /** By the sentences. */
  readonly #data = new WeakMap<object, Promise<Hash>>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Returns the name of the order. */
  async write({ work: { settings, firstMember, ...data }, ...order }: NetworkOrder): Promise<Hash> {
    const written = this.#data.get(data.sentences) ?? writeData(this.#store, data);
    this.#data.set(data.sentences, written);
    const stored: StoredOrder = { ...order, data: await written, work: { settings, firstMember } };
    return writeData(this.#store, stored);
  }
}

/** An order whose data is in memory. */
interface OpenOrder {
  readonly name: Hash;
  /** Epochs that its first state has. */
  readonly before: number;
  readonly steps: NetworkSteps;
}

/** Runs the steps of networks. Keeps the data, the last order and the state at the end of the last round. */
export class NetworkTrainer {
  readonly #store: Store;
  readonly #patience: Patience;
  #data: { readonly name: Hash; readonly found: unknown } | undefined;
  #open: OpenOrder | undefined;
  #last: { readonly name: Hash; readonly networks: LearnedSlice } | undefined;

  constructor(store: Store, patience: Patience) {
    this.#store = store;
    this.#patience = patience;
  }

  /** Trains on the slice of a shard, and writes the output. */
  async train({ shard, ...at }: NetworkSettings, signal?: AbortSignal): Promise<void> {
    const open = await this.#openOrder(at.order, signal);
    const from = await this.#stateBefore(open, at, signal);
    const learned = await open.steps.learn({ ...at, shard }, from, signal);
    await this.#write(sliceName({ ...at, shard }), learned, at.shards === 1);
  }

  /** Averages what the shards have learned in a round, and writes the output. */
  async average(at: NetworkRound, signal?: AbortSignal): Promise<void> {
    const open = await this.#openOrder(at.order, signal);
    const from = await this.#stateBefore(open, at, signal);
    const average = await open.steps.average(at, this.#learned(at, signal), from);
    await this.#write(averageName(at), average, true);
  }

  async *#learned(at: NetworkRound, signal: AbortSignal | undefined): AsyncGenerator<LearnedSlice> {
    for (let shard = 0; shard < at.shards; shard++) {
      const slice = { ...at, shard };
      const request = {
        ...this.#patience,
        signal,
        name: sliceName(slice),
        what: `the network of shard ${shard}`,
      };
      yield await readOrMake(
        () => readNetworks(this.#store, request),
        () => this.train(slice, signal),
      );
    }
  }

  async #write(name: Hash, networks: LearnedSlice, isLast: boolean): Promise<void> {
    // Numbers of networks do not get smaller by compression.
    await writeOutput(this.#store, name, encodeData(networks));
    if (isLast) this.#last = { name, networks };
  }

  async #openOrder(name: Hash, signal: AbortSignal | undefined): Promise<OpenOrder> {
    if (this.#open?.name === name) return this.#open;
    this.#open = undefined;
    const reading = { ...this.#patience, signal };
    const { data, work, ...order } = await readData<StoredOrder>(this.#store, {
      ...reading,
      name,
      what: "the order of a network",
      check: STORED_ORDER,
    });
    if (this.#data?.name !== data) {
      this.#data = undefined;
      const what = "the data of a network";
      const found = await readData<object>(this.#store, {
        ...reading,
        name: data,
        what,
        check: withMembers(what, "sentences"),
      });
      this.#data = { name: data, found };
    }
    const all = { ...(this.#data.found as Omit<NetworkOrder["work"], keyof typeof work>), ...work };
    this.#open = { name, before: order.resume?.epoch ?? 0, steps: new NetworkSteps({ ...order, work: all }) };
    return this.#open;
  }

  /** Returns the state at the end of the round before; undefined: the order has none before it. */
  async #stateBefore(
    { before }: OpenOrder,
    at: NetworkRound,
    signal: AbortSignal | undefined,
  ): Promise<LearnedSlice["state"] | undefined> {
    const isFirst = at.round === 0;
    if (isFirst && at.epoch - 1 === before) return undefined;
    const last = isFirst
      ? { ...at, epoch: at.epoch - 1, round: at.rounds - 1 }
      : { ...at, round: at.round - 1 };
    const name = roundName(last);
    if (this.#last?.name !== name) {
      const networks = await readOrMake(
        () => readRound(this.#store, last, { ...this.#patience, signal }),
        () => (last.shards === 1 ? this.train({ ...last, shard: 0 }, signal) : this.average(last, signal)),
      );
      this.#last = { name, networks };
    }
    return this.#last.networks.state;
  }
}
