import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseConllu } from "@arcwise/conllu";
import type { Random } from "@arcwise/core";
import { loadParser } from "@arcwise/parser";
import { SAMPLE } from "../data/treebanks.ts";
import { type Area, Fault, type Fuzzer, type Outcome, pick } from "./area.ts";
import { type CommandResult, runHere, startProcess, succeed } from "./commands.ts";

const SIGNALS = ["SIGKILL", "SIGINT", "SIGTERM"] as const;
/** Exit codes of an interrupted command: finished before the signal, or stopped by it. */
const INTERRUPTED: readonly (number | string)[] = [0, 130];
/** Number of sentences to train on, and of their repetitions in parsing. */
const SENTENCES = 12;
const REPEATED = 40;

/** Kills processes at random times: outputs must be complete or absent, and training must be resumable. */
export const kills: Area = {
  name: "kills",
  description: "trainings and parses as processes, ended by a signal at any moment",
  share: 2,
  needsProgram: true,
  prepare: async ({ folder, program }) => {
    const text = readFileSync(join(SAMPLE, "dev.conllu"), "utf8");
    const block = `${text.split("\n\n").slice(0, SENTENCES).join("\n\n")}\n\n`;
    const setting: Setting = {
      program: program!,
      folder,
      train: join(folder, "train.conllu"),
      input: join(folder, "input.conllu"),
      model: join(folder, "known.model"),
      milliseconds: { train: 0, parse: 0 },
    };
    writeFileSync(setting.train, block);
    writeFileSync(setting.input, block.repeat(REPEATED));
    const start = performance.now();
    await succeed(setting.program, trainLine(setting, setting.model));
    const middle = performance.now();
    await succeed(setting.program, parseLine(setting, join(folder, "whole")));
    const milliseconds = { train: middle - start, parse: performance.now() - middle };
    return new KillFuzzer({ ...setting, milliseconds });
  },
};

interface Setting {
  readonly program: string;
  readonly folder: string;
  readonly train: string;
  readonly input: string;
  readonly model: string;
  /** Duration of the commands without interruption. */
  readonly milliseconds: { readonly train: number; readonly parse: number };
}

function trainLine({ train }: Pick<Setting, "train">, model: string): string[] {
  return ["train", "--for", "tagged", "--train", train, "--model", model, "--epochs", "4"];
}

function parseLine({ model, input }: Pick<Setting, "model" | "input">, output: string): string[] {
  return ["parse", "--model", model, "-o", output, input];
}

class KillFuzzer implements Fuzzer {
  readonly #setting: Setting;
  #count = 0;

  constructor(setting: Setting) {
    this.#setting = setting;
  }

  async try(stream: Random): Promise<Outcome> {
    const { folder, milliseconds } = this.#setting;
    const own = join(folder, `kill-${this.#count++}`);
    mkdirSync(own);
    const signal = pick(stream, SIGNALS);
    const isTraining = stream.int(2) === 0;
    const share = stream.next();
    const outcome = isTraining
      ? await this.#killTraining(own, signal, share * milliseconds.train)
      : await this.#killParse(own, signal, share * milliseconds.parse);
    rmSync(own, { recursive: true });
    return outcome;
  }

  async #killed(argv: readonly string[], signal: NodeJS.Signals, after: number): Promise<CommandResult> {
    const command = startProcess(this.#setting.program, argv);
    await Promise.race([command.ended, wait(after)]);
    command.kill(signal);
    const result = await command.ended;
    const expected = result.code === signal || INTERRUPTED.includes(result.code);
    if (!expected || /^ {4}at /m.test(result.err)) {
      throw new Fault(
        `arcwise ${argv[0]} ended with ${result.code} after ${signal}: ${result.err.slice(-500)}`,
      );
    }
    return result;
  }

  async #killTraining(folder: string, signal: NodeJS.Signals, after: number): Promise<Outcome> {
    const model = join(folder, "model");
    const argv = trainLine(this.#setting, model);
    const { code } = await this.#killed(argv, signal, after);
    checkWhole(folder, signal, code);
    if (existsSync(model)) loadParser(readFileSync(model));
    const resume = existsSync(`${model}.checkpoint`) ? ["--resume"] : [];
    if (code === 0 && resume.length > 0) throw new Fault("a training that was done left its checkpoint");
    const again = await runHere([...argv, ...resume]);
    if (again.code !== 0) throw new Fault(`cannot be resumed: ${again.err.slice(-500)}`);
    if (!readFileSync(model).equals(readFileSync(this.#setting.model))) {
      throw new Fault(`resumed to a different model after ${signal} at ${Math.round(after)} ms`);
    }
    checkClean(folder, ["model"]);
    return code === 0 ? "survived" : "refused";
  }

  async #killParse(folder: string, signal: NodeJS.Signals, after: number): Promise<Outcome> {
    const out = join(folder, "out.conllu");
    const argv = parseLine(this.#setting, out);
    const { code } = await this.#killed(argv, signal, after);
    checkWhole(folder, signal, code);
    if (existsSync(out)) {
      const found = parseConllu(readFileSync(out, "utf8")).length;
      if (found !== SENTENCES * REPEATED) throw new Fault(`left ${found} sentences after ${signal}`);
    } else if (code === 0) throw new Fault("ended with 0 without its output");
    const again = await runHere(argv);
    if (again.code !== 0) throw new Fault(`cannot be run again: ${again.err.slice(-500)}`);
    checkClean(folder, ["out.conllu"]);
    return code === 0 ? "survived" : "refused";
  }
}

/** Checks that no temporary file is left after a signal that can be handled. */
function checkWhole(folder: string, signal: NodeJS.Signals, code: number | string): void {
  if (signal === "SIGKILL" || typeof code === "string") return;
  const left = readdirSync(folder).filter((name) => name.endsWith(".tmp"));
  if (left.length > 0) throw new Fault(`left ${left.join(", ")} after ${signal}`);
}

/** Checks that a successful run removes the files of an interrupted one. */
function checkClean(folder: string, expected: readonly string[]): void {
  const found = readdirSync(folder);
  if (found.join() !== expected.join()) throw new Fault(`left ${found.join(", ")}`);
}
