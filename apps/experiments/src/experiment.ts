import {
  type CommandFactory,
  type Contestant,
  type Io,
  type OutputOptions,
  Run,
  withOutputs,
} from "@arcwise/bench/command";
import { dataFolder, inputStamps } from "@arcwise/bench/data";
import type { Section } from "@arcwise/bench/report";
import { required } from "@arcwise/cli/command";
import { ArcwiseError } from "@arcwise/core/errors";
import {
  type Complete,
  checkOptions,
  type Option as Fact,
  type OptionsOf,
  type OptionTable,
} from "@arcwise/core/options";
import { Command, InvalidArgumentError, Option } from "commander";

/** An experiment: its flags, the journal of an interrupted run, the report and the files of results follow from it. */
export interface Experiment<Definitions extends object, Row> {
  readonly name: string;
  /** What it measures: the first line of its help. */
  readonly claim: string;
  readonly options: OptionTable<Definitions>;
  /** The options with `--quick`: few sentences and short times. */
  readonly quick: Partial<OptionsOf<OptionTable<Definitions>>>;
  /**
   * Yields the results; none: nothing is published. What it passes to `run.once` and `run.under` is kept until all is
   * measured, and is not measured again by a run that resumes.
   */
  measure(options: Complete<OptionTable<Definitions>>, run: Run): AsyncIterable<Row>;
  title(rows: readonly Row[], options: Complete<OptionTable<Definitions>>): string;
  sections(rows: readonly Row[], options: Complete<OptionTable<Definitions>>): Section[];
  contestants(rows: readonly Row[], options: Complete<OptionTable<Definitions>>): readonly Contestant[];
  /** The results in the JSON file. Default: the rows. */
  results?(rows: readonly Row[], options: Complete<OptionTable<Definitions>>): unknown;
}

/** Returns the command of an experiment. */
export function experiment<Definitions extends object, Row>(
  row: Experiment<Definitions, Row>,
): CommandFactory {
  return (io) => {
    const flags = row.options.map((fact) => flagOf(fact));
    const command = new Command(row.name)
      .description(row.claim)
      .option("--quick", "few sentences and short times: to try it out");
    for (const flag of flags) command.addOption(flag);
    required(command, ...flags.filter((_, i) => row.options[i]!.required).map((flag) => flag.flags));
    return withOutputs(command).action((outputs: OutputOptions & { readonly quick?: true }) => {
      const names = row.options.map(({ name }) => name);
      const given = names.filter((name) => command.getOptionValueSource(name) === "cli");
      const values = Object.fromEntries(given.map((name) => [name, command.getOptionValue(name) as unknown]));
      const options = checkOptions(row.options, { ...(outputs.quick && row.quick), ...values }, row.name);
      return measured(io, row, options, outputs);
    });
  };
}

async function measured<Definitions extends object, Row>(
  io: Io,
  row: Experiment<Definitions, Row>,
  options: Complete<OptionTable<Definitions>>,
  { json, html, journal, quick }: OutputOptions & { readonly quick?: true },
): Promise<void> {
  const data = [dataFolder(io.env), ...inputStamps({ ...options })];
  const run = new Run(io, { ...options, quick, json, html, journal }, data);
  const rows: Row[] = [];
  for await (const one of row.measure(options, run)) rows.push(one);
  if (rows.length === 0) return;
  const { seed = 1 } = options as { readonly seed?: number };
  await run.publish({
    title: row.title(rows, options),
    sections: row.sections(rows, options),
    seed,
    results: row.results?.(rows, options) ?? rows,
    contestants: row.contestants(rows, options),
  });
}

/** Returns the flag of an option. A flag of several values, `<n...>`, takes those of a list. */
function flagOf({ flag, help, default: standard, defaultHelp, check }: Fact): Option {
  const words =
    defaultHelp ?? (typeof standard === "boolean" ? undefined : [standard ?? []].flat().join(" "));
  const option = new Option(flag!, words ? `${help} (${words})` : help);
  if (option.isBoolean()) return option;
  // `[names...]` without a name: an empty list.
  if (option.optional) option.preset([]);
  return option.argParser<unknown>((text, before) => {
    if (typeof text !== "string") return text;
    const valuesOf = (value: unknown) => (option.variadic ? [...((before as []) ?? []), value] : value);
    const texts = valuesOf(text);
    if (refusal(check, texts) === undefined || text.trim() === "") return texts;
    const numbers = valuesOf(Number(text));
    const expected = refusal(check, numbers);
    if (expected !== undefined) throw new InvalidArgumentError(`Expected ${expected}.`);
    return numbers;
  });
}

/** Returns what a check expects in place of a value, in words; undefined if it accepts the value. */
function refusal(check: Fact["check"], value: unknown): string | undefined {
  try {
    check(value, "");
    return undefined;
  } catch (error) {
    if (error instanceof ArcwiseError) return error.expected;
    throw error;
  }
}
