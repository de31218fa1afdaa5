import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";
import type { Io } from "../src/command/io.ts";
import type { ResultFile } from "../src/results/results.ts";
import { smallTreebank, temporaryFolder, writeSmallModel } from "./support.ts";

const schema = JSON.parse(
  readFileSync(new URL("../schema/results.schema.json", import.meta.url), "utf8"),
) as object;
const validate = new Ajv2020({ allErrors: true }).compile(schema);

/** The input of a command: a treebank, models of first and third order, and a folder of data. */
export interface Data {
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
    await writeSmallModel(path, treebank, order);
    return path;
  };
  return { data, treebank, model };
}

/** Runs a command until a line of progress about a unit other than those allowed. Returns the units begun. */
async function begun(
  program: (io: Io) => Promise<number>,
  argv: readonly string[],
  { data }: Data,
  unit: RegExp,
  allowed = Number.POSITIVE_INFINITY,
): Promise<{ code: number; units: string[]; err: string }> {
  const units: string[] = [];
  let err = "";
  const code = await program({
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
  });
  return { code, units, err };
}

/** A command, its options, and the line of progress that names a unit of its work. */
export interface ResumedCommand {
  readonly command: string;
  readonly options: (data: Data) => Promise<string[]> | string[];
  readonly unit: RegExp;
}

/**
 * Interrupts a command after its first unit and begins it again: the unit is not measured anew, and the results
 * obey the schema.
 */
export async function expectResumed(
  program: (io: Io) => Promise<number>,
  { command, options, unit }: ResumedCommand,
): Promise<void> {
  const data = smallData();
  const json = join(data.data, "results.json");
  const argv = [
    command,
    ...(await options(data)),
    ...(command === "decoders" ? [] : ["--quick"]),
    "--json",
    json,
  ];
  const first = await begun(program, argv, data, unit, 1);
  expect(first.err).toContain("interrupted");
  expect([first.code, first.units.length, existsSync(json)]).toEqual([3, 2, false]);
  expect(existsSync(`${json}.partial`)).toBe(true);
  const second = await begun(program, argv, data, unit);
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
}
