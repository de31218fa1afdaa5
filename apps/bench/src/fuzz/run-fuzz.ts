import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { random } from "@arcwise/core";
import { type Area, Fault, type Fuzzer, MAX_MILLISECONDS } from "./area.ts";
import { capabilities } from "./capabilities.ts";
import { checkpoints } from "./checkpoints.ts";
import { crafted } from "./crafted.ts";
import { decoders } from "./decoders.ts";
import { files } from "./files.ts";
import { kills } from "./kills.ts";
import { messages } from "./messages.ts";
import { models } from "./models.ts";
import { outputs } from "./outputs.ts";
import { time } from "./time.ts";
import { types } from "./types.ts";

/** All areas. Seeds give the same trials as long as their order does not change. */
export const AREAS: readonly Area[] = [
  files,
  models,
  decoders,
  kills,
  capabilities,
  checkpoints,
  crafted,
  time,
  outputs,
  messages,
  types,
];

export interface FuzzOptions {
  readonly areas: readonly Area[];
  readonly seed: number;
  /** Total time of the trials of all areas, without preparations. */
  readonly milliseconds: number;
  /** Maximal number of trials per area. */
  readonly trials?: number | undefined;
  /** Number of the first trial of each area, to reproduce a fault. */
  readonly first?: number | undefined;
  /** Path of the program of `arcwise`; when undefined, areas that need it are left out. */
  readonly program: string | undefined;
  /** Folder for faults. */
  readonly faults?: string | undefined;
  readonly onFault?: ((fault: FoundFault) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A fault, and the command that reproduces it. */
export interface FoundFault {
  readonly area: string;
  readonly trial: number;
  readonly message: string;
  /** The command line that reproduces it. */
  readonly again: string;
  /** Path of the file with the input. */
  readonly input?: string | undefined;
}

/** Results of an area. */
export interface AreaResult {
  readonly area: string;
  readonly tried: number;
  readonly refused: number;
  readonly survived: number;
  readonly faults: readonly FoundFault[];
  readonly seconds: number;
  /** Details of the trials in one line. */
  readonly notes?: string | undefined;
}

/** Runs the trials area by area. The seed determines the inputs, the time their number. */
export async function fuzz(options: FuzzOptions): Promise<AreaResult[]> {
  const areas = options.areas.filter((area) => options.program !== undefined || !area.needsProgram);
  const shares = areas.reduce((sum, { share }) => sum + share, 0);
  const results: AreaResult[] = [];
  for (const area of areas) {
    results.push(await fuzzArea(area, (options.milliseconds * area.share) / shares, options));
  }
  return results;
}

async function fuzzArea(area: Area, milliseconds: number, options: FuzzOptions): Promise<AreaResult> {
  const folder = mkdtempSync(join(tmpdir(), "arcwise-fuzz-"));
  try {
    const fuzzer = await area.prepare({ folder, program: options.program });
    const start = performance.now();
    const counts = { refused: 0, survived: 0 };
    const faults: FoundFault[] = [];
    const stream = random(options.seed).fork(AREAS.findIndex(({ name }) => name === area.name) + 1);
    const first = options.first ?? 0;
    let trial = first;
    do {
      const outcome = await tryOne(fuzzer, stream.fork(trial)).catch((error: unknown) => faultOf(error));
      if (typeof outcome === "string") counts[outcome]++;
      else faults.push(report((await fuzzer.shrink?.(outcome)) ?? outcome, area, trial, options));
      trial++;
    } while (
      performance.now() - start < milliseconds &&
      trial - first < (options.trials ?? Infinity) &&
      options.signal?.aborted !== true
    );
    await fuzzer.close?.();
    const seconds = (performance.now() - start) / 1000;
    const notes = fuzzer.notes?.();
    return { area: area.name, tried: trial - first, ...counts, faults, seconds, notes };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tryOne(fuzzer: Fuzzer, stream: ReturnType<typeof random>) {
  const start = process.cpuUsage();
  const outcome = await fuzzer.try(stream);
  const { user, system } = process.cpuUsage(start);
  const took = (user + system) / 1000;
  if (took > MAX_MILLISECONDS) throw new Fault(`took ${Math.round(took / 1000)} s`);
  return outcome;
}

function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error;
  return new Fault(
    error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    undefined,
    error,
  );
}

function report(fault: Fault, area: Area, trial: number, options: FuzzOptions): FoundFault {
  const again = `npm run fuzz -- --area ${area.name} --seed ${options.seed} --first ${trial} --trials 1`;
  const name = `${area.name}-${options.seed}-${trial}`;
  const found: FoundFault = {
    area: area.name,
    trial,
    message: fault.message,
    again,
    input: options.faults !== undefined && fault.input ? join(options.faults, `${name}.input`) : undefined,
  };
  if (options.faults !== undefined) {
    mkdirSync(options.faults, { recursive: true });
    if (fault.input) writeFileSync(join(options.faults, `${name}.input`), fault.input);
    const stack = fault.cause instanceof Error ? fault.cause.stack : fault.stack;
    writeFileSync(join(options.faults, `${name}.txt`), `${fault.message}\n${again}\n\n${stack}\n`);
  }
  options.onFault?.(found);
  return found;
}
