import { ad3, FactorGraph, ownMaximizer } from "@arcwise/decode-ad3";

/** The variables that are on are consecutive; there may be none. */
const stretch = (variables: number) =>
  ownMaximizer({
    variables,
    maximize: (scores) => {
      let best = { value: 0, from: 0, to: 0 };
      for (let from = 0, to = 0, value = 0; to < variables; ) {
        value += scores[to++]!;
        if (value > best.value) best = { value, from, to };
        if (value < 0) [from, value] = [to, 0];
      }
      return { on: Array.from({ length: best.to - best.from }, (_, i) => best.from + i) };
    },
  });

const graph = new FactorGraph();
const hours = [2, -1, 2, -5, 4].map((score) => graph.addVariable(score));
graph.addGeneric(hours, stretch(5));
graph.addBudget(hours, 2);
const { status, value, posteriors } = ad3(graph);
console.log(status, value, posteriors.join(" ")); // integral 4 0 0 0 0 1
