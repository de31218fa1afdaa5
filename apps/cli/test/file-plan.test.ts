import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { arcwise, folderWith, TRAIN_PARSER, treebank } from "./support.ts";

/** A folder with a treebank, and links of both kinds to it. */
function linked(): string {
  const folder = folderWith({ train: treebank, model: "a model", tagger: "a tagger", known: treebank });
  symlinkSync("train", join(folder, "symbolic"));
  linkSync(join(folder, "train"), join(folder, "hard"));
  mkdirSync(join(folder, "sub"));
  symlinkSync("sub", join(folder, "folder"));
  symlinkSync("../train", join(folder, "sub", "up"));
  return folder;
}

describe("an output that is an input too is refused before anything runs: its file was lost", () => {
  test.each([
    ["the treebank", ["train", "--train", "train", "--model", "train"], "--model would replace --train"],
    [
      "a symbolic link to it",
      ["train", "--train", "train", "--model", "symbolic"],
      "--model would replace --train",
    ],
    ["a hard link", ["train", "--train", "hard", "--model", "train"], "--model would replace --train"],
    [
      "a link behind a link",
      ["train", "--train", "train", "--model", "folder/up"],
      "--model would replace --train",
    ],
  ])("%s", async (_what, argv, message) => {
    const folder = linked();
    const before = readFileSync(join(folder, "train"), "utf8");
    const { code, err } = await arcwise(inFolder(folder, argv));
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(readFileSync(join(folder, "train"), "utf8")).toBe(before);
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("the checkpoint of a model, which is a link to the treebank", async () => {
    const folder = linked();
    symlinkSync("train", join(folder, "new.checkpoint"));
    const { code, err } = await arcwise(inFolder(folder, ["train", "--train", "train", "--model", "new"]));
    expect([code, err]).toEqual([
      1,
      expect.stringContaining("new.checkpoint: expected the folder of a checkpoint"),
    ]);
    expect(readFileSync(join(folder, "train"), "utf8")).toBe(treebank);
  });
});

test("two inputs that are the standard input are refused", async () => {
  const { code, err } = await arcwise(["evaluate", "-", "-"], { stdin: treebank });
  expect([code, err]).toEqual([2, expect.stringContaining("one standard input")]);
});

describe("an output that cannot be written is refused before the training, not after it", () => {
  test.each([
    ["in a folder that does not exist", "none/model", /none\/model: no such file or directory/],
    ["that is a folder", "sub", /sub: is a directory, expected a file to write/],
    ["below a file", "train/model", /train\/model: a part of the path is not a directory/],
    [
      "whose checkpoint is a file",
      "blocked",
      /blocked.checkpoint: expected the folder of a checkpoint, found a file/,
    ],
  ])("%s", async (_what, model, message) => {
    const folder = linked();
    writeFileSync(join(folder, "blocked.checkpoint"), "state of an earlier version");
    const { code, err } = await arcwise(inFolder(folder, ["train", "--train", "train", "--model", model]));
    expect(code).toBe(1);
    expect(err).toMatch(message);
    expect(err).not.toContain("training on");
  });

  test.skipIf(process.getuid?.() === 0)("in a folder that may not be written", async () => {
    const folder = linked();
    chmodSync(join(folder, "sub"), 0o555);
    const { code, err } = await arcwise(
      inFolder(folder, ["train", "--train", "train", "--model", "sub/model"]),
    );
    chmodSync(join(folder, "sub"), 0o755);
    expect([code, err]).toEqual([1, expect.stringContaining("sub/model: permission denied")]);
  });
});

describe("a file that is replaced", () => {
  test("keeps its permissions, and a link to it stays a link", async () => {
    const folder = folderWith({ train: treebank, private: "old" });
    chmodSync(join(folder, "private"), 0o600);
    symlinkSync("private", join(folder, "link"));
    const argv = [...TRAIN_PARSER, "--train", "train", "--epochs", "1", "--model", "link"];
    expect((await arcwise(inFolder(folder, argv))).code).toBe(0);
    expect(statSync(join(folder, "private")).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "private")).size).toBeGreaterThan(1000);
    expect(readdirSync(folder).sort()).toEqual(["link", "private", "train"]);
    expect(readFileSync(join(folder, "link")).equals(readFileSync(join(folder, "private")))).toBe(true);
  });

  test("loses what dead processes left of it, and nothing else", async () => {
    const ending = "0123456789abcdef.tmp";
    const kept = [
      `.other.999999999.${ending}`,
      `.model.${process.ppid}.${ending}`,
      `.model.x.${ending}`,
      `.model.999999999.${ending}.conllu`,
    ];
    const left = [...kept, `.model.999999999.${ending}`];
    const files = Object.fromEntries(left.map((name) => [name, "left over"]));
    const folder = folderWith({ train: treebank, ...files });
    const argv = [...TRAIN_PARSER, "--train", "train", "--epochs", "1", "--model", "model"];
    expect((await arcwise(inFolder(folder, argv))).code).toBe(0);
    expect(readdirSync(folder).sort()).toEqual([...kept, "model", "train"].sort());
  });
});

describe("a message names the file", () => {
  test.skipIf(!existsSync("/dev/full"))("when the disk is full", async () => {
    const folder = folderWith({ train: treebank, input: treebank });
    const train = [...TRAIN_PARSER, "--train", "train", "--epochs", "1", "--model"];
    symlinkSync("/dev/full", join(folder, "full"));
    const full = await arcwise(inFolder(folder, [...train, "full"]));
    expect([full.code, full.err]).toEqual([1, expect.stringContaining("full: no space left on the device")]);
    await arcwise(inFolder(folder, [...train, "model"]));
    const parsed = await arcwise(inFolder(folder, ["parse", "--model", "model", "input", "-o", "full"]));
    expect([parsed.code, parsed.err]).toEqual([
      1,
      `arcwise: ${join(folder, "full")}: no space left on the device\n`,
    ]);
  });

  test.each([
    ["a model", ["parse", "--model", "sub", "train"]],
    ["a described model", ["info", "sub"]],
    ["a tagger", ["tag", "run", "--model", "sub", "train"]],
    ["a treebank", ["train", "--train", "sub", "--model", "new"]],
  ])("when %s is a directory", async (_what, argv) => {
    const folder = linked();
    const { code, err } = await arcwise(inFolder(folder, argv));
    expect([code, err]).toEqual([1, `arcwise: ${join(folder, "sub")}: is a directory, expected a file\n`]);
  });
});

/** Arguments whose names of files are those of a folder. */
function inFolder(folder: string, argv: readonly string[]): string[] {
  return argv.map((word, i) => {
    const before = argv[i - 1] ?? "";
    const isNumber = /^\d+$/.test(word);
    const isCommand = i === 0 || (argv[0] === "tag" && i === 1);
    return isCommand || isNumber || word.startsWith("-") || ["--epochs", "--for", "--preset"].includes(before)
      ? word
      : resolve(folder, word);
  });
}
