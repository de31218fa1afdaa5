import { type Arcs, filterArcs, type PartKind, type PartTable, partLayout, random } from "@arcwise/core";

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
