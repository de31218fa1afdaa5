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
import {
  allTrees,
  bestTree,
  bruteForceDecoder,
  copyProblem,
  shiftArcs,
  type TreeFamily,
} from "@arcwise/decoder-laws";

/** A decoder with one fault, and what is claimed of it. */
export interface Broken {
  /** The only law that must fail. */
  readonly law: string;
  readonly fault: string;
  readonly make: () => Decoder;
  readonly exact?: boolean;
}

type Decode = Decoder["decode"];

/** A brute-force decoder whose `decode` is replaced. */
function brute(family: TreeFamily, replace: (decode: Decode) => Decode): () => Decoder {
  return () => {
    const decoder = bruteForceDecoder({ ...family, handles: ["grandparent", "nextSibling"] });
    return { ...decoder, decode: replace(decoder.decode) };
  };
}

const broken = (replace: (decode: Decode) => Decode) => brute({}, replace);

/** The answer with other heads, honestly scored; without a claim about the optimum. */
function withHeads(problem: ParsingProblem, heads: Int32Array): Decoding {
  return { heads, score: scoreTree(problem, heads), bound: Infinity };
}

const TREES: Int32Array[][] = [];

function treesOf(n: number): readonly Int32Array[] {
  TREES[n] ??= allTrees(n);
  return TREES[n];
}

/** The best tree of those that `prefer` puts first. */
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

/** The tree whose arcs differ least in score. */
function evenest(problem: ParsingProblem): Decoding {
  const { arcs, arcScores } = problem;
  return preferring(problem, (heads) => {
    let lowest = Infinity;
    let highest = -Infinity;
    for (let m = 1; m < heads.length; m++) {
      const score = arcScores[arcIndex(arcs, heads[m]!, m)]!;
      lowest = Math.min(lowest, score);
      highest = Math.max(highest, score);
    }
    return lowest - highest;
  });
}

/** The best head of each word, cycles or not. */
function bestHeads({ arcs, arcScores }: ParsingProblem): Int32Array {
  const heads = new Int32Array(arcs.n + 1).fill(-1);
  for (let m = 1; m <= arcs.n; m++) {
    let best = arcs.start[m]!;
    for (let a = best; a < arcs.start[m + 1]!; a++) if (arcScores[a]! > arcScores[best]!) best = a;
    heads[m] = arcs.head[best]!;
  }
  return heads;
}

/** Best trees where pruned arcs have a finite score. */
function bestWithFloor(problem: ParsingProblem, floor: number): Int32Array {
  const arcScores = problem.arcScores.map((score) => (score === -Infinity ? floor : score));
  return bestTree({ ...problem, arcScores })!.heads;
}

export const BROKEN: readonly Broken[] = [
  {
    law: "tree",
    fault: "takes the best head of each word",
    make: broken((decode) => (problem) => {
      const heads = bestHeads(problem);
      return isTree(heads) ? decode(problem) : { ...decode(problem), heads };
    }),
  },
  {
    law: "tree",
    fault: "gives several roots where they score more",
    make: broken((decode) => (problem) => {
      const proper = decode(problem);
      return { ...proper, heads: bestTree(problem, { singleRoot: false })!.heads };
    }),
  },
  {
    law: "tree",
    fault: "lets arcs cross where a projective tree is asked for",
    make: brute({ projective: true }, (decode) => (problem) => ({
      ...decode(problem),
      heads: bestTree(problem)!.heads,
    })),
  },
  {
    law: "tree",
    fault: "answers in an ordinary array",
    make: broken((decode) => (problem) => {
      const { heads, ...rest } = decode(problem);
      return { ...rest, heads: [...heads] as unknown as Int32Array };
    }),
  },
  {
    law: "pruned",
    fault: "takes -Infinity for a very low score",
    make: broken((decode) => (problem) => {
      const proper = decode(problem);
      return { ...proper, heads: bestWithFloor(problem, -20) };
    }),
  },
  {
    law: "score",
    fault: "forgets the parts in the score",
    exact: false,
    make: broken((decode) => (problem) => {
      const { heads } = decode(problem);
      return { heads, score: scoreTree({ ...problem, parts: [] }, heads), bound: Infinity };
    }),
  },
  {
    law: "bound",
    fault: "certifies whatever it finds",
    exact: false,
    make: broken((decode) => (problem) => {
      decode(problem);
      const found = flattest(problem);
      return { ...found, bound: found.score };
    }),
  },
  {
    law: "bound",
    fault: "answers NaN for the bound",
    exact: false,
    make: broken((decode) => (problem) => ({
      ...decode(problem),
      bound: problem.arcs.n > 1 && problem.arcs.n < 5 ? Number.NaN : Infinity,
    })),
  },
  {
    law: "certificate",
    fault: "is exact and does not say so",
    make: broken((decode) => (problem) => ({ ...decode(problem), bound: Infinity })),
  },
  {
    law: "optimal",
    fault: "prefers flat trees among short sentences, and is certain of them",
    make: broken((decode) => (problem) => {
      const proper = decode(problem);
      const unusual = problem.arcScores.some((score) => Math.abs(score) > 1e9 && score > -Infinity);
      const minute = problem.arcScores.every((score) => Math.abs(score) < 1e-8 || score === -Infinity);
      if (problem.arcs.n !== 4 || unusual || minute) return proper;
      return scored(problem, flattest(problem).heads);
    }),
  },
  {
    law: "no-tree",
    fault: "falls back to a chain",
    make: broken((decode) => (problem) => {
      try {
        return decode(problem);
      } catch (error) {
        if (!(error instanceof NoTree) || problem.parts.length > 0) throw error;
        const heads = Int32Array.from({ length: problem.arcs.n + 1 }, (_, m) => m - 1);
        return { heads, score: -Infinity, bound: Infinity };
      }
    }),
  },
  {
    law: "no-tree",
    fault: "says that there is no tree with an error of another type",
    make: broken((decode) => (problem) => {
      try {
        return decode(problem);
      } catch (error) {
        throw error instanceof NoTree && problem.parts.length === 0 ? new Error("failed") : error;
      }
    }),
  },
  {
    law: "no-tree",
    fault: "gives several roots when there is no tree with one",
    make: broken((decode) => (problem) => {
      try {
        return decode(problem);
      } catch (error) {
        const best = error instanceof NoTree ? bestTree(problem, { singleRoot: false }) : undefined;
        if (best === undefined) throw error;
        return { ...best, bound: best.score };
      }
    }),
  },
  {
    law: "forbidden",
    fault: "takes -Infinity in a part for 0",
    make: broken((decode) => (problem) => {
      const parts = problem.parts.map((table) => ({
        ...table,
        scores: table.scores.map((score) => (score === -Infinity ? 0 : score)),
      }));
      return decode({ ...problem, parts });
    }),
  },
  {
    law: "forbidden",
    fault: "is exact, and gives up where a part is -Infinity",
    make: broken((decode) => (problem) => {
      if (problem.parts.some(({ scores }) => scores.includes(-Infinity)))
        throw new NoTree("brute-force", "no");
      return decode(problem);
    }),
  },
  {
    law: "forbidden",
    fault: "takes -Infinity in a part for a very low score",
    make: broken((decode) => (problem) => {
      const parts = problem.parts.map((table) => ({
        ...table,
        scores: table.scores.map((score) => (score === -Infinity ? -1e6 : score)),
      }));
      return decode({ ...problem, parts });
    }),
  },
  {
    law: "tiny",
    fault: "expects a word",
    make: broken((decode) => (problem) => {
      if (problem.arcs.n === 0) throw new TypeError("cannot read the first word");
      return decode(problem);
    }),
  },
  {
    law: "extreme",
    fault: "takes a score under -10^9 for pruned",
    make: broken((decode) => (problem) => {
      const arcScores = problem.arcScores.map((score) => (score < -1e9 ? -Infinity : score));
      return decode({ ...problem, arcScores });
    }),
  },
  {
    law: "extreme",
    fault: "takes a gain under 10^-7 for none",
    make: broken((decode) => (problem) => {
      const round = (score: number) => Math.round(score * 1e7) / 1e7;
      const proper = decode(problem);
      const minute = problem.arcScores.every((score) => Math.abs(score) < 1e-8 || score === -Infinity);
      if (!minute) return proper;
      return {
        ...proper,
        ...scored(problem, decode({ ...problem, arcScores: problem.arcScores.map(round) }).heads),
      };
    }),
  },
  {
    law: "large",
    fault: "keeps heads in too few bits",
    make: broken((decode) => (problem) => {
      const { heads, ...rest } = decode(problem);
      return { ...rest, heads: heads.map((h) => (h > 4 ? h - 5 : h)) };
    }),
  },
  {
    law: "shift",
    fault: "gives up early when the score is negative",
    exact: false,
    make: broken((decode) => (problem) => {
      const proper = decode(problem);
      return proper.score < 0 ? flattest(problem) : { ...proper, bound: Infinity };
    }),
  },
  {
    law: "scale",
    fault: "takes a gain under 1 for none",
    exact: false,
    make: broken((decode) => (problem) => {
      const proper = decode(problem);
      const start = flattest(problem);
      return proper.score < start.score + 1 ? start : { ...proper, bound: Infinity };
    }),
  },
  {
    law: "relabel",
    fault: "avoids modifiers of the last word",
    exact: false,
    make: broken((decode) => (problem) => {
      decode(problem);
      return preferring(problem, (heads) => (heads.includes(problem.arcs.n) ? 0 : 1));
    }),
  },
  {
    law: "raise",
    fault: "looks for arcs of like scores",
    exact: false,
    make: broken((decode) => (problem) => {
      decode(problem);
      return evenest(problem);
    }),
  },
  {
    law: "deterministic",
    fault: "has every second instance do something else",
    exact: false,
    make: (() => {
      let instances = 0;
      return () => {
        const odd = instances++ % 2 === 1;
        return broken((decode) => (problem) => {
          const proper = decode(problem);
          return odd && problem.arcs.n < 5 ? flattest(problem) : { ...proper, bound: Infinity };
        })();
      };
    })(),
  },
  {
    law: "history",
    fault: "leaves scratch of longer sentences behind",
    exact: false,
    make: () => {
      let longest = 0;
      return broken((decode) => (problem) => {
        const proper = decode(problem);
        longest = Math.max(longest, problem.arcs.n);
        return longest > problem.arcs.n ? flattest(problem) : { ...proper, bound: Infinity };
      })();
    },
  },
  {
    law: "untouched",
    fault: "normalises the scores in place",
    make: broken((decode) => (problem) => {
      const result = decode(problem);
      problem.arcScores.set(shiftArcs(problem, -result.score).arcScores);
      return result;
    }),
  },
  {
    law: "untouched",
    fault: "sorts a table",
    make: broken((decode) => (problem) => {
      const result = decode(problem);
      for (const table of problem.parts) table.scores.sort();
      return result;
    }),
  },
  {
    law: "aliased",
    fault: "answers with its scratch",
    make: () => {
      const scratch = new Int32Array(100);
      return broken((decode) => (problem) => {
        const { heads, ...rest } = decode(problem);
        scratch.set(heads);
        return { ...rest, heads: scratch.subarray(0, heads.length) };
      })();
    },
  },
  {
    law: "aliased",
    fault: "answers with what it keeps for the next time",
    make: () => {
      const kept = new Map<string, Decoding>();
      return broken((decode) => (problem) => {
        const key = JSON.stringify(describe(problem));
        const found = kept.get(key) ?? decode(problem);
        kept.set(key, found);
        return found;
      })();
    },
  },
  {
    law: "refusal",
    fault: "ignores parts that it does not know",
    make: broken((decode) => (problem) => {
      const parts = problem.parts.filter(({ kind }) => kind === "grandparent" || kind === "nextSibling");
      const { arcs, arcScores } = problem;
      return decode({ arcs, arcScores, parts });
    }),
  },
  {
    law: "refusal",
    fault: "refuses with an error of another type",
    make: broken((decode) => (problem) => {
      try {
        const { arcs, arcScores, parts, global } = problem;
        if (global !== undefined) throw new Error("no global scores");
        return decode({ arcs, arcScores, parts });
      } catch (error) {
        throw error instanceof Error && error.name === "UnsupportedPart" ? new Error(error.message) : error;
      }
    }),
  },
  {
    law: "malformed",
    fault: "takes NaN for pruned",
    make: broken((decode) => (problem) => {
      const clean = copyProblem(problem);
      clean.arcScores.forEach((score, a) => {
        if (Number.isNaN(score)) clean.arcScores[a] = -Infinity;
      });
      return decode(clean);
    }),
  },
  {
    law: "description",
    fault: "claims kinds of parts that do not exist",
    make: () => ({ ...broken((decode) => decode)(), handles: new Set([...PART_KINDS, "cousin" as never]) }),
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
