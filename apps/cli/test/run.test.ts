import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { arcwise, temporaryFolder } from "./support.ts";

describe("help", () => {
  test("names every command and the exit codes", async () => {
    const { code, out, err } = await arcwise(["--help"]);
    expect(code).toBe(0);
    expect(err).toBe("");
    for (const command of ["train", "parse", "evaluate", "validate", "info"])
      expect(out).toContain(`\n  ${command} `);
    expect(out).toContain("Exit codes: 0 done; 1 ");
  });

  test.each([
    [
      "train",
      ["--train", "--dev", "--model", "--decoder", "--order", "--learner", "--epochs", "--seed", "--resume"],
    ],
    ["parse", ["--model", "--output", "--threads"]],
    ["evaluate", ["--json", "--multiple-roots"]],
    ["validate", ["--level"]],
    ["info", ["--json"]],
  ])("of %s names its options", async (command, options) => {
    const { code, out } = await arcwise([command, "--help"]);
    expect(code).toBe(0);
    for (const option of options) expect(out).toContain(option);
  });
});

describe("a wrong command line ends with code 2 and says what is wrong", () => {
  test.each([
    ["no command", [], "Usage: arcwise"],
    ["an unknown command", ["analyse"], "unknown command 'analyse'"],
    ["an unknown option", ["info", "m", "--fast"], "unknown option '--fast'"],
    ["a missing option", ["parse", "in.conllu"], "required option '--model <file>' not specified"],
    ["a missing argument", ["evaluate", "gold.conllu"], "missing required argument 'system'"],
    ["too many arguments", ["info", "a", "b"], "too many arguments"],
    [
      "an unknown decoder",
      ["train", "--train", "a", "--model", "m", "--decoder", "magic"],
      "Allowed choices are mst, eisner",
    ],
    ["an unknown order", ["train", "--train", "a", "--model", "m", "--order", "7"], "Allowed choices are"],
    [
      "parts that the decoder cannot score",
      ["train", "--train", "a", "--model", "m", "--order", "2"],
      "--order 2 needs another decoder",
    ],
    [
      "epochs that are no number",
      ["train", "--train", "a", "--model", "m", "--epochs", "many"],
      "an integer >= 1",
    ],
    [
      "epochs that are hexadecimal",
      ["train", "--train", "a", "--model", "m", "--epochs", "0x10"],
      "an integer >= 1",
    ],
    ["no epochs", ["train", "--train", "a", "--model", "m", "--epochs", "0"], "an integer >= 1"],
    [
      "a seed that is too large",
      ["train", "--train", "a", "--model", "m", "--seed", "9".repeat(20)],
      "an integer >= 0",
    ],
    ["too many threads", ["parse", "--model", "m", "--threads", "9999"], "an integer from 1 to 1024"],
    ["a model on the standard output", ["train", "--train", "a", "--model", "-"], "--model must be a file"],
    ["the standard input twice", ["evaluate", "-", "-"], "only one of the two files"],
  ])("%s", async (_what, argv, message) => {
    const { code, out, err } = await arcwise(argv);
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(out).toBe("");
  });
});

describe("an error", () => {
  test("is one line without a stack trace", async () => {
    const path = join(temporaryFolder(), "missing.conllu");
    const { code, err } = await arcwise(["evaluate", path, path]);
    expect(code).toBe(1);
    expect(err).toBe(`arcwise: ${path}: no such file or directory\n`);
  });

  test("shows its stack trace when asked to", async () => {
    const path = join(temporaryFolder(), "missing.conllu");
    const { code, err } = await arcwise(["evaluate", path, path], { env: { ARCWISE_DEBUG: "1" } });
    expect(code).toBe(1);
    expect(err).toMatch(/^ {4}at /m);
  });

  test("in the data names file, line, what was expected and what was found", async () => {
    const path = join(temporaryFolder(), "bad.conllu");
    writeFileSync(path, "# sent_id = s1\n1\tone\n\n");
    const { code, err } = await arcwise(["evaluate", path, path]);
    expect(code).toBe(1);
    expect(err).toContain(`${path}:2: sentence s1: `);
    expect(err).toMatch(/expected .*10.*, found .*2/);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
  });
});
