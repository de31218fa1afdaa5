import { FactorGraph } from "@arcwise/decode-ad3";
import { treeMaximizer } from "../../src/solver/tree-maximizer.ts";
import { headAutomatonMaximizer } from "./head-automaton-maximizer.ts";

/** Builds the factor graph of an instance: the format is described next to the files. */
export function readInstance(instance) {
  const graph = new FactorGraph();
  const firsts = [];
  const multi = [];
  for (const potentials of instance.variables) {
    const variable = potentials.length > 1 ? graph.addMultiVariable(potentials) : undefined;
    multi.push(variable);
    firsts.push(variable?.first ?? graph.addVariable(potentials[0]));
  }
  for (const factor of instance.factors) addFactor(graph, factor, firsts, multi);
  return graph;
}

function addFactor(graph, factor, firsts, multi) {
  const variables = factor.variables.map((v) => firsts[v]);
  const options = factor.negated === undefined ? {} : { negated: factor.negated };
  switch (factor.type) {
    case "PAIR":
      return graph.addPair(variables[0], variables[1], factor.potentials[0], options);
    case "XOR":
      return graph.addXor(variables, options);
    case "XOROUT":
      return graph.addXorWithOutput(variables, options);
    case "ATMOSTONE":
      return graph.addAtMostOne(variables, options);
    case "OR":
      return graph.addOr(variables, options);
    case "OROUT":
      return graph.addOrWithOutput(variables, options);
    case "BUDGET":
      return graph.addBudget(variables, factor.budget, options);
    case "KNAPSACK":
      return graph.addKnapsack(variables, factor.costs, factor.budget, options);
    case "DENSE":
      return graph.addDense(multi[factor.variables[0]], multi[factor.variables[1]], factor.potentials);
    case "TREE": {
      const maximizer = treeMaximizer(factor.length - 1, factor.arcs, { singleRoot: false });
      return graph.addGeneric(variables, maximizer);
    }
    case "HEAD_AUTOMATON": {
      const siblings = factor.siblings.map(([h, m, s]) => [Math.abs(m - h), Math.abs(s - h)]);
      return graph.addGeneric(variables, headAutomatonMaximizer(factor.length, siblings), factor.potentials);
    }
    default:
      throw new RangeError(`unknown factor type ${factor.type}`);
  }
}
