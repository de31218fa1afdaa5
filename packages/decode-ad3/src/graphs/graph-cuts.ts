import type { GraphProblem } from "@arcwise/core";

/**
 * A cut: a constraint that excludes a cycle or a component found in a graph. `cycle`: one of the arcs is off.
 * `component`: if an arc inside a set of words and one outside of it are on, one that crosses its border is
 * on too.
 */
export type GraphCut =
  | { readonly kind: "cycle"; readonly arcs: readonly number[] }
  | {
      readonly kind: "component";
      readonly inside: readonly number[];
      readonly outside: readonly number[];
      readonly crossing: readonly number[];
    };

/**
 * Returns the cuts that a graph violates: cycles without common words, and components, where constraints
 * forbid them.
 */
export function brokenCuts(
  problem: GraphProblem,
  isArc: (arc: number) => boolean,
  on: Uint8Array,
): GraphCut[] {
  const { acyclic, connected } = problem.constraints ?? {};
  return [...(acyclic ? cyclesOf(problem, on) : []), ...(connected ? componentsOf(problem, isArc, on) : [])];
}

/** Returns some cycles of the arcs that are on; an empty list if they are acyclic. O(n + arcs). */
export function cyclesOf({ arcs }: GraphProblem, on: Uint8Array): GraphCut[] {
  const { n, start, head } = arcs;
  // 0: not seen, 1: on the path, 2: done.
  const state = new Uint8Array(n + 1);
  const path: { readonly word: number; readonly arc: number }[] = [];
  const cycles: GraphCut[] = [];

  function visit(word: number): void {
    state[word] = 1;
    for (let a = start[word]; a < start[word + 1]; a++) {
      if (on[a] === 0) continue;
      const h = head[a];
      if (state[h] === 1) {
        const from = path.findIndex((step) => step.word === h);
        const arcsOfPath = (from < 0 ? [] : path.slice(from)).map((step) => step.arc);
        cycles.push({ kind: "cycle", arcs: [...arcsOfPath, a] });
      }
      if (state[h] !== 0) continue;
      path.push({ word, arc: a });
      visit(h);
      path.pop();
    }
    state[word] = 2;
  }

  for (let word = 1; word <= n; word++) if (state[word] === 0) visit(word);
  return cycles;
}

/** Returns the components of words with arcs between them if there are several; the root belongs to none. */
function componentsOf({ arcs }: GraphProblem, isArc: (arc: number) => boolean, on: Uint8Array): GraphCut[] {
  const { n, head, modifier } = arcs;
  const component = componentsOfWords(n, head, modifier, on);
  const found = new Set<number>();
  for (let a = 0; a < on.length; a++) if (on[a] === 1 && head[a] > 0) found.add(component[head[a]]);
  if (found.size < 2) return [];
  const all = [...head.keys()].filter((a) => head[a] > 0 && isArc(a));
  return [...found].map((which) => {
    const ends = (a: number): number =>
      (component[head[a]] === which ? 1 : 0) + (component[modifier[a]] === which ? 1 : 0);
    return {
      kind: "component",
      inside: all.filter((a) => ends(a) === 2),
      outside: all.filter((a) => ends(a) === 0),
      crossing: all.filter((a) => ends(a) === 1),
    };
  });
}

/** Returns the component of each word, by the arcs between words that are on. */
export function componentsOfWords(
  n: number,
  head: Int32Array,
  modifier: Int32Array,
  on: Uint8Array,
): Int32Array {
  const component = Int32Array.from({ length: n + 1 }, (_, w) => w);
  const rootOf = (w: number): number => {
    let top = w;
    while (component[top] !== top) top = component[top];
    return top;
  };
  for (let a = 0; a < on.length; a++) {
    if (on[a] === 1 && head[a] > 0) component[rootOf(head[a])] = rootOf(modifier[a]);
  }
  return component.map((_, w) => rootOf(w));
}
