import { createRequire } from "node:module";
import { expect, it } from "vitest";

const { getReleaseLine, getDependencyReleaseLine } = createRequire(import.meta.url)("../changelog.cjs") as {
  getReleaseLine(changeset: { summary: string }): Promise<string>;
  getDependencyReleaseLine(): Promise<string>;
};

it("an entry of a change log is a list item of at most 110 characters a line, code unbroken", async () => {
  const code = "`decodeWithReport(problem, {\nparts: true })`";
  const summary = `${"word ".repeat(19)}${code}, and more.\n\nA second paragraph.\n\n- one\n- two\n`;
  const lines = (await getReleaseLine({ summary })).split("\n");
  expect(lines).toEqual([
    `- ${"word ".repeat(19).trim()}`,
    "  `decodeWithReport(problem, { parts: true })`, and more.",
    "",
    "  A second paragraph.",
    "",
    "  - one",
    "  - two",
  ]);
});

it("updates of dependencies are not listed, since all packages have one version", async () => {
  expect(await getDependencyReleaseLine()).toBe("");
});
