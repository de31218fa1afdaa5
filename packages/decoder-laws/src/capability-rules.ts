import {
  CAPABILITIES,
  type Capability,
  type Decoder,
  hasCapability,
  NoTree,
  PART_KINDS,
  type ParsingProblem,
  partLayout,
  random,
  requireCapability,
  UnsupportedPart,
} from "@arcwise/core";
import { take } from "./distribution-rules.ts";
import { plantedProblem } from "./problems.ts";
import { watch } from "./search-rules.ts";
import { expectUntouched } from "./shared-rules.ts";
import {
  expectThat,
  forProblems,
  malformedProblems,
  type Rule,
  type Subject,
  TREES,
  thrownBy,
} from "./subject.ts";
import { copyProblem } from "./transform.ts";

const NAMES = Object.keys(CAPABILITIES) as readonly Capability[];

/** Number of ranked trees and of samples that are compared. */
const FEW = 3;

/** Returns the results of a capability; the first few of capabilities that yield many trees. */
function use(decoder: Decoder, name: Capability, problem: ParsingProblem): readonly unknown[] {
  switch (name) {
    case "kBest":
      return [...take(requireCapability(decoder, name).kBest(problem), FEW)];
    case "sample":
      return [...take(requireCapability(decoder, name).sample(problem, random(1)), FEW)];
    case "decodeConstrained":
      return [requireCapability(decoder, name).decodeConstrained(problem, [])];
    case "decodeWithSteps":
      return watch(requireCapability(decoder, name), problem);
    default:
      return [requireCapability(decoder, name)[name](problem)];
  }
}

function eachCapability(subject: Subject, check: (name: Capability) => void): void {
  for (const name of NAMES) if (hasCapability(subject.make(), name)) check(name);
}

const errors: Rule = {
  name: "capability-errors",
  says: "capabilities throw the errors of decode: UnsupportedPart, RangeError, NoTree (kBest yields nothing)",
  needs: NAMES,
  check(subject) {
    eachCapability(subject, (name) => {
      expectRefusals(subject, name);
      for (const [what, problem] of malformedProblems(subject.kinds)) {
        const thrown = thrownBy(() => use(subject.make(), name, problem));
        expectThat(
          thrown instanceof RangeError,
          () => `${name}, ${what}: expected a RangeError, got ${thrown}`,
        );
      }
    });
    forProblems(subject, { fewest: 1, most: 3 }, (problem) => {
      const { head } = problem.arcs;
      const arcScores = problem.arcScores.map((score, a) => (head[a] === 0 ? -Infinity : score));
      eachCapability(subject, (name) => expectNoTree(subject, name, { ...problem, arcScores }));
    });
  },
};

function expectRefusals(subject: Subject, name: Capability): void {
  const { handles } = subject.make();
  const { problem } = plantedProblem(3, subject.seed, subject.kinds, subject);
  const foreign: ParsingProblem[] = PART_KINDS.filter((kind) => !handles.has(kind)).map((kind) => ({
    ...problem,
    parts: [...problem.parts, partLayout(kind, problem.arcs)],
  }));
  if (!subject.global) foreign.push({ ...problem, global: { name: "nothing", score: () => 0 } });
  for (const one of foreign) {
    const thrown = thrownBy(() => use(subject.make(), name, one));
    expectThat(thrown instanceof UnsupportedPart, () => `${name}: expected UnsupportedPart, got ${thrown}`);
  }
}

/** @param problem whose arcs contain no tree */
function expectNoTree(subject: Subject, name: Capability, problem: ParsingProblem): void {
  const decoder = subject.make();
  if (name === "kBest") {
    const { length } = use(decoder, name, problem);
    expectThat(length === 0, () => `there is no tree, but kBest yields ${length}`);
    return;
  }
  const thrown = thrownBy(() => use(decoder, name, problem));
  expectThat(
    thrown instanceof NoTree && thrown.decoder === decoder.name,
    () => `${name}: expected NoTree of ${decoder.name}, got ${thrown}`,
  );
}

const manner: Rule = {
  name: "capability-manner",
  says: "capabilities do not change the problem, and the caller owns what they return",
  needs: NAMES,
  check(subject) {
    const { problem: other } = plantedProblem(4, subject.seed, [], subject);
    forProblems(subject, { scores: "exact" }, (problem) => {
      eachCapability(subject, (name) => {
        const decoder = subject.make();
        const input = copyProblem(problem);
        const found = use(decoder, name, input);
        expectUntouched(TREES, input, problem);
        const before = printed(found);
        use(decoder, name, copyProblem(other));
        const after = printed(found);
        expectThat(before === after, () => `${name}: ${before} became ${after} after another problem`);
        overwrite(found);
        const again = printed(use(decoder, name, copyProblem(problem)));
        expectThat(again === before, () => `${name}: ${before}, later ${again}`);
      });
    });
  },
};

const isArray = (value: unknown): value is Float64Array | Int32Array =>
  value instanceof Float64Array || value instanceof Int32Array;

function printed(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => {
    if (isArray(one)) return [...one].map(String);
    return typeof one === "number" ? String(one) : one;
  });
}

/** Overwrites all typed arrays in a value. */
function overwrite(value: unknown): void {
  if (isArray(value)) value.fill(-7);
  else if (typeof value === "object" && value !== null)
    for (const one of Object.values(value)) overwrite(one);
}

/** Laws of side effects and errors of capabilities. */
export const CAPABILITY_RULES: readonly Rule[] = [errors, manner];
