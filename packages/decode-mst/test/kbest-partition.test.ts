import { type Decoder, type ParsingProblem, type RankedTree, scoreTree } from "@arcwise/core";
import { eisnerDecoder, kBestByPartition, plainMstDecoder, projectiveDecoder } from "@arcwise/decode-mst";
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
