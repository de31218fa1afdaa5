import { readFileSync } from "node:fs";
import { expect, it, vi } from "vitest";

it("the example of projective trees with parts runs and prints what the README says", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const example = readFileSync(new URL("readme-projective-example.ts", import.meta.url), "utf8");
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\`\n`);
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    await import("./readme-projective-example.ts");
    const promised = [...example.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map((match) => match[1]);
    expect(promised.length).toBe(4);
    expect(log.mock.calls.map((call) => call.join(" "))).toEqual(promised);
  } finally {
    log.mockRestore();
  }
});
