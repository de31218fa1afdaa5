// @module-tag slow
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Area, Fault } from "../fuzz/src/area.ts";
import { checkpointsOf } from "../fuzz/src/checkpoints.ts";
import { editContainer, headerEdits } from "../fuzz/src/container-edits.ts";
import { PAST_MODELS, PAST_TEXTS } from "../fuzz/src/corpus.ts";
import { decoders } from "../fuzz/src/decoders.ts";
import { files } from "../fuzz/src/files.ts";
import { editJson, pathsOf } from "../fuzz/src/json-edits.ts";
import { messages } from "../fuzz/src/messages.ts";
import { modelsOf, type Subject, trainSubject, useFile } from "../fuzz/src/models.ts";
import { requests } from "../fuzz/src/requests.ts";
import { fuzz } from "../fuzz/src/run.ts";
import { allTimeFormats, exponentOf, readAt, timeCases } from "../fuzz/src/time.ts";
import { types } from "../fuzz/src/types.ts";

/** Kinds of models that are trained and loaded quickly. */
const QUICK = ["first order", "tagger"];
/** Areas of which some hundred trials take seconds. */
const QUICK_AREAS: readonly Area[] = [
  files,
  modelsOf(QUICK),
  decoders,
  checkpointsOf(["mira", "frank-wolfe"]),
  messages,
  requests,
  types,
];

const folder = mkdtempSync(join(tmpdir(), "arcwise-fuzz-test-"));

afterAll(() => rmSync(folder, { recursive: true }));

describe("the faults of the past are refused:", () => {
  const subjects = new Map<string, Subject>();

  beforeAll(async () => {
    for (const kind of [...QUICK, "graphs"]) subjects.set(kind, await trainSubject(kind));
  });

  test("the unchanged files are accepted", () => {
    for (const subject of subjects.values()) {
      const same = editContainer(subject.file, headerEdits([]));
      expect(Buffer.from(same).equals(subject.file)).toBe(true);
      expect(useFile(subject, same)).toBe("survived");
    }
  });

  test.each(PAST_MODELS)("%s", (_, kind, edits) => {
    const subject = subjects.get(kind)!;
    expect(useFile(subject, editContainer(subject.file, headerEdits(edits)))).toBe("refused");
  });

  test("texts", async () => {
    const { examples = [], try: attempt } = await files.prepare({ folder });
    expect(examples).toHaveLength(PAST_TEXTS.length);
    for (const example of examples) expect(await attempt(example), example.format).toBe("refused");
  });
});

test.each(QUICK_AREAS.map((area) => [area.name, area] as const))("finds no fault in %s", async (_, area) => {
  const [result] = await fuzz([area], { seed: 7, milliseconds: 4000, runs: 400 });
  expect(result!.faults).toEqual([]);
  expect(result!.refused + result!.survived).toBe(result!.tried);
});

const broken: Area<readonly number[]> = {
  name: "files",
  description: "an area of lists in which a number above 100 is a fault",
  share: 1,
  prepare: async () => ({
    inputs: fc.array(fc.nat(1000)),
    try(list) {
      if (list.some((one) => one > 100)) throw new Fault("a fault", Uint8Array.from(list));
      return "survived";
    },
  }),
};

test("writes each fault once, with its smallest input and the command that reproduces it", async () => {
  const faults = join(folder, "faults");
  const [result] = await fuzz([broken], { seed: 3, milliseconds: 60_000, runs: 50, faults });
  expect(result!.faults).toMatchObject([{ message: "a fault", input: "[101]" }]);
  expect(readdirSync(faults).sort()).toEqual(["files-3-1.input", "files-3-1.txt"]);
  expect([...readFileSync(join(faults, "files-3-1.input"))]).toEqual([101]);
  const { again } = result!.faults[0]!;
  expect(readFileSync(join(faults, "files-3-1.txt"), "utf8")).toContain(again);
  const [, seed, path] = /--seed (\d+) --path (\S+)$/.exec(again)!;
  const [replayed] = await fuzz([broken], { seed: Number(seed), path: path!, milliseconds: 0 });
  expect(replayed!.faults).toEqual(result!.faults);
});

test("edits of JSON add, replace and remove values of any name", () => {
  const value = { a: [1, 2], b: { c: "x" } };
  expect([...pathsOf(value)]).toEqual([[], ["a"], ["a", 0], ["a", 1], ["b"], ["b", "c"]]);
  const edited = editJson(value, [
    { op: "remove", path: ["a", 0] },
    { op: "nudge", path: ["b", "c"], value: 0 },
    { op: "add", path: ["__proto__"], value: 5 },
    { op: "replace", path: ["none", "there"], value: 5 },
  ]);
  expect(JSON.stringify(edited)).toBe('{"a":[2],"b":{"c":"x x"},"__proto__":5}');
});

const points = (power: number, scale = 1) =>
  [1, 2, 4, 8, 16].map((k) => ({ length: 1000 * k, milliseconds: 20 * scale * k ** power }));

test.each([0.9, 1, 1.5, 2])("the exponent of times of the power %d", (power) => {
  expect(exponentOf(points(power))).toBeCloseTo(power, 6);
});

test("times that are short have no exponent", () => {
  expect(exponentOf(points(2, 0.01))).toBe(0);
});

test("all cases of time are read or refused", async () => {
  for (const one of timeCases(await allTimeFormats()))
    for (const length of [1, 200]) expect(await readAt(one, length)).toBeTypeOf("string");
});
