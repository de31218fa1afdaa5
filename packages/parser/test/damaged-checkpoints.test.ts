import { anyContent, readContainer, type Vector, writeContainer } from "@arcwise/core/container";
import { beforeAll, describe, expect, test } from "vitest";
import type { TrainOptions } from "../src/index.ts";
import { trainParser } from "./fast-training.ts";
import { TREEBANK } from "./support.ts";

/** A checkpoint in its parts, for crafted ones. */
interface Parts {
  readonly header: Record<string, unknown>;
  readonly vectors: Readonly<Record<string, Vector>>;
}

const LEARNERS = ["mira", "svm", "lbfgs", "frank-wolfe", "exponentiated-gradient"] as const;

const optionsOf = (learner: string): TrainOptions => ({ learner, epochs: 2, prune: false });

function partsOf(bytes: Uint8Array): Parts {
  const { header, vectors } = readContainer(bytes, "checkpoint", anyContent);
  return { header: header as Parts["header"], vectors };
}

async function checkpointOf(options: TrainOptions): Promise<Parts> {
  const states: Uint8Array[] = [];
  await trainParser(TREEBANK, { ...options, epochs: 1, onCheckpoint: (state) => void states.push(state) });
  return partsOf(states.at(-1)!);
}

/** What comes of going on from a crafted checkpoint: a model, or the error that refuses it. */
async function resume(options: TrainOptions, { header, vectors }: Parts): Promise<"trained" | Error> {
  const state = writeContainer({ kind: "checkpoint", header, vectors });
  return trainParser(TREEBANK, { ...options, resume: state }).then(
    () => "trained",
    (error: Error) => error,
  );
}

const states = new Map<string, Parts>();

beforeAll(async () => {
  for (const learner of LEARNERS) states.set(learner, await checkpointOf(optionsOf(learner)));
}, 120_000);

/** Names and types of the vectors, and names of the numbers: what tells the states of learners apart. */
function shapeOf({ header, vectors }: Parts): string {
  const { numbers } = header.weights as { numbers: object };
  const described = Object.entries(vectors).map(([name, vector]) => `${name} ${vector.constructor.name}`);
  return [...described, ...Object.keys(numbers)].sort().join();
}

test.each(LEARNERS)("%s goes on from its own state, and refuses those of other shapes", async (learner) => {
  const own = states.get(learner)!;
  const { run } = own.header;
  let refused = 0;
  for (const [name, other] of states) {
    const result = await resume(optionsOf(learner), { ...other, header: { ...other.header, run } });
    if (shapeOf(other) === shapeOf(own)) expect([name, result]).toEqual([name, "trained"]);
    else {
      expect([name, result]).toEqual([name, expect.objectContaining({ name: "ModelError" })]);
      expect((result as Error).message).not.toMatch(/\n/);
      refused++;
    }
  }
  expect(refused).toBeGreaterThanOrEqual(3);
});

type Change = (parts: Parts) => Parts;

/** Changes a vector of the learner, of which there is one by this name. */
const vector =
  (name: string, change: (values: Vector) => Vector): Change =>
  ({ header, vectors }) => {
    const key = `learner:${name}`;
    expect(Object.keys(vectors)).toContain(key);
    return { header, vectors: { ...vectors, [key]: change(vectors[key]!.slice()) } };
  };

const number =
  (name: string, value: unknown): Change =>
  ({ header, vectors }) => {
    const weights = header.weights as { numbers: Record<string, unknown> };
    expect(Object.keys(weights.numbers)).toContain(name);
    const numbers = { ...weights.numbers, [name]: value };
    return { header: { ...header, weights: { ...weights, numbers } }, vectors };
  };

const without =
  (name: string): Change =>
  ({ header, vectors: { [`learner:${name}`]: _, ...vectors } }) => ({ header, vectors });

describe("a crafted state is refused:", () => {
  test.each<[string, string, Change]>([
    ["mira", "fewer weights", vector("values", (values) => values.slice(1))],
    ["mira", "no sums", without("weighted")],
    ["mira", "steps below none", number("steps", -1)],
    ["mira", "half a step", number("steps", 0.5)],
    ["svm", "weights whose scores are beyond all numbers", vector("values", (values) => values.fill(3e38))],
    ["frank-wolfe", "outputs of more examples", vector("counts", (counts) => counts.fill(2 ** 31 - 1))],
    ["frank-wolfe", "fewer outputs than none", vector("counts", (counts) => counts.fill(-1))],
    ["frank-wolfe", "blocks of other lengths", vector("lengths", (lengths) => lengths.fill(7))],
    ["frank-wolfe", "an index below 0", vector("indices", (indices) => indices.fill(-1))],
    ["frank-wolfe", "an index beyond the weights", vector("indices", (indices) => indices.fill(2 ** 31 - 1))],
    ["frank-wolfe", "fewer losses", vector("losses", (losses) => losses.slice(1))],
    ["lbfgs", "more history than there is", number("history", 2 ** 40)],
    ["lbfgs", "a shorter gradient", vector("gradient", (gradient) => gradient.slice(1))],
    ["exponentiated-gradient", "more rates", vector("rates", (r) => new Float64Array(r.length + 1))],
  ])("%s: %s", async (learner, _what, change) => {
    const result = await resume(optionsOf(learner), change(states.get(learner)!));
    expect(result).toMatchObject({ name: "ModelError" });
  });

  test("of a network", async () => {
    const options: TrainOptions = { epochs: 2, prune: false, network: { units: 4, epochs: 2 } };
    const kept: Uint8Array[] = [];
    await trainParser(TREEBANK, { ...options, onCheckpoint: (state) => void kept.push(state) });
    const first = partsOf(kept[0]!);
    expect(await resume(options, first)).toBe("trained");
    const changes: Readonly<Record<string, Vector>>[] = [
      { networkParameters: new Float32Array(3) },
      { networkParameters: first.vectors.networkParameters!.slice().fill(3e38) },
      { networkMeans: new Float32Array(5) },
      { networkSquares: new Float64Array(5) },
    ];
    for (const change of changes) {
      const result = await resume(options, { ...first, vectors: { ...first.vectors, ...change } });
      expect([Object.keys(change), result]).toEqual([
        Object.keys(change),
        expect.objectContaining({ name: "ModelError" }),
      ]);
    }
  });
});
