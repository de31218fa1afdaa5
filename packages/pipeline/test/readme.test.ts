import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";

test("the example of the README runs and prints what it says", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const example = readFileSync(new URL("readme-example.ts", import.meta.url), "utf8");
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\`\n`);
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    await import("./readme-example.ts");
    const promised = [...example.matchAll(/^\/\/ (.*\/2.*|# text = .*)$/gm)].map((match) => match[1]);
    expect(promised).toHaveLength(4);
    expect(log.mock.calls.map((values) => values.join(" "))).toEqual(promised);
  } finally {
    log.mockRestore();
  }
});
