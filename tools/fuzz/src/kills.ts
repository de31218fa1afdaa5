import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseConllu } from "@arcwise/conllu";
import { loadPipeline } from "@arcwise/pipeline";
import fc from "fast-check";
import { type Area, Fault } from "./area.ts";
import { type CommandResult, runHere, startProcess, succeed } from "./programs.ts";
import { sampleText } from "./samples.ts";

/** Exit codes of an interrupted command: finished before the signal, or stopped by it. */
const INTERRUPTED: readonly (number | string)[] = [0, 130];
/** Number of sentences to train on, and of their repetitions in parsing. */
const SENTENCES = 12;
const REPEATED = 40;
/** Steps of the time of a command at which a signal is sent. */
const MOMENTS = 1000;

/** A command with one output, and the check of an output that an ended one left. */
interface Task {
  readonly output: string;
  line(output: string): string[];
  check(content: Buffer): void;
}

/** Options of trainings: of weights, of a network, of a tokeniser, taggers and a parser. */
const TRAININGS = {
  weights: "--for tagged --preset linear --epochs 4",
  network: "--for tagged --preset fast --settings parser.network.units=8 --settings parser.network.epochs=6",
  pipeline:
    "--preset linear --epochs 3 --settings tokenizer.epochs=1 --settings tagger.epochs=1 --settings jackknife=2",
} as const;

interface KillInput {
  readonly task: keyof typeof TRAININGS | "parse";
  readonly signal: NodeJS.Signals;
  readonly moment: number;
}

/** Kills processes at random times: outputs must be complete or absent, and training must be resumable. */
export const kills: Area<KillInput> = {
  name: "kills",
  description: "trainings and parses as processes, ended by a signal at any moment",
  share: 2,
  isSlow: true,
  prepare: async ({ folder }) => {
    const [train, input, model] = ["train.conllu", "input.conllu", "known.model"].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    writeFileSync(train, sampleText(SENTENCES));
    writeFileSync(input, sampleText(SENTENCES).repeat(REPEATED));
    const training = (name: keyof typeof TRAININGS): Task => ({
      output: "model",
      line: (output) => ["train", ...TRAININGS[name].split(" "), "--train", train, "--model", output],
      check: (content) => void loadPipeline(content),
    });
    const tasks: Readonly<Record<KillInput["task"], Task>> = {
      weights: training("weights"),
      network: training("network"),
      pipeline: training("pipeline"),
      parse: {
        output: "out.conllu",
        line: (output) => ["parse", "--model", model, "-o", output, input],
        check(content) {
          const found = parseConllu(content.toString()).length;
          if (found !== SENTENCES * REPEATED) throw new Fault(`left ${found} sentences`);
        },
      },
    };
    const times = new Map<KillInput["task"], number>();
    const whole = new Map<KillInput["task"], Buffer>();
    for (const name of Object.keys(tasks) as KillInput["task"][]) {
      const output = name === "weights" ? model : join(folder, `whole-${name}`);
      const start = performance.now();
      await succeed(tasks[name].line(output));
      times.set(name, performance.now() - start);
      whole.set(name, readFileSync(output));
    }
    return {
      inputs: fc.record({
        task: fc.constantFrom(...(Object.keys(tasks) as KillInput["task"][])),
        signal: fc.constantFrom("SIGKILL" as const, "SIGINT" as const, "SIGTERM" as const),
        moment: fc.nat(MOMENTS),
      }),
      async try({ task, signal, moment }) {
        const own = mkdtempSync(join(folder, "kill-"));
        const after = (moment / MOMENTS) * times.get(task)!;
        const code = await tryTask(own, tasks[task], { signal, after, whole: whole.get(task)! });
        rmSync(own, { recursive: true });
        return code === 0 ? "survived" : "refused";
      },
    };
  },
};

interface Killing {
  readonly signal: NodeJS.Signals;
  /** Milliseconds before the signal. */
  readonly after: number;
  /** The output of an undisturbed run. */
  readonly whole: Buffer;
}

async function tryTask(folder: string, { output, line, check }: Task, { signal, after, whole }: Killing) {
  const out = join(folder, output);
  const { code } = await killed(line(out), signal, after);
  if (signal !== "SIGKILL" && typeof code === "number") {
    const left = readdirSync(folder).filter((name) => name.endsWith(".tmp"));
    if (left.length > 0) throw new Fault(`left ${left.join(", ")} after ${signal}`);
  }
  if (existsSync(out)) check(readFileSync(out));
  else if (code === 0) throw new Fault("ended with 0 without its output");
  const resume = existsSync(`${out}.checkpoint`) ? ["--resume"] : [];
  if (code === 0 && resume.length > 0) throw new Fault("a training that was done left its checkpoint");
  const again = await runHere([...line(out), ...resume]);
  if (again.code !== 0) throw new Fault(`cannot be run again: ${again.err.slice(-500)}`);
  if (!readFileSync(out).equals(whole))
    throw new Fault(`a different output after ${signal} at ${Math.round(after)} ms`);
  const found = readdirSync(folder).join();
  if (found !== output) throw new Fault(`left ${found}`);
  return code;
}

async function killed(
  argv: readonly string[],
  signal: NodeJS.Signals,
  after: number,
): Promise<CommandResult> {
  const command = startProcess(argv);
  await Promise.race([command.ended, wait(after)]);
  command.kill(signal);
  const result = await command.ended;
  const isExpected = result.code === signal || INTERRUPTED.includes(result.code);
  if (!isExpected || /^ {4}at /m.test(result.err))
    throw new Fault(
      `arcwise ${argv[0]} ended with ${result.code} after ${signal}: ${result.err.slice(-500)}`,
    );
  return result;
}
