import { exponential, type Matrix, sentenceBatch } from "@arcwise/neural";
import type { KnownInput, NetworkInput, SequenceNetwork } from "./network.ts";

/** A part of a sequence: positions `from` to before `end`. */
export interface Span {
  readonly from: number;
  readonly end: number;
}

/** Positions of a window whose classes are used, and positions that it reads before and after them. */
export interface WindowSize {
  readonly length: number;
  readonly context: number;
}

/** Windows that are read in lockstep, and the maximum number of their positions, unless one window has more. */
const LOCKSTEP = 16;
export const MAX_POSITIONS = 2 ** 12;

/**
 * Returns the batch of some windows, longest first.
 *
 * @param features `kinds` features a position
 */
export function batchOf(features: Int32Array, kinds: number, windows: readonly Span[]): NetworkInput {
  const batch = sentenceBatch(windows.map(({ from, end }) => end - from));
  const rows = batch.start.at(-1)!;
  const start = new Int32Array(rows + 1);
  const entries = new Int32Array(rows * kinds);
  let row = 0;
  for (let t = 0; t + 1 < batch.start.length; t++) {
    for (let s = 0; s < batch.start[t + 1]! - batch.start[t]!; s++) {
      const position = (windows[s]!.from + t) * kinds;
      for (let k = 0; k < kinds; k++) entries[row * kinds + k] = features[position + k]!;
      start[++row] = row * kinds;
    }
  }
  return { batch, lookups: { start, entries } };
}

/**
 * Returns the probabilities of the classes of all positions: class c at position i is in
 * `[i classes + c]`. Long sequences are cut into windows with context on both sides, which are read in
 * lockstep; the result does not depend on which sequences are read together.
 *
 * @param inputOf the input of the network for some windows
 * @param positions their number
 * @param sequences disjoint spans, which cover the positions
 */
export function probabilities(
  network: SequenceNetwork,
  inputOf: (windows: readonly Span[]) => NetworkInput | KnownInput,
  positions: number,
  sequences: readonly Span[],
  size: WindowSize,
): Float32Array {
  const { memory, shape } = network;
  const { classes } = shape;
  const into = new Float32Array(positions * classes);
  const windows = sequences.flatMap((sequence) => windowsOf(sequence, size));
  windows.sort((a, b) => lengthOf(b.read) - lengthOf(a.read));
  for (let w = 0, next = 0; w < windows.length; w = next) {
    let rows = 0;
    while (next < windows.length && next < w + LOCKSTEP) {
      rows += lengthOf(windows[next]!.read);
      if (next > w && rows > MAX_POSITIONS) break;
      next++;
    }
    const some = windows.slice(w, next);
    const { mark } = memory;
    const input = inputOf(some.map(({ read }) => read));
    const scores = network.scores(input);
    for (let s = 0; s < some.length; s++)
      writeProbabilities(
        memory.values,
        { scores, start: input.batch.start, sequence: s },
        some[s]!,
        into,
        classes,
      );
    memory.release(mark);
  }
  return into;
}

/** Scores of the positions of a sequence of a batch: position t is in row `start[t] + sequence`. */
interface SequenceScores {
  readonly scores: Matrix;
  readonly start: Int32Array;
  readonly sequence: number;
}

/** Writes the probabilities of the classes of the positions of a window. O(positions · classes). */
function writeProbabilities(
  values: Float32Array,
  { scores, start, sequence }: SequenceScores,
  { read, used }: Window,
  into: Float32Array,
  classes: number,
): void {
  for (let i = used.from; i < used.end; i++) {
    const row = start[i - read.from]! + sequence;
    softmax(values, scores.at + row * scores.row, into, i * classes, classes);
  }
}

export function lengthOf({ from, end }: Span): number {
  return end - from;
}

interface Window {
  readonly read: Span;
  readonly used: Span;
}

function windowsOf({ from, end }: Span, { length, context }: WindowSize): Window[] {
  const windows: Window[] = [];
  for (let at = from; at < end; at += length) {
    const stop = Math.min(end, at + length);
    windows.push({
      read: { from: Math.max(from, at - context), end: Math.min(end, stop + context) },
      used: { from: at, end: stop },
    });
  }
  return windows;
}

function softmax(scores: Float32Array, at: number, into: Float32Array, first: number, classes: number): void {
  let largest = -Infinity;
  for (let c = 0; c < classes; c++) largest = Math.max(largest, scores[at + c]!);
  let sum = 0;
  for (let c = 0; c < classes; c++) {
    const share = exponential(scores[at + c]! - largest);
    into[first + c] = share;
    sum += share;
  }
  for (let c = 0; c < classes; c++) into[first + c]! /= sum;
}
