import { test } from "vitest";
import { run } from "../src/run.ts";
import { expectResumed, type ResumedCommand } from "./resuming.ts";

const timing = ["--time", "1"];

test.each<ResumedCommand>([
  {
    command: "decoders",
    options: () => [
      ...["--decoder", "mst", "eisner", "--set", "dense", "--length", "5", "--no-operations"],
      ...timing,
    ],
    unit: /dense: ([\w-]+), 5 words/,
  },
  {
    command: "learners",
    options: ({ treebank }) => ["--treebank", treebank, "--sentences", "3", "--epochs", "1"],
    unit: /training: (.+)/,
  },
])(
  "$command resumes after an interruption, and writes contestants",
  { timeout: 120_000 },
  async (command) => {
    const runParser = () => Promise.reject(new Error("not here"));
    await expectResumed((io) => run({ ...io, runParser }), command);
  },
);
