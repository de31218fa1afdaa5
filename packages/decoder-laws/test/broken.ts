import {
  arcIndex,
  type Decoder,
  type Decoding,
  depths,
  isTree,
  NoTree,
  PART_KINDS,
  type ParsingProblem,
  scoreTree,
} from "@arcwise/core";
import { allTrees, bestTree, bruteForceDecoder } from "@arcwise/decoder-laws";
import type { TreeFamily } from "../src/oracle.ts";
import { copyProblem, shiftArcs } from "../src/transform.ts";

/** A decoder with one fault, and the claims about it. */
export interface Broken {
  /** The only law that must fail. */
  readonly law: string;
  readonly fault: string;
  readonly make: () => Decoder;
  readonly exact?: boolean;
}

type Decode = Decoder["decode"];

/** Decodes a problem otherwise, given the sound way. */
type Replace = (decode: Decode, problem: ParsingProblem) => Decoding;

/** Makes a brute-force decoder with another `decode`. */
function broken(replace: Replace, family: TreeFamily = {}): Decoder {
  const decoder = bruteForceDecoder({ ...family, handles: ["grandparent", "nextSibling"] });
  return { ...decoder, decode: (problem) => replace(decoder.decode, problem) };
}

/** Returns a decoder with a fault, which claims to be exact. */
function exact(law: string, fault: string, replace: Replace): Broken {
  return { law, fault, make: () => broken(replace) };
}

/** Returns a decoder with a fault that does not claim to be exact. */
function inexact(law: string, fault: string, replace: Replace): Broken {
  return { ...exact(law, fault, replace), exact: false };
}

/** Returns a result with other heads and their true score, without a claim about the optimum. */
function withHeads(problem: ParsingProblem, heads: Int32Array): Decoding {
  return { heads, score: scoreTree(problem, heads), bound: Infinity };
}

const TREES: Int32Array[][] = [];

function treesOf(n: number): readonly Int32Array[] {
  TREES[n] ??= allTrees(n);
  return TREES[n];
}

/** Returns the best tree of those with the highest `prefer`. */
function preferring(problem: ParsingProblem, prefer: (heads: Int32Array) => number): Decoding {
  let best: Int32Array | undefined;
  let bestRank = -Infinity;
  let bestScore = -Infinity;
  for (const heads of treesOf(problem.arcs.n)) {
    const score = scoreTree(problem, heads);
    if (score === -Infinity) continue;
    const rank = prefer(heads);
    if (best && (rank < bestRank || (rank === bestRank && score <= bestScore))) continue;
    best = heads;
    bestRank = rank;
    bestScore = score;
  }
  return withHeads(problem, best!.slice());
}

const flatness = (heads: Int32Array) => -Math.max(...depths(heads));
const flattest = (problem: ParsingProblem) => preferring(problem, flatness);

/** Returns the tree whose arc scores differ least. */
function evenest(problem: ParsingProblem): Decoding {
  const { arcs, arcScores } = problem;
  return preferring(problem, (heads) => {
    let lowest = Infinity;
    let highest = -Infinity;
    for (let m = 1; m < heads.length; m++) {
      const score = arcScores[arcIndex(arcs, heads[m], m)];
      lowest = Math.min(lowest, score);
      highest = Math.max(highest, score);
    }
    return lowest - highest;
  });
}

/** Returns the best head of each word, ignoring cycles. */
function bestHeads({ arcs, arcScores }: ParsingProblem): Int32Array {
  const heads = new Int32Array(arcs.n + 1).fill(-1);
  for (let m = 1; m <= arcs.n; m++) {
    let best = arcs.start[m];
    for (let a = best; a < arcs.start[m + 1]; a++) if (arcScores[a] > arcScores[best]) best = a;
    heads[m] = arcs.head[best];
  }
  return heads;
}

/** Returns the best tree when pruned arcs have a finite score. */
function bestWithFloor(problem: ParsingProblem, floor: number): Int32Array {
  const arcScores = problem.arcScores.map((score) => (score === -Infinity ? floor : score));
  return bestTree({ ...problem, arcScores })!.heads;
}

export const BROKEN: readonly Broken[] = [
  exact("tree", "takes the best head of each word", (decode, problem) => {
    const heads = bestHeads(problem);
    return isTree(heads) ? decode(problem) : { ...decode(problem), heads };
  }),
  exact("tree", "returns several roots where they score more", (decode, problem) => {
    const proper = decode(problem);
    return { ...proper, heads: bestTree(problem, { singleRoot: false })!.heads };
  }),
  {
    law: "tree",
    fault: "returns non-projective trees where projective ones are required",
    make: () =>
      broken((decode, problem) => ({ ...decode(problem), heads: bestTree(problem)!.heads }), {
        projective: true,
      }),
  },
  exact("tree", "returns an ordinary array", (decode, problem) => {
    const { heads, ...rest } = decode(problem);
    return { ...rest, heads: [...heads] as unknown as Int32Array };
  }),
  exact("pruned", "treats -Infinity as a very low score", (decode, problem) => {
    const proper = decode(problem);
    return { ...proper, heads: bestWithFloor(problem, -20) };
  }),
  inexact("score", "omits parts from the score", (decode, problem) => {
    const { heads } = decode(problem);
    return { heads, score: scoreTree({ ...problem, parts: [] }, heads), bound: Infinity };
  }),
  inexact("bound", "certifies every tree", (decode, problem) => {
    decode(problem);
    const found = flattest(problem);
    return { ...found, bound: found.score };
  }),
  inexact("bound", "returns NaN as the bound", (decode, problem) => ({
    ...decode(problem),
    bound: problem.arcs.n > 1 && problem.arcs.n < 5 ? Number.NaN : Infinity,
  })),
  exact("certificate", "is exact and returns no certificate", (decode, problem) => ({
    ...decode(problem),
    bound: Infinity,
  })),
  exact("optimal", "prefers flat trees for short sentences, and certifies them", (decode, problem) => {
    const proper = decode(problem);
    const unusual = problem.arcScores.some((score) => Math.abs(score) > 1e9 && score > -Infinity);
    const minute = problem.arcScores.every((score) => Math.abs(score) < 1e-8 || score === -Infinity);
    if (problem.arcs.n !== 4 || unusual || minute) return proper;
    return scored(problem, flattest(problem).heads);
  }),
  exact("no-tree", "falls back to a chain", (decode, problem) => {
    try {
      return decode(problem);
    } catch (error) {
      if (!(error instanceof NoTree) || problem.parts.length > 0) throw error;
      const heads = Int32Array.from({ length: problem.arcs.n + 1 }, (_, m) => m - 1);
      return { heads, score: -Infinity, bound: Infinity };
    }
  }),
  exact("no-tree", "throws an error of another class when there is no tree", (decode, problem) => {
    try {
      return decode(problem);
    } catch (error) {
      throw error instanceof NoTree && problem.parts.length === 0 ? new Error("failed") : error;
    }
  }),
  exact("no-tree", "returns several roots when there is no tree with one", (decode, problem) => {
    try {
      return decode(problem);
    } catch (error) {
      const best = error instanceof NoTree ? bestTree(problem, { singleRoot: false }) : undefined;
      if (best === undefined) throw error;
      return { ...best, bound: best.score };
    }
  }),
  exact("forbidden", "treats -Infinity in a part as 0", (decode, problem) => {
    const parts = problem.parts.map((table) => ({
      ...table,
      scores: table.scores.map((score) => (score === -Infinity ? 0 : score)),
    }));
    return decode({ ...problem, parts });
  }),
  exact("forbidden", "is exact, and throws where a part is -Infinity", (decode, problem) => {
    if (problem.parts.some(({ scores }) => scores.includes(-Infinity))) throw new NoTree("brute-force", "no");
    return decode(problem);
  }),
  exact("forbidden", "treats -Infinity in a part as a very low score", (decode, problem) => {
    const parts = problem.parts.map((table) => ({
      ...table,
      scores: table.scores.map((score) => (score === -Infinity ? -1e6 : score)),
    }));
    return decode({ ...problem, parts });
  }),
  exact("tiny", "expects a word", (decode, problem) => {
    if (problem.arcs.n === 0) throw new TypeError("cannot read the first word");
    return decode(problem);
  }),
  exact("extreme", "treats scores below -10^9 as pruned", (decode, problem) => {
    const arcScores = problem.arcScores.map((score) => (score < -1e9 ? -Infinity : score));
    return decode({ ...problem, arcScores });
  }),
  exact("extreme", "ignores gains below 10^-7", (decode, problem) => {
    const round = (score: number) => Math.round(score * 1e7) / 1e7;
    const proper = decode(problem);
    const minute = problem.arcScores.every((score) => Math.abs(score) < 1e-8 || score === -Infinity);
    if (!minute) return proper;
    return {
      ...proper,
      ...scored(problem, decode({ ...problem, arcScores: problem.arcScores.map(round) }).heads),
    };
  }),
  exact("large", "stores heads in too few bits", (decode, problem) => {
    const { heads, ...rest } = decode(problem);
    return { ...rest, heads: heads.map((h) => (h > 4 ? h - 5 : h)) };
  }),
  inexact("shift", "stops early when the score is negative", (decode, problem) => {
    const proper = decode(problem);
    return proper.score < 0 ? flattest(problem) : { ...proper, bound: Infinity };
  }),
  inexact("scale", "ignores gains below 1", (decode, problem) => {
    const proper = decode(problem);
    const start = flattest(problem);
    return proper.score < start.score + 1 ? start : { ...proper, bound: Infinity };
  }),
  inexact("relabel", "avoids the last word as a head", (decode, problem) => {
    decode(problem);
    return preferring(problem, (heads) => (heads.includes(problem.arcs.n) ? 0 : 1));
  }),
  inexact("raise", "prefers arcs of similar scores", (decode, problem) => {
    decode(problem);
    return evenest(problem);
  }),
  {
    law: "deterministic",
    fault: "decodes differently in every second instance",
    exact: false,
    make: (() => {
      let instances = 0;
      return () => {
        const odd = instances++ % 2 === 1;
        return broken((decode, problem) => {
          const proper = decode(problem);
          return odd && problem.arcs.n < 5 ? flattest(problem) : { ...proper, bound: Infinity };
        });
      };
    })(),
  },
  {
    law: "history",
    fault: "does not clear scratch arrays after longer sentences",
    exact: false,
    make: () => {
      let longest = 0;
      return broken((decode, problem) => {
        const proper = decode(problem);
        longest = Math.max(longest, problem.arcs.n);
        return longest > problem.arcs.n ? flattest(problem) : { ...proper, bound: Infinity };
      });
    },
  },
  exact("untouched", "normalises the scores in place", (decode, problem) => {
    const result = decode(problem);
    problem.arcScores.set(shiftArcs(problem, -result.score).arcScores);
    return result;
  }),
  exact("untouched", "sorts a table", (decode, problem) => {
    const result = decode(problem);
    for (const table of problem.parts) table.scores.sort();
    return result;
  }),
  {
    law: "aliased",
    fault: "returns its scratch array",
    make: () => {
      const scratch = new Int32Array(100);
      return broken((decode, problem) => {
        const { heads, ...rest } = decode(problem);
        scratch.set(heads);
        return { ...rest, heads: scratch.subarray(0, heads.length) };
      });
    },
  },
  {
    law: "aliased",
    fault: "returns cached results without copying them",
    make: () => {
      const kept = new Map<string, Decoding>();
      return broken((decode, problem) => {
        const key = JSON.stringify(describe(problem));
        const found = kept.get(key) ?? decode(problem);
        kept.set(key, found);
        return found;
      });
    },
  },
  exact("refusal", "ignores parts of unknown kinds", (decode, problem) => {
    const parts = problem.parts.filter(({ kind }) => kind === "grandparent" || kind === "nextSibling");
    const { arcs, arcScores } = problem;
    return decode({ arcs, arcScores, parts });
  }),
  exact("refusal", "refuses with an error of another class", (decode, problem) => {
    try {
      const { arcs, arcScores, parts, global } = problem;
      if (global !== undefined) throw new Error("no global scores");
      return decode({ arcs, arcScores, parts });
    } catch (error) {
      throw error instanceof Error && error.name === "UnsupportedPart" ? new Error(error.message) : error;
    }
  }),
  exact("malformed", "treats NaN as pruned", (decode, problem) => {
    const clean = copyProblem(problem);
    clean.arcScores.forEach((score, a) => {
      if (Number.isNaN(score)) clean.arcScores[a] = -Infinity;
    });
    return decode(clean);
  }),
  {
    law: "description",
    fault: "lists unknown kinds of parts in handles",
    make: () => ({
      ...broken((decode, problem) => decode(problem)),
      handles: new Set([...PART_KINDS, "cousin" as never]),
    }),
  },
];

function scored(problem: ParsingProblem, heads: Int32Array): Decoding {
  const score = scoreTree(problem, heads);
  return { heads, score, bound: score };
}

function describe(problem: ParsingProblem): unknown {
  const numbers = (values: ArrayLike<number>) => Array.from(values, String);
  const { arcs, arcScores, parts } = problem;
  return [
    numbers(arcs.head),
    numbers(arcScores),
    parts.map((t) => [t.kind, numbers(t.members), numbers(t.scores)]),
  ];
}
