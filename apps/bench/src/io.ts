import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Command } from "commander";
import { type Environment, environment } from "./environment.ts";
import { htmlReport } from "./report/html.ts";
import { pageScript } from "./report/page-script.ts";
import type { Report, Section } from "./report/report.ts";
import { terminalReport } from "./report/terminal.ts";
import type { RunParser } from "./spawn-parser.ts";

/** Streams, arguments and environment of a command. */
export interface Io {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The arguments after the name of the program, which reports repeat. */
  readonly argv: readonly string[];
  readonly runParser: RunParser;
}

/** Makes a subcommand. */
export type CommandFactory = (io: Io) => Command;

/** Files for results besides the terminal output. */
export interface OutputOptions {
  readonly json?: string;
  readonly html?: string;
}

/** Adds the output options of all commands. */
export function withOutputs(command: Command): Command {
  return command
    .option("--json <file>", "write all figures, unrounded, with machine and versions")
    .option("--html <file>", "write a report with plots that needs no network");
}

/** Writes results: tables to the standard output, and the requested files. */
export async function publish(
  io: Io,
  options: OutputOptions,
  content: {
    readonly title: string;
    readonly sections: readonly Section[];
    readonly seed: number;
    readonly results: unknown;
  },
): Promise<void> {
  const { title, sections, seed, results } = content;
  const where: Environment = environment();
  const command = ["npm run bench --", ...io.argv.map(shellWord)].join(" ");
  const report: Report = { title, command, environment: where, sections };
  io.stdout.write(terminalReport(report));
  if (options.json !== undefined) {
    writeText(options.json, `${JSON.stringify({ command, environment: where, seed, results }, null, 2)}\n`);
    io.stderr.write(`wrote ${options.json}\n`);
  }
  if (options.html !== undefined) {
    writeText(options.html, htmlReport(report, await pageScript()));
    io.stderr.write(`wrote ${options.html}\n`);
  }
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function writeText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Writes a status: on a terminal to one line that is overwritten, otherwise line by line. */
export function status(io: Io, text: string): void {
  io.stderr.write(io.stderr.isTTY === true ? `\r\u001b[K${text}` : `${text}\n`);
}

/** Removes the line of `status` from a terminal. */
export function clearStatus(io: Io): void {
  if (io.stderr.isTTY === true) io.stderr.write("\r\u001b[K");
}
