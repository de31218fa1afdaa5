import {
  type ChainTable,
  emptyChainScores,
  type GraphProblem,
  graphChains,
  isPairTable,
  type PairTable,
} from "@arcwise/core";

/**
 * A problem of graphs as an integer linear programme in the CPLEX format: variables a<i> for arcs, l<k> for
 * labelled arcs, p<w> for predicates, and one a part, spelled out as inequalities. A flow from the root
 * reaches all words where a tree is asked for, an order of the words forbids cycles, and a flow between words
 * that have an arc connects them.
 */
export function graphProgramme(problem: GraphProblem): string {
  const programme = new Programme();
  addBasicParts(programme, problem);
  let count = 0;
  for (const table of problem.parts) {
    count = isPairTable(table)
      ? addPairs(programme, table, count)
      : addChains(programme, problem, table, count);
  }
  addConstraints(programme, problem);
  return programme.text();
}

class Programme {
  readonly objective: string[] = [];
  readonly rules: string[] = [];
  readonly bounds: string[] = [];
  readonly binary: string[] = [];

  /** Writes the objective with one term per line: the length of lines is limited. */
  text(): string {
    return [
      "Maximize",
      ` obj: ${this.objective.length === 0 ? "0 zero" : this.objective.join("\n ")}`,
      "Subject To",
      ...this.rules.map((rule, i) => ` c${i}: ${rule}`),
      "Bounds",
      ...this.bounds.map((bound) => ` ${bound}`),
      "Binary",
      ...this.binary.map((name) => ` ${name}`),
      "End",
    ].join("\n");
  }

  score(value: number, name: string): void {
    this.objective.push(`${value < 0 ? `- ${-value}` : `+ ${value}`} ${name}`);
  }

  /** Adds a variable that is 1 exactly if all of `on` are 1 and all of `off` are 0. */
  part(name: string, score: number, on: readonly number[], off: readonly number[]): void {
    this.score(score, name);
    this.bounds.push(`0 <= ${name} <= 1`);
    for (const arc of on) this.rules.push(`${name} - a${arc} <= 0`);
    for (const arc of off) this.rules.push(`${name} + a${arc} <= 1`);
    const conditions = [...on.map((arc) => `- a${arc}`), ...off.map((arc) => `+ a${arc}`)].join(" ");
    this.rules.push(`${name} ${conditions} >= ${1 - on.length}`);
  }
}

function plus(names: readonly string[]): string {
  return names.join(" + ");
}

function addBasicParts(programme: Programme, problem: GraphProblem): void {
  const { arcs, arcScores, predicateScores, labels, unique } = problem;
  for (let w = 1; w <= arcs.n; w++) {
    programme.binary.push(`p${w}`);
    if (predicateScores[w] === -Infinity) programme.rules.push(`p${w} = 0`);
    else programme.score(predicateScores[w], `p${w}`);
  }
  const same = new Map<string, string[]>();
  for (let a = 0; a < arcs.head.length; a++) {
    programme.binary.push(`a${a}`);
    if (arcScores[a] === -Infinity) programme.rules.push(`a${a} = 0`);
    else programme.score(arcScores[a], `a${a}`);
    if (arcs.head[a] > 0) programme.rules.push(`a${a} - p${arcs.head[a]} <= 0`);
    const own: string[] = [];
    for (let k = labels.start[a]; k < labels.start[a + 1]; k++) {
      own.push(`l${k}`);
      programme.binary.push(`l${k}`);
      if (labels.scores[k] === -Infinity) programme.rules.push(`l${k} = 0`);
      else programme.score(labels.scores[k], `l${k}`);
      if (unique[labels.label[k]] === 0) continue;
      const key = `${arcs.head[a]} ${labels.label[k]}`;
      same.set(key, [...(same.get(key) ?? []), `l${k}`]);
    }
    programme.rules.push(`${[...own, `0 a${a}`].join(" + ")} - a${a} = 0`.replace(`+ 0 a${a} `, ""));
  }
  for (const names of same.values()) if (names.length > 1) programme.rules.push(`${plus(names)} <= 1`);
}

function addPairs(programme: Programme, { first, second, scores }: PairTable, count: number): number {
  scores.forEach((score, p) => {
    if (score !== 0) programme.part(`q${count + p}`, score, [first[p], second[p]], []);
  });
  return count + scores.length;
}

function addChains(programme: Programme, problem: GraphProblem, table: ChainTable, count: number): number {
  const chains = graphChains(table.kind, problem.arcs);
  for (let chain = 0; chain + 1 < chains.start.length; chain++) {
    const members = [...chains.arcs.subarray(chains.start[chain], chains.start[chain + 1])];
    for (const [r, arc] of members.entries()) {
      const at = table.start[arc];
      const add = (k: number, on: readonly number[], off: readonly number[]): void => {
        if (table.scores[at + k] !== 0) programme.part(`q${count + at + k}`, table.scores[at + k], on, off);
      };
      add(0, [arc], members.slice(0, r));
      for (let j = 0; j < r; j++) add(1 + j, [arc, members[j]], members.slice(j + 1, r));
      add(r + 1, [arc], members.slice(r + 1));
    }
    const empty = emptyChainScores(table)[chain] ?? 0;
    if (empty !== 0) programme.part(`e${count}_${chain}`, empty, [], members);
  }
  return count + table.scores.length;
}

function addConstraints(programme: Programme, { arcs, constraints = {} }: GraphProblem): void {
  const { n, head, modifier, start } = arcs;
  const { rules } = programme;
  const all = [...head.keys()];
  if (constraints.headed) {
    for (let m = 1; m <= n; m++) {
      rules.push(`${plus(all.slice(start[m], start[m + 1]).map((a) => `a${a}`))} >= 1`);
    }
  }
  if (constraints.acyclic) {
    for (let w = 1; w <= n; w++) programme.bounds.push(`1 <= o${w} <= ${n}`);
    for (const a of all) {
      if (head[a] > 0) rules.push(`o${modifier[a]} - o${head[a]} - ${n} a${a} >= ${1 - n}`);
    }
  }
  if (constraints.spanningTree) {
    for (const a of all) rules.push(`f${a} - ${n} a${a} <= 0`);
    for (let m = 1; m <= n; m++) {
      const into = all.slice(start[m], start[m + 1]).map((a) => `+ f${a}`);
      const out = all.filter((a) => head[a] === m).map((a) => `- f${a}`);
      rules.push(`${[...into, ...out].join(" ")} = 1`);
    }
  }
  if (constraints.connected) addConnection(programme, arcs);
}

/**
 * One word with an arc is the source of a flow that leaves one unit at each word with an arc to another word.
 */
function addConnection(programme: Programme, { n, head, modifier }: GraphProblem["arcs"]): void {
  const { rules, bounds, binary } = programme;
  const all = [...head.keys()].filter((a) => head[a] > 0);
  for (let w = 1; w <= n; w++) {
    binary.push(`y${w}`, `s${w}`);
    bounds.push(`0 <= g${w} <= ${n}`);
    rules.push(`g${w} - ${n} s${w} <= 0`);
    const out = all.filter((a) => head[a] === w).flatMap((a) => [`- u${a}`, `+ v${a}`]);
    const into = all.filter((a) => modifier[a] === w).flatMap((a) => [`+ u${a}`, `- v${a}`]);
    rules.push(`${[`g${w}`, ...into, ...out].join(" ")} - y${w} = 0`);
    const touching = all.filter((a) => head[a] === w || modifier[a] === w);
    for (const a of touching) rules.push(`y${w} - a${a} >= 0`);
    rules.push(`y${w} ${touching.map((a) => `- a${a}`).join(" ")} <= 0`);
  }
  for (const a of all) {
    rules.push(`u${a} - ${n} a${a} <= 0`);
    rules.push(`v${a} - ${n} a${a} <= 0`);
  }
  rules.push(`${plus(Array.from({ length: n }, (_, i) => `s${i + 1}`))} <= 1`);
}
