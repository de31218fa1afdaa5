import { joinPieces } from "@arcwise/core/container";
import { hashString } from "@arcwise/core/features";
import { type Checkpoints, checkpointPieces, fingerprint, readCheckpoint } from "../training/checkpoint.ts";
import type { EncodedGraph } from "./encoded-graph.ts";
import type { PreparedGraph } from "./graph-task.ts";

/** The parts of a training run that its checkpoints depend on. */
export interface GraphRun {
  /** What determines the model besides the examples, except the number of epochs: a run can be prolonged. */
  readonly settings: unknown;
  readonly examples: readonly Omit<PreparedGraph, "arcs">[];
  /** Entries of the longest vector of weights. */
  readonly longest: number;
  readonly resume: Uint8Array | undefined;
  readonly keep: ((state: Uint8Array) => void | Promise<void>) | undefined;
}

/**
 * Returns the state that a training resumes from, and the writer of its checkpoints.
 *
 * @throws ModelError when the state to resume from is damaged, or comes from another run
 */
export function graphCheckpoints({ settings, examples, longest, resume, keep }: GraphRun): Checkpoints {
  const print = fingerprint(
    settings,
    examples.map(({ sentence }) => sentence),
    examples.map(({ gold, syntax }) => [...columnsOf(gold), ...columnsOfSyntax(syntax)]),
  );
  return {
    resume: resume ? readCheckpoint(resume, print, longest) : {},
    keep: async (state) => keep?.(joinPieces(checkpointPieces(print, state))),
  };
}

function columnsOf({ predicates, start, head, label }: EncodedGraph): ArrayLike<number>[] {
  return [predicates, start, head, label];
}

function columnsOfSyntax(syntax: PreparedGraph["syntax"]): ArrayLike<number>[] {
  if (syntax === undefined) return [];
  const { heads, labels, suggested = [] } = syntax;
  const edges = suggested.map(({ head, modifier, label }) => hashString(label, 31 * head + modifier));
  return [heads, labels.map((label) => hashString(label, 0)), edges];
}
