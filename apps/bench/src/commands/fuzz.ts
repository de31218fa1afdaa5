import { existsSync } from "node:fs";
import { join } from "node:path";
import { integer, positive } from "@arcwise/cli/command";
import { Command, Option } from "commander";
import type { CommandFactory } from "../command/io.ts";
import { withQuick } from "../command/options.ts";
import { REPOSITORY } from "../data/treebanks.ts";
import { AREAS, type AreaResult, fuzz } from "../fuzz/run-fuzz.ts";
import { terminalTable } from "../report/terminal.ts";

interface FuzzArguments {
  readonly minutes: number;
  readonly seed: number;
  readonly area?: readonly string[] | undefined;
  readonly first: number;
  readonly trials?: number | undefined;
  readonly faults: string;
}

/** Path of the built program of `arcwise`. */
export const PROGRAM = join(REPOSITORY, "apps", "cli", "bin", "arcwise.js");
const BUILT = join(REPOSITORY, "apps", "cli", "dist", "main.js");

/** Thrown when faults were found; the standard error lists them. */
export class FaultsFound extends Error {
  override readonly name = "FaultsFound";
}

/**
 * `arcwise-bench fuzz ...`: looks for faults with damaged files and models, random problems and killed
 * processes.
 */
export const fuzzCommand: CommandFactory = (io) =>
  withQuick(new Command("fuzz"), { minutes: 0.1 })
    .description("look for faults with damaged files and models, random problems and killed processes")
    .option("--minutes <n>", "how long to try, in all", positive, 1)
    .option("--seed <n>", "decides what is tried", integer(0), 1)
    .addOption(new Option("--area <name...>", "areas to try (all)").choices(AREAS.map(({ name }) => name)))
    .option("--first <n>", "the first trial of each area", integer(0), 0)
    .option("--trials <n>", "trials of each area at most", integer(1))
    .option("--faults <folder>", "where faults are written", join(REPOSITORY, "reports", "fuzz"))
    .action(async ({ minutes, area, ...options }: FuzzArguments) => {
      const results = await fuzz({
        ...options,
        areas: AREAS.filter(({ name }) => area === undefined || area.includes(name)),
        milliseconds: minutes * 60_000,
        program: existsSync(BUILT) ? PROGRAM : undefined,
        onFault: ({ message, again }) => void io.stderr.write(`${message}\n    ${again}\n`),
      });
      io.stdout.write(`${fuzzTable(results)}\n`);
      for (const { area, notes } of results) if (notes) io.stdout.write(`${area}: ${notes}\n`);
      const count = results.reduce((sum, { faults }) => sum + faults.length, 0);
      if (count > 0) throw new FaultsFound(`found ${count} faults, written to ${options.faults}`);
    });

/** Returns a table with a line per area. */
function fuzzTable(results: readonly AreaResult[]): string {
  const names = ["tried", "refused", "survived", "faults", "seconds"] as const;
  return terminalTable({
    title: "what was tried",
    columns: [
      { name: "area", align: "left" },
      ...names.map((name) => ({ name, align: "right" as const })),
      { name: "what", align: "left" },
    ],
    rows: results.map(({ area, tried, refused, survived, faults, seconds }) => [
      area,
      ...[tried, refused, survived, faults.length].map(String),
      seconds.toFixed(0),
      AREAS.find(({ name }) => name === area)!.description,
    ]),
  });
}
