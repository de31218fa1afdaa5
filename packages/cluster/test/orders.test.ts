import { readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { folderStore, MAX_GIVEN } from "@arcwise/jobs/node";
import fc from "fast-check";
import { describe, expect, it, test, vi } from "vitest";
import { JOBS } from "../src/jobs.ts";
import { type Order, orderOf } from "../src/order.ts";
import { OrderCarrier } from "../src/order-jobs.ts";
import { ordersOf } from "../src/queue/classes.ts";
import { JobSizes } from "../src/queue/job-sizes.ts";
import { openStore } from "../src/stores/open-store.ts";
import { freshFolder } from "./support.ts";

const A = "0123456789abcdef".repeat(4);
const NAMES = [...JOBS.keys()];
const sound = (job: string) => orderOf({ job, input: A });

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
  // Nothing is there: an order that is accepted ends with a blob that is missing.
  const carrier = new OrderCarrier(await folderStore(freshFolder()), 0);
  return carrier.carryOut(order as Order).then(
    () => "done",
    (error: { readonly code?: unknown }) => error.code,
  );
}

describe("an order", () => {
  test.each(NAMES)("of the job %s is carried out", async (job) => {
    expect(await codeOf(sound(job))).toBe("missing-blob");
  });

  const others: Readonly<Record<keyof Order, readonly unknown[]>> = {
    program: [0, null, undefined],
    format: ["6", -1, null],
    job: ["", "constructor", "__proto__", "carry-out", "file:///job.mjs", 0, null, undefined],
    input: NOT_NAMES,
    // Of another hash than the name of the input, no JSON, too long, or no text.
    given: ["{}", "", "x".repeat(MAX_GIVEN + 1), 0, null, {}, ["{}"]],
  };
  test.each(Object.entries(others))("is refused with another %s", async (member, values) => {
    for (const value of values)
      expect(await codeOf({ ...sound(NAMES[0]!), [member]: value }), String(value)).toBe("invalid-data");
  });

  it("may be anything, and is refused with a code", async () => {
    const { program, format } = sound("");
    const anyOrder = fc.oneof(
      fc.anything(),
      fc.record({ program: fc.anything(), job: fc.anything(), input: fc.anything() }),
      fc.record({
        program: fc.constant(program),
        format: fc.constant(format),
        job: fc.oneof(fc.constantFrom(...NAMES, "constructor", "__proto__"), fc.anything()),
        input: fc.anything(),
      }),
    );
    await fc.assert(
      fc.asyncProperty(anyOrder, async (odd) => {
        expect(["invalid-data", "other-version"]).toContain(await codeOf(odd));
      }),
    );
  });

  it("of another version says so, whatever its job is", async () => {
    expect(await codeOf({ ...sound("another"), program: "9.9.9" })).toBe("other-version");
  });

  it("with a path instead of a name reads and writes nothing", async () => {
    const folder = freshFolder();
    const carrier = new OrderCarrier(await folderStore(folder));
    writeFileSync(join(dirname(folder), "secret.gz"), gzipSync("The password is swordfish."));
    const order = { ...sound("parse-chunk"), input: "../secret.gz" };
    expect(() => orderOf(order)).toThrow(expect.objectContaining({ code: "invalid-argument" }));
    await expect(carrier.carryOut(order)).rejects.toMatchObject({ code: "invalid-data", at: "order.input" });
    expect(readdirSync(folder)).toEqual(["tmp"]);
  });
});

describe("a job of the queue", () => {
  const orders = NAMES.map(sound);

  it("has several orders, or is one", () => {
    expect(ordersOf({ orders })).toEqual(orders);
    expect(ordersOf(orders[0])).toEqual([orders[0]]);
  });

  it("of anything else is refused with a code", () => {
    const data = fc.oneof(
      fc.anything(),
      fc.record({ orders: fc.oneof(fc.anything(), fc.array(fc.anything())) }),
      fc.constant({ orders: [orders[0], { ...orders[1], input: {} }] }),
      fc.constant({ orders: [] }),
    );
    fc.assert(
      fc.property(data, (odd) => {
        expect(() => ordersOf(odd)).toThrow(expect.objectContaining({ code: expect.any(String) }));
      }),
    );
  });

  it("has a result that is ignored unless it is a worker's", () => {
    const jobs = new JobSizes();
    const result = fc.oneof(fc.anything(), fc.record({ worker: fc.string(), threads: fc.string() }));
    fc.assert(fc.property(result, (odd) => jobs.see(orders, odd)));
    const same = [0, 1, 2, 3].map(() => ({ order: orders[0]! }));
    expect(jobs.jobsOf(same).length).toBe(4);
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
