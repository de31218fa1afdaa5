import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { trainParser } from "@arcwise/parser";
import { writeParserFile } from "@arcwise/parser/node";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import type { ResultFile } from "../src/results.ts";
import { run } from "../src/run.ts";
import { readSplit } from "../src/treebanks.ts";
import { smallTreebank, temporaryFolder } from "./support.ts";

const schema = JSON.parse(
  readFileSync(new URL("../schema/results.schema.json", import.meta.url), "utf8"),
) as object;
const validate = new Ajv2020({ allErrors: true }).compile(schema);

/** What a command reads: a treebank, models of first and third order, and a folder of data. */
interface Data {
  readonly treebank: string;
  readonly data: string;
  model(order: 1 | 3): Promise<string>;
}

function smallData(): Data {
  const data = temporaryFolder();
  const treebank = smallTreebank(12);
  const folder = join(data, "sequence", "conll2000");
  mkdirSync(folder, { recursive: true });
  const chunks = "The DT B-NP\ncats NNS I-NP\nsleep VBP B-VP\n\nDogs NNS B-NP\nbark VBP B-VP\n\n";
  writeFileSync(join(folder, "train.txt"), chunks.repeat(20));
  writeFileSync(join(folder, "test.txt"), chunks);
  const model = async (order: 1 | 3): Promise<string> => {
    const path = join(data, `order-${order}.model`);
    const decoder = order === 1 ? "mst" : "projective";
    const options = { decoder, order, epochs: 1 } as const;
    await writeParserFile(path, await trainParser(readSplit(treebank, "train"), options));
    return path;
  };
  return { data, treebank, model };
}

/** Runs a command until a line of progress about a unit other than those allowed. Returns the units begun. */
async function begun(
  argv: readonly string[],
  { data }: Data,
  unit: RegExp,
  allowed = Number.POSITIVE_INFINITY,
): Promise<{ code: number; units: string[]; err: string }> {
  const units: string[] = [];
  let err = "";
  const code = await run({
    stdout: { write: () => true },
    stderr: {
      isTTY: true,
      write(text) {
        err += text;
        const [, name] = unit.exec(text) ?? [];
        if (name === undefined || units.includes(name)) return true;
        units.push(name);
        if (units.length > allowed) throw new TypeError("interrupted");
        return true;
      },
    },
    env: { ARCWISE_DATA: data },
    argv,
    runParser: () => Promise.reject(new Error("not here")),
  });
  return { code, units, err };
}

const timing = ["--time", "1"];

test.each<{ command: string; options: (data: Data) => Promise<string[]> | string[]; unit: RegExp }>([
  {
    command: "decoders",
    options: () => [
      ...["--decoder", "mst", "eisner", "--set", "dense", "--length", "5", "--no-operations"],
      ...timing,
    ],
    unit: /dense: ([\w-]+), 5 words/,
  },
  {
    command: "learners",
    options: ({ treebank }) => ["--treebank", treebank, "--sentences", "3", "--epochs", "1"],
    unit: /training: (.+)/,
  },
  {
    command: "maxent",
    options: () => ["--corpus", "conll2000", "--method", "cd", "lbfgs", "--iterations", "2"],
    unit: /conll2000: ([\w-]+) \d+, /,
  },
  {
    command: "mixing",
    options: ({ treebank }) => ["--no-names", "--treebank", treebank],
    unit: /order 1\): (.+)/,
  },
  {
    command: "sequences",
    options: ({ data }) => ["--data", data, "--model", "perceptron"],
    unit: /chunking: (.+), epoch/,
  },
  {
    command: "ad3",
    options: async ({ treebank, model }) => [
      "--model",
      await model(3),
      "--treebank",
      treebank,
      "--sentences",
      "4",
    ],
    unit: /UD_Small: (?!scoring)(.+)/,
  },
  {
    command: "climb",
    options: async ({ treebank, model }) => [
      ...["--model", await model(3), "--treebank", treebank, "--sentences", "4"],
      ...["--restarts", "1", "2", "--milliseconds", "0.01"],
    ],
    unit: /UD_Small: (?!scoring)(.+)/,
  },
  {
    command: "calibration",
    options: async ({ treebank, model }) => ["--model", await model(1), "--treebank", treebank],
    unit: /marginals of the test split, (.+)/,
  },
])(
  "$command --quick goes on where it was interrupted, and writes contestants",
  {
    timeout: 120_000,
  },
  async ({ command, options, unit }) => {
    const data = smallData();
    const json = join(data.data, "results.json");
    const argv = [command, ...(await options(data)), "--quick", "--json", json];
    const first = await begun(argv, data, unit, 1);
    expect(first.err).toContain("interrupted");
    expect([first.code, first.units.length, existsSync(json)]).toEqual([3, 2, false]);
    expect(existsSync(`${json}.partial`)).toBe(true);
    const second = await begun(argv, data, unit);
    expect([second.code, second.err.includes("wrote")]).toEqual([0, true]);
    // The finished unit is not begun again, the interrupted one is.
    expect(second.units).not.toContain(first.units[0]);
    expect(second.units[0]).toBe(first.units[1]);
    expect(existsSync(`${json}.partial`)).toBe(false);
    const file = JSON.parse(readFileSync(json, "utf8")) as ResultFile;
    expect(validate(file) || validate.errors).toBe(true);
    const names = file.contestants.map(({ group, name }) => `${group}: ${name}`);
    expect(names.length).toBeGreaterThanOrEqual(2);
    expect(new Set(names).size).toBe(names.length);
    for (const { measures } of file.contestants) expect(Object.keys(measures).length).toBeGreaterThan(0);
    const difference = await begun(["diff", json, json], data, unit);
    expect(difference.code).toBe(0);
  },
);
