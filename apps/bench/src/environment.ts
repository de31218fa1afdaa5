import { cpus, release, totalmem } from "node:os";

/** Where and when something was measured. */
export interface Environment {
  readonly date: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  readonly v8: string;
}

/** The machine and the versions that this process runs on. */
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
