import { here, type Job, type Place, type Shared } from "@arcwise/jobs";
import { JobBlobs, type Store, stored } from "@arcwise/jobs/node";
import { restrictModules } from "@arcwise/parser/node";
import { JOBS } from "./jobs.ts";
import { checkOrder, type Order } from "./order.ts";
import { openStores, type StoreAddresses } from "./stores/layered-store.ts";

/** The store of a worker, and the code that it may run. */
export interface WorkerSettings extends StoreAddresses {
  /** URLs of the modules that trainings may name. Absent: any. */
  readonly modules?: readonly string[] | undefined;
  /** Milliseconds that inputs are waited for. */
  readonly patience?: number | undefined;
}

/** Whether a job was done, or its output was in the store. */
export type OrderOutcome = "done" | "present";

/**
 * Carries out orders in sequence, in a thread of a worker. A job whose output is in the store is not done again, so that
 * orders may be repeated, be carried out twice at a time, and be given to several workers.
 */
export const carryOut: Job<
  { readonly settings: Shared<WorkerSettings>; readonly orders: readonly Order[] },
  readonly OrderOutcome[]
> = {
  name: "carry-out",
  module: import.meta.url,
  async run({ settings, orders }, { keep }) {
    const carrier = await keep(settings, () => openCarrier(settings));
    const outcomes: OrderOutcome[] = [];
    for (const order of orders) outcomes.push(await carrier.carryOut(order));
    return outcomes;
  },
};

/** Opens the store of a worker. */
async function openCarrier({ modules, patience, ...addresses }: WorkerSettings): Promise<OrderCarrier> {
  restrictModules(modules);
  return new OrderCarrier(await openStores(addresses), patience);
}

/** Carries out orders with the blobs of a store. */
export class OrderCarrier {
  readonly #place: Place;
  readonly #blobs: JobBlobs;

  /** @param patience milliseconds that inputs are waited for */
  constructor(store: Store, patience?: number) {
    this.#place = stored(here(), store);
    this.#blobs = new JobBlobs(store, { patience });
  }

  /** Does the job of an order unless its output is in the store. */
  async carryOut(order: Order): Promise<OrderOutcome> {
    checkOrder(order);
    if (await this.#blobs.isDone(order)) return "present";
    await this.#place.do(JOBS.get(order.job)!, await this.#blobs.read(order));
    return "done";
  }
}
