import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { join } from "node:path";
import { REPOSITORY } from "../data/treebanks.ts";

/** Date, machine and versions of a measurement. */
export interface Environment {
  readonly date: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  readonly v8: string;
  /** Version of the packages. */
  readonly arcwise: string;
  /** The commit that is measured, with `-dirty` when files differ from it; absent outside of a clone. */
  readonly commit?: string;
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
    ...versions(),
  };
}

let known: Pick<Environment, "arcwise" | "commit"> | undefined;

/** Returns the version of the packages, and the commit of the clone. */
export function versions(): Pick<Environment, "arcwise" | "commit"> {
  if (known !== undefined) return known;
  const manifest = readFileSync(join(REPOSITORY, "packages", "core", "package.json"), "utf8");
  const { version: arcwise } = JSON.parse(manifest) as { version: string };
  const commit = existsSync(join(REPOSITORY, ".git")) ? commitOf() : undefined;
  known = { arcwise, ...(commit !== undefined && { commit }) };
  return known;
}

function commitOf(): string | undefined {
  try {
    const argv = ["describe", "--always", "--abbrev=40", "--exclude=*", "--dirty"];
    const text = execFileSync("git", argv, { cwd: REPOSITORY, stdio: ["ignore", "pipe", "ignore"] });
    return text.toString().trim();
  } catch {
    // Without git the commit is not known; everything else is.
    return undefined;
  }
}
