import { expect, test } from "vitest";
import { inFolder, settings, treebank } from "./support.ts";

test("vectors of a lexicon say which attributes words have; train reads them", async () => {
  const lexicon = "dog\tdogs\tN;PL\ndog\tdog\tN;SG\nrun\truns\tV;3;SG\nrun\tdogs\tV\n";
  const { run, text } = inFolder({ lexicon, train: treebank });
  expect(await run("vectors --out @out --lexicon @lexicon --min-count 2")).toMatchObject({
    code: 0,
    err: "wrote vectors of 3 words: 3 attributes\n",
  });
  expect(text("out")).toBe("3 3\ndogs 1 0 1\ndog 1 1 0\nruns 0 1 1\n");
  const short = settings({ preset: "linear", parser: { epochs: 1, network: { units: 8, epochs: 1 } } });
  const line = "train --for tagged --train @train --model @model --vectors @out --threads 1";
  expect((await run(line, ...short)).code).toBe(0);
});
