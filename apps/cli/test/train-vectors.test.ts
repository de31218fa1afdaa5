import { join } from "node:path";
import { expect, test } from "vitest";
import { arcwise, folderWith, TRAIN_PARSER, trainWith, treebank } from "./support.ts";

test.each([[["--for", "tagged"]], [["--jackknife", "2"]]])(
  "--vectors are the network's: %j",
  async (more) => {
    const folder = folderWith({
      train: treebank,
      vectors: "4 2\ncats 1 2\nseen 0 1\nbefore 1 0\nnever 1 1\n",
    });
    const [file, model] = [join(folder, "train"), join(folder, "model")];
    const options = [
      "--train",
      file,
      "--model",
      model,
      "--epochs",
      "1",
      "--network",
      "8",
      "--network-epochs",
      "1",
    ];
    const kept = ["--vectors-limit", "2", "--vectors-beginnings", "3"];
    const vectors = ["--vectors", join(folder, "vectors"), ...kept, "--threads", "1"];
    expect(await arcwise(["train", ...options, ...vectors, ...more])).toMatchObject({ code: 0 });
    const info = await arcwise(["info", model]);
    expect(info.out).toMatch(/network vectors words: 3$/m);
    expect(info.out).toMatch(/network vectors beginnings: 3$/m);
    expect((await arcwise(["parse", "--model", model, file])).code).toBe(0);
  },
);

test("--vectors of what are none tells the line", async () => {
  const folder = folderWith({ train: treebank, vectors: "a 1 2\nb 1\n" });
  const files = ["--train", join(folder, "train"), "--model", join(folder, "model")];
  const { code, err } = await arcwise([
    ...TRAIN_PARSER,
    ...files,
    "--network",
    "8",
    "--vectors",
    join(folder, "vectors"),
  ]);
  expect(code).toBe(1);
  expect(err).toMatch(/vectors:2: expected a word and 2 numbers, found 1 numbers/);
});

test.each([
  [["--vectors", "file"], /--vectors requires --network N/],
  [["--vectors-limit", "5", "--network", "8"], /--vectors-limit is for --vectors: give it a file/],
  [["--vectors-beginnings", "3", "--network", "8"], /--vectors-beginnings is for --vectors: give it a file/],
  [
    ["--vectors-beginnings", "0", "--network", "8"],
    /--vectors-beginnings.*Expected an integer from 1 to 1000/,
  ],
])("%j is refused", async (options, message) => {
  const { code, err } = await trainWith(options);
  expect(code).toBe(2);
  expect(err).toMatch(message);
});
