import { readContainer, type Vector, writeContainer } from "@arcwise/core/container";
import { beforeAll, describe, expect, test } from "vitest";
import { MemoryCheckpoint } from "../../../tools/memory-checkpoint.ts";
import type { TrainOptions } from "../src/index.ts";
import { trainParser } from "./fast-training.ts";
import { TREEBANK } from "./support.ts";

/** A state of a checkpoint in its parts, for crafted ones. */
interface Parts {
  readonly header: { readonly run: string; readonly state: Record<string, unknown> };
  readonly vectors: Readonly<Record<string, Vector>>;
}

const LEARNERS = ["mira", "svm", "lbfgs", "frank-wolfe", "exponentiated-gradient"] as const;

const optionsOf = (learner: string): TrainOptions => ({ learner, epochs: 2, prune: false });

function partsOf(bytes: Uint8Array): Parts {
  const { header, vectors } = readContainer(bytes, "checkpoint");
  return { header: header as Parts["header"], vectors };
}

/** The state of a name after the first epoch. */
async function stateOf(name: "weights" | "network", options: TrainOptions): Promise<Parts> {
  const checkpoint = new MemoryCheckpoint();
  await trainParser(TREEBANK, { ...options, checkpoint });
  return partsOf(checkpoint.moments[0]!.get(name)!);
}

/** The result of resuming from a crafted state: a model, or the error that refuses it. */
async function resume(
  options: TrainOptions,
  { header, vectors }: Parts,
  name = "weights",
): Promise<"trained" | Error> {
  const state = writeContainer({ kind: "checkpoint", header, vectors });
  const checkpoint = new MemoryCheckpoint(new Map([[name, state]]));
  return trainParser(TREEBANK, { ...options, checkpoint }).then(
    () => "trained",
    (error: Error) => error,
  );
}

const states = new Map<string, Parts>();

beforeAll(async () => {
  for (const learner of LEARNERS) states.set(learner, await stateOf("weights", optionsOf(learner)));
}, 120_000);

/** Names and types of the vectors, and names of the numbers: what tells the states of learners apart. */
function shapeOf({ header, vectors }: Parts): string {
  const { numbers } = header.state as { numbers: object };
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
    const key = `vectors.${name}`;
    expect(Object.keys(vectors)).toContain(key);
    return { header, vectors: { ...vectors, [key]: change(vectors[key]!.slice()) } };
  };

const number =
  (name: string, value: unknown): Change =>
  ({ header, vectors }) => {
    const before = header.state.numbers as Record<string, unknown>;
    expect(Object.keys(before)).toContain(name);
    const numbers = { ...before, [name]: value };
    return { header: { ...header, state: { ...header.state, numbers } }, vectors };
  };

const without =
  (name: string): Change =>
  ({ header, vectors: { [`vectors.${name}`]: _, ...vectors } }) => {
    const { [name]: __, ...named } = header.state.vectors as Record<string, unknown>;
    return { header: { ...header, state: { ...header.state, vectors: named } }, vectors };
  };

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
    const first = await stateOf("network", options);
    expect(await resume(options, first, "network")).toBe("trained");
    const changes: Readonly<Record<string, Vector>>[] = [
      { parameters: new Float32Array(3) },
      { parameters: first.vectors.parameters!.slice().fill(3e38) },
      { "memory.means": new Float32Array(5) },
      { "memory.squares": new Float64Array(5) },
    ];
    for (const change of changes) {
      const result = await resume(options, { ...first, vectors: { ...first.vectors, ...change } }, "network");
      expect([Object.keys(change), result]).toEqual([
        Object.keys(change),
        expect.objectContaining({ name: "ModelError" }),
      ]);
    }
  });
});
