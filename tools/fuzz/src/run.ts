import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextEvents } from "node:timers/promises";
import fc from "fast-check";
import { type Area, Fault, type Outcome, type Trials } from "./area.ts";

export interface FuzzOptions {
  readonly seed: number;
  /** Total time of the trials of all areas, without preparations. */
  readonly milliseconds: number;
  /** Maximal number of trials per area. */
  readonly runs?: number | undefined;
  /** The path of a fault, as fast-check prints it: tries nothing else. */
  readonly path?: string | undefined;
  /** Folder for faults. */
  readonly faults?: string | undefined;
  readonly onFault?: ((fault: FoundFault) => void) | undefined;
  /** Called with the results of each area when it is done. */
  readonly onResult?: ((result: AreaResult) => void) | undefined;
}

/** A fault, and the command that reproduces it. */
export interface FoundFault {
  readonly message: string;
  readonly again: string;
  /** The smallest input found, as text. */
  readonly input: string;
}

/** Results of an area. */
export interface AreaResult {
  readonly area: Area;
  readonly tried: number;
  readonly refused: number;
  readonly survived: number;
  readonly faults: readonly FoundFault[];
  readonly seconds: number;
  readonly notes: string;
}

/** Inputs per seed: after them, the next seed follows. */
const ROUND = 1000;
/** Maximal processor time of a trial in milliseconds. */
const MAX_MILLISECONDS = 30_000;
/** Characters of an input that are shown. */
const MAX_SHOWN = 4000;
/** Milliseconds after which signals are handled, also between trials that wait for nothing. */
const PATIENCE = 100;

/** Runs the trials area by area. The seed determines the inputs, the time their number. */
export async function fuzz(areas: readonly Area[], options: FuzzOptions): Promise<AreaResult[]> {
  const shares = areas.reduce((sum, { share }) => sum + share, 0);
  const results: AreaResult[] = [];
  for (const area of areas) {
    const result = await fuzzArea(area, (options.milliseconds * area.share) / shares, options);
    options.onResult?.(result);
    results.push(result);
  }
  return results;
}

async function fuzzArea(area: Area, milliseconds: number, options: FuzzOptions): Promise<AreaResult> {
  const folder = mkdtempSync(join(tmpdir(), "arcwise-fuzz-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  try {
    const trials = await area.prepare({ folder });
    const start = performance.now();
    const counts = { tried: 0, refused: 0, survived: 0 };
    const { runs = Infinity, path } = options;
    const isOver = () => path === undefined && performance.now() - start > milliseconds && counts.tried > 0;
    let last = start;
    const property = fc.asyncProperty(trials.inputs, async (input) => {
      if (isOver()) return;
      if (performance.now() - last > PATIENCE) await nextEvents();
      last = performance.now();
      counts.tried++;
      counts[await timed(trials, input)]++;
    });
    const faults = new Map<string, FoundFault>();
    for (let seed = options.seed; !isOver() && counts.tried < runs; seed++) {
      const { examples = [] } = trials;
      const found = await fc.check(property, {
        ...{ seed, endOnFailure: area.isSlow === true, examples: examples.map((one) => [one] as [unknown]) },
        ...(path === undefined ? { numRuns: Math.min(ROUND, runs - counts.tried) } : { path }),
      });
      if (found.failed) {
        const fault = describe(area, found);
        if (!faults.has(kindOf(fault))) {
          faults.set(kindOf(fault), fault);
          writeFault(area, { fault, error: found.errorInstance, number: faults.size }, options);
        }
        // An example that fails hides what comes after it, for each seed.
        if (Number.parseInt(found.counterexamplePath ?? "", 10) < examples.length) break;
      }
      if (path !== undefined) break;
    }
    await trials.close?.();
    const seconds = (performance.now() - start) / 1000;
    return { area, ...counts, faults: [...faults.values()], seconds, notes: trials.notes?.() ?? "" };
  } finally {
    process.off("exit", remove);
    remove();
  }
}

async function timed<Input>(trials: Trials<Input>, input: Input): Promise<Outcome> {
  const start = process.cpuUsage();
  const outcome = await trials.try(input);
  const { user, system } = process.cpuUsage(start);
  const took = (user + system) / 1000;
  if (took > MAX_MILLISECONDS) throw new Fault(`took ${Math.round(took / 1000)} s`);
  return outcome;
}

function describe(area: Area, found: fc.RunDetails<[unknown]> & { readonly failed: true }): FoundFault {
  const { errorInstance: error, seed, counterexamplePath: path, counterexample } = found;
  return {
    message: error instanceof Fault ? error.message : String(error),
    again: `npm run fuzz -- --area ${area.name} --seed ${seed} --path ${path}`,
    input: fc.stringify(counterexample?.[0]).slice(0, MAX_SHOWN),
  };
}

/** Returns a message without numbers and quoted words. */
function kindOf({ message }: FoundFault): string {
  return message.replaceAll(/"[^"]*"|-?\d+(?:\.\d+)?/g, "").slice(0, 60);
}

interface Found {
  readonly fault: FoundFault;
  readonly error: unknown;
  readonly number: number;
}

function writeFault(
  area: Area,
  { fault, error, number }: Found,
  { faults, seed, onFault }: FuzzOptions,
): void {
  onFault?.(fault);
  if (faults === undefined) return;
  mkdirSync(faults, { recursive: true });
  const name = join(faults, `${area.name}-${seed}-${number}`);
  const cause = error instanceof Fault && error.cause instanceof Error ? error.cause : error;
  const stack = cause instanceof Error ? cause.stack : "";
  writeFileSync(`${name}.txt`, `${fault.message}\n${fault.again}\n\n${fault.input}\n\n${stack}\n`);
  if (error instanceof Fault && error.input !== undefined) writeFileSync(`${name}.input`, error.input);
}
