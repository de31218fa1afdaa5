import { ArcwiseError } from "@arcwise/core/errors";
import {
  checkArgument,
  checkReceived,
  integer,
  oneOf,
  optional,
  record,
  satisfying,
  string,
} from "@arcwise/core/options";
import { blobName, MAX_GIVEN, type NamedJob, VERSION } from "@arcwise/jobs/node";
import { JOBS } from "./jobs.ts";

/** A job that is to be done, by any worker of the same version: some hundred bytes, or a few kilobytes with
 * its input, which a queue carries. */
export interface Order extends NamedJob {
  readonly program: string;
  readonly format: number;
}

const given = optional(satisfying(`a text of ${MAX_GIVEN} characters at most`, isShortText));
const ORDER = record<Order>({ program: string, format: integer(0), job: string, input: blobName, given });
const jobName = oneOf(...JOBS.keys());

function isShortText(value: unknown): boolean {
  return typeof value === "string" && value.length <= MAX_GIVEN;
}

/** Returns the order of a job. @throws ArcwiseError `invalid-argument` */
export function orderOf(named: NamedJob): Order {
  checkArgument(record<NamedJob>({ job: string, input: blobName, given }), named, "orderOf");
  return { ...VERSION, ...named };
}

/** Returns the name and the inputs of orders of one job, for messages. */
export function describeOrders(orders: readonly NamedJob[]): string {
  return `${orders[0]!.job} ${orders.map(({ input }) => input.slice(0, 12)).join(", ")}`;
}

/** Checks an order, which a queue has given: every member, and its version. */
export function checkOrder(order: Order): void {
  checkReceived(ORDER, order, "order");
  checkVersion(order);
  checkReceived(jobName, order.job, "order.job");
}

function checkVersion({ program, format }: Pick<Order, "program" | "format">): void {
  if (program === VERSION.program && format === VERSION.format) return;
  const found = `version ${program} with format ${format}`;
  const expected = `version ${VERSION.program} with format ${VERSION.format}`;
  throw new ArcwiseError(
    "other-version",
    `expected a job of ${expected}, found one of ${found}: run the same version of Arcwise on all machines`,
    { expected, found },
  );
}
