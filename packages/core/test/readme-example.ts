import {
  checkTree,
  completeArcs,
  heads,
  isProjective,
  partLayout,
  scoreTree,
  validateProblem,
} from "@arcwise/core";

// A sentence of three words: every head for every word, and a score for each of the nine arcs.
const arcs = completeArcs(3);
const arcScores = Float64Array.of(0, 9, 1, 7, 2, 1, 0, 8, 3);

// A part table gives scores to pairs of arcs: here, 0.5 for every two modifiers side by side.
const siblings = partLayout("nextSibling", arcs);
for (let part = 0; part < siblings.scores.length; part++) {
  if (siblings.members[part] !== -1) siblings.scores[part] = 0.5;
}
const problem = { arcs, arcScores, parts: [siblings] };
validateProblem(problem);

const tree = heads("2 0 1");
console.log(checkTree(tree)); // undefined
console.log(isProjective(tree)); // false
console.log(scoreTree(problem, tree)); // 24
console.log(scoreTree(problem, heads("2 0 2"))); // 19
console.log(scoreTree(problem, heads("0 1 1"))); // 10.5
console.log(checkTree(heads("2 1 0"))); // cycle: 1 -> 2 -> 1
