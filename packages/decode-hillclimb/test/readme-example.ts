import { arcIndex, completeArcs, partLayout } from "@arcwise/core";
import { hillclimbDecoder } from "@arcwise/decode-hillclimb";

// "she saw stars with telescopes": 3 -> 4 (stars with) is a little better than 2 -> 4 (saw with).
const arcs = completeArcs(5);
const arcScores = new Float64Array(arcs.head.length);
const scored: [head: number, modifier: number, score: number][] = [
  [2, 1, 4],
  [0, 2, 4],
  [2, 3, 4],
  [3, 4, 2],
  [2, 4, 1],
  [4, 5, 4],
];
for (const [h, m, score] of scored) arcScores[arcIndex(arcs, h, m)] = score;

// A part over three arcs that no dynamic programme takes: root -> saw -> with -> telescopes.
const chains = partLayout("greatGrandparent", arcs);
const owner = arcIndex(arcs, 4, 5);
for (let part = chains.start[owner]!; part < chains.start[owner + 1]!; part++) {
  const [middle, top] = chains.members.slice(2 * part, 2 * part + 2);
  if (middle === arcIndex(arcs, 2, 4) && top === arcIndex(arcs, 0, 2)) chains.scores[part] = 1.5;
}

// And a score of the whole tree: half a point for each word without modifiers.
const global = {
  name: "leaves",
  score: (heads: Int32Array) => 0.5 * (heads.length - new Set(heads.slice(1)).size),
};

const decoder = hillclimbDecoder({ restarts: 20, seed: 7 });
const best = decoder.decodeWithReport({ arcs, arcScores, parts: [chains], global });
console.log(best.heads.join(" "), best.score); // -1 2 0 2 2 4 20
console.log(best.restarts, best.best); // 20 0
