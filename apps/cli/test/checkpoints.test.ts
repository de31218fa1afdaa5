import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readContainer, writeContainer } from "@arcwise/core/container";
import { expect, test } from "vitest";
import { arcwise, folderWith, TRAIN_PARSER, treebank, UNPRUNED } from "./support.ts";

/** Returns the path of the state of the weights in a checkpoint. */
const weightsOf = (checkpoint: string) => join(checkpoint, "weights.state");

/** A state with the fingerprint of its training and the rest of its contents. */
function contentsOf(path: string) {
  const { header, vectors } = readContainer(readFileSync(path), "checkpoint");
  return { header: header as { readonly run: string }, vectors };
}

/** Returns a command line, and the path of its model in a folder. */
function training(folder: string, learner = "mira") {
  const model = join(folder, learner);
  const files = ["--train", join(folder, "train"), "--model", model];
  return {
    argv: [...TRAIN_PARSER, ...files, "--learner", learner, "--epochs", "2", ...UNPRUNED],
    model,
    checkpoint: `${model}.checkpoint`,
  };
}

/** Stops a training after its first epoch. */
async function stopped({ argv, checkpoint }: ReturnType<typeof training>): Promise<void> {
  const controller = new AbortController();
  const { code } = await arcwise(argv, {
    signal: controller.signal,
    onMessage: (text) => void (text.includes("weights 1/2") && controller.abort()),
  });
  expect([code, existsSync(weightsOf(checkpoint))]).toEqual([130, true]);
}

test.each(["__proto__", "constructor", "parser"])("a state of the kind %s is refused", async (kind) => {
  const { argv, model, checkpoint } = training(folderWith({ train: treebank }));
  mkdirSync(checkpoint);
  writeFileSync(weightsOf(checkpoint), writeContainer({ kind, header: {}, vectors: {} }));
  const { code } = await arcwise([...argv, "--resume"]);
  expect([code, existsSync(model)]).toEqual([1, false]);
});

test("a state of another learner is refused with exit code 1 and one line", async () => {
  const folder = folderWith({ train: treebank });
  const [own, other] = [training(folder), training(folder, "frank-wolfe")];
  await stopped(own);
  await stopped(other);
  const { run } = contentsOf(weightsOf(own.checkpoint)).header;
  const { header, vectors } = contentsOf(weightsOf(other.checkpoint));
  writeFileSync(
    weightsOf(own.checkpoint),
    writeContainer({ kind: "checkpoint", header: { ...header, run }, vectors }),
  );
  const { code, err } = await arcwise([...own.argv, "--resume"]);
  const messages = err.split("\n").filter((line) => line.startsWith("arcwise: "));
  expect([code, messages]).toEqual([1, [expect.stringMatching(/^arcwise: .*mira\.checkpoint: /)]]);
  expect(existsSync(own.model)).toBe(false);
});

test.each<[string, readonly string[], string]>([
  ["settings", ["--seed", "2"], treebank],
  ["a treebank", [], treebank.slice(treebank.indexOf("\n\n") + 2)],
])("--resume with other %s is refused, and keeps the checkpoint", async (_, more, other) => {
  const folder = folderWith({ train: treebank });
  const own = training(folder);
  await stopped(own);
  const state = readFileSync(weightsOf(own.checkpoint));
  writeFileSync(join(folder, "train"), other);
  const { code, err } = await arcwise([...own.argv, ...more, "--resume"]);
  expect([code, err]).toEqual([1, expect.stringContaining("mira.checkpoint: ")]);
  expect(err).toContain("other training data, options or version");
  expect(readFileSync(weightsOf(own.checkpoint)).equals(state)).toBe(true);
});
