/** Layers by their formulas, in plain loops over 64-bit numbers: no batches, no strides, no kernels. */

export type Vector = readonly number[];
export type Rows = readonly Vector[];

/** Row of position t of sequence s. */
export interface Batched {
  readonly lengths: readonly number[];
  row(t: number, s: number): number;
}

interface Recurrent {
  readonly input: Rows;
  readonly state: Rows;
  readonly bias: Vector;
}

const range = (length: number) => Array.from({ length }, (_, i) => i);
const logistic = (x: number) => 1 / (1 + Math.exp(-x));
const leaky = (x: number) => (x < 0 ? 0.1 * x : x);
const activations = { none: (x: number) => x, "leaky-relu": leaky, tanh: Math.tanh };

/** x W, one sum of products for each column of W. */
function times(x: Vector, weights: Rows): number[] {
  return weights[0].map((_, j) => x.reduce((sum, value, i) => sum + value * weights[i][j], 0));
}

function plus(...vectors: Vector[]): number[] {
  return vectors[0].map((_, k) => vectors.reduce((sum, vector) => sum + vector[k], 0));
}

function dense(x: Rows, weights: Rows, bias: Vector, activation: keyof typeof activations): Rows {
  return x.map((row) => plus(times(row, weights), bias).map(activations[activation]));
}

/**
 * Runs a recurrent layer over each sequence by itself; `step` gives the memory and the state after an input.
 */
function recur<Memory>(
  { lengths, row }: Batched,
  x: Rows,
  isBackward: boolean,
  step: (input: Vector, memory: Memory | undefined) => { readonly memory: Memory; readonly state: Vector },
): Rows {
  const states: Vector[] = [];
  for (const [s, length] of lengths.entries()) {
    let memory: Memory | undefined;
    for (const t of isBackward ? range(length).reverse() : range(length)) {
      const next = step(x[row(t, s)], memory);
      memory = next.memory;
      states[row(t, s)] = next.state;
    }
  }
  return states;
}

function elman(batch: Batched, x: Rows, { input, state, bias }: Recurrent): Rows {
  return recur<Vector>(batch, x, false, (own, before = bias.map(() => 0)) => {
    const next = plus(times(own, input), times(before, state), bias).map(Math.tanh);
    return { memory: next, state: next };
  });
}

function lstm(batch: Batched, x: Rows, { input, state, bias }: Recurrent, isBackward: boolean): Rows {
  const units = bias.length / 4;
  const zeros = range(units).map(() => 0);
  const start = { cell: zeros as Vector, state: zeros as Vector };
  return recur<typeof start>(batch, x, isBackward, (own, before = start) => {
    const sums = plus(times(own, input), times(before.state, state), bias);
    const gate = (which: number, k: number) => sums[which * units + k];
    const cell = range(units).map(
      (k) => logistic(gate(1, k)) * before.cell[k] + logistic(gate(0, k)) * Math.tanh(gate(2, k)),
    );
    const next = cell.map((value, k) => logistic(gate(3, k)) * Math.tanh(value));
    return { memory: { cell, state: next }, state: next };
  });
}

function biaffine(
  heads: Rows,
  modifiers: Rows,
  { weights, head, distance }: { readonly weights: Rows; readonly head: Vector; readonly distance: Vector },
  columns: number,
): Rows {
  return modifiers.map((modifier, m) =>
    range(columns).map((h) => {
      if (h >= heads.length) return 0;
      const product = times(modifier, weights);
      const units = heads[h].reduce((sum, value, k) => sum + value * (product[k] + head[k]), 0);
      return units + distance[31 + Math.max(-31, Math.min(31, h - m))];
    }),
  );
}

function pairs(
  states: Rows,
  list: readonly (readonly [number, number])[] | readonly (readonly number[])[],
  { first, second, bias }: { readonly first: Rows; readonly second: Rows; readonly bias: Vector },
): Rows {
  return list.map((pair) => {
    const [i, j] = pair as readonly [number, number];
    return plus(times(states[i], first), times(states[j], second), bias).map(leaky);
  });
}

function embedding(lists: readonly (readonly number[])[], table: Rows): Rows {
  return lists.map((list) =>
    plus(
      table[0].map(() => 0),
      ...list.map((entry) => table[entry]),
    ),
  );
}

export const naive = { dense, elman, lstm, biaffine, pairs, embedding };
