import { join } from "node:path";
import { REPOSITORY } from "@arcwise/bench/data";
import { EXIT, integer, positive } from "@arcwise/cli/command";
import { Command, Option } from "commander";
import { AREAS } from "./areas.ts";
import { type AreaResult, fuzz } from "./run.ts";

interface FuzzArguments {
  readonly minutes: number;
  readonly seed: number;
  readonly area: readonly string[];
  readonly path?: string | undefined;
  readonly runs?: number | undefined;
  readonly faults: string;
}

interface Streams {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

/** `npm run fuzz -- ...`: looks for faults; `process.exitCode` is 1 if there are any. */
export function fuzzCommand({ stdout, stderr }: Streams): Command {
  const names = AREAS.map(({ name }) => name);
  return new Command("fuzz")
    .description(
      "look for faults with damaged files and models, odd values, random problems, killed processes",
    )
    .option("--minutes <n>", "how long to try, in all, without preparations", positive, 1)
    .option("--seed <n>", "decides what is tried", integer(0), 1)
    .addOption(new Option("--area <name...>", "areas to try").choices(names).default(names, "all"))
    .option("--path <path>", "tries the input of a fault again: give the area and the seed with it")
    .option("--runs <n>", "trials of each area at most", integer(1))
    .option("--faults <folder>", "where faults are written", join(REPOSITORY, "reports", "fuzz"))
    .action(async ({ minutes, area, ...options }: FuzzArguments) => {
      const areas = AREAS.filter(({ name }) => area.includes(name));
      const results = await fuzz(areas, {
        ...options,
        milliseconds: minutes * 60_000,
        onResult: (result) => void stdout.write(lineOf(result)),
        onFault: ({ message, again, input }) => void stderr.write(`${message}\n    ${input}\n    ${again}\n`),
      });
      if (results.some(({ faults }) => faults.length > 0)) {
        stderr.write(`faults were written to ${options.faults}\n`);
        process.exitCode = EXIT.data;
      }
    });
}

function lineOf({ area, tried, refused, survived, faults, seconds, notes }: AreaResult): string {
  const counts = `${tried} tried, ${refused} refused, ${survived} survived, ${faults.length} faults`;
  return `${area.name}: ${counts}, ${seconds.toFixed(0)} s: ${notes || area.description}\n`;
}
