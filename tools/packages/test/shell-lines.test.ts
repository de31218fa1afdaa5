import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type ShellLine, shellLines } from "../../src/shell-lines.ts";
import { ROOT } from "../project.ts";
import { readersFiles } from "../shell-files.ts";
import { cloneSources, needsClone, runPage } from "../shell-pages.ts";

/** Lines that are not run, by the reason. Their commands and options are checked: `tools/test/shell-lines.test.ts`. */
const LISTED: readonly (readonly [reason: string, pattern: RegExp])[] = [
  ["npm has the packages after the first release", /^npm install (?:--\S+ )*(?:arcwise|@arcwise)\b/],
  ["downloads packages", /^pip |^(?:\w+=\S+ )?npm install .*(?:onnxruntime|wink-)|--no-frozen-lockfile/],
  [
    "downloads a treebank, and trains for an hour",
    /npm run model -- .*--fetch|reports\/models\/french|parse french/,
  ],
  [
    "a treebank that a clone lacks",
    /path\/to\/|npm run model -- .*--treebank|packages\/cluster\/test|--corpus|--data DIR|tokenizer\.mjs|measure\.mjs/,
  ],
  ["the lists of another repository", /--lists tools\/data/],
  ["vectors that a Python script computes", /--encoder vectors$/],
  ["a server of a queue", /redis:|npm run trials|docker compose|ARCWISE_QUEUE_PASSWORD/],
  ["figures of two measurements", /bench -- diff/],
  ["Slurm", /^sbatch /],
  ["a program of others", /udpipe2_client/],
  ["continuous integration runs it", /^npm (?:test\b|run (?:check|test:slow|test:packages|release:dry)\b)/],
  [
    "other tests run it: site.test.ts, new-decoder.test.ts",
    /^npm run site\b|\bbeam-search|decode-beam-search/,
  ],
  ["a release", /^npm run (?:cut-version|release)\b/],
  ["does not end", /^npx vitest packages/],
  [
    "minutes",
    /fuzz -- |planted-faults|vitest run |server\/test\/load\.mjs|pictures\.mjs|npm run experiments|npm run bench -- (?:all|fuzz|learners)/,
  ],
];

const reasonOf = ({ command }: ShellLine) => LISTED.find(([, pattern]) => pattern.test(command))?.[0];

/** All documents but the change logs and the notes, which tell of their time, with their lines. */
const pages = execFileSync("git", ["ls-files", "*.md"], { cwd: ROOT, encoding: "utf8" })
  .split("\n")
  .filter((path) => path !== "" && !/CHANGELOG|^docs\/notes\/|^\.changeset\//.test(path))
  .map((path) => ({ path, lines: shellLines(path, readFileSync(join(ROOT, path), "utf8")) }));
const all = pages.flatMap(({ lines }) => lines);

const folder = mkdtempSync(join(tmpdir(), "arcwise-lines-"));
const faults = new Map<ShellLine, string>();

beforeAll(async () => {
  const { folder: installed } = inject("project");
  const ground = { folder, installed, supply: readersFiles(join(folder, "files"), installed) };
  cloneSources(ground);
  // Pages with lines for the clone change it, and are followed one after another, next to the other pages.
  const follow = async (isOfClone: boolean) => {
    for (const { path, lines } of pages) {
      const run = lines.filter((line) => reasonOf(line) === undefined);
      if (run.length === 0 || needsClone(path, run) !== isOfClone) continue;
      for (const [line, fault] of await runPage(ground, path, run)) faults.set(line, fault);
    }
  };
  await Promise.all([follow(true), follow(false)]);
}, 1_800_000);

afterAll(() => rmSync(folder, { recursive: true, maxRetries: 5 }));

test.each(LISTED)("a line is not run: %s", (reason) => {
  expect(all.filter((line) => reasonOf(line) === reason)).not.toEqual([]);
});

test.each(
  all
    .filter((line) => reasonOf(line) === undefined)
    .map((line) => [`${line.path}:${line.number}: ${line.command}`, line] as const),
)("%s", (_, line) => {
  expect(faults.get(line)).toBe("");
});
