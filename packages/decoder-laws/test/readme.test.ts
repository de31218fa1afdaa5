import { readFileSync } from "node:fs";
import { GRAPH_LAW_NAMES, LAW_NAMES } from "@arcwise/decoder-laws";
import { expect, it, vi } from "vitest";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

it("the example of the README runs and prints what the README says", async () => {
  const example = readFileSync(new URL("readme-example.ts", import.meta.url), "utf8");
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\`\n`);
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    await import("./readme-example.ts");
    const printed = log.mock.calls.map((values) => `    ${values.join(" ")}\n`).join("");
    expect(printed).not.toBe("");
    expect(readme).toContain(`It prints\n\n${printed}\n`);
  } finally {
    log.mockRestore();
  }
});

it("the README lists every law, of trees and of graphs", () => {
  const listed = [...readme.matchAll(/^\| `([a-z-]+)` \| /gm)].map((match) => match[1]);
  expect(listed).toEqual([...LAW_NAMES, ...GRAPH_LAW_NAMES]);
});
