import { type ArcPair, type Arcs, arcIndex, type TreeConstraint } from "@arcwise/core";

/**
 * A constraint over candidate arcs by index: from `fewest` to `most` literals hold; a negated literal holds
 * when its arc is off.
 */
export interface Cardinality {
  readonly arcs: readonly number[];
  readonly negated: readonly boolean[];
  readonly fewest: number;
  readonly most: number;
}

/** Translates constraints to cardinalities over the candidate arcs. Those that always hold are left out. */
export function cardinalities(constraints: Iterable<TreeConstraint>, arcs: Arcs): Cardinality[] {
  return [...constraints]
    .flatMap((constraint) => translate(constraint, arcs))
    .filter(({ arcs: { length }, fewest, most }) => fewest > 0 || most < length);
}

function translate(constraint: TreeConstraint, arcs: Arcs): Cardinality[] {
  switch (constraint.rule) {
    case "atMostOne":
      return [literals(candidates(constraint.arcs, arcs), false, 0, 1)];
    case "exactlyOne":
      return [literals(candidates(constraint.arcs, arcs), false, 1, 1)];
    case "atLeastOne":
      return [literals(candidates(constraint.arcs, arcs), false, 1, Infinity)];
    case "implies": {
      const premises = candidates(constraint.premises, arcs);
      // The premise is never on: the constraint always holds.
      if (premises.length < new Set(constraint.premises.map(String)).size) return [];
      const conclusion = candidates([constraint.conclusion], arcs);
      if (conclusion.some((arc) => premises.includes(arc))) return [];
      return [
        {
          arcs: [...premises, ...conclusion],
          negated: [...premises.map(() => true), ...conclusion.map(() => false)],
          fewest: 1,
          most: Infinity,
        },
      ];
    }
    case "uncrossed":
      return uncrossed(constraint.arc, arcs);
    default:
      throw new RangeError(
        "rule of a constraint: expected atMostOne, exactlyOne, atLeastOne, implies or uncrossed, got " +
          JSON.stringify((constraint as { rule: unknown }).rule),
      );
  }
}

/** For each other word, at most one of the arc and that word's arcs that cross it. */
function uncrossed(pair: ArcPair, arcs: Arcs): Cardinality[] {
  const [arc] = candidates([pair], arcs);
  if (arc === undefined) return [];
  const left = Math.min(...pair);
  const right = Math.max(...pair);
  const isInside = (word: number): boolean => left < word && word < right;
  const isOutside = (word: number): boolean => word < left || word > right;
  const rules: Cardinality[] = [];
  for (let m = 1; m <= arcs.n; m++) {
    const crossing: number[] = [];
    for (let a = arcs.start[m]; a < arcs.start[m + 1]; a++) {
      const h = arcs.head[a];
      if ((isInside(h) && isOutside(m)) || (isInside(m) && isOutside(h))) crossing.push(a);
    }
    if (crossing.length > 0) rules.push(literals([arc, ...crossing], false, 0, 1));
  }
  return rules;
}

function literals(arcs: readonly number[], negated: boolean, fewest: number, most: number): Cardinality {
  return { arcs, negated: arcs.map(() => negated), fewest, most };
}

/** Returns the indices of the arcs that are candidates, without duplicates. */
function candidates(pairs: readonly ArcPair[], arcs: Arcs): number[] {
  const { n } = arcs;
  const found = new Set<number>();
  for (const [h, m] of pairs) {
    const isArc =
      Number.isInteger(h) && Number.isInteger(m) && h >= 0 && h <= n && m >= 1 && m <= n && h !== m;
    if (!isArc)
      throw new RangeError(
        `arc of a constraint: expected a head 0..${n} and another word 1..${n}, got ${h} -> ${m}`,
      );
    const arc = arcIndex(arcs, h, m);
    if (arc >= 0) found.add(arc);
  }
  return [...found];
}
