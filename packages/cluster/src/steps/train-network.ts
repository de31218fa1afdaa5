import { gunzipSync, gzipSync } from "node:zlib";
import { type NetworkEpoch, type NetworkOrder, networkEpochs } from "@arcwise/parser/node";
import { type Hash, outputName } from "../blobs/hash.ts";
import { decodeData, encodeData, readData } from "../blobs/plain-data.ts";
import { type ReadOptions, readBlob, type Store } from "../blobs/store.ts";

/** Settings of the step `train-network`: an epoch of some members of a network. */
export interface NetworkSettings {
  /** Name of the order, which says from what the first epoch begins. */
  readonly order: Hash;
  /** From 1. */
  readonly epoch: number;
}

/** Returns the name of the output of the step. An epoch is determined by the order and its number. */
export function networkName({ order, epoch }: NetworkSettings): Hash {
  return outputName("train-network", { epoch }, [order]);
}

/** Reads the output of the step. @throws ArcwiseError `missing-blob` */
export async function readNetwork(
  store: Store,
  settings: NetworkSettings,
  options: ReadOptions,
): Promise<NetworkEpoch> {
  const what = `the network after epoch ${settings.epoch}`;
  return decodeData(gunzipSync(await readBlob(store, networkName(settings), what, options))) as NetworkEpoch;
}

/** An order whose data is in memory. */
interface OpenOrder {
  readonly name: Hash;
  /** Epochs that its first state has. */
  readonly before: number;
  readonly train: ReturnType<typeof networkEpochs>;
  /** The last epoch that was trained here. */
  last?: NetworkEpoch | undefined;
}

/** Trains networks. Keeps the data and the state of the last one. */
export class NetworkTrainer {
  readonly #store: Store;
  #open: OpenOrder | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Trains for an epoch, and writes the output. */
  async run(settings: NetworkSettings, signal?: AbortSignal): Promise<void> {
    const open = await this.#openOrder(settings.order, signal);
    const before = settings.epoch - 1;
    const from = before === open.before ? undefined : await this.#epoch(open, before, signal);
    const trained = await open.train(from?.state, signal);
    // Numbers of networks do not get smaller by compression, which is here for its checksum.
    await this.#store.write(networkName(settings), gzipSync(encodeData(trained), { level: 0 }));
    open.last = trained;
  }

  async #openOrder(name: Hash, signal: AbortSignal | undefined): Promise<OpenOrder> {
    if (this.#open?.name === name) return this.#open;
    this.#open = undefined;
    const order = (await readData(this.#store, name, "the data of a network", { signal })) as NetworkOrder;
    this.#open = { name, before: order.resume?.epoch ?? 0, train: networkEpochs(order) };
    return this.#open;
  }

  async #epoch(
    { name, last }: OpenOrder,
    epoch: number,
    signal: AbortSignal | undefined,
  ): Promise<NetworkEpoch> {
    if (last?.state.epoch === epoch) return last;
    return readNetwork(this.#store, { order: name, epoch }, { signal });
  }
}
