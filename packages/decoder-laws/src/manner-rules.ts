import { PART_KINDS, partLayout } from "@arcwise/core";
import { plantedProblem } from "./problems.ts";
import { expectRefusal, sharedMannerRules } from "./shared-rules.ts";
import { type Rule, TREES } from "./subject.ts";

const { description, untouched, aliased, malformed } = sharedMannerRules(TREES);

const refusal: Rule = {
  name: "refusal",
  says: "parts of a kind that is not in handles, and a global score that is not, throw an UnsupportedPart",
  check(subject) {
    const { handles } = subject.make();
    const { problem } = plantedProblem(3, subject.seed, subject.kinds, subject);
    for (const kind of PART_KINDS) {
      if (handles.has(kind)) continue;
      const foreign = partLayout(kind, problem.arcs);
      expectRefusal(subject.make(), { ...problem, parts: [foreign] }, kind);
      expectRefusal(subject.make(), { ...problem, parts: [...problem.parts, foreign] }, kind);
    }
    if (subject.global) return;
    expectRefusal(subject.make(), { ...problem, global: { name: "nothing", score: () => 0 } }, "global");
  },
};

/** Laws of side effects, refusals and errors. */
export const MANNER_RULES: readonly Rule[] = [description, untouched, aliased, refusal, malformed];
