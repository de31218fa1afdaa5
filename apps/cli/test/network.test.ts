import { join } from "node:path";
import { expect, test } from "vitest";
import { arcwise, folderWith, TRAIN_PARSER, trainWith, treebank } from "./support.ts";

test("--network trains a model with a network, which parses", async () => {
  const folder = folderWith({ train: treebank });
  const [file, model] = [join(folder, "train"), join(folder, "model")];
  const options = ["--train", file, "--model", model, "--epochs", "1", "--no-prune"];
  const trained = await arcwise([
    ...TRAIN_PARSER,
    ...options,
    ...["--network", "8", "--network-epochs", "3", "--network-weight", "0.4"],
    ...["--threads", "1"],
  ]);
  expect(trained.err).toMatch(/^network 3\/3: loss \d\.\d{3}$/m);
  expect(trained.code).toBe(0);
  const parsed = await arcwise(["parse", "--model", model, file]);
  expect(parsed.code).toBe(0);
  expect(parsed.out.split("\n\n").length).toBe(treebank.split("\n\n").length);
  const info = await arcwise(["info", model]);
  expect(info.out).toMatch(/^network units: 8$/m);
  expect(info.out).toMatch(/^network epochs: 3$/m);
  expect(info.out).toMatch(/^network weight: 0\.4$/m);
});

test.each([
  [["--network-epochs", "3"], /--network-epochs are those of a network: give --network its units/],
  [["--network-members", "2"], /--network-members are those of a network: give --network its units/],
  [
    ["--network-recurrent-dropout", "0.2"],
    /--network-recurrent-dropout is that of a network: give --network/,
  ],
  [
    ["--network", "8", "--network-recurrent-dropout", "1"],
    /network\.recurrentDropout: expected a number from 0/,
  ],
  [["--network-substitution", "0.1"], /--network-substitution is that of a network: give --network its/],
  [
    ["--network", "8", "--network-substitution", "2"],
    /network\.augment\.replace: expected a number from 0 to 1/,
  ],
  [["--network-reordering", "0.5"], /--network-reordering is that of a network: give --network its units/],
  [
    ["--network", "8", "--network-reordering", "2"],
    /network\.augment\.permute: expected a number from 0 to 1/,
  ],
  [["--network-weight", "0.4"], /--network-weight is that of a network: give --network its units/],
  [["--network", "8", "--network-weight", "0"], /--network-weight.*Expected a number > 0/],
  [["--network", "2"], /--network.*Expected an integer from 4 to 1024/],
  [["--network", "10"], /network\.units: expected a multiple of 4/],
  [["--network", "8", "--learner", "perceptron"], /a network requires a learner of margins/],
])("%j is refused", async (options, message) => {
  const { code, err } = await trainWith(options);
  expect(code).toBe(2);
  expect(err).toMatch(message);
});
