import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";

test("the parsing example runs and prints what the README says", async () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const example = readFileSync(new URL("readme-parsing-example.ts", import.meta.url), "utf8");
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\`\n`);
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    await import("./readme-parsing-example.ts");
    const promised = [...example.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map((match) => match[1]);
    expect(promised).toHaveLength(2);
    expect(log.mock.calls.map((call) => call.join(" "))).toEqual(promised);
  } finally {
    log.mockRestore();
  }
});
