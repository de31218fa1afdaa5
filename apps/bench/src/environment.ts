import { cpus, release, totalmem } from "node:os";

/** Date, machine and versions of a measurement. */
export interface Environment {
  readonly date: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  readonly v8: string;
}

/** Returns the machine and versions of this process. */
export function environment(): Environment {
  const processors = cpus();
  return {
    date: new Date().toISOString(),
    cpu: processors[0]?.model.trim() ?? "unknown",
    cores: processors.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()} ${process.arch}`,
    node: process.versions.node,
    v8: process.versions.v8,
  };
}
