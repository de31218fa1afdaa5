import { ArcwiseError } from "@arcwise/core/errors";
import { checkReceived, integer, oneOf, record, string } from "@arcwise/core/options";
import { blobName, FORMAT, type NamedJob, PROGRAM } from "@arcwise/jobs/node";
import { JOBS } from "./jobs.ts";

/** A job that is to be done, by any worker of the same version: some hundred bytes, which a queue carries. */
export interface Order extends NamedJob {
  readonly program: string;
  readonly format: number;
}

const ORDER = record<Order>({ program: string, format: integer(0), job: string, input: blobName });
const jobName = oneOf(...JOBS.keys());

/** Returns the order of a job. */
export function orderOf(named: NamedJob): Order {
  return { program: PROGRAM, format: FORMAT, ...named };
}

/** Returns the name and the inputs of orders of one job, for messages. */
export function describeOrders(orders: readonly NamedJob[]): string {
  return `${orders[0]!.job} ${orders.map(({ input }) => input.slice(0, 12)).join(", ")}`;
}

/**
 * Checks an order, which a queue has given: every member, and its version.
 *
 * @throws ArcwiseError `other-version` when another version has made it; `invalid-data`
 */
export function checkOrder(order: Order): void {
  checkReceived(ORDER, order, "order");
  checkVersion(order);
  checkReceived(jobName, order.job, "order.job");
}

/** @throws ArcwiseError `other-version` when another version has made an order */
function checkVersion({ program, format }: Pick<Order, "program" | "format">): void {
  if (program === PROGRAM && format === FORMAT) return;
  const found = `version ${program} with format ${format}`;
  const expected = `version ${PROGRAM} with format ${FORMAT}`;
  throw new ArcwiseError(
    "other-version",
    `expected a job of ${expected}, found one of ${found}: run the same version of Arcwise on all machines`,
    { expected, found },
  );
}
