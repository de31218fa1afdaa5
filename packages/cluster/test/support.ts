import { chmodSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { random } from "@arcwise/core";
import type { Place } from "@arcwise/jobs";
import { saveParser, type TrainingExample, type TrainOptions, trainParser } from "@arcwise/parser";
import { expect } from "vitest";
import { kept } from "../../../tools/kept-models.ts";
import { queueAddress } from "../src/queue/address.ts";
import { checkServer } from "../src/queue/check-server.ts";

const folder = mkdtempSync(join(tmpdir(), "arcwise-cluster-"));
// PostgreSQL runs as a user of its own.
chmodSync(folder, 0o755);
let folders = 0;

/** Returns the path of a folder that is not there, and is removed at the end. */
export function freshFolder(): string {
  return join(folder, `${++folders}`);
}

const WORDS = {
  DET: ["the", "a", "this"],
  ADJ: ["old", "small", "red", "loud"],
  NOUN: ["dog", "cat", "tree", "house", "friend", "road"],
  VERB: ["sees", "likes", "follows", "paints"],
} as const;

/**
 * Returns made-up sentences: subject, verb, object, with articles and adjectives at random. Without labels a
 * model has fewer weights.
 */
export function treebank(count: number, { labelled = true, seed = 1 } = {}): TrainingExample[] {
  const draws = random(seed);
  const draw = (upos: keyof typeof WORDS) => WORDS[upos][draws.int(WORDS[upos].length)]!;
  return Array.from({ length: count }, () => {
    const words: { form: string; upos: string }[] = [];
    const add = (upos: keyof typeof WORDS) => words.push({ form: draw(upos), upos });
    const phrase = () => {
      const begin = words.length;
      if (draws.int(2) === 0) add("DET");
      if (draws.int(3) === 0) add("ADJ");
      add("NOUN");
      return { begin: begin + 1, head: words.length };
    };
    const subject = phrase();
    add("VERB");
    const verb = words.length;
    const object = phrase();
    const heads = new Int32Array(words.length + 1).fill(-1);
    const labels = new Array<string>(words.length + 1).fill("");
    const attach = (m: number, head: number, label: string) => {
      heads[m] = head;
      labels[m] = labelled ? label : "";
    };
    for (const { begin, head } of [subject, object])
      for (let m = begin; m < head; m++) attach(m, head, words[m - 1]!.upos === "DET" ? "det" : "amod");
    attach(subject.head, verb, "nsubj");
    attach(object.head, verb, "obj");
    attach(verb, 0, "root");
    return { sentence: words, tree: { heads, labels } };
  });
}

/** A training that takes about a second. */
export const TRAINING: TrainOptions = {
  preset: "linear",
  epochs: 4,
  seed: 3,
  prune: false,
  shards: { count: 3, mixes: 2 },
};

/** The bytes of the model of a training in one process, which is done once for all tests. */
export async function trainedHere(
  examples: readonly TrainingExample[],
  options: TrainOptions,
): Promise<Buffer> {
  const key = ["parser", examples, options];
  return Buffer.from(await kept(key, async () => saveParser(await trainParser(examples, options))));
}

/** The bytes of the model of a training at a place. */
export async function trainedAt(
  place: Place,
  examples: readonly TrainingExample[],
  options: TrainOptions,
): Promise<Buffer> {
  return Buffer.from(saveParser(await trainParser(examples, { ...options, place })));
}

/** Returns the paths of all blobs of a folder store. */
export function blobsOf(folder: string): string[] {
  const groups = readdirSync(folder).filter((name) => name.length === 2);
  return groups.flatMap((group) => readdirSync(join(folder, group)).map((name) => join(folder, group, name)));
}

/** Matches an error with a code, perhaps of a file, whose message does not show the password `hidden`. */
export const safeError = (code: string, file?: string) =>
  expect.objectContaining({
    code,
    message: expect.not.stringContaining("hidden"),
    ...(file && { file }),
  });

/** Expects that the check of a queue gives its server up, and does not show the password `hidden`. */
export async function expectLost(queue: string): Promise<void> {
  await expect(checkServer(queueAddress(queue))).rejects.toEqual(safeError("lost-connection"));
}
