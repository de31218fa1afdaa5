import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, test } from "vitest";
import { recipeNames } from "../models/recipe.mjs";

const folder = fileURLToPath(new URL("../../.github/workflows", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Readonly<Record<string, string>>;
};

test("the release trains and publishes the models of all recipes but the English ones, which the repository keeps", () => {
  const text = readFileSync(join(folder, "release.yml"), "utf8");
  const [, list] = /\n {8}model:\n((?: {10}- \w+\n)+)/.exec(text) ?? [];
  const models = [...list!.matchAll(/- (\w+)/g)].map(([, model]) => model);
  expect(models).toEqual(recipeNames().filter((name) => !name.startsWith("english")));
});

describe.each(readdirSync(folder))("%s", (name) => {
  const text = readFileSync(join(folder, name), "utf8");

  it("pins every action by the hash of a commit, with its version", () => {
    const actions = [...text.matchAll(/uses: (.*)$/gm)].map(([, action]) => action!);
    expect(actions.length).toBeGreaterThan(1);
    for (const action of actions) expect(action).toMatch(/^[\w.-]+\/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it("runs scripts that exist", () => {
    const run = [...text.matchAll(/npm (?:run ([\w:-]+)|(test))\b/g)].map(
      ([, script, test]) => script ?? test!,
    );
    expect(run.length).toBeGreaterThan(1);
    for (const script of run) expect(Object.keys(scripts)).toContain(script);
  });
});
