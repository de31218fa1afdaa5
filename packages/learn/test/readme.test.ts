import { readFileSync } from "node:fs";
import { expect, it, vi } from "vitest";

it("the example of the README runs and prints what it says", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const example = readFileSync(new URL("readme-example.ts", import.meta.url), "utf8");
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\`\n`);
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    await import("./readme-example.ts");
    const printed = log.mock.calls.map((values) => values.join(" ")).join("\n");
    expect(readme).toContain(`\`\`\`text\n${printed}\n\`\`\`\n`);
    expect(log).toHaveBeenCalledTimes(8);
  } finally {
    log.mockRestore();
  }
});
