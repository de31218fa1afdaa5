import { ArcwiseError } from "@arcwise/core/errors";
import type { Learner, ScoreUnit } from "./learner.ts";
import type { TaskMethod, WeightVector } from "./task.ts";

/** A value lacks the members of a learner, or a learner returned other weights than its task has. */
export class InvalidLearner extends ArcwiseError {
  override readonly name = "InvalidLearner";

  constructor(message: string) {
    super("invalid-learner", message);
  }
}

const UNITS: readonly unknown[] = ["margin", "log-probability", "none"] satisfies readonly ScoreUnit[];
const METHODS: ReadonlySet<unknown> = new Set<TaskMethod>(["kBest", "expectations", "search", "parts"]);

/** A name is printed, and stored in the header of a model: control and format characters have no place in it. */
const isName = (value: unknown): boolean =>
  typeof value === "string" && /^[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u.test(value);
const isBoolean = (value: unknown): boolean => typeof value === "boolean";

/** The members of a learner: name, what each is, and whether a value is that. */
const MEMBERS: readonly (readonly [keyof Learner, what: string, isSound: (value: unknown) => boolean])[] = [
  ["name", "a string of 1 to 200 printable characters", isName],
  [
    "needs",
    `a Set of methods of a task: ${[...METHODS].join(", ")}`,
    (value) => value instanceof Set && [...value].every((method) => METHODS.has(method)),
  ],
  ["unit", '"margin", "log-probability" or "none"', (value) => UNITS.includes(value)],
  ["batch", "a boolean", isBoolean],
  ["sparse", "a boolean", isBoolean],
  ["train", "a function", (value) => typeof value === "function"],
];

/**
 * Checks that a value from a module has the members of a learner.
 *
 * @param source the module, for the message
 * @throws ArcwiseError `invalid-learner` that names the first member that is missing or wrong
 */
export function requireLearner(value: unknown, source: string): Learner {
  const fail = (what: string): never => {
    throw new InvalidLearner(`${source}: expected a learner, but ${what}`);
  };
  if (typeof value !== "object" || value === null) fail(`got ${value === null ? "null" : typeof value}`);
  const found = value as Readonly<Record<string, unknown>>;
  for (const [name, what, isSound] of MEMBERS) {
    if (found[name] === undefined) fail(`"${name}" is missing (${what})`);
    if (!isSound(found[name])) fail(`"${name}" is not ${what}`);
  }
  if (found.online !== undefined && typeof found.online !== "function") fail('"online" is not a function');
  if (found.online !== undefined && found.batch === true)
    fail('"online" and "batch" exclude each other: expected one of them');
  return value as Learner;
}

/**
 * Checks that weights from a learner are the weights of a task.
 *
 * @param dimension the number of weights of the task
 * @throws ArcwiseError `invalid-learner` when they are not a vector of that length, or a weight is not finite
 */
export function requireWeights(weights: unknown, dimension: number, { name }: Learner): WeightVector {
  const fail = (found: string): never => {
    throw new InvalidLearner(
      `the learner "${name}": expected a Float32Array or Float64Array of ${dimension} finite weights, found ${found}`,
    );
  };
  if (!(weights instanceof Float32Array || weights instanceof Float64Array))
    return fail(weights === null ? "null" : typeof weights);
  if (weights.length !== dimension) fail(`${weights.length}`);
  const index = weights.findIndex((weight: number) => !Number.isFinite(weight));
  if (index >= 0) fail(`${weights[index]} at ${index}`);
  return weights;
}
