import { isMissing, missingPackages } from "../modules/missing-packages.ts";

const CLUSTER = "@arcwise/cluster";

/** Loads `@arcwise/cluster`, which is installed by those who use it. @throws UsageError when it is not */
export function loadCluster(): Promise<typeof import("@arcwise/cluster")> {
  return import("@arcwise/cluster").catch(explainMissing);
}

/** Loads `@arcwise/cluster/queue`. @throws UsageError as `loadCluster` */
export function loadQueue(): Promise<typeof import("@arcwise/cluster/queue")> {
  return import("@arcwise/cluster/queue").catch(explainMissing);
}

function explainMissing(error: NodeJS.ErrnoException): never {
  if (!isMissing(error, CLUSTER)) throw error;
  throw missingPackages(`several machines require the package ${CLUSTER}`, [CLUSTER], error);
}
