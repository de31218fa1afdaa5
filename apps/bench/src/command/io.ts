import { type PlannedOutput, shellWord, writeOutput } from "@arcwise/cli/command";
import type { Command } from "commander";
import { namedFiles, planResults } from "../data/files.ts";
import { htmlReport } from "../report/html.ts";
import { pageScript } from "../report/page-script.ts";
import type { Report, Section } from "../report/report.ts";
import { terminalReport } from "../report/terminal.ts";
import { type Environment, environment } from "../results/environment.ts";
import { type Contestant, RESULT_VERSION, type ResultFile } from "../results/results.ts";

/** Streams, arguments and environment of a command. */
export interface Io {
  readonly stdout: {
    write(text: string): unknown;
    readonly isTTY?: boolean | undefined;
    readonly columns?: number | undefined;
  };
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean | undefined };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The arguments after the name of the program, which reports repeat. */
  readonly argv: readonly string[];
  /** The npm script that runs the program, which reports repeat; set by `runProgram`. */
  readonly script?: string | undefined;
  /** Takes what commands publish, which then is not written. */
  readonly collect?: ((content: Content) => void) | undefined;
}

/** The results of a command. */
export interface Content {
  readonly title: string;
  readonly sections: readonly Section[];
  readonly seed: number;
  readonly results: unknown;
  readonly contestants?: readonly Contestant[] | undefined;
  /** Text for the terminal instead of the tables of all sections. */
  readonly terminal?: string | undefined;
}

/** Makes a subcommand. */
export type CommandFactory<T extends Io = Io> = (io: T) => Command;

/** The paths of the files of results. */
interface OutputPaths {
  readonly json?: string | undefined;
  readonly html?: string | undefined;
}

/** Files for results in addition to the terminal output, as `withOutputs` plans them. */
export interface OutputOptions {
  readonly json?: PlannedOutput | undefined;
  readonly html?: PlannedOutput | undefined;
  /** The file next to `json` that keeps measurements until all are done. */
  readonly journal?: PlannedOutput | undefined;
}

/**
 * Adds the output options of all commands, and plans their files before the command runs.
 *
 * @param withDefaults returns the paths of the command line with defaults
 */
export function withOutputs(
  command: Command,
  withDefaults: (given: OutputPaths) => OutputPaths = (given) => given,
): Command {
  return command
    .option("--json <file>", "write all figures, unrounded, with machine and versions")
    .option("--html <file>", "write a report with plots that needs no network")
    .hook("preAction", (_root, action) => planOutputs(action, withDefaults));
}

/** Replaces the paths of outputs by planned outputs: none of them may take the place of a file that is read. */
async function planOutputs(
  action: Command,
  withDefaults: (given: OutputPaths) => OutputPaths,
): Promise<void> {
  const { json: _json, html: _html, models: _models, ...options } = action.opts();
  const { json, html } = withDefaults(action.opts<OutputPaths>());
  const outputs = {
    ...(json !== undefined && { "--json": json }),
    ...(json !== undefined && json !== "-" && { "--journal": `${json}.partial` }),
    ...(html !== undefined && { "--html": html }),
  };
  const inputs = namedFiles({ "the input": action.args, ...flagged(options) });
  for (const [flag, output] of Object.entries(await planResults<string>(inputs, outputs)))
    action.setOptionValue(flag.slice("--".length), output);
}

/** Returns an object with the names of options as they are given: `--json`. */
function flagged<Value>(options: Readonly<Record<string, Value>>): Record<string, Value> {
  const flags = Object.entries(options).map(([name, value]) => [`--${name}`, value] as const);
  return Object.fromEntries(flags);
}

/** Writes results: tables to the standard output, and the requested files. */
export async function publish(io: Io, options: OutputOptions, content: Content): Promise<void> {
  clearStatus(io);
  if (io.collect !== undefined) {
    io.collect(content);
    return;
  }
  const { title, sections, seed, results, contestants = [], terminal } = content;
  const where: Environment = environment();
  const command = [`${io.script} --`, ...io.argv.map(shellWord)].join(" ");
  const report: Report = { title, command, environment: where, sections };
  const width = io.stdout.isTTY === true ? io.stdout.columns : undefined;
  io.stdout.write(terminal ?? terminalReport(report, width));
  if (options.json !== undefined) {
    const file: ResultFile = {
      format: "arcwise-bench",
      version: RESULT_VERSION,
      kind: io.argv[0] ?? "",
      title,
      command,
      environment: where,
      seed,
      contestants,
      results,
    };
    await writeOutput(process, options.json, resultText(file));
    io.stderr.write(`wrote ${options.json.path}\n`);
  }
  if (options.html !== undefined) {
    await writeOutput(process, options.html, htmlReport(report, await pageScript()));
    io.stderr.write(`wrote ${options.html.path}\n`);
  }
}

/** Returns a file as text: its members on lines of their own, contestants and results one per line. */
function resultText({ contestants, results, ...about }: ResultFile): string {
  const items = (list: readonly unknown[]): string =>
    `[${list.map((one) => `\n    ${JSON.stringify(one)}`).join(",")}\n  ]`;
  const head = JSON.stringify(about, null, 2).replace(/\n}$/, "");
  const body = Array.isArray(results) ? items(results) : JSON.stringify(results);
  return `${head},\n  "contestants": ${items(contestants)},\n  "results": ${body}\n}\n`;
}

/** Writes a status: on a terminal to one line that is overwritten, otherwise line by line. */
export function status(io: Io, text: string): void {
  io.stderr.write(io.stderr.isTTY === true ? `\r\u001b[K${text}` : `${text}\n`);
}

/** Removes the line of `status` from a terminal. */
export function clearStatus(io: Io): void {
  if (io.stderr.isTTY === true) io.stderr.write("\r\u001b[K");
}
