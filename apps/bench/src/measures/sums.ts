import { checkTree, isProjective, type ParsingProblem, type RankedTree, random } from "@arcwise/core";
import {
  createInsideOutside,
  createMatrixTree,
  createProjectiveSampler,
  createTreeSampler,
  eisnerDecoder,
  kBestProjectiveTrees,
  kBestTrees,
  mstDecoder,
  type TreeSampler,
  type TreeSums,
} from "@arcwise/decode-mst";
import { WrongAnswer } from "./checks.ts";

/** A computation over the trees of a sentence, other than decoding, from arc scores alone. */
export interface TreeOperation {
  readonly name: string;
  readonly label: string;
  /** Creates an instance with its own scratch memory. */
  make(): {
    /** Runs the operation and returns a number that depends on the result. */
    run(problem: ParsingProblem): number;
    /** Checks the result. */
    check(problem: ParsingProblem): void;
  };
}

/** Number of trees of a ranking, and of samples. */
const TREES = 10;

/** All operations that are timed in addition to the decoders. */
export const OPERATIONS: readonly TreeOperation[] = [
  marginals("marginals", "marginals (matrix-tree)", false, () => createMatrixTree()),
  marginals("marginals-projective", "projective marginals (inside-outside)", true, () =>
    createInsideOutside(),
  ),
  ranking("k-best", `${TREES} best trees`, false, kBestTrees),
  ranking("k-best-projective", `${TREES} best projective trees`, true, kBestProjectiveTrees),
  sampling("sample", `${TREES} random trees`, false, () => createTreeSampler()),
  sampling("sample-projective", `${TREES} random projective trees`, true, () => createProjectiveSampler()),
];

function marginals(name: string, label: string, projective: boolean, make: () => TreeSums): TreeOperation {
  return {
    name,
    label,
    make() {
      const sums = make();
      let out = new Float64Array(0);
      const run = ({ arcs, arcScores }: ParsingProblem): number => {
        if (out.length < arcScores.length) out = new Float64Array(arcScores.length);
        return sums.marginals(arcs, arcScores, out) + out[0]!;
      };
      const check = (problem: ParsingProblem): void => {
        const { n, start } = problem.arcs;
        const logPartition = run(problem) - out[0]!;
        const best = bestScore(problem, projective);
        if (logPartition < best - 1e-9 * (n + Math.abs(best))) {
          throw new WrongAnswer(`${name}: log-partition ${logPartition} is below the best score ${best}`);
        }
        for (let m = 1; m <= n; m++) {
          let sum = 0;
          for (let a = start[m]!; a < start[m + 1]!; a++) sum += out[a]!;
          if (!(Math.abs(sum - 1) < 1e-6))
            throw new WrongAnswer(`${name}: marginals of word ${m} sum to ${sum}`);
        }
      };
      return { run, check };
    },
  };
}

function ranking(
  name: string,
  label: string,
  projective: boolean,
  trees: (problem: ParsingProblem) => IterableIterator<RankedTree>,
): TreeOperation {
  const run = (problem: ParsingProblem): number => {
    let sum = 0;
    let rank = 0;
    for (const { score } of trees(problem)) {
      sum += score;
      if (++rank === TREES) break;
    }
    return sum;
  };
  const check = (problem: ParsingProblem): void => {
    const slack = 1e-9 * problem.arcs.n;
    const seen = new Set<string>();
    let last = bestScore(problem, projective);
    for (const { heads, score } of trees(problem)) {
      checkMember(name, heads, projective);
      const near = slack + 1e-9 * Math.abs(last);
      if (score > last + near) throw new WrongAnswer(`${name}: ${score} comes after ${last}`);
      if (seen.size === 0 && score < last - near) {
        throw new WrongAnswer(`${name}: the first tree has ${score}, the best one ${last}`);
      }
      if (seen.has(heads.join(" "))) throw new WrongAnswer(`${name}: a tree comes twice`);
      seen.add(heads.join(" "));
      last = score;
      if (seen.size === TREES) break;
    }
  };
  return { name, label, make: () => ({ run, check }) };
}

function sampling(name: string, label: string, projective: boolean, make: () => TreeSampler): TreeOperation {
  return {
    name,
    label,
    make() {
      const sampler = make();
      const stream = random(1);
      const draw = ({ arcs, arcScores }: ParsingProblem, each: (heads: Int32Array) => void): void => {
        const heads = new Int32Array(arcs.n + 1);
        sampler.prepare(arcs, arcScores);
        for (let i = 0; i < TREES; i++) {
          sampler.sample(stream, heads);
          each(heads);
        }
      };
      const run = (problem: ParsingProblem): number => {
        let sum = 0;
        draw(problem, (heads) => {
          sum += heads[1]!;
        });
        return sum;
      };
      return { run, check: (problem) => draw(problem, (heads) => checkMember(name, heads, projective)) };
    },
  };
}

function bestScore(problem: ParsingProblem, projective: boolean): number {
  return (projective ? eisnerDecoder() : mstDecoder()).decode(problem).score;
}

function checkMember(name: string, heads: Int32Array, projective: boolean): void {
  const fault = checkTree(heads) ?? (projective && !isProjective(heads) ? "it is not projective" : undefined);
  if (fault !== undefined) throw new WrongAnswer(`${name}: no such tree: ${fault}`);
}
