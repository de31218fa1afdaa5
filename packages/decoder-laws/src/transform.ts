import {
  type Arcs,
  arcIndex,
  filterArcs,
  MEMBERS,
  PART_DESCRIPTORS,
  type ParsingProblem,
  type PartKind,
  type PartTable,
  partLayout,
  type TreeScorer,
} from "@arcwise/core";

/** Returns a deep copy of a problem. */
export function copyProblem({ global, ...data }: ParsingProblem): ParsingProblem {
  return { ...structuredClone(data), global };
}

/** Adds a constant to the score of every arc, which adds n times the constant to every tree. */
export function shiftArcs(problem: ParsingProblem, by: number): ParsingProblem {
  return { ...problem, arcScores: problem.arcScores.map((score) => score + by) };
}

/** Multiplies every score by a positive factor. */
export function scaleScores(problem: ParsingProblem, factor: number): ParsingProblem {
  const { global } = problem;
  return {
    ...problem,
    arcScores: problem.arcScores.map((score) => score * factor),
    parts: problem.parts.map((table) => ({ ...table, scores: table.scores.map((score) => score * factor) })),
    global: global && scaleScorer(global, factor),
  };
}

function scaleScorer(scorer: TreeScorer, factor: number): TreeScorer {
  const { name } = scorer;
  const score = (heads: Int32Array) => factor * scorer.score(heads);
  if (scorer.incremental === undefined) return { name, score };
  const incremental = () => {
    const steps = scorer.incremental!();
    return {
      reset: (heads: Int32Array) => factor * steps.reset(heads),
      deltas(m: number, candidates: Int32Array, count: number, out: Float64Array) {
        steps.deltas(m, candidates, count, out);
        for (let k = 0; k < count; k++) out[k] *= factor;
      },
      move: (m: number, head: number) => steps.move(m, head),
    };
  };
  return { name, score, incremental };
}

/** Adds to the score of one arc. */
export function raiseArc<Problem extends { readonly arcScores: Float64Array }>(
  problem: Problem,
  arc: number,
  by: number,
): Problem {
  const arcScores = problem.arcScores.slice();
  arcScores[arc] += by;
  return { ...problem, arcScores };
}

/**
 * Returns the same problem over words in another order: word m becomes `order[m]`, and `order[0] === 0`. No
 * score of a tree changes if the parts do not depend on the order of words: for arcs and chains of arcs any
 * order is allowed, for other kinds the reverse order after `silenceRoot`.
 */
export function relabel(problem: ParsingProblem, order: Int32Array): ParsingProblem {
  const { arcs, arcScores, parts, global } = problem;
  const back = new Int32Array(order.length);
  for (let m = 0; m < order.length; m++) back[order[m]] = m;
  const relabelled = filterArcs(arcs.n, (h, m) => arcIndex(arcs, back[h], back[m]) >= 0);
  const arcOf = relabelled.head.map((h, a) => arcIndex(arcs, back[h], back[relabelled.modifier[a]]));
  return {
    arcs: relabelled,
    arcScores: Float64Array.from(arcOf, (arc) => arcScores[arc]),
    parts: parts.map((table) => relabelTable(table, relabelled, arcOf)),
    global,
  };
}

/**
 * Copies the score of each part of the new table from the part of the same arcs in the old one, 0 if there is
 * none.
 */
function relabelTable(table: PartTable, arcs: Arcs, arcOf: Int32Array): PartTable {
  const scoreOf = new Map<string, number>();
  for (const { part, owner, members } of partsOf(table)) {
    scoreOf.set(`${owner}:${members.join()}`, table.scores[part]);
  }
  const layout = partLayout(table.kind, arcs);
  for (const { part, owner, members } of partsOf(layout)) {
    const oldOwner = arcOf[owner];
    const oldMembers = members.map((arc) => (arc < 0 ? -1 : arcOf[arc]));
    // Reordering may exchange owner and member of two siblings, or of the heads of two neighbours.
    const score =
      scoreOf.get(`${oldOwner}:${oldMembers.join()}`) ?? scoreOf.get(`${oldMembers[0]}:${oldOwner}`) ?? 0;
    layout.scores[part] = score;
  }
  return layout;
}

/** Returns the parts of a table. */
export function partsOf(table: PartTable): { part: number; owner: number; members: number[] }[] {
  const { kind, start, members } = table;
  const width = MEMBERS[kind];
  const list: { part: number; owner: number; members: number[] }[] = [];
  for (let owner = 0; owner + 1 < start.length; owner++) {
    for (let part = start[owner]; part < start[owner + 1]; part++) {
      list.push({ part, owner, members: [...members.slice(part * width, (part + 1) * width)] });
    }
  }
  return list;
}

/**
 * Sets the scores of parts that depend on the order of several root words to 0. All words are to the right of
 * the root: reversing the sentence reverses their order, but does not change their side.
 */
export function silenceRoot(problem: ParsingProblem): ParsingProblem {
  const { head } = problem.arcs;
  const parts = problem.parts.map((table) => {
    const level = siblingLevel(table.kind);
    if (level === undefined) return table;
    const scores = table.scores.slice();
    for (const { part, owner, members } of partsOf(table)) {
      const arc = [owner, ...members][level];
      if (head[arc] === 0) scores[part] = 0;
    }
    return { ...table, scores };
  });
  return { ...problem, parts };
}

/** Returns the arc of a part (0: the owner) on whose position among its siblings the part depends. */
function siblingLevel(kind: PartKind): number | undefined {
  const { members, outermost } = PART_DESCRIPTORS[kind];
  if (outermost) return 0;
  return members.find(({ sibling }) => sibling !== undefined && sibling !== "any")?.of;
}

/** Returns whether parts of a kind depend on the order of words, beyond which of two arcs owns a part. */
export function looksAtOrder(kind: PartKind): boolean {
  const { members, outermost } = PART_DESCRIPTORS[kind];
  return outermost === true || members.some(({ relation }) => relation !== "above");
}
