import { readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it, test, vi } from "vitest";
import { folderStore } from "../src/blobs/folder-store.ts";
import { hashOf } from "../src/blobs/hash.ts";
import { openStore } from "../src/blobs/open-store.ts";
import { stepsOf } from "../src/queue/classes.ts";
import { JobSizes } from "../src/queue/job-sizes.ts";
import { localRunner } from "../src/runners/local.ts";
import { StepExecutor } from "../src/steps/executor.ts";
import { type StepName, type StepOrder, type StepSettings, stepOrder } from "../src/steps/order.ts";
import { freshFolder } from "./support.ts";

const [A, B] = [hashOf("a"), hashOf("b")];
const ROUND = { order: A, epoch: 1, rounds: 1, round: 0, shards: 2 };

/** Settings of each step that are as they should be. */
const SETTINGS: StepSettings = {
  "train-shard": { run: A, round: 0, shard: 1 },
  mix: { run: A, round: 3 },
  "train-part": { step: "tag-part", work: A, part: 1 },
  "train-network": { ...ROUND, shard: 0 },
  "average-network": ROUND,
  "parse-chunk": { model: A, chunk: B, format: "conllu", tags: "given" },
  evaluate: { model: A, gold: B, from: "words" },
};
const STEPS = Object.keys(SETTINGS) as StepName[];

/** Paths that would leave the store, and names that are almost names. */
const NOT_NAMES: readonly unknown[] = [
  "../secret.gz",
  "..",
  "/etc/passwd",
  `${A.slice(0, 2)}/../../secret`,
  A.toUpperCase(),
  `${A}\n`,
  ` ${A}`,
  A.slice(1),
  "",
  0,
  null,
  undefined,
  [A],
  { toString: () => A },
];

async function codeOf(order: unknown): Promise<unknown> {
  const store = await folderStore(freshFolder());
  // Nothing is there: an order that is accepted ends with a blob that is missing.
  const executor = new StepExecutor(store, { patience: 0 });
  return executor.run(order as StepOrder).then(
    () => "done",
    (error: { readonly code?: unknown }) => error.code,
  );
}

describe("an order", () => {
  test.each(STEPS)("of the step %s that is as it should be is carried out", async (step) => {
    expect(await codeOf(stepOrder(step, SETTINGS[step]))).toBe("missing-blob");
  });

  const members = STEPS.flatMap((step) =>
    Object.entries(SETTINGS[step]).map(([member, value]) => [step, member, value] as const),
  );
  test.each(members)("of the step %s is refused with another %s", async (step, member, value) => {
    const others = typeof value === "number" ? [-1, 0.5, "0", null, Number.NaN, 2 ** 31] : NOT_NAMES;
    for (const other of others) {
      if (other === undefined && member === "part") continue;
      const order = { ...stepOrder(step, SETTINGS[step]), settings: { ...SETTINGS[step], [member]: other } };
      expect(await codeOf(order), String(other)).toBe("invalid-data");
    }
  });

  it("may be anything, and is refused with a code", async () => {
    const order = stepOrder("mix", SETTINGS.mix);
    const anyOrder = fc.oneof(
      fc.anything(),
      fc.record({ program: fc.anything(), step: fc.anything(), settings: fc.anything() }),
      fc.record({
        program: fc.constant(order.program),
        format: fc.constant(order.format),
        step: fc.oneof(fc.constantFrom(...STEPS, "constructor", "__proto__"), fc.anything()),
        settings: fc.anything(),
      }),
    );
    await fc.assert(
      fc.asyncProperty(anyOrder, async (odd) => {
        expect(["invalid-data", "other-version"]).toContain(await codeOf(odd));
      }),
    );
  });

  it("of another version says so, whatever its settings are", async () => {
    expect(await codeOf({ ...stepOrder("mix", SETTINGS.mix), program: "9.9.9", settings: 1 })).toBe(
      "other-version",
    );
  });

  it("with a path instead of a name reads and writes nothing", async () => {
    const folder = freshFolder();
    const store = await folderStore(folder);
    writeFileSync(join(dirname(folder), "secret.gz"), gzipSync("The password is swordfish."));
    const settings = { ...SETTINGS["parse-chunk"], chunk: "../secret.gz" };
    const running = localRunner(store).run({ id: "x", steps: [], last: stepOrder("parse-chunk", settings) });
    await expect(running).rejects.toMatchObject({ code: "invalid-data", at: "order.settings.chunk" });
    expect(readdirSync(folder)).toEqual(["tmp"]);
  });
});

describe("a job", () => {
  const orders = STEPS.map((step) => stepOrder(step, SETTINGS[step]));

  it("has several orders, or is one", () => {
    expect(stepsOf({ steps: orders })).toEqual(orders);
    expect(stepsOf(orders[0])).toEqual([orders[0]]);
  });

  it("of anything else is refused with a code", () => {
    const data = fc.oneof(
      fc.anything(),
      fc.record({ steps: fc.oneof(fc.anything(), fc.array(fc.anything())) }),
      fc.constant({ steps: [orders[0], { ...orders[1], settings: {} }] }),
      fc.constant({ steps: [] }),
    );
    fc.assert(
      fc.property(data, (odd) => {
        expect(() => stepsOf(odd)).toThrow(expect.objectContaining({ code: expect.any(String) }));
      }),
    );
  });

  it("has a result that is ignored unless it is a worker's", () => {
    const jobs = new JobSizes();
    const result = fc.oneof(fc.anything(), fc.record({ worker: fc.string(), threads: fc.string() }));
    fc.assert(fc.property(result, (odd) => jobs.see(odd)));
    jobs.time(1, 1);
    expect(jobs.jobsOf(orders).length).toBe(orders.length);
  });
});

describe("a path or a key", () => {
  test.each(NOT_NAMES.map((name) => [name]))("is not made of %j", async (name) => {
    vi.stubEnv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:1");
    const folder = freshFolder();
    for (const store of [await folderStore(folder), await openStore("s3://bucket")]) {
      const calls = [
        store.has(name as string),
        store.read(name as string),
        store.write(name as string, new Uint8Array(1)),
        store.setAside(name as string),
      ];
      for (const outcome of await Promise.allSettled(calls))
        expect(outcome).toMatchObject({ status: "rejected", reason: { code: "invalid-argument" } });
    }
    expect(readdirSync(folder)).toEqual(["tmp"]);
    vi.unstubAllEnvs();
  });
});
