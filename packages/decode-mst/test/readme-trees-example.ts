import { completeArcs } from "@arcwise/core";
import { eisnerDecoder, kBestTrees, mstDecoder, restrictArcs } from "@arcwise/decode-mst";

// "A hearing is scheduled on the issue today": 8 words, all arcs, 1 for the right ones and 0 for the others.
const liked = [2, 3, 0, 3, 2, 7, 5, 4]; // "on the issue" belongs to "hearing", "today" to "scheduled"
const arcs = completeArcs(8);
const arcScores = Float64Array.from(arcs.head, (head, arc) =>
  liked[arcs.modifier[arc]! - 1] === head ? 1 : 0,
);
const problem = { arcs, arcScores, parts: [] };

const best = mstDecoder().decode(problem);
console.log(best.heads.join(" "), best.score); // -1 2 3 0 3 2 7 5 4 8

// Without crossing arcs, one arc is lost.
console.log(eisnerDecoder().decode(problem).score); // 7

// The second-best tree costs one arc too.
const ranking = kBestTrees(problem);
console.log([1, 2, 3].map(() => ranking.next().value?.score).join(" ")); // 8 7 7

// Constraints: "scheduled" is the root, and "today" is not its modifier.
const annotated = restrictArcs(problem, { forced: [[0, 4]], forbidden: [[4, 8]] });
console.log(mstDecoder().decode(annotated).score); // 5
