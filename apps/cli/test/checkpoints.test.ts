import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { anyContent, readContainer, writeContainer } from "@arcwise/core/container";
import { expect, test } from "vitest";
import { arcwise, folderWith, TRAIN_PARSER, treebank, UNPRUNED } from "./support.ts";

/** A checkpoint with the number of its run and the rest of its contents. */
function contentsOf(path: string) {
  const { header, vectors } = readContainer(readFileSync(path), "checkpoint", anyContent);
  return { header: header as { readonly run: number }, vectors };
}

test.each(["__proto__", "constructor", "parser"])("a checkpoint of the kind %s is refused", async (kind) => {
  const state = writeContainer({ kind, header: {}, vectors: {} });
  const folder = folderWith({ train: treebank, "new.checkpoint": state });
  const files = ["--train", join(folder, "train"), "--model", join(folder, "new")];
  const { code } = await arcwise([...TRAIN_PARSER, ...files, "--resume"]);
  expect([code, existsSync(join(folder, "new"))]).toEqual([1, false]);
});

test("a checkpoint with the state of another learner is refused with exit code 1 and one line", async () => {
  const folder = folderWith({ train: treebank });
  const argvOf = (learner: string) => {
    const files = ["--train", join(folder, "train"), "--model", join(folder, learner)];
    return [...TRAIN_PARSER, ...files, "--learner", learner, "--epochs", "2", ...UNPRUNED];
  };
  for (const learner of ["mira", "frank-wolfe"]) {
    const controller = new AbortController();
    const { code } = await arcwise(argvOf(learner), {
      signal: controller.signal,
      onMessage: (text) => void (text.includes("weights 1/2") && controller.abort()),
    });
    expect([code, existsSync(join(folder, `${learner}.checkpoint`))]).toEqual([130, true]);
  }
  const own = join(folder, "mira.checkpoint");
  const { run } = contentsOf(own).header;
  const { header, vectors } = contentsOf(join(folder, "frank-wolfe.checkpoint"));
  writeFileSync(own, writeContainer({ kind: "checkpoint", header: { ...header, run }, vectors }));
  const { code, err } = await arcwise([...argvOf("mira"), "--resume"]);
  const messages = err.split("\n").filter((line) => line.startsWith("arcwise: "));
  expect([code, messages]).toEqual([1, [expect.stringMatching(/^arcwise: .*mira\.checkpoint: /)]]);
  expect(existsSync(join(folder, "mira"))).toBe(false);
});
