// @module-tag slow
import { spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { temporaryFolder, withServer } from "./support.ts";

/* The examples of the guide that other programs than Node run: each is skipped without its program. */
const GUIDE = readFileSync(new URL("../../../docs/guide/server.md", import.meta.url), "utf8");
const folder = temporaryFolder();
writeFileSync(join(folder, "letters.txt"), "Ann sings now. Bob sleeps here.\n");
writeFileSync(
  join(folder, "words.conllu"),
  "1\tCats\t_\tNOUN\t_\t_\t_\t_\t_\t_\n2\trun\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n",
);

const server = withServer();

/** Returns the first example in a language, for the server of the test. */
function example(language: string): string {
  const code = GUIDE.split(`\`\`\`${language}\n`)[1]!.split("```")[0]!;
  return code.replaceAll("http://localhost:8080", server.server.url);
}

async function run(program: string, args: readonly string[], input: string) {
  const child = spawn(program, args, { cwd: folder });
  child.stdin.end(input);
  const status = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), status]);
  expect({ err, code }).toMatchObject({ code: 0 });
  return out;
}

const runs = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;

test.skipIf(!runs("python3", "-c", "import requests"))("Python", async () => {
  const lines = (await run("python3", ["-"], example("python"))).trimEnd().split("\n");
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^\[\('Ann', 2, 'nsubj'\), \('sings', 0, 'root'\)/);
});

test.skipIf(!runs("Rscript", "-e", "library(httr2)"))("R", async () => {
  const printed = await run("Rscript", ["-"], example("r"));
  expect(printed).toMatch(/form\s+upos\s+head\s+deprel/);
  expect(printed).toContain("Dogs");
});

test.skipIf(!runs("curl", "--json", "{}", "--version"))("curl", async () => {
  const printed = await run("sh", ["-e"], example("sh"));
  expect(printed).toMatch(/^\{"model":/);
  expect(printed).toMatch(/^1\tCats\t_\tNOUN\t/m);
});
