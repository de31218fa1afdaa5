import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as conllu from "@arcwise/conllu";
import { describe, expect, it } from "vitest";

const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");

describe("the README", () => {
  const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map((match) => match[1]!);

  it.each([
    [0, 5],
    [1, 4],
    [2, 1],
  ])("has an example %i that prints the %i lines that it says", (example, lines) => {
    const code = examples[example]!;
    const stated = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map((match) =>
      JSON.parse(match[1]!),
    );
    const body = code
      .replace(/^import (\{.*\}) from "@arcwise\/conllu";$/gm, "const $1 = conllu;")
      .replaceAll("[0]!", "[0]");
    const printed: unknown[] = [];
    const run = new Function("conllu", "console", body);
    run(conllu, { log: (...values: unknown[]) => printed.push(values.length === 1 ? values[0] : values) });
    expect(printed).toEqual(stated);
    expect(stated).toHaveLength(lines);
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
