import { readFileSync } from "node:fs";
import { afterEach, expect, it, vi } from "vitest";

const EXAMPLES = {
  solver: () => import("./readme-solver-example.ts"),
  own: () => import("./readme-own-example.ts"),
};

afterEach(() => {
  vi.restoreAllMocks();
});

it.each(Object.entries(EXAMPLES))(
  "the example of the README on %s runs and prints what it says",
  async (name, run) => {
    const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
    const example = readFileSync(new URL(`readme-${name}-example.ts`, import.meta.url), "utf8");
    expect(readme).toContain(`\`\`\`ts\n${example}\`\`\`\n`);
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    await run();
    const promised = [...example.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map((match) => match[1]);
    expect(log.mock.calls.map((values) => values.join(" "))).toEqual(promised);
  },
);
