import { readFileSync } from "node:fs";
import { expect, it, vi } from "vitest";

it("the example of sums over trees runs and prints what the README says", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const example = readFileSync(new URL("readme-sums-example.ts", import.meta.url), "utf8");
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\`\n`);
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    await import("./readme-sums-example.ts");
    const promised = [...example.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map((match) => match[1]);
    expect(promised.length).toBeGreaterThan(5);
    expect(log.mock.calls.map((call) => String(call[0]))).toEqual(promised);
  } finally {
    log.mockRestore();
  }
});
