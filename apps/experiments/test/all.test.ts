// @module-tag slow
import { existsSync, mkdtempSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@arcwise/bench/testing";
import { expect, test } from "vitest";
import { experimentRuns } from "../src/all.ts";
import { experiments } from "./support.ts";

const io = {
  stdout: { write: () => true },
  stderr: { write: () => true },
  env: { ARCWISE_DATA: "/nonexistent" },
  argv: [],
};

test.each([true, false])("all experiments have options that their commands know (quick: %s)", (quick) => {
  const list = experimentRuns({ folder: "/out", treebank: "/data/UD_One", data: "/data", quick });
  expect(new Set(list.map(({ name }) => name)).size).toBe(list.length);
  for (const { name, command, argv } of list) {
    const parsed = command(io);
    const { unknown, operands } = parsed.parseOptions([...argv]);
    expect([name.startsWith(parsed.name()), unknown, operands]).toEqual([true, [], []]);
    expect(parsed.opts().quick ?? false).toBe(quick);
  }
});

test("all --quick measures what needs no data, leaves out the rest, and runs nothing twice", {
  timeout: 120_000,
}, async () => {
  const folder = temporaryFolder();
  const data = mkdtempSync(join(folder, "data-"));
  const free = ["averaging", "generalisation", "optimality", "paths"];
  const argv = ["all", "--quick", "--folder", folder, "--only", ...free, "maxent"];
  const first = await experiments(argv, { data });
  expect(first.code).toBe(0);
  expect(first.err).toMatch(/maxent: left out, since .*brown\.tagged\.txt does not exist/);
  const written = readdirSync(folder).filter((name) => /\.(json|html)$/.test(name));
  expect(written.sort()).toEqual(free.flatMap((n) => [`${n}.html`, `${n}.json`]));
  const times = written.map((name) => statSync(join(folder, name)).mtimeMs);

  const again = await experiments(argv, { data });
  expect(again.err.match(/measured before/g)).toHaveLength(4);
  expect(written.map((name) => statSync(join(folder, name)).mtimeMs)).toEqual(times);
  expect(existsSync(join(folder, "paths.json.partial"))).toBe(false);
});
