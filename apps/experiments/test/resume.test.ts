// @module-tag slow
import { expectResumed, type ResumedCommand } from "@arcwise/bench/testing";
import { test } from "vitest";
import { run } from "../src/run.ts";

test.each<ResumedCommand>([
  {
    command: "maxent",
    options: () => ["--corpus", "conll2000", "--method", "cd", "lbfgs", "--iterations", "2"],
    unit: /conll2000: ([\w-]+) \d+, /,
  },
  {
    command: "mixing",
    options: ({ treebank }) => ["--no-names", "--treebank", treebank, "--epochs", "1"],
    unit: /order 1\): (.+)/,
  },
  {
    command: "sequences",
    options: ({ data }) => ["--data", data, "--model", "perceptron"],
    unit: /chunking: (.+), epoch/,
  },
  {
    command: "ad3",
    options: async ({ treebank, model }) => [
      ...["--model", await model(3), "--treebank", treebank, "--sentences", "4", "--bound-sentences", "1"],
    ],
    unit: /UD_Small: (?!scoring)(.+)/,
  },
  {
    command: "climb",
    options: async ({ treebank, model }) => [
      ...["--model", await model(3), "--treebank", treebank, "--sentences", "4"],
      ...["--restarts", "1", "2", "--milliseconds", "0.01"],
    ],
    unit: /UD_Small: (?!scoring)(.+)/,
  },
  {
    command: "paths",
    options: ({ treebank }) => ["--treebank", treebank, "--order", "1"],
    unit: /paths of the (.+)/,
  },
  {
    command: "optimality",
    options: ({ treebank }) => ["--treebank", treebank, "--order", "1"],
    unit: /(sentences .+)/,
  },
  {
    command: "condition",
    options: ({ treebank }) => [
      ...["--treebank", treebank, "--order", "1"],
      ...["--losses", "(1)", "(2) alone, climbs and random"],
    ],
    unit: /seed (\d, [^:]+)/,
  },
  {
    command: "collins",
    options: () => ["--cutoff", "0"],
    unit: /CoNLL-2000: (\w+), cut-off 0/,
  },
  {
    command: "sweeps",
    options: () => ["--corpus", "conll2000"],
    unit: /scgis to (.+)/,
  },
  {
    command: "generalisation",
    options: () => ["--examples", "4", "--samples", "2", "--tested", "5"],
    unit: /simulating: (.+)/,
  },
])(
  "$command --quick resumes after an interruption, and writes contestants",
  { timeout: 120_000 },
  (command) => expectResumed(run, command),
);
