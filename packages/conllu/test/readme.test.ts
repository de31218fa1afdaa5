import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as conllu from "@arcwise/conllu";
import { describe, expect, it } from "vitest";

const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");

describe("the README", () => {
  it("has an example that prints what it says", () => {
    const code = /```ts\n(.*?)```/s.exec(readme)![1]!;
    const stated = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map((match) =>
      JSON.parse(match[1]!),
    );
    const body = code.replace(/^import (\{.*\}) from "@arcwise\/conllu";$/m, "const $1 = conllu;");
    const printed: unknown[] = [];
    const run = new Function("conllu", "console", body);
    run(conllu, { log: (value: unknown) => printed.push(value) });
    expect(printed).toEqual(stated);
    expect(stated).toHaveLength(5);
  });

  it("lists every rule with its level", () => {
    const rows = Object.entries(conllu.RULES).map(
      ([name, rule]) => `| \`${name}\` | ${rule.level} | ${rule.refused ? "yes" : ""} | ${rule.says} |`,
    );
    expect(readme).toContain(rows.join("\n"));
  });

  it("names every function", () => {
    for (const [name, value] of Object.entries(conllu)) {
      if (typeof value === "function") expect(readme).toContain(name);
    }
  });
});
