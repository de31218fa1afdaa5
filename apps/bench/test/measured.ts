import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Io } from "../src/command/io.ts";
import {
  ended,
  nestingFaults,
  outsideReferences,
  smallTreebank,
  temporaryFolder,
  writeSmallModel,
} from "./support.ts";

/** The results of a command, its report and its output. */
export interface Measured<T> {
  readonly results: readonly T[];
  readonly page: string;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs a command on a small third-order model and eight of the twelve sentences that it was trained on.
 */
export async function measured<T>(
  program: (io: Io) => Promise<number>,
  command: string,
  more: readonly string[],
): Promise<Measured<T>> {
  const folder = temporaryFolder();
  const [model, json, html] = ["small.model", "results.json", "report.html"].map((name) =>
    join(folder, name),
  );
  const treebank = smallTreebank(12);
  await writeSmallModel(model!, treebank, 3);
  const source = ["--model", model!, "--treebank", treebank, "--split", "train", "--sentences", "8"];
  const files = ["--json", json!, "--html", html!];
  const { code, out, err } = await ended(program, [command, ...source, ...more, ...files]);
  expect(err).toContain("wrote");
  expect(code).toBe(0);
  const { results } = JSON.parse(readFileSync(json!, "utf8")) as { results: T[] };
  const page = readFileSync(html!, "utf8");
  expect(nestingFaults(page)).toEqual([]);
  expect(outsideReferences(page)).toEqual([]);
  return { results, page, out, err };
}
