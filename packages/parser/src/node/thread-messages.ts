/* The messages between a training and its threads. */
import { messageKind } from "@arcwise/core/messages";
import { anyOf, integer, oneOf, record, withMembers } from "@arcwise/core/options";
import type { NetworkState } from "../training/network-state.ts";
import type { NetworkTrainOptions } from "../training/network-task.ts";

/** What a thread that trains networks answers. */
export type NetworkAnswer =
  | {
      readonly kind: "progress";
      readonly progress: Parameters<NonNullable<NetworkTrainOptions["onProgress"]>>[0];
    }
  | { readonly kind: "epoch" | "done"; readonly state: NetworkState };

export const NETWORK_ANSWER = messageKind<NetworkAnswer>(
  "network",
  anyOf(
    record<{ kind: string; progress: object }>({
      kind: oneOf("progress"),
      progress: withMembers("progress", "epoch"),
    }),
    record<{ kind: string; state: object }>({
      kind: oneOf("epoch", "done"),
      state: withMembers("a state", "epoch", "parameters"),
    }),
  ),
);
/** The number of an epoch whose state has been kept. */
export const KEPT_EPOCH = messageKind<number>("network epoch", integer(0));

/** What a thread that trains pruners answers: the weights of the pruner of a fold. */
export interface TrainedFold {
  readonly fold: number;
  readonly weights: Float32Array<ArrayBuffer>;
}

/** The number of a fold whose pruner a thread is to train, from 0. */
export const FOLD = messageKind<number>("pruner fold", integer(0));
export const TRAINED_FOLD = messageKind<TrainedFold>(
  "pruner",
  record<TrainedFold>({ fold: integer(0), weights: withMembers("weights", "length") }),
);
