import {
  type Arcs,
  arcsByHead,
  completeArcs,
  PART_DESCRIPTORS,
  PART_KINDS,
  type ParsingProblem,
  PartPositions,
  ProblemScorer,
  ProblemValidator,
  partCount,
  partLayout,
  random,
  scoreTree,
  validateProblem,
} from "@arcwise/core";
import { describe, expect, test } from "vitest";
import { randomProblem, randomTree } from "./support.ts";

/** Problems of long and short sentences in turn, so that memory is too large, large enough and too small. */
const LENGTHS = [3, 6, 2, 1, 9, 5, 9, 0, 4];
const SETS = [PART_KINDS, [], ["nextSibling", "lastSibling"], ["triSibling"]] as const;

/** The members of parts that the next member refers to. */
const CHAINED = PART_KINDS.flatMap((kind) => {
  const { members } = PART_DESCRIPTORS[kind];
  return members.flatMap((_, k) => (members[k + 1]?.of === k + 1 ? [[kind, k] as const] : []));
});

function problems(): ParsingProblem[] {
  const rng = random(7);
  return LENGTHS.map((n, i) => randomProblem(rng, completeArcs(n), SETS[i % SETS.length]));
}

/** The entries of grouped arcs that count. */
function entries({ n, head }: Arcs, { rank, start, arcs }: ReturnType<typeof arcsByHead>): number[][] {
  const groups = 2 * (n + 1) + 1;
  return [rank.slice(0, head.length), start.slice(0, groups), arcs.slice(0, head.length)].map((a) => [...a]);
}

describe("memory that is reused over sentences of different lengths", () => {
  test("groups arcs as new memory does", () => {
    let memory: ReturnType<typeof arcsByHead> | undefined;
    for (const { arcs } of problems()) {
      memory = arcsByHead(arcs, memory);
      expect(entries(arcs, memory)).toEqual(entries(arcs, arcsByHead(arcs)));
    }
  });

  test.each(PART_KINDS)("%s: counts and lists parts over grouped arcs as over new ones", (kind) => {
    let memory: ReturnType<typeof arcsByHead> | undefined;
    for (const { arcs } of problems()) {
      memory = arcsByHead(arcs, memory);
      expect(partCount(kind, arcs, memory)).toBe(partCount(kind, arcs));
      expect(partLayout(kind, arcs, memory)).toEqual(partLayout(kind, arcs));
    }
  });

  test.each(CHAINED)(
    "%s, member %i: finds the same positions over grouped arcs as over new ones",
    (kind, k) => {
      let memory: ReturnType<typeof arcsByHead> | undefined;
      for (const { arcs } of problems()) {
        memory = arcsByHead(arcs, memory);
        const found = new PartPositions(arcs, memory).offsets(kind, k);
        expect([...found]).toEqual([...new PartPositions(arcs, arcsByHead(arcs)).offsets(kind, k)]);
      }
    },
  );

  test("scores trees to the last bit as scoreTree does", () => {
    const scorer = new ProblemScorer();
    const rng = random(1);
    for (const problem of problems()) {
      for (let i = 0; i < 5; i++) {
        const heads = randomTree(rng, problem.arcs.n);
        expect(scorer.score(problem, heads)).toBe(scoreTree(problem, heads));
      }
    }
  });

  test("accepts the problems that validateProblem accepts, and groups their arcs", () => {
    const validator = new ProblemValidator();
    for (const problem of problems()) {
      const { arcs } = problem;
      expect(entries(arcs, validator.validate(problem))).toEqual(entries(arcs, arcsByHead(arcs)));
    }
  });

  test("refuses any damaged entry with the words of validateProblem, and goes on", () => {
    const validator = new ProblemValidator();
    for (const problem of problems()) {
      for (const { members } of problem.parts) {
        if (members.length === 0) continue;
        const place = members.length >> 1;
        members[place] += 1;
        const message = messageOf(() => validateProblem(problem));
        expect(message).toMatch(/expected/);
        expect(messageOf(() => validator.validate(problem))).toBe(message);
        members[place] -= 1;
      }
      expect(() => validator.validate(problem)).not.toThrow();
    }
  });
});

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
  return "nothing thrown";
}
