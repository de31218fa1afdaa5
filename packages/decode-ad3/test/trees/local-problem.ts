import {
  type Arcs,
  filterArcs,
  type PartKind,
  type PartTable,
  partLayout,
  type Random,
  random,
} from "@arcwise/core";

/** Random candidate arcs over n words and complete tables of random scores, some of them -Infinity. */
export function localProblem(
  n: number,
  seed: number,
  kinds: readonly PartKind[],
  density = 0.7,
  forbidden = 0.1,
): { arcs: Arcs; tables: Partial<Record<PartKind, PartTable>> } {
  const rng = random(seed);
  const arcs = filterArcs(n, () => rng.next() < density);
  const tables: Partial<Record<PartKind, PartTable>> = {};
  for (const kind of kinds) {
    const table = partLayout(kind, arcs);
    for (let part = 0; part < table.scores.length; part++) {
      table.scores[part] = rng.next() < forbidden ? -Infinity : rng.normal();
    }
    tables[kind] = table;
  }
  return { arcs, tables };
}

/** The arcs of a random tree with a single root, and `more` random heads per word. */
export function sparseArcs(n: number, more: number, rng: Random): Arcs {
  const order = rng.shuffle(Array.from({ length: n }, (_, i) => i + 1));
  const kept = new Set<number>();
  order.forEach((m, i) => {
    kept.add((i === 0 ? 0 : order[rng.int(i)]) * (n + 1) + m);
    for (let k = 0; k < more; k++) kept.add(rng.int(n + 1) * (n + 1) + m);
  });
  return filterArcs(n, (h, m) => kept.has(h * (n + 1) + m));
}
