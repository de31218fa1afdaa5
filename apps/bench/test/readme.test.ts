import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FRONT_FILES, frontFiles, frontPicture, recordedFront } from "../src/report/front.ts";
import { commandsOf } from "./commands-of.ts";
import { bench } from "./support.ts";

const commands = ["../README.md", "../../../docs/reference/bench.md"].flatMap((file) =>
  commandsOf(new URL(file, import.meta.url), "bench"),
);

test("the documents have commands", () => {
  expect(commands.length).toBeGreaterThan(12);
});

test.each(commands)("$line has existing options", async ({ name, options }) => {
  const { code, out } = await bench([name, "--help"]);
  expect(code).toBe(0);
  for (const option of options) expect(out).toContain(`  ${option} `);
});

test("the table of the README and the picture are from the recorded data", async () => {
  const data = recordedFront()!;
  const { readme, picture } = frontFiles(data);
  expect(readFileSync(FRONT_FILES.readme, "utf8")).toBe(readme);
  await expect(picture).toMatchFileSnapshot(FRONT_FILES.picture);
});

test("the picture of the front page has all figures, and changes with them", () => {
  const data = recordedFront()!;
  const [first, ...others] = data.treebanks;
  const [fastest, ...slower] = first!.decoders;
  const changed = {
    ...data,
    treebanks: [{ ...first!, decoders: [{ ...fastest!, optimal: 0 }, ...slower] }, ...others],
  };
  expect(frontPicture(changed)).not.toBe(frontPicture(data));
  for (const { decoder } of first!.decoders) expect(frontPicture(data)).toContain(decoder.split(" ")[0]);
});

test("compare --front is for whole splits", async () => {
  const argv = ["compare", "--front", "--quick", "--model", "m", "--treebank", "t"];
  const { code, err } = await bench(argv);
  expect(code).toBe(2);
  expect(err).toContain("--front is for whole splits");
});
