import { type Decoder, type ParsingProblem, type RankedTree, scoreTree } from "@arcwise/core";
import {
  eisnerDecoder,
  kBestByPartition,
  kBestTrees,
  plainMstDecoder,
  projectiveDecoder,
} from "@arcwise/decode-mst";
import { laws, problems, rankedTrees } from "@arcwise/decoder-laws";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

/** A decoder that ranks trees by partition alone. */
function partitioning(decoder: Decoder): Decoder {
  const { name, trees, singleRoot, handles } = decoder;
  const decode = (problem: ParsingProblem) => decoder.decode(problem);
  const kBest = (problem: ParsingProblem) => kBestByPartition(decoder, problem);
  return { name, trees, singleRoot, handles, decode, kBest };
}

/** Problems per law: more in continuous integration. */
const RUNS = process.env.CI === undefined ? 3 : 10;

describe.each([true, false])("ranking by partition, single root: %s", (singleRoot) => {
  const decoders: Record<string, () => Decoder> = {
    "of arcs": () => plainMstDecoder({ singleRoot }),
    "of projective trees": () => eisnerDecoder({ singleRoot }),
    "of parts": () => projectiveDecoder({ singleRoot }),
  };
  for (const [name, make] of Object.entries(decoders)) {
    // Trees of parts are searched anew for each part of the partition.
    const words = name === "of parts" ? 3 : 4;
    for (const law of laws(() => partitioning(make()), { exact: true, runs: RUNS, words }))
      test(`${name}: ${law.name}`, law.check);
  }
});

test("lists the trees of three words, best first", () => {
  const head = [0, 2, 3, 0, 1, 3, 0, 1, 2];
  const modifier = [1, 1, 1, 2, 2, 2, 3, 3, 3];
  const arcs = {
    ...{ n: 3, start: Int32Array.of(0, 0, 3, 6, 9) },
    ...{ head: Int32Array.from(head), modifier: Int32Array.from(modifier) },
  };
  const arcScores = Float64Array.of(5, 1, 0.125, 2, 4, 3.25, 1.5, 0, 3);
  const problem = { arcs, arcScores, parts: [] };
  const found = [...kBestByPartition(plainMstDecoder(), problem)];
  expect(found.map(({ heads, score }) => `${heads.slice(1).join(" ")}: ${score}`)).toEqual(
    [...kBestTrees(problem)].map(({ heads, score }) => `${heads.slice(1).join(" ")}: ${score}`),
  );
  expect(found[0].score).toBe(12);
});

test("a decoder that is not exact yields all trees once, with their scores", () => {
  fc.assert(
    fc.property(problems({ most: 4 }), (problem) => {
      // Finds some tree, whose score is rarely the best.
      const negated = { ...problem, arcScores: problem.arcScores.map((s) => (s === -Infinity ? s : -s)) };
      const inner = plainMstDecoder();
      const careless: Decoder = {
        ...inner,
        decode: (asked) => {
          const arcScores = asked.arcScores.map((s, a) => (s === -Infinity ? s : negated.arcScores[a]));
          const { heads } = inner.decode({ ...asked, arcScores });
          return { heads, score: scoreTree(asked, heads), bound: Infinity };
        },
      };
      const keys = (trees: Iterable<RankedTree>) => Array.from(trees, ({ heads }) => heads.join(" ")).sort();
      const expected = rankedTrees(problem, { projective: false, singleRoot: true });
      expect(keys(kBestByPartition(careless, problem))).toEqual(keys(expected));
    }),
    { numRuns: 30 },
  );
});
