import type { EncodedSentence } from "@arcwise/core/features";
import type { Job, Shared } from "@arcwise/jobs";
import type { EncodedGraph } from "../graphs/encoded-graph.ts";
import { graphNetworkTask } from "../graphs/graph-network.ts";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";
import { type MemberEpoch, NetworkLearner } from "./network-learner.ts";
import type { NetworkState } from "./network-state.ts";
import { type NetworkTask, type NetworkWork, treeNetworkTask } from "./network-task.ts";

/** An epoch of a network. */
interface EpochWork extends Omit<MemberEpoch, "from" | "initial"> {
  readonly sentences: Shared<readonly EncodedSentence[]>;
  readonly golds: Shared<NetworkWork["golds"]>;
  readonly plan: Shared<Omit<NetworkWork, "sentences" | "golds">>;
  readonly from: Shared<NetworkState> | undefined;
  readonly initial: Shared<NetworkState> | undefined;
}

/** Trains a network for an epoch. Keeps the memory of the network for the next one. */
export const networkEpochJob: Job<EpochWork, NetworkState> = {
  name: "network-epoch",
  module: import.meta.url,
  run({ sentences, golds, plan, ...epoch }, context) {
    const learner = context.keep(plan, () => new NetworkLearner(networkTask({ sentences, golds, ...plan })));
    return learner.learnEpoch(epoch, context);
  },
};

/** Returns the task to learn a network. O(words). */
export function networkTask(work: NetworkWork): NetworkTask {
  return work.family === "graphs"
    ? graphNetworkTask(work as NetworkWork<EncodedGraph>)
    : treeNetworkTask(work as NetworkWork<EncodedTree>);
}
