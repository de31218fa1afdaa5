import { ad3, branchAndBound, FactorGraph } from "@arcwise/decode-ad3";

// Three dishes, of which exactly one is chosen, and two drinks.
const graph = new FactorGraph();
const [fish, meat, salad] = [graph.addVariable(1.0), graph.addVariable(1.2), graph.addVariable(0.4)];
const [white, red] = [graph.addVariable(0.1), graph.addVariable(0.2)];
graph.addXor([fish, meat, salad]);
graph.addAtMostOne([white, red]);
graph.addPair(fish, white, 0.9); // they go well together
graph.addPair(fish, red, -0.5);
graph.addImplication([salad, red], { negated: [false, true] }); // with salad, no red wine

const solution = ad3(graph);
console.log(solution.status, solution.value.toFixed(1)); // integral 2.0
console.log(solution.posteriors.join(" ")); // 1 0 0 1 0

// Three neighbours that all want to differ, with two colours: the relaxation is better than any colouring.
const circle = new FactorGraph();
const houses = [0.1, 0.2, 0.3].map((taste) => circle.addMultiVariable([taste, 0]));
for (const [a, b] of [
  [0, 1],
  [1, 2],
  [2, 0],
] as const) {
  circle.addDense(houses[a]!, houses[b]!, [0, 1, 1, 0]);
}
const relaxed = ad3(circle);
console.log(relaxed.status, relaxed.bound.toFixed(2)); // fractional 3.30
const exact = branchAndBound(circle);
console.log(exact.status, exact.value, exact.assignment.join(" ")); // optimal 2.5 0 1 1 0 1 0
