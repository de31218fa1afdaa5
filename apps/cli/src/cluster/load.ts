import { UsageError } from "../command/errors.ts";

const MISSING =
  "several machines require the package @arcwise/cluster, which is not installed next to arcwise: " +
  "npm install @arcwise/cluster";

/** Loads `@arcwise/cluster`, which is installed by those who use it. @throws UsageError when it is not */
export function loadCluster(): Promise<typeof import("@arcwise/cluster")> {
  return import("@arcwise/cluster").catch(explainMissing);
}

/** Loads `@arcwise/cluster/queue`. @throws UsageError as `loadCluster` */
export function loadQueue(): Promise<typeof import("@arcwise/cluster/queue")> {
  return import("@arcwise/cluster/queue").catch(explainMissing);
}

function explainMissing(error: NodeJS.ErrnoException): never {
  if (error.code === "ERR_MODULE_NOT_FOUND" && error.message.includes("@arcwise/cluster"))
    throw new UsageError(MISSING, { cause: error });
  throw error;
}
