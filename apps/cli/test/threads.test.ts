import { readdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { threadsToUse } from "../src/command/options.ts";
import type { Io } from "../src/files/io.ts";
import { isResponsive } from "../src/threads/main-thread.ts";
import { superviseCommand } from "../src/threads/supervisor.ts";
import { arcwise, folderWith, sink, temporaryFolder } from "./support.ts";

const cores = availableParallelism();

describe("parse", () => {
  const run = async (threads: number, ...more: string[]) => {
    const model = join(folderWith({ model: "no model" }), "model");
    const { err } = await arcwise(["parse", "--model", model, "--threads", String(threads), ...more]);
    return err.split("\n").filter((line) => line.includes("cores"));
  };

  test("uses at most one thread per core, and says so", async () => {
    expect(await run(cores + 5)).toEqual([
      `this machine has ${cores} cores: parsing on ${cores} threads, not ${cores + 5} (--force-threads)`,
    ]);
    expect(await run(cores)).toEqual([]);
  });

  test("uses more threads when that is forced", async () => {
    expect(await run(cores + 5, "--force-threads")).toEqual([]);
  });
});

test.each([
  [0, 1],
  [399_999, 1],
  [400_000, Math.min(2, cores)],
  [Infinity, cores],
])("input of %d bytes is worth threads", (length, expected) => {
  const io = { responsive: true } as Io;
  expect(threadsToUse(io, {}, length)).toBe(expected);
  expect(threadsToUse(io, { threads: 1 }, length)).toBe(1);
});

/** A command that creates a temporary file when it is asked to stop, and ends as `ending` says; call 0 runs it. */
const command = (path: string, ending: string) => `
  import { writeFileSync } from "node:fs";
  import { parentPort } from "node:worker_threads";
  const path = ${JSON.stringify(path)};
  const send = (id, kind, members) =>
    parentPort.postMessage({ arcwise: "call", body: { id, kind, ...members } });
  // Messages of modules that the command loads.
  for (const odd of ["hello", null, { id: 0, kind: "result", result: 0 }]) parentPort.postMessage(odd);
  send(0, "call", { name: "outputs", input: { temporaries: [path] } });
  parentPort.on("message", ({ body }) => {
    if (body.name !== "stop") return;
    writeFileSync(path, "half");
    ${ending}
  });
  send(1, "call", { name: "write", input: { stream: "stdout", bytes: new Uint8Array([46]) } });
`;

test.each([
  ["ends by itself", 'send(0, "result", { result: 130 });', 130],
  ["goes on until it is ended", "setInterval(() => {}, 1000);", 130],
  ["computes without an end", "for (;;) {}", 130],
  ["fails", 'throw new Error("no memory");', 3],
])("a command that is stopped and %s leaves no temporary file", async (_, ending, expected) => {
  const folder = temporaryFolder();
  const thread = join(folder, "command.mjs");
  writeFileSync(thread, command(join(folder, ".out.tmp"), ending));
  let started = () => {};
  const hasStarted = new Promise<void>((resolve) => {
    started = resolve;
  });
  const streams = { stdin: Readable.from([]), stdout: sink(() => started()), stderr: sink() };
  const running = superviseCommand([], streams, pathToFileURL(thread));
  await hasStarted;
  running.stop();
  expect(await running.code).toBe(expected);
  expect(readdirSync(folder)).toEqual(["command.mjs"]);
});

test.each<[string, boolean]>([
  ["parse --model m", true],
  ["train --train parse", false],
  ["", false],
])("the main thread runs the commands that compute in others: %s", (line, expected) => {
  expect(isResponsive(line.split(" "))).toBe(expected);
});
