import type { DependencyGraph, GraphEdge } from "@arcwise/core";
import { invalidArgument } from "@arcwise/core/errors";
import { type DepsEdge, type NodeId, nodeName } from "./deps.ts";

/** An empty node and its incoming edges. */
export interface EmptyNode {
  readonly id: NodeId;
  readonly edges: readonly DepsEdge[];
}

/** A graph with empty nodes in place of paths. */
export interface ExpandedGraph {
  /** Incoming edges of each word; entry 0 is empty. */
  readonly words: readonly (readonly DepsEdge[])[];
  /** The empty nodes, in the order of their IDs. */
  readonly nodes: readonly EmptyNode[];
}

/** A step of paths, as a node of a prefix tree: reached by a label from a head or from another step. */
interface Step {
  /** Next steps, by label. */
  readonly steps: Map<string, Step>;
  /** Edges from here to words. */
  readonly edges: { readonly modifier: number; readonly label: string }[];
}

/** An empty node without an ID yet. */
interface Gap {
  readonly incoming: { readonly head: number | Gap; readonly label: string }[];
  readonly outgoing: Step["edges"];
  /** The word that it follows. */
  after: number;
}

/** Relations of words that introduce a clause or phrase: an elided predicate follows the words after them. */
const INTRODUCING = /^(?:cc|punct|mark|case)\b/;

/** Replaces the paths in the labels of a graph by empty nodes. O(e log e) for e edges. */
export function expandPaths(graph: DependencyGraph): ExpandedGraph {
  const words: DepsEdge[][] = Array.from({ length: graph.n + 1 }, () => []);
  const heads = new Map<number, Step>();
  for (const { head, modifier, label } of graph.edges) {
    const steps = label.split(">");
    if (steps.includes(""))
      throw invalidArgument(`edge ${head} -> ${modifier}`, "steps that are not empty", JSON.stringify(label));
    const last = steps.pop()!;
    if (steps.length === 0) words[modifier]!.push(directEdge({ head, modifier, label }));
    else {
      let step = childOf(heads, head);
      for (const name of steps) step = childOf(step.steps, name);
      step.edges.push({ modifier, label: last });
    }
  }
  const gaps = gapsOf(heads);
  const ids = numbered(gaps);
  for (const gap of gaps) {
    for (const { modifier, label } of gap.outgoing) words[modifier]!.push(edgeFrom(ids.get(gap)!, label));
  }
  const nodes = gaps.map((gap) => ({
    id: ids.get(gap)!,
    edges: gap.incoming.map(({ head, label }) =>
      edgeFrom(typeof head === "number" ? { after: head, index: 0 } : ids.get(head)!, label),
    ),
  }));
  return { words, nodes: nodes.sort((a, b) => a.id.after - b.id.after || a.id.index - b.id.index) };
}

/** Returns an edge that is one item of DEPS. */
export function directEdge({ head, modifier, label }: GraphEdge): DepsEdge {
  if (head === modifier && !label.includes(">")) {
    throw invalidArgument(`edge ${head} -> ${modifier} "${label}"`, "another word as its head", `${head}`);
  }
  return { head: `${head}`, after: head, index: 0, relation: label };
}

function childOf<K>(steps: Map<K, Step>, key: K): Step {
  let step = steps.get(key);
  if (step === undefined) {
    step = { steps: new Map(), edges: [] };
    steps.set(key, step);
  }
  return step;
}

function edgeFrom(id: NodeId, relation: string): DepsEdge {
  return { ...id, head: nodeName(id), relation };
}

/**
 * Returns one gap for all steps that lead to the same nodes by the same labels, which does not change the
 * paths.
 */
function gapsOf(heads: ReadonlyMap<number, Step>): Gap[] {
  const known = new Map<string, Gap>();
  const numbers = new Map<Gap, number>();
  const gaps = new Map<Step, Gap>();
  for (const [head, { steps }] of heads) {
    for (const [label, root] of steps) {
      for (const step of stepsUpTo(root)) {
        const below = [...step.steps].map(([name, next]) => ({ label: name, gap: gaps.get(next)! }));
        const toGaps = below.map(({ label: name, gap }) => `${name}>${numbers.get(gap)}`);
        const toWords = step.edges.map(({ label: name, modifier }) => `${name}:${modifier}`);
        const key = [...toGaps.sort(), ...toWords.sort()].join(" ");
        let gap = known.get(key);
        if (gap === undefined) {
          gap = { incoming: [], outgoing: step.edges, after: placeOf(step, below, head) };
          known.set(key, gap);
          numbers.set(gap, numbers.size);
          for (const { label: name, gap: next } of below) next.incoming.push({ head: gap, label: name });
        }
        gaps.set(step, gap);
      }
      gaps.get(root)!.incoming.push({ head, label });
    }
  }
  return [...known.values()];
}

/** Returns a step and the steps below it, each after those below it. Does not recurse: paths may be long. */
function stepsUpTo(root: Step): Step[] {
  const found: Step[] = [];
  const open = [root];
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    found.push(step);
    for (const next of step.steps.values()) open.push(next);
  }
  return found.reverse();
}

/**
 * Returns the word that an elided word follows: its first dependent after the head, "500" in "and 500
 * wounded".
 */
function placeOf(step: Step, below: readonly { readonly gap: Gap }[], head: number): number {
  const heavy = step.edges.filter(({ label }) => !INTRODUCING.test(label));
  const behind = heavy.filter(({ modifier }) => modifier > head);
  // Edges are in the order of their modifiers.
  const first = behind[0] ?? heavy[0] ?? step.edges[0];
  return first?.modifier ?? below.reduce((least, { gap }) => Math.min(least, gap.after), Infinity);
}

function numbered(gaps: readonly Gap[]): Map<Gap, NodeId> {
  const counts = new Map<number, number>();
  const ids = new Map<Gap, NodeId>();
  for (const gap of gaps) {
    const index = (counts.get(gap.after) ?? 0) + 1;
    counts.set(gap.after, index);
    ids.set(gap, { after: gap.after, index });
  }
  return ids;
}
