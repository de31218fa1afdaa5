import { completeArcs, random } from "@arcwise/core";
import { arcMarginals, createTreeSampler, expectedCost, mbrDecoder, treeEntropy } from "@arcwise/decode-mst";

// Three words. A tree's probability is proportional to exp(score), the product of these weights of its arcs.
const arcs = completeArcs(3);
const weights = [5, 3, 3, 8, 5, 0.1, 0.1, 5, 3]; // 0 -> 1, 2 -> 1, 3 -> 1, 0 -> 2, 1 -> 2, ...
const arcScores = Float64Array.from(weights, Math.log);

const { logPartition, marginals } = arcMarginals(arcs, arcScores);
console.log(Math.exp(logPartition).toFixed(2)); // 468.06
console.log(marginals[3]!.toFixed(3)); // 0.564
console.log(treeEntropy(arcScores, marginals, logPartition).toFixed(3)); // 1.618
// Expected number of wrong heads if the gold tree is 0 -> 1 -> 2, 1 -> 3.
console.log(expectedCost(marginals, Float64Array.of(0, 1, 1, 1, 0, 1, 1, 0, 1)).toFixed(3)); // 1.608

// The tree with the most correct heads on average; the most probable tree is 0 -> 1 -> 2, 1 -> 3.
const { heads, confidence } = mbrDecoder().decode({ arcs, arcScores, parts: [] });
console.log(heads.join(" ")); // -1 2 0 1
console.log([...confidence.slice(1)].map((p) => p.toFixed(2)).join(" ")); // 0.41 0.56 0.53

const sampler = createTreeSampler();
sampler.prepare(arcs, arcScores);
const stream = random(1);
let roots = 0;
for (let draw = 0; draw < 10_000; draw++) {
  sampler.sample(stream, heads);
  if (heads[2] === 0) roots++;
}
console.log(Math.abs(roots / 10_000 - marginals[3]!) < 0.02); // true
