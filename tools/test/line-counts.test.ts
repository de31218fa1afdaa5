import { expect, test } from "vitest";
import { aboveCeilings, lineCounts } from "../line-counts.mjs";

test("no room has more lines than its ceiling in tools/line-ceilings.json", () => {
  expect(aboveCeilings(lineCounts())).toEqual([]);
});

test("lines above a ceiling, and of a room without one, are reported", () => {
  const room = { source: 9, tests: 5, markdown: 0 };
  const above = ["apps/b: 9 lines of source", "apps/b: 5 lines of tests", "apps/a: 9 lines of source"];
  expect(aboveCeilings({ "apps/b": room, "apps/a": room }, { "apps/a": { ...room, source: 8 } })).toEqual(
    above,
  );
});
