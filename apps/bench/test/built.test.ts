// @module-tag slow
import { execFile, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { ParserResult } from "../src/jobs/compare-parsers.ts";
import { smallTreebank, temporaryFolder } from "./support.ts";

const program = fileURLToPath(new URL("../bin/arcwise-bench.js", import.meta.url));
const built = existsSync(fileURLToPath(new URL("../dist/jobs/parser-child.js", import.meta.url)));
const run = promisify(execFile);

// `npm test` builds first; after `npm run build` the tests of one package run these as well.
describe.skipIf(!built)("the built command (skipped before npm run build)", () => {
  test("measures each parser in a process of its own, and reports refused ones", async () => {
    const json = join(temporaryFolder(), "parsers.json");
    const argv = ["parsers", "--treebank", smallTreebank(12), "--json", json];
    const few = "--decoder mst --order 1 2 --epochs 1 --quick".split(" ");
    const env = { ...process.env, ARCWISE_DATA: "/nonexistent" };
    const { stdout } = await run(process.execPath, [program, ...argv, ...few], { env });
    expect(stdout).toContain("Not there: mst order 2: mst cannot score parts");
    const { results } = JSON.parse(readFileSync(json, "utf8")) as { results: { parsers: ParserResult[] } };
    const [parser] = results.parsers;
    expect(parser!.scores.words).toBe(parser!.words);
    expect(parser!.scores.uas).toBeGreaterThan(parser!.scores.las);
    // A process that loads this much code and a model has tens of megabytes, in bytes.
    expect(parser!.peakMemory).toBeGreaterThan(5e7);
    expect(parser!.peakMemory).toBeGreaterThanOrEqual(parser!.trainingMemory);
  });

  test("ends with exit code 2 and one line when the command line is wrong", async () => {
    const failed = run(process.execPath, [program, "decoders", "--decoder", "cky"]);
    await expect(failed).rejects.toMatchObject({ code: 2 });
    await failed.catch(({ stderr }: { stderr: string }) => expect(stderr.trim().split("\n")).toHaveLength(1));
  });

  test("ends at once on Ctrl-C, in the middle of a computation, with exit code 130", async () => {
    // The shell itself goes on after the signal, which reaches all processes of a terminal.
    const script = 'trap : INT; "$@"; echo "ended with $?"';
    const argv = [process.execPath, program, "decoders", "--time", "60000"];
    const shell = spawn("sh", ["-c", script, "sh", ...argv], {
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const output = text(shell.stdout);
    // Decoders that are timed give way to no events.
    await new Promise((resolve) => setTimeout(resolve, 3000));
    process.kill(-shell.pid!, "SIGINT");
    expect(await output).toBe("ended with 130\n");
  });
});
