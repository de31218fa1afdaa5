import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";

test.each([
  ["readme-example.ts", 6, () => import("./readme-example.ts")],
  ["graph-example.ts", 5, () => import("./graph-example.ts")],
])("the example %s of the README runs and prints what it says", async (name, lines, load) => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const example = readFileSync(new URL(name, import.meta.url), "utf8");
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\`\n`);
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    await load();
    const promised = [...example.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map((match) => match[1]);
    expect(promised).toHaveLength(lines);
    expect(log.mock.calls.map((values) => values.join(" "))).toEqual(promised);
  } finally {
    log.mockRestore();
  }
});
