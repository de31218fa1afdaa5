import { type Decoder, type Decoding, heads, type ParsingProblem, scoreTree } from "@arcwise/core";
import { eisnerDecoder, mstDecoder } from "@arcwise/decode-mst";
import { describe, expect, test } from "vitest";
import { checkAnswer, checkByEnumeration, referenceOf, WrongAnswer } from "../src/measures/checks.ts";
import { measureDecoder } from "../src/measures/measure-decoders.ts";
import { drawnScoreSets } from "../src/measures/score-sets.ts";
import { OPERATIONS } from "../src/measures/sums.ts";
import { DECODERS, type DecoderEntry } from "../src/registry/decoders.ts";

const [dense, sparse] = drawnScoreSets(1);
const mst = DECODERS.find(({ name }) => name === "mst")!;
const eisner = DECODERS.find(({ name }) => name === "eisner")!;

/** Returns a decoder with changed results. */
function spoilt(
  entry: DecoderEntry,
  spoil: (answer: Decoding, problem: ParsingProblem) => Decoding,
): DecoderEntry {
  const make = (): Decoder => {
    const decoder = entry.make();
    return { ...decoder, decode: (problem) => spoil(decoder.decode(problem), problem) };
  };
  return { ...entry, make };
}

/** Returns a chain: every word depends on the one before it. */
function chain(_: Decoding, problem: ParsingProblem): Decoding {
  const tree = Int32Array.from({ length: problem.arcs.n + 1 }, (_, m) => m - 1);
  const score = scoreTree(problem, tree);
  return { heads: tree, score, bound: score };
}

describe.each([
  {
    fault: "a score that is off by a bit",
    spoil: (a: Decoding) => ({ ...a, score: a.score * (1 + 2 ** -50) }),
    says: "but the tree has",
  },
  {
    fault: "a bound below the score",
    spoil: (a: Decoding) => ({ ...a, bound: a.score - 1 }),
    says: "is below score",
  },
  {
    fault: "heads that do not form a tree",
    spoil: (a: Decoding) => ({ ...a, heads: a.heads.map((_, m) => (m === 0 ? -1 : (m % 2) + 1)) }),
    says: /own head|cycle/,
  },
  { fault: "a tree that is not the best", spoil: chain, says: "enumeration finds" },
])("$fault", ({ spoil, says }) => {
  test("is not timed", () => {
    const options = { time: 1, limit: 10, lengths: [10] };
    expect(() => measureDecoder(spoilt(mst, spoil), dense!, options)).toThrow(WrongAnswer);
    expect(() => measureDecoder(spoilt(mst, spoil), dense!, options)).toThrow(says);
  });
});

test("a non-projective tree is a wrong result of a projective decoder", () => {
  const [problem] = dense!.problems(4, [], 1);
  const crossing = heads("0 4 1 1");
  const score = scoreTree(problem!, crossing);
  const answer = { heads: crossing, score, bound: score };
  expect(() => checkAnswer(eisner, problem!, answer)).toThrow("not projective");
  expect(() => checkAnswer(mst, problem!, answer)).not.toThrow();
});

test("an inexact search may score less than a reference, but not more", () => {
  const [problem] = dense!.problems(8, [], 1);
  const answer = chain(mst.make().decode(problem!), problem!);
  const reference = { name: "judge", best: () => answer.score + 1 };
  expect(() => checkAnswer({ ...mst, exact: false }, problem!, answer, reference)).not.toThrow();
  expect(() => checkAnswer(mst, problem!, answer, reference)).toThrow("judge finds");
  const low = { name: "judge", best: () => answer.score - 1 };
  expect(() => checkAnswer({ ...mst, exact: false }, problem!, answer, low)).toThrow("judge finds");
});

test.each(DECODERS)("$name agrees with enumeration and with its reference", (entry) => {
  for (const set of [dense!, sparse!]) {
    expect(() => checkByEnumeration(entry, entry.make(), set)).not.toThrow();
    const reference = referenceOf(entry, entry.kinds);
    for (const problem of set.problems(14, entry.kinds, 2)) {
      checkAnswer(entry, problem, entry.make().decode(problem), reference);
    }
  }
});

test("a reference takes all parts and is another decoder", () => {
  for (const entry of DECODERS) {
    const reference = referenceOf(entry, entry.kinds);
    if (reference === undefined) continue;
    expect(reference.name).not.toBe(entry.name);
  }
  expect(referenceOf(mst, [])?.name).toBe("both algorithms");
  expect(referenceOf(mst, ["headBigram"])).toBeUndefined();
});

describe.each(OPERATIONS)("$name", (operation) => {
  test("has results that pass its own check, and are reproducible", () => {
    const { run, check } = operation.make();
    for (const set of drawnScoreSets(4)) {
      for (const problem of set.problems(12, [], 2)) {
        expect(() => check(problem)).not.toThrow();
        expect(Number.isFinite(run(problem))).toBe(true);
      }
    }
  });
});

test("all decoders of the packages are timed", () => {
  const [problem] = dense!.problems(10, [], 1);
  expect(mst.make().decode(problem!)).toEqual(mstDecoder().decode(problem!));
  expect(eisner.make().decode(problem!)).toEqual(eisnerDecoder().decode(problem!));
});
