import { NetworkMean } from "./network-mean.ts";
import { type LearnedBatch, type NetworkSlice, NetworkSlices, type SliceRun } from "./network-slices.ts";
import { copyState, type NetworkState } from "./network-state.ts";
import type { NetworkTask, NetworkTrainOptions } from "./network-task.ts";

/**
 * Trains a network to predict the head of each word and its label, by Adam on batches of some hundred words,
 * with dropout (Srivastava et al. 2014) of features and of numbers between layers. With several shards, each makes
 * steps of its own, and their states are averaged several times an epoch (McMahan et al. 2017). The same sentences,
 * options and seed give the same network on every machine.
 *
 * Memory, for each member: 16 bytes a parameter, and with 128 units 3 MB and 35 kB for each word of a batch.
 *
 * @throws RangeError when the state to go on from is one of another network
 * @throws the reason of the signal once that is aborted
 */
export async function trainNetwork(
  task: NetworkTask,
  { epochs, seed, onProgress, onEpoch, resume, signal }: NetworkTrainOptions,
): Promise<NetworkState> {
  const slices = new NetworkSlices(task, { epochs, seed, resume });
  for (let epoch = (resume?.epoch ?? 0) + 1; epoch <= epochs; epoch++) {
    let sum = 0;
    let words = 0;
    let done = 0;
    const onBatch = (batch: LearnedBatch) => {
      sum += batch.words * batch.loss;
      words += batch.words;
      done += batch.sentences;
      onProgress?.({ epoch, done, loss: sum / Math.max(1, words) });
    };
    for (let round = 0; round < slices.rounds; round++)
      await learnRound(slices, { epoch, round }, { onBatch, signal });
    await onEpoch?.(slices.state(epoch));
  }
  const { parameters, ...state } = slices.state(epochs);
  return { ...state, parameters: parameters.slice() };
}

/** Trains on all shards of a round, one after the other, and averages their states. */
async function learnRound(
  slices: NetworkSlices,
  { epoch, round }: Omit<NetworkSlice, "shard">,
  run: SliceRun,
): Promise<void> {
  if (slices.shards === 1) return slices.learn({ epoch, round, shard: 0 }, run);
  const from = copyState(slices.state(epoch - 1));
  const mean = new NetworkMean(from);
  for (let shard = 0; shard < slices.shards; shard++) {
    if (shard > 0) slices.restore(from);
    await slices.learn({ epoch, round, shard }, run);
    mean.add(slices.partialState(epoch));
  }
  slices.restore(mean.take());
}
