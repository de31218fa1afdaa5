import { chmodSync, existsSync, linkSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { inFolder, treebank } from "./support.ts";

/** A folder with a treebank, and links of both kinds to it. */
function linked() {
  const at = inFolder({ train: treebank, model: "a model", tagger: "a tagger", known: treebank });
  symlinkSync("train", at.path("symbolic"));
  linkSync(at.path("train"), at.path("hard"));
  mkdirSync(at.path("sub"));
  symlinkSync("sub", at.path("folder"));
  symlinkSync("../train", at.path("sub/up"));
  return at;
}

const TRAIN = "train --for tagged --preset linear --train @train --epochs 1 --model";

describe("an output that is an input too is refused before anything runs: its file was lost", () => {
  test.each([
    ["the treebank", "--train @train --model @train"],
    ["a symbolic link to it", "--train @train --model @symbolic"],
    ["a hard link", "--train @hard --model @train"],
    ["a link behind a link", "--train @train --model @folder/up"],
  ])("%s", async (_what, flags) => {
    const { run, text, names } = linked();
    const { code, err } = await run(`train ${flags}`);
    expect([code, err]).toEqual([2, expect.stringContaining("--model would replace --train")]);
    expect(text("train")).toBe(treebank);
    expect(names().filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("the checkpoint of a model, which is a link to the treebank", async () => {
    const { run, path, text } = linked();
    symlinkSync("train", path("new.checkpoint"));
    const { code, err } = await run("train --train @train --model @new");
    const message = "new.checkpoint: expected the folder of a checkpoint";
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    expect(text("train")).toBe(treebank);
  });
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
    const { run, path } = linked();
    writeFileSync(path("blocked.checkpoint"), "state of an earlier version");
    const { code, err } = await run(`train --train @train --model @${model}`);
    expect([code, err]).toEqual([1, expect.stringMatching(message)]);
    expect(err).not.toContain("training on");
  });

  test.skipIf(process.getuid?.() === 0)("in a folder that may not be written", async () => {
    const { run, path } = linked();
    chmodSync(path("sub"), 0o555);
    const { code, err } = await run("train --train @train --model @sub/model");
    chmodSync(path("sub"), 0o755);
    expect([code, err]).toEqual([1, expect.stringContaining("sub/model: permission denied")]);
  });
});

describe("a file that is replaced", () => {
  test("keeps its permissions, and a link to it stays a link", async () => {
    const { run, path, bytes, names } = inFolder({ train: treebank, private: "old" });
    chmodSync(path("private"), 0o600);
    symlinkSync("private", path("link"));
    expect((await run(`${TRAIN} @link`)).code).toBe(0);
    expect(statSync(path("private")).mode & 0o777).toBe(0o600);
    expect(statSync(path("private")).size).toBeGreaterThan(1000);
    expect(names()).toEqual(["link", "private", "train"]);
    expect(bytes("link").equals(bytes("private"))).toBe(true);
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
    const { run, names } = inFolder({ train: treebank, ...files });
    expect((await run(`${TRAIN} @model`)).code).toBe(0);
    expect(names()).toEqual([...kept, "model", "train"].sort());
  });
});

describe("a message names the file", () => {
  test.skipIf(!existsSync("/dev/full"))("when the disk is full", async () => {
    const { run, path } = inFolder({ train: treebank, input: treebank });
    symlinkSync("/dev/full", path("full"));
    const full = await run(`${TRAIN} @full`);
    expect([full.code, full.err]).toEqual([1, expect.stringContaining("full: no space left on the device")]);
    await run(`${TRAIN} @model`);
    const { code, err } = await run("parse --model @model @input -o @full");
    expect([code, err]).toEqual([1, `arcwise: ${path("full")}: no space left on the device\n`]);
  });

  test.each([
    ["a model", "parse --model @sub @train"],
    ["a described model", "info @sub"],
    ["a tagger", "tag run --model @sub @train"],
    ["a treebank", "train --train @sub --model @new"],
  ])("when %s is a directory", async (_what, line) => {
    const { run, path } = linked();
    const { code, err } = await run(line);
    expect([code, err]).toEqual([1, `arcwise: ${path("sub")}: is a directory, expected a file\n`]);
  });
});
