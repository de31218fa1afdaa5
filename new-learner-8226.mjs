// new-learner-8226.mjs
import { SparseVector } from "@arcwise/core";
import { AveragedWeights, onlineLearner } from "@arcwise/learn";

function create(dimension) {
  const weights = new AveragedWeights(dimension);
  const difference = new SparseVector();
  return {
    name: "new-learner-8226",
    weights,
    update(task, example) {
      difference.clear();
      const output = task.decode(example, weights.values, true);
      const cost = task.difference(example, output, difference);
      const loss = Math.max(0, cost - difference.dot(weights.values));
      // The step ends with add or skip.
      if (cost > 0) weights.add(difference, 1 / Math.sqrt(1 + weights.steps / 100));
      else weights.skip();
      return { cost, loss };
    },
    result: (into) => weights.average(into),
  };
}

export default () => onlineLearner({ name: "new-learner-8226", create, unit: "none" });
