import { arcIndex, completeArcs, partLayout } from "@arcwise/core";
import { kBestProjectiveTrees, partMarginals, projectiveDecoder } from "@arcwise/decode-mst";

// "she saw stars with telescopes": the arc 3 -> 4 (stars with) scores more than 2 -> 4 (saw with).
const arcs = completeArcs(5);
const arcScores = new Float64Array(arcs.head.length);
const likes: [head: number, modifier: number, score: number][] = [
  [2, 1, 4],
  [0, 2, 4],
  [2, 3, 4],
  [3, 4, 2],
  [2, 4, 1],
  [4, 5, 4],
];
for (const [h, m, score] of likes) arcScores[arcIndex(arcs, h, m)] = score;
const problem = { arcs, arcScores, parts: [] };
console.log(projectiveDecoder().decode(problem).heads.join(" ")); // -1 2 0 2 3 4

// A grandparent part changes the best tree: saw -> with -> telescopes.
const grandparents = partLayout("grandparent", arcs);
const owner = arcIndex(arcs, 4, 5);
const slot = arcIndex(arcs, 2, 4) - arcs.start[4]!;
grandparents.scores[grandparents.start[owner]! + slot] = 1.5;
const second = { ...problem, parts: [grandparents] };
const best = projectiveDecoder().decode(second);
console.log(best.heads.join(" "), best.score); // -1 2 0 2 2 4 18.5

// The second-best tree, and how probable that part is.
const ranking = kBestProjectiveTrees(second);
ranking.next();
console.log(ranking.next().value.heads.join(" ")); // -1 2 0 2 3 4
const marginals = partMarginals(second);
console.log(marginals.parts[0]![grandparents.start[owner]! + slot]!.toFixed(2)); // 0.61
