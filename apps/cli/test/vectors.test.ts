import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { arcwise, folderWith, settings, treebank } from "./support.ts";

test("vectors of a lexicon say which attributes words have; train reads them", async () => {
  const lexicon = "dog\tdogs\tN;PL\ndog\tdog\tN;SG\nrun\truns\tV;3;SG\nrun\tdogs\tV\n";
  const folder = folderWith({ lexicon, train: treebank });
  const path = (name: string) => join(folder, name);
  const run = (...options: string[]) => arcwise(["vectors", "--out", path("out"), ...options]);
  expect(await run("--lexicon", path("lexicon"), "--min-count", "2")).toMatchObject({
    code: 0,
    err: "wrote vectors of 3 words: 3 attributes\n",
  });
  expect(readFileSync(path("out"), "utf8")).toBe("3 3\ndogs 1 0 1\ndog 1 1 0\nruns 0 1 1\n");
  const short = settings({ preset: "linear", parser: { epochs: 1, network: { units: 8, epochs: 1 } } });
  const options = [...short, "--threads", "1"];
  const files = ["--train", path("train"), "--model", path("model"), "--vectors", path("out")];
  expect((await arcwise(["train", "--for", "tagged", ...files, ...options])).code).toBe(0);
});
