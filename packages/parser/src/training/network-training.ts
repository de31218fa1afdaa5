import { epochShare, jobReports, type StepProgress } from "@arcwise/core/training";
import { doAll, here, type Place, share } from "@arcwise/jobs";
import { networkSize } from "../scoring/network/network-layout.ts";
import { joinStates, type NetworkState, stateOfMembers } from "./network-state.ts";
import type { NetworkTask } from "./network-task.ts";

/** Options of `trainNetwork`. */
export interface NetworkTrainOptions {
  readonly epochs: number;
  readonly seed: number;
  readonly onProgress?: ((at: StepProgress) => void) | undefined;
  /** The state that training begins with. Default: random parameters. */
  readonly initial?: NetworkState | undefined;
  /** Called after each epoch and awaited; training ends when it returns false. */
  readonly onEpoch?: ((state: NetworkState) => unknown) | undefined;
  /** A state of `onEpoch`: training resumes from it, to the same parameters as without the interruption. */
  readonly resume?: NetworkState | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Default: this thread. */
  readonly place?: Place | undefined;
}

/**
 * Trains the networks of a parser, by Adam on batches of some hundred words, with dropout (Srivastava et al. 2014) of
 * features and of numbers between layers. An epoch of a member is a job. The same sentences, options and seed give the
 * same networks on every machine.
 *
 * Memory: 16 bytes per parameter of a network and thread, and with 128 units 3 MB and 35 kB for each word of a batch; 24
 * bytes per parameter of each member.
 */
export async function trainNetwork(
  { work, epochJob, codes, shape, settings: { members } }: NetworkTask,
  {
    epochs,
    seed,
    initial,
    onProgress,
    onEpoch,
    resume = initial,
    signal,
    place = here(),
  }: NetworkTrainOptions,
): Promise<NetworkState> {
  const { sentences, golds, ...plan } = { ...work, codes };
  // The plan is a new object: what jobs keep with it can be freed when the training ends.
  const common = { sentences: share(sentences), golds: share(golds), plan: share(plan), epochs, seed };
  const first = initial && stateOfMembers(initial, members, networkSize(shape)).map((state) => share(state));
  let states: readonly (NetworkState | undefined)[] = resume
    ? stateOfMembers(resume, members, networkSize(shape))
    : new Array<undefined>(members).fill(undefined);
  for (let epoch = (resume?.epoch ?? 0) + 1; epoch <= epochs; epoch++) {
    const inputs = states.map((state, member) => ({
      ...{ ...common, member, epoch, from: state && share(state), initial: first?.[member] },
    }));
    const report = jobReports(members, (at) =>
      onProgress?.({ ...at, epochDone: at.share === 1, share: epochShare(epoch, epochs, at.share, 1) }),
    );
    const reached = await doAll(place, epochJob, inputs, { onProgress: report, signal });
    states = reached;
    if ((await onEpoch?.(joinStates(reached))) === false) break;
  }
  return { ...joinStates(states as readonly NetworkState[]), epoch: epochs, memory: undefined };
}
