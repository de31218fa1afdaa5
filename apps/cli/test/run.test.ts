import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { COMMANDS, groupOf } from "../src/commands/groups.ts";
import { arcwise, folderWith, stepless, temporaryFolder, wordsOf } from "./support.ts";

const EXAMPLES = await helpExamples();

describe("help", () => {
  test("names every command and the exit codes, with --all in a list", async () => {
    for (const argv of [["--help"], ["--help", "--all"], ["help"], []]) {
      const { code, out, err } = await arcwise(argv);
      expect(code).toBe(argv.length === 0 ? 2 : 0);
      const help = argv.length === 0 ? err : out;
      for (const command of Object.keys(COMMANDS)) expect(help).toMatch(new RegExp(`\\b${command}\\b`));
      expect(help).toContain("Exit codes: 0 done");
    }
    expect((await arcwise(["--help", "--all"])).out).toMatch(/^Training:\n {2}train +train a pipeline/m);
  });

  test.each([["--help"], ...Object.keys(COMMANDS).map((name) => [name, "--help"])])(
    "fits on a screen: %s",
    async (...argv) => {
      const { code, out } = await arcwise(argv);
      const lines = out.trimEnd().split("\n");
      expect([code, lines.filter((line) => line.length > 80)]).toEqual([0, []]);
      expect(lines.length).toBeLessThanOrEqual(30);
    },
  );

  test.each(EXAMPLES)("has examples that are command lines: %s", async (line) => {
    // A small file in place of the package, which takes a second to read.
    const before = process.cwd();
    process.chdir(folderWith({ english: stepless }));
    try {
      const words = wordsOf(line);
      // Machines need a server and a store.
      const isLocal = groupOf(words[1]!) !== "Machines";
      expect((await arcwise(isLocal ? words.slice(1) : [words[1]!, "--help"])).code).not.toBe(2);
    } finally {
      process.chdir(before);
    }
  });
});

/** The examples of the help of the program and of its commands. */
async function helpExamples(): Promise<string[]> {
  const paths = [[], ["search"], ["parse"], ["run"], ["train"], ["vectors"]];
  const helps = await Promise.all(paths.map((path) => arcwise([...path, "--help"])));
  const lines = helps.flatMap(({ out }) => [...out.matchAll(/^ {2}(arcwise .*)$/gm)]);
  return lines.map(([, line]) => line!.replace(/ {2,}.*$/, ""));
}

test("--version prints the version of the package", async () => {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  expect(await arcwise(["--version"])).toMatchObject({ code: 0, out: `${version}\n`, err: "" });
});

test.each([
  ["slurm", ["#SBATCH --array=0-3", `"$SLURM_ARRAY_TASK_ID/4"`, "'/a b/$store'"]],
  ["kubernetes", ["completions: 4", `"$(JOB_COMPLETION_INDEX)/4"`, `mountPath: "/a b/$store"`]],
  ["make", ["process-3:", "3/4", "'/a b/$$store'"]],
])("plan --for %s starts each process", async (format, parts) => {
  const training = ["train", "--train", "t", "--model", "m", "--store", "/a b/$store"];
  const { out } = await arcwise(["plan", "--for", format, "--processes", "4", "--", ...training]);
  for (const part of parts) expect(out).toContain(part);
});

describe("an error", () => {
  test("escapes the control characters of file names and options", async () => {
    const bell = "no\u001b[31m\u0007\n.conllu";
    const { err } = await arcwise(["evaluate", bell, bell]);
    expect(err).toBe("arcwise: no\\u001b[31m\\u0007\\u000a.conllu: no such file or directory\n");
    const option = await arcwise(["parse", "--\u001b[2J"]);
    expect(option.err).toContain("unknown option '--\\u001b[2J'");
  });

  test("is shorter than a screen, however long the name of the file is", async () => {
    const { code, err } = await arcwise(["evaluate", "a/".repeat(50_000), "b"]);
    expect(code).toBe(1);
    expect(err.length).toBeLessThan(1100);
    expect(err).toMatch(/^arcwise: a\/.* \[\.\.\.\] .*: the file name is too long\n$/);
  });

  test("shows its stack trace when asked to", async () => {
    const path = join(temporaryFolder(), "missing.conllu");
    const { code, err } = await arcwise(["evaluate", path, path], { env: { ARCWISE_DEBUG: "1" } });
    expect(code).toBe(1);
    expect(err).toMatch(/^ {4}at /m);
  });
});
