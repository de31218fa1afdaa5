import { type Random, random } from "@arcwise/core";
import { type BatchLoss, Trainer } from "@arcwise/neural";
import type { SequenceNetwork } from "./network.ts";
import { batchOf, lengthOf, type Span } from "./windows.ts";

/** Examples of a network: features and classes of positions in sequences. */
export interface Examples {
  readonly kinds: number;
  readonly features: Int32Array;
  /** Other features of all positions; where they differ, training reads them now and then. */
  readonly alternatives: readonly Int32Array[];
  /** Class of each position, -1 for those that do not count. */
  readonly targets: Int32Array;
  /** Auxiliary classes of each position, likewise, of each kind. */
  readonly auxiliary: readonly Int32Array[];
  readonly sequences: readonly Span[];
}

/** How a network is trained. */
export interface LearningSettings {
  readonly epochs: number;
  readonly seed: number;
  /** Positions of a window, and windows of a batch. */
  readonly window: number;
  readonly batch: number;
  /** See `TrainerEpoch`. */
  readonly rate: number;
  /** Dropout of embeddings and states. */
  readonly dropout: number;
  /** For each kind of features, how often one is replaced by the unknown one. */
  readonly unknown: readonly number[];
  /** Weight of the losses of auxiliary classes. */
  readonly auxiliaryWeight: number;
  /** Called between batches; may throw to stop. */
  readonly pause: () => unknown;
  /** Called after each epoch with the mean loss of a position. Returns whether it was the last one. */
  readonly onEpoch: (epoch: number, loss: number) => boolean;
}

/** How often a position has each of its alternatives. */
const ALTERNATIVE_SHARE = 0.1;

/** Embeddings move faster than layers by this factor, since each is in few steps. */
const EMBEDDING_RATE = 3;

/** Forks of the seed. */
const STREAM = { parameters: 1, windows: 2, noise: 3 } as const;

/**
 * Trains a network on windows with random offsets, by Adam (Kingma and Ba 2015). The same examples and seed
 * give the same parameters on every engine.
 */
export async function learn(
  network: SequenceNetwork,
  examples: Examples,
  settings: LearningSettings,
): Promise<void> {
  const { epochs, seed, batch: size, rate, onEpoch, pause } = settings;
  network.initialize(seed);
  const { features: entries, embedding: units } = network.shape;
  const trainer = new Trainer(network.parameters, { entries, units }, { rateFactor: EMBEDDING_RATE });
  const noise = random(seed).fork(STREAM.noise);
  for (let epoch = 1; epoch <= epochs; epoch++) {
    const stream = random(seed).fork(STREAM.windows).fork(epoch);
    const windows = stream.shuffle(randomWindows(examples.sequences, settings.window, stream));
    const batches = Array.from({ length: Math.ceil(windows.length / size) }, (_, b) =>
      windows.slice(b * size, (b + 1) * size).sort((one, other) => lengthOf(other) - lengthOf(one)),
    );
    const learn = (batch: readonly Span[]) => addGradients(network, examples, batch, settings, noise);
    const loss = await trainer.learnEpoch({ epoch, epochs, rate, batches, learn, pause });
    if (onEpoch(epoch, loss)) return;
  }
}

/** Cuts sequences into windows, the first of which ends at a random position. */
function randomWindows(sequences: readonly Span[], length: number, stream: Random): Span[] {
  return sequences.flatMap(({ from, end }) => {
    const windows: Span[] = [];
    const first = end - from <= length ? length : 1 + stream.int(length);
    for (let at = from, stop = from + first; at < end; at = stop, stop += length) {
      windows.push({ from: at, end: Math.min(end, stop) });
    }
    return windows;
  });
}

/** Adds the gradients of a batch. */
function addGradients(
  network: SequenceNetwork,
  { kinds, features, alternatives, targets, auxiliary }: Examples,
  windows: readonly Span[],
  { dropout, unknown, auxiliaryWeight }: LearningSettings,
  noise: Random,
): BatchLoss {
  const input = batchOf(features, kinds, windows);
  const { batch, lookups } = input;
  for (const other of alternatives) {
    for (const [s, { from, end }] of windows.entries()) {
      for (let i = from; i < end; i++) {
        // The first feature is the form.
        if (other[i * kinds] === features[i * kinds] || noise.next() >= ALTERNATIVE_SHARE) continue;
        const row = batch.start[i - from]! + s;
        for (let k = 0; k < kinds; k++) lookups.entries[row * kinds + k] = other[i * kinds + k]!;
      }
    }
  }
  for (let i = 0; i < lookups.entries.length; i++) {
    const share = unknown[i % kinds]!;
    if (share > 0 && noise.uint32() < share * 2 ** 32) lookups.entries[i] = i % kinds;
  }
  const rowClasses = (own: Int32Array) => {
    const classes = new Int32Array(batch.start.at(-1)!);
    for (const [s, { from, end }] of windows.entries()) {
      for (let i = from; i < end; i++) classes[batch.start[i - from]! + s] = own[i]!;
    }
    return classes;
  };
  const classes = rowClasses(targets);
  const all = { classes, auxiliary: auxiliary.map(rowClasses), weight: auxiliaryWeight };
  const loss = network.learn(input, all, { rate: dropout, stream: noise });
  return { loss, count: classes.length, rows: lookups.entries };
}
