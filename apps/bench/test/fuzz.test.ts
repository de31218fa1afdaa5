// @module-tag slow
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Area, Fault } from "../src/fuzz/area.ts";
import { capabilities } from "../src/fuzz/capabilities.ts";
import { checkpointsOf } from "../src/fuzz/checkpoints.ts";
import { checkCommand, runHere } from "../src/fuzz/commands.ts";
import { PAST_FILES, PAST_MODELS, patched } from "../src/fuzz/corpus.ts";
import { craftedFiles, readersOf } from "../src/fuzz/crafted.ts";
import { decoders } from "../src/fuzz/decoders.ts";
import { fileFormats, files, readFormat } from "../src/fuzz/files.ts";
import { takeApart } from "../src/fuzz/forge.ts";
import { messages } from "../src/fuzz/messages.ts";
import { modelsOf, type Subject, trainSubjects, useFile } from "../src/fuzz/models.ts";
import { encode } from "../src/fuzz/mutations.ts";
import { fuzz } from "../src/fuzz/run-fuzz.ts";
import { types } from "../src/fuzz/types.ts";

/** Kinds of models that are trained and loaded quickly. */
const QUICK = ["first order", "tagger"];
/** Areas of which some hundred trials take seconds. */
const QUICK_AREAS = [
  files,
  modelsOf(QUICK),
  decoders,
  capabilities,
  checkpointsOf(["mira", "frank-wolfe"]),
  messages,
  types,
];

const folder = mkdtempSync(join(tmpdir(), "arcwise-fuzz-test-"));

afterAll(() => rmSync(folder, { recursive: true }));

describe("the faults of the past are refused:", () => {
  let subjects: readonly Subject[];

  beforeAll(async () => {
    subjects = await trainSubjects([...QUICK, "graphs"]);
  }, 120_000);

  const subjectNamed = (name: string) => subjects.find((subject) => subject.name === name)!;

  test("the unchanged files are accepted", () => {
    for (const subject of subjects) {
      const same = patched(takeApart(subject.file), []);
      expect(Buffer.from(same).equals(subject.file)).toBe(true);
      expect(useFile(subject, same)).toBe("survived");
    }
  });

  test.each(PAST_MODELS.map((past) => [past.name, past] as const))("%s", (_, { subject, patches }) => {
    const used = subjectNamed(subject);
    expect(useFile(used, patched(takeApart(used.file), patches))).toBe("refused");
  });

  test.each(PAST_FILES.map((past) => [past.name, past] as const))("%s", async (_, { format, text }) => {
    const found = fileFormats("").find(({ name }) => name === format)!;
    expect(await readFormat(found, encode(text))).toBe("refused");
  });
});

describe("fuzzing", () => {
  test.each(QUICK_AREAS.map((area) => [area.name, area] as const))(
    "finds no fault in %s",
    async (_, area) => {
      const options = { areas: [area], seed: 7, milliseconds: 4000, trials: 400, program: undefined };
      const [result] = await fuzz({ ...options, faults: join(folder, "none") });
      expect(result!.faults).toEqual([]);
      expect(result!.refused + result!.survived).toBe(result!.tried);
    },
    120_000,
  );

  const broken: Area = {
    name: "files",
    description: "an area that finds a fault in the third trial, and an error in the fourth",
    share: 1,
    prepare: async () => {
      let count = 0;
      return {
        try: () => {
          count++;
          if (count === 3) throw new Fault("a fault", Uint8Array.of(1, 2));
          if (count === 4) throw new TypeError("x is not a function");
          return "survived";
        },
      };
    },
  };

  test("writes each fault with its input and the command that reproduces it", async () => {
    const faults = join(folder, "faults");
    const [result] = await fuzz({
      areas: [broken],
      seed: 3,
      milliseconds: 60_000,
      trials: 5,
      program: undefined,
      faults,
    });
    expect(result).toMatchObject({ tried: 5, survived: 3, refused: 0 });
    expect(result!.faults.map(({ trial, message }) => [trial, message])).toEqual([
      [2, "a fault"],
      [3, "TypeError: x is not a function"],
    ]);
    expect(readdirSync(faults).sort()).toEqual(["files-3-2.input", "files-3-2.txt", "files-3-3.txt"]);
    expect([...readFileSync(join(faults, "files-3-2.input"))]).toEqual([1, 2]);
    expect(readFileSync(join(faults, "files-3-3.txt"), "utf8")).toContain("--seed 3 --first 3 --trials 1");
  });

  test("gives the same trials for the same seed, from any first trial", async () => {
    const seen: number[][] = [];
    const listening = (numbers: number[]): Area => ({
      ...broken,
      prepare: async () => ({
        try: (stream) => {
          numbers.push(stream.uint32());
          return "survived";
        },
      }),
    });
    for (const first of [0, 2]) {
      seen.push([]);
      const area = listening(seen.at(-1)!);
      await fuzz({ areas: [area], seed: 5, milliseconds: 60_000, trials: 4, first, program: undefined });
    }
    expect(new Set(seen[0])).toHaveProperty("size", 4);
    expect(seen[1]!.slice(0, 2)).toEqual(seen[0]!.slice(2));
  });
});

describe("crafted files", () => {
  test.each(QUICK)(
    "of %s are refused by functions and commands with one line",
    async (name) => {
      const [subject] = await trainSubjects([name]);
      const all = craftedFiles(subject!.file);
      expect(all.length).toBeGreaterThan(200);
      const some = all.filter((_, k) => k % Math.ceil(all.length / 40) === 0);
      const [file, words] = [join(folder, "crafted"), join(folder, "words.conllu")];
      writeFileSync(words, "1\tDogs\tdog\tNOUN\t_\t_\t0\troot\t_\t_\n\n");
      const counts = { refused: 0, survived: 0 };
      for (const [k, { name, make }] of some.entries()) {
        const bytes = make();
        const outcome = useFile(subject!, bytes);
        counts[outcome]++;
        writeFileSync(file, bytes);
        const argv = readersOf(file, words, join(folder, "out"))[k % 4]!;
        const result = await runHere(argv);
        expect(() => checkCommand(argv, result, bytes), name).not.toThrow();
      }
      // Few values may be anything: descriptions, and texts that happen to be as good as others.
      expect(counts.refused).toBeGreaterThan(3 * counts.survived);
    },
    120_000,
  );
});
