import { NetworkLearner } from "./network-learner.ts";
import type { NetworkEpochJob, NetworkTask, NetworkWork } from "./network-task.ts";

/**
 * Returns the job that trains a network of a family for an epoch. It keeps the memory of the network for the next epoch.
 *
 * @param module URL of the module that exports the job
 */
export function networkEpochJob<Gold>(
  name: string,
  module: string,
  taskOf: (work: NetworkWork<Gold>) => NetworkTask,
): NetworkEpochJob {
  return {
    name,
    module,
    run({ sentences, golds, plan, ...epoch }, context) {
      const make = () => new NetworkLearner(taskOf({ ...plan, sentences, golds: golds as readonly Gold[] }));
      return context.keep(plan, make).learnEpoch(epoch, context);
    },
  };
}
