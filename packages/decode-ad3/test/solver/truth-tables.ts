/**
 * Assignments that each factor allows and their scores, by definition, over all assignments of its variables.
 * Independent of the sources.
 */

/** An assignment of the variables of a factor that it allows. */
export interface Point {
  /** 0 or 1 for each variable. */
  readonly on: readonly number[];
  /** Score of the factor for the assignment. */
  readonly score: number;
}

/** All assignments of k binary variables. */
export function assignments(k: number): number[][] {
  return Array.from({ length: 2 ** k }, (_, code) => Array.from({ length: k }, (_, i) => (code >> i) & 1));
}

const count = (on: readonly number[]) => on.filter((value) => value === 1).length;
const isAnyOn = (on: readonly number[]) => on.includes(1);

/** Whether 0s and 1s satisfy a logic constraint. */
export const LOGIC = {
  xor: (on) => count(on) === 1,
  xorWithOutput: (on) => count(on.slice(0, -1)) <= 1 && isAnyOn(on.slice(0, -1)) === (on.at(-1) === 1),
  atMostOne: (on) => count(on) <= 1,
  or: (on) => isAnyOn(on),
  orWithOutput: (on) => isAnyOn(on.slice(0, -1)) === (on.at(-1) === 1),
  implication: (on) => on.slice(0, -1).includes(0) || on.at(-1) === 1,
} as const satisfies Record<string, (on: readonly number[]) => boolean>;

export type Logic = keyof typeof LOGIC;

/** The logic constraints. */
export const LOGICS = Object.keys(LOGIC) as readonly Logic[];

/** The assignments that a logic constraint of k inputs allows. */
export function logicPoints(logic: Logic, k: number): number[][] {
  return assignments(k).filter(LOGIC[logic]);
}

/** Two multi-valued variables with one value each: states i and j score the entry in row i and column j. */
export function densePoints(rows: number, columns: number, table: ArrayLike<number>): Point[] {
  return sequencePoints([rows, columns], table);
}

/** A chain of multi-valued variables: each two adjacent ones are scored by a table, one after the other. */
export function sequencePoints(states: readonly number[], tables: ArrayLike<number>): Point[] {
  let points: { on: number[]; score: number; last: number }[] = [{ on: [], score: 0, last: 0 }];
  let from = 0;
  states.forEach((size, position) => {
    points = points.flatMap(({ on, score, last }) =>
      Array.from({ length: size }, (_, state) => ({
        on: [...on, ...Array.from({ length: size }, (_, other) => (other === state ? 1 : 0))],
        score: position === 0 ? 0 : score + tables[from + last * size + state],
        last: state,
      })),
    );
    if (position > 0) from += states[position - 1] * size;
  });
  return points;
}

/** The modifiers on one side of a head: any subset, with scores for the listed pairs of adjacent ones. */
export function automatonPoints(
  positions: number,
  siblings: readonly (readonly [from: number, to: number])[],
  scores: ArrayLike<number>,
): Point[] {
  return assignments(positions - 1).map((on) => {
    const chain = [0, ...on.flatMap((value, i) => (value === 1 ? [i + 1] : [])), positions];
    let score = 0;
    siblings.forEach(([from, to], i) => {
      const at = chain.indexOf(from);
      if (at >= 0 && chain[at + 1] === to) score += scores[i];
    });
    return { on, score };
  });
}

/** Returns the trees over n words: one head per word, and a path from each word to the root. */
export function treePoints(
  n: number,
  arcs: readonly (readonly [head: number, modifier: number])[],
  { singleRoot = true, projective = false }: { singleRoot?: boolean; projective?: boolean } = {},
): Point[] {
  return assignments(arcs.length)
    .filter((on) => {
      const chosen = arcs.filter((_, i) => on[i] === 1);
      const heads = new Map(chosen.map(([h, m]) => [m, h]));
      if (chosen.length !== n || heads.size !== n) return false;
      for (let m = 1; m <= n; m++) if (!reachesRoot(heads, m, n)) return false;
      if (singleRoot && chosen.filter(([h]) => h === 0).length !== 1) return false;
      return !projective || chosen.every((arc) => chosen.every((other) => !crosses(arc, other)));
    })
    .map((on) => ({ on, score: 0 }));
}

function reachesRoot(heads: ReadonlyMap<number, number>, m: number, n: number): boolean {
  let word = m;
  for (let step = 0; step < n && word > 0; step++) word = heads.get(word)!;
  return word === 0;
}

function crosses(a: readonly [number, number], b: readonly [number, number]): boolean {
  const [left, right] = [Math.min(...a), Math.max(...a)];
  const inside = b.filter((word) => left < word && word < right).length;
  const outside = b.filter((word) => word < left || right < word).length;
  return inside === 1 && outside === 1;
}

/** Returns the maximum of a fractional knapsack: inputs by value per cost, the last one in part. */
export function fractionalKnapsack(
  values: readonly number[],
  costs: readonly number[],
  budget: number,
): number {
  const worth = values.flatMap((value, i) => (value > 0 ? [{ value, cost: costs[i] }] : []));
  worth.sort((a, b) => b.value * a.cost - a.value * b.cost);
  let left = budget;
  let total = 0;
  for (const { value, cost } of worth) {
    const part = cost <= left ? 1 : left / cost;
    total += part * value;
    left -= part * cost;
  }
  return total;
}
