import type { Command } from "commander";
import { replaceFile } from "../data/files.ts";
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

/** Files for results besides the terminal output. */
export interface OutputOptions {
  readonly json?: string | undefined;
  readonly html?: string | undefined;
}

/** Adds the output options of all commands. */
export function withOutputs(command: Command): Command {
  return command
    .option("--json <file>", "write all figures, unrounded, with machine and versions")
    .option("--html <file>", "write a report with plots that needs no network");
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
    replaceFile(options.json, resultText(file));
    io.stderr.write(`wrote ${options.json}\n`);
  }
  if (options.html !== undefined) {
    replaceFile(options.html, htmlReport(report, await pageScript()));
    io.stderr.write(`wrote ${options.html}\n`);
  }
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
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
