import { type ParsingProblem, random } from "@arcwise/core";
import { PATH_ORDERS, PATH_STARTS, type PathLosses, pathLosses, pathStart, summary } from "./path-losses.ts";

/** A sentence's problem and its gold heads. */
interface GoldProblem {
  readonly problem: ParsingProblem;
  readonly gold: Int32Array;
}

/**
 * Measures both losses along paths from each kind of tree, in each order. Sentences whose gold tree the pruner has not
 * kept have no paths.
 */
export function measurePaths(sentences: readonly GoldProblem[], seed: number) {
  const stream = random(seed);
  const losses = PATH_STARTS.map(() => PATH_ORDERS.map((): PathLosses[] => []));
  let kept = 0;
  for (const [i, { problem, gold }] of sentences.entries()) {
    const own = stream.fork(i);
    let isKept = true;
    for (const [s, kind] of PATH_STARTS.entries()) {
      const start = pathStart(problem, gold, kind, own);
      for (const [o, order] of PATH_ORDERS.entries()) {
        const path = pathLosses(problem, gold, start, order, own);
        if (path === undefined) isKept = false;
        else losses[s]![o]!.push(path);
      }
    }
    if (isKept) kept++;
  }
  const summaries = PATH_STARTS.flatMap((start, s) =>
    PATH_ORDERS.map((order, o) => summary(start, order, losses[s]![o]!)),
  );
  return { sentences: sentences.length, kept, summaries };
}
