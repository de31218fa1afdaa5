import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ad3 } from "@arcwise/decode-ad3";
import { describe, expect, test } from "vitest";
import { THOROUGH } from "./oracles.ts";

const { readInstance } = await import("./read-instance.mjs");

const data = process.env.ARCWISE_DATA ?? fileURLToPath(new URL("../../../../../shared", import.meta.url));
const folder = join(data, "reference/ad3-instances");
const found = existsSync(folder);
const files = found ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
/** Instances that take about a second. */
const LARGE = 150_000;

describe("instances with known answers", () => {
  test.skipIf(found)(
    "are skipped: set ARCWISE_DATA to the folder that has reference/ad3-instances",
    () => {},
  );

  test.each(files)("%s", (name) => {
    const path = join(folder, name);
    if (!THOROUGH && statSync(path).size > LARGE) return;
    const instance = JSON.parse(readFileSync(path, "utf8"));
    const { status, value, bound, iterations } = ad3(readInstance(instance));
    const { reference, exact } = instance;
    if (reference.status !== "UNSOLVED") expect(status).not.toBe("unsolved");
    if (reference.status === "OPTIMAL_INTEGER") expect(status).toBe("integral");
    expect(iterations).toBeLessThanOrEqual(1.2 * reference.iterations + 40);
    if (exact === undefined) return;
    expect(bound).toBeGreaterThan(exact.lpValue - 1e-8);
    if (status !== "unsolved") expect(Math.abs(value - exact.lpValue)).toBeLessThan(1e-4);
    if (status === "integral") expect(Math.abs(value - exact.mapValue)).toBeLessThan(1e-6);
  });
});
