import { type ChildProcess, execFile } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { run } from "@arcwise/cli";
import { EXIT } from "@arcwise/cli/command";
import { Fault, PROGRAM } from "./area.ts";

/** Exit code and output of a command. */
export interface CommandResult {
  /** The exit code; the name of a signal when that ended the process. */
  readonly code: number | string;
  readonly out: string;
  readonly err: string;
}

/** Allowed exit codes of a command with a valid command line, for any content of its files. */
const DATA_CODES: readonly (number | string)[] = [EXIT.ok, EXIT.data, EXIT.incomplete];
/** Maximal number of characters of a line of messages. */
const MAX_LINE = 2000;

/** Signal and message callback of a command in this process. */
interface Surroundings {
  readonly signal?: AbortSignal | undefined;
  readonly onMessage?: ((text: string) => void) | undefined;
}

/** Runs `arcwise` in this process. */
export async function runHere(
  argv: readonly string[],
  { signal = new AbortController().signal, onMessage }: Surroundings = {},
): Promise<CommandResult> {
  const [out, err] = [new Collector(), new Collector(onMessage)];
  const code = await run(argv, { stdin: Readable.from([]), stdout: out, stderr: err, env: {}, signal });
  return { code, out: out.text, err: err.text };
}

/** A running `arcwise`. */
export interface RunningCommand {
  readonly ended: Promise<CommandResult>;
  kill(signal: NodeJS.Signals): void;
}

/**
 * Starts `arcwise` as a process.
 *
 * @param user the number of the user and group whose process it is, which only the superuser can choose
 */
export function startProcess(argv: readonly string[], user?: number): RunningCommand {
  const options = { maxBuffer: Infinity, ...(user !== undefined && { uid: user, gid: user }) };
  let child: ChildProcess | undefined;
  const ended = new Promise<CommandResult>((resolve, reject) => {
    child = execFile(process.execPath, [PROGRAM, ...argv], options, (error, out, err) => {
      if (child?.pid === undefined) reject(error);
      else resolve({ code: child.exitCode ?? child.signalCode ?? "unknown", out, err });
    });
    child.stdin?.end();
  });
  return { ended, kill: (signal) => void child?.kill(signal) };
}

/** Runs a command that must succeed. @throws Fault */
export async function succeed(argv: readonly string[]): Promise<void> {
  const { code, err } = await startProcess(argv).ended;
  if (code !== 0) throw new Fault(`arcwise ${argv.join(" ")} ended with ${code}: ${err}`);
}

class Collector extends Writable {
  readonly #chunks: Buffer[] = [];
  readonly #onText: ((text: string) => void) | undefined;

  constructor(onText?: (text: string) => void) {
    super();
    this.#onText = onText;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunks.push(Buffer.from(chunk));
    this.#onText?.(chunk.toString());
    done();
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}

/**
 * Checks that a command ended with a documented exit code, and with one line of message, beside warnings, if it refused.
 *
 * @throws Fault with the input
 */
export function checkCommand(
  argv: readonly string[],
  { code, out, err }: CommandResult,
  input: Uint8Array | undefined,
): void {
  const fault = (what: string) =>
    new Fault(
      `arcwise ${argv.join(" ")}: ${what}; standard error: ${JSON.stringify(err.slice(-500))}`,
      input,
    );
  if (!DATA_CODES.includes(code)) throw fault(`ended with ${code}`);
  if (/^ {4}at /m.test(err) || /^ {4}at /m.test(out)) throw fault("printed a stack trace");
  if (/internal error/.test(err)) throw fault("reported an internal error");
  const lines = err.split("\n").filter((line) => line !== "");
  const long = lines.find((line) => line.length > MAX_LINE);
  if (long !== undefined) throw fault(`printed a line of ${long.length} characters`);
  const messages = lines.filter((line) => /^arcwise: (?!warning: )/.test(line));
  if (code === EXIT.data && argv[0] !== "validate" && messages.length !== 1) {
    throw fault(`printed ${messages.length} messages, not 1`);
  }
}
