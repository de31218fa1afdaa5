import { join } from "node:path";
import { expect, test } from "vitest";
import { arcwise, folderWith, settings, TRAIN_PARSER, treebank, UNPRUNED } from "./support.ts";

test("parser.network.units trains a model with a network, which parses", async () => {
  const folder = folderWith({ train: treebank });
  const [file, model] = [join(folder, "train"), join(folder, "model")];
  const options = ["--train", file, "--model", model, "--epochs", "1", ...UNPRUNED, "--threads", "1"];
  const network = [
    "--settings",
    "parser.network.units=8",
    ...settings({ parser: { network: { epochs: 3, weight: 0.4 } } }),
  ];
  const trained = await arcwise([...TRAIN_PARSER, ...options, ...network]);
  expect(trained.err).toMatch(/^network 3\/3: loss per word \d\.\d+$/m);
  expect(trained.code).toBe(0);
  const parsed = await arcwise(["parse", "--model", model, file]);
  expect(parsed.code).toBe(0);
  expect(parsed.out.split("\n\n").length).toBe(treebank.split("\n\n").length);
  const info = JSON.parse((await arcwise(["info", "--json", model])).out);
  expect(info).toMatchObject({ network: { units: 8, epochs: 3, weight: 0.4 }, pruning: false });
});

test.each([["--for", "tagged"], settings({ jackknife: 2 })])(
  "--vectors gives words the vectors of a file, in the model: %s %s",
  async (...more) => {
    const folder = folderWith({
      train: treebank,
      vectors: "4 2\ncats 1 2\nseen 0 1\nbefore 1 0\nnever 1 1\n",
    });
    const [file, model] = [join(folder, "train"), join(folder, "model")];
    const files = ["--train", file, "--model", model, "--vectors", join(folder, "vectors")];
    const short = settings({
      parser: { epochs: 1, network: { units: 8, epochs: 1 } },
      vectors: { limit: 2, minPrefix: 3 },
    });
    expect(await arcwise(["train", ...files, "--threads", "1", ...short, ...more])).toMatchObject({
      code: 0,
    });
    const info = JSON.parse((await arcwise(["info", "--json", model])).out);
    const { network } = info.parser ?? info;
    expect(network.vectors).toMatchObject({ words: 3, beginnings: 3 });
    expect((await arcwise(["parse", "--model", model, file])).code).toBe(0);
  },
);
