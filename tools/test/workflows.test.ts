import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const folder = fileURLToPath(new URL("../../.github/workflows", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Readonly<Record<string, string>>;
};

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
