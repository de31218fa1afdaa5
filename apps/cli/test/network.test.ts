import { expect, test } from "vitest";
import { inFolder, settings, treebank, UNPRUNED } from "./support.ts";

test("parser.network.units trains a model with a network, which parses", async () => {
  const { run } = inFolder({ train: treebank });
  const line =
    "train --for tagged --preset linear --verbose --train @train --model @model --epochs 1 --threads 1";
  const network = settings({ parser: { network: { epochs: 3, weight: 0.4 } } });
  const trained = await run(`${line} --settings parser.network.units=8`, ...UNPRUNED, ...network);
  expect(trained.err).toMatch(/^network 3\/3: loss per word \d\.\d+$/m);
  expect(trained.code).toBe(0);
  const parsed = await run("parse --model @model @train");
  expect(parsed.code).toBe(0);
  expect(parsed.out.split("\n\n").length).toBe(treebank.split("\n\n").length);
  const info = JSON.parse((await run("info --json @model")).out);
  expect(info).toMatchObject({ network: { units: 8, epochs: 3, weight: 0.4 }, pruning: false });
});

test.each([["--for", "tagged"], settings({ jackknife: 2 })])(
  "--vectors gives words the vectors of a file, in the model: %s %s",
  async (...more) => {
    const { run } = inFolder({
      train: treebank,
      vectors: "4 2\ncats 1 2\nseen 0 1\nbefore 1 0\nnever 1 1\n",
    });
    const short = settings({
      parser: { epochs: 1, network: { units: 8, epochs: 1 } },
      vectors: { limit: 2, minPrefix: 3 },
    });
    const line = "train --train @train --model @model --vectors @vectors --threads 1";
    expect(await run(line, ...short, ...more)).toMatchObject({ code: 0 });
    const info = JSON.parse((await run("info --json @model")).out);
    const { network } = info.parser ?? info;
    expect(network.vectors).toMatchObject({ words: 3, beginnings: 3 });
    expect((await run("parse --model @model @train")).code).toBe(0);
  },
);
