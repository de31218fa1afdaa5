import { type ErrorData, errorToData } from "@arcwise/core/errors";
import { errorData, type MessageSource, messageKind } from "@arcwise/core/messages";
import { anyOf, anything, list, oneOf, record } from "@arcwise/core/options";
import { openStores, type StoreAddresses } from "../blobs/layered-store.ts";
import { StepExecutor, type StepOutcome } from "../steps/executor.ts";
import type { StepOrder } from "../steps/order.ts";

/** What a thread is started with. */
export interface ThreadData extends StoreAddresses {
  /** See `ExecutorOptions`. */
  readonly modules?: readonly string[] | undefined;
}

/** What a thread answers to orders. */
export type ThreadAnswer = { readonly outcomes: readonly StepOutcome[] } | { readonly error: ErrorData };

/** The orders of a thread, which the executor checks. */
export const THREAD_ORDERS = messageKind<readonly StepOrder[]>("step orders", list(anything));
export const THREAD_ANSWER = messageKind<ThreadAnswer>(
  "step outcomes",
  anyOf(
    record<{ outcomes: unknown }>({ outcomes: list(oneOf("run", "present")) }),
    record<{ error: ErrorData }>({ error: errorData }),
  ),
);

async function answer(executor: Promise<StepExecutor>, orders: readonly StepOrder[]): Promise<ThreadAnswer> {
  try {
    const outcomes: StepOutcome[] = [];
    for (const order of orders) outcomes.push(await (await executor).run(order));
    return { outcomes };
  } catch (error) {
    return { error: errorToData(error) };
  }
}

/** An end of a channel that orders arrive at. */
export interface OrderPort extends MessageSource {
  postMessage(message: unknown): void;
}

/** Answers lists of orders that arrive at a port. Other messages are ignored. */
export function serveOrders(port: OrderPort, { modules, ...stores }: ThreadData): void {
  const executor = openStores(stores).then((opened) => new StepExecutor(opened, { modules }));
  // Each order meets the error of a store that cannot be opened.
  executor.catch(() => {});
  THREAD_ORDERS.listen(port, async (orders) =>
    port.postMessage(THREAD_ANSWER.seal(await answer(executor, orders))),
  );
}
