import {
  type DecoderWith,
  type Decoding,
  endSteps,
  NoTree,
  type ParsingProblem,
  type PartKind,
  type RelaxedDecoding,
  type ReportedDecoding,
  requireHandled,
  type StepListener,
  scoreTree,
  type TreeConstraint,
  validateProblem,
} from "@arcwise/core";
import { type Ad3Outcome, runAd3 } from "./ad3-stage.ts";
import { branchAndBound, type SearchLimits } from "./branch-and-bound.ts";
import { cardinalities } from "./constraints.ts";
import { DualAscent } from "./dual-ascent.ts";
import { treeParts, withPrunedParts } from "./part-posteriors.ts";
import { Progress } from "./progress.ts";
import { AD3_KINDS, type Decomposition, Relaxation } from "./relaxation.ts";
import { ScaledProblem } from "./scaled-problem.ts";
import type { TreeFamily } from "./tree-factor.ts";

/** Options of the AD3 parser. */
export interface Ad3DecoderOptions extends TreeFamily {
  /** Which factors score which parts. */
  readonly decomposition?: Decomposition | undefined;
  /** Constraints on the trees of a problem. They must name arcs of its sentence. */
  readonly constraints?: ((problem: ParsingProblem) => Iterable<TreeConstraint>) | undefined;
  /** Maximum number of dual ascent iterations before AD3; 100 by default, 0 disables the ascent. */
  readonly ascent?: number | undefined;
  /**
   * Maximum number of AD3 iterations; 50 by default, 0 with `exact`, where branch and bound right after the
   * ascent is faster.
   */
  readonly maxIterations?: number | undefined;
  /** AD3 stops without a certificate when both residuals per link are below this; 1e-3 by default. */
  readonly residualThreshold?: number | undefined;
  /** Runs branch and bound until the best tree is found or a limit is reached; false by default. */
  readonly exact?: boolean | SearchLimits | undefined;
}

/**
 * A tree with its certificate and solver statistics. `status` is `fractional` if the relaxation was solved to
 * the requested residuals and its solution is not integral, and `unsolved` if the iterations or the limits of
 * a search ran out. `counts` has `iterations` (of the dual ascent and of AD3 together) and `nodes`.
 */
export interface Ad3Report extends ReportedDecoding {
  /** The stage that proved the tree optimal, or the last one that ran. */
  readonly stage: "ascent" | "ad3" | "search";
  /** Iterations of the dual ascent before any search, and of AD3. */
  readonly ascentIterations: number;
  readonly iterations: number;
  /** Nodes that branch and bound visited. */
  readonly nodes: number;
  /** Per arc, its posterior in AD3's solution; 1 or 0, by the tree, if that is optimal or AD3 did not run. */
  readonly posteriors: Float64Array;
  /**
   * Per part, its posterior: one array for each table of the problem, in its layout. AD3 stops when residuals
   * are small or iterations run out, so that posteriors of parts and arcs are consistent only up to the
   * residuals.
   */
  readonly partPosteriors?: readonly Float64Array[] | undefined;
}

/** Options of a report. */
export interface Ad3ReportOptions {
  /**
   * Also computes posteriors of parts: O(parts) time, and memory for one number per part. False by default.
   */
  readonly parts?: boolean | undefined;
}

/** A decoder that takes logical constraints and reports how each tree was found. */
export interface Ad3Decoder
  extends DecoderWith<"decodeConstrained" | "decodeWithReport" | "decodeRelaxed" | "decodeWithSteps"> {
  /** Decodes a problem and reports the certificate, posteriors and statistics. */
  decodeWithReport(problem: ParsingProblem, options?: Ad3ReportOptions): Ad3Report;
}

/**
 * Tolerance per word and one more, for scores scaled to at most 8: a bound within this of the score equals it
 * up to rounding.
 */
const TOLERANCE = 1e-9;
/** Maximum number of nodes of a search for any feasible tree. */
const FIRST_TREE = { nodes: 10_000 };

/**
 * Returns a decoder of projective or non-projective trees by dual decomposition. A tree factor, head automata
 * and pairs have to agree on the arcs. The decoder returns the best tree that it sees and an upper bound of
 * the score of all trees; where the relaxation is tight, as it mostly is for trained models, the two are
 * equal, which proves the tree optimal. With `exact` it searches until the tree is proved optimal or a limit
 * is reached.
 *
 * A short dual ascent comes first, which solves most sentences; then AD3 from the state of the ascent, or
 * branch and bound if requested. With c candidate heads per word and k modifiers of a head, an iteration of
 * the ascent takes a maximum arborescence and O(c k²) for each head whose automaton disagrees with it, k
 * times as much with tri-siblings. An iteration of AD3 takes several of both for each active set.
 *
 * Bound and score are considered equal when they differ by less than 1e-9 (n + 1) times about the largest
 * absolute score.
 *
 * The decoder throws UnsupportedPart for parts that span more than two levels of the tree and for global
 * scorers, NoTree when the arcs that are not pruned contain no tree (or, unless `exact`, when none that parts
 * and constraints allow is found), RangeError when a score is NaN or +Infinity, arrays do not fit each other,
 * or a constraint names no arc.
 *
 * Martins, Figueiredo, Aguiar, Smith and Xing (2015); Martins, Almeida and Smith (2013); Koo, Rush, Collins,
 * Jaakkola and Sontag (2010).
 *
 * @example
 * import { completeArcs, partLayout } from "@arcwise/core";
 * import { ad3Decoder } from "@arcwise/decode-ad3";
 *
 * // "saw a movie yesterday": scores of arcs, and of adjacent modifiers of a verb.
 * const arcs = completeArcs(4);
 * const likely = new Map([["0 1", 5], ["1 3", 4], ["3 2", 4], ["1 4", 2], ["3 4", 3]]);
 * const score = (h: number, a: number) => likely.get(`${h} ${arcs.modifier[a]}`) ?? -1;
 * const siblings = partLayout("nextSibling", arcs);
 * const [object, time] = [3, 4].map((m) => arcs.head.findIndex((h, a) => h === 1 && arcs.modifier[a] === m));
 * for (let part = siblings.start[time!]!; part < siblings.start[time! + 1]!; part++) {
 *   if (siblings.members[part] === object) siblings.scores[part] = 2; // reward a time after an object
 * }
 * const problem = { arcs, arcScores: Float64Array.from(arcs.head, score), parts: [siblings] };
 *
 * const decoder = ad3Decoder();
 * const { heads, score: found, bound, status } = decoder.decodeWithReport(problem);
 * console.log(heads.slice(1).join(" "), found, bound, status); // 0 3 1 1 17 17 optimal
 *
 * // The same with a constraint: at most one of these two arcs.
 * const careful = ad3Decoder({
 *   exact: true,
 *   constraints: () => [{ rule: "atMostOne", arcs: [[1, 3], [1, 4]] }],
 * });
 * console.log(careful.decode(problem).heads.slice(1).join(" ")); // 0 3 1 3
 */
export function ad3Decoder(options: Ad3DecoderOptions = {}): Ad3Decoder {
  const name = "ad3";
  const handles: ReadonlySet<PartKind> = new Set(AD3_KINDS);
  const settings = checked(options);
  const scaled = new ScaledProblem();
  const relaxation = new Relaxation(options, options.decomposition ?? {});
  const ascent = new DualAscent();
  const progress = new Progress();

  function decodeWithReport(
    problem: ParsingProblem,
    { parts: withParts = false }: Ad3ReportOptions = {},
    constraints: Iterable<TreeConstraint> = [],
    onStep?: StepListener,
  ): Ad3Report {
    requireHandled(problem, name, handles);
    validateProblem(problem);
    const work = scaled.of(problem);
    const { arcs } = work;
    const tolerance = TOLERANCE * (arcs.n + 1);
    const rules = cardinalities([...(settings.constraints?.(problem) ?? []), ...constraints], arcs);
    relaxation.reset(work, rules);
    progress.reset(arcs.n);
    progress.watch(onStep, scaled.scale);
    let outcome: Ad3Outcome | undefined;
    let nodes = 0;
    // Without ascent, find the best tree by arc scores once: there may be none, or no parts to score.
    let bound = ascent.run(relaxation, arcs, Math.max(1, settings.ascent), tolerance, progress);
    const isOpen = (): boolean => bound > progress.score + tolerance;
    const ascentIterations = progress.iterations;
    if (isOpen() && settings.maxIterations > 0) {
      outcome = improve({ problem: work, relaxation, progress }, settings, tolerance, withParts);
      bound = Math.min(bound, outcome.bound);
    }
    const isSearched = isOpen() && settings.limits !== undefined;
    if (isSearched || (isOpen() && progress.score === -Infinity)) {
      const limits = settings.limits ?? FIRST_TREE;
      progress.endBounds();
      const state = { relaxation, arcs, ascent, progress, tolerance };
      const found = branchAndBound(state, limits, !isSearched);
      nodes = found.nodes;
      bound = Math.min(bound, Math.max(found.bound, progress.score));
    }
    if (progress.score === -Infinity) throw noTree(name, problem);
    const heads = progress.heads.slice();
    const score = scoreTree(problem, heads);
    const isOptimal = !isOpen();
    const solution = isOptimal ? undefined : outcome;
    return {
      heads,
      score,
      bound: isOptimal ? score : Math.max(score, scaled.scale.original(bound + tolerance)),
      status: isOptimal ? "optimal" : openStatus(outcome, isSearched),
      stage: nodes > 0 ? "search" : outcome !== undefined ? "ad3" : "ascent",
      counts: { iterations: ascentIterations + (outcome?.iterations ?? 0), nodes },
      ascentIterations,
      iterations: outcome?.iterations ?? 0,
      nodes,
      posteriors: posteriorsOf(problem, heads, solution),
      partPosteriors: withParts ? partPosteriorsOf(problem, heads, solution) : undefined,
    };
  }

  function decodeConstrained(problem: ParsingProblem, constraints: Iterable<TreeConstraint>): Decoding {
    const { heads, score, bound } = decodeWithReport(problem, {}, constraints);
    return { heads, score, bound };
  }

  return {
    name,
    trees: options.projective ? "projective" : "any",
    singleRoot: options.singleRoot ?? true,
    handles,
    decode: (problem) => decodeConstrained(problem, []),
    decodeConstrained,
    decodeWithReport: (problem, report) => decodeWithReport(problem, report),
    decodeWithSteps(problem, onStep) {
      const { heads, score, bound } = decodeWithReport(problem, {}, [], onStep);
      return endSteps({ heads, score, bound }, onStep);
    },
    decodeRelaxed: (problem) => decodeWithReport(problem, { parts: true }) as RelaxedDecoding,
  };
}

/** The state of a decoding: a scaled problem, its relaxation, and the best tree so far. */
interface Work {
  readonly problem: ParsingProblem;
  readonly relaxation: Relaxation;
  readonly progress: Progress;
}

/** Runs AD3 and rounds its posteriors to a tree. */
function improve(
  { problem, relaxation, progress }: Work,
  { maxIterations, residualThreshold }: Settings,
  tolerance: number,
  withParts: boolean,
): Ad3Outcome {
  const { arcs } = problem;
  const { tree } = relaxation;
  const on = new Uint8Array(arcs.head.length);
  tree.onTree = (): void => {
    for (let arc = 0; arc < on.length; arc++)
      on[arc] = tree.heads[arcs.modifier[arc]] === arcs.head[arc] ? 1 : 0;
    progress.offer(tree.heads, relaxation.scoreOf(on));
  };
  const aim = () => progress.score + tolerance;
  const before = progress.iterations;
  const onBound = (bound: number, iterations: number) => progress.offerBound(bound, before + iterations);
  const partProblem = withParts ? problem : undefined;
  const outcome = runAd3(relaxation, maxIterations, residualThreshold, aim, onBound, partProblem);
  if (outcome.status !== "infeasible") tree.round(outcome.posteriors);
  tree.onTree = undefined;
  return outcome;
}

/** Returns the status of a decoding without a certificate. */
function openStatus(outcome: Ad3Outcome | undefined, isSearched: boolean): "fractional" | "unsolved" {
  return outcome?.status === "fractional" && !isSearched ? "fractional" : "unsolved";
}

interface Settings {
  readonly constraints: Ad3DecoderOptions["constraints"];
  readonly ascent: number;
  readonly maxIterations: number;
  readonly residualThreshold: number;
  readonly limits: SearchLimits | undefined;
}

function checked(options: Ad3DecoderOptions): Settings {
  const { ascent = 100, residualThreshold = 1e-3, exact = false, constraints } = options;
  const maxIterations = options.maxIterations ?? (exact === false ? 50 : 0);
  for (const [name, value] of Object.entries({ ascent, maxIterations })) {
    if (!Number.isInteger(value) || value < 0)
      throw new RangeError(`${name} must be an integer >= 0, got ${value}`);
  }
  if (!(residualThreshold >= 0))
    throw new RangeError(`residualThreshold must be >= 0, got ${residualThreshold}`);
  if (ascent === 0 && maxIterations === 0 && exact === false) {
    throw new RangeError("one of ascent, maxIterations and exact must be on, all are off");
  }
  const limits = exact === false ? undefined : exact === true ? {} : exact;
  return { constraints, ascent, maxIterations, residualThreshold, limits };
}

function noTree(name: string, { arcs, arcScores }: ParsingProblem): NoTree {
  const kept = arcScores.reduce((count, score) => count + (score === -Infinity ? 0 : 1), 0);
  return new NoTree(
    name,
    `${kept} arcs over ${arcs.n} words contain no tree that parts and constraints allow`,
  );
}

/** Returns the posteriors of AD3, or 1 and 0 by the tree, for all candidate arcs, including pruned ones. */
function posteriorsOf(
  { arcs, arcScores }: ParsingProblem,
  heads: Int32Array,
  outcome: Ad3Outcome | undefined,
): Float64Array {
  const posteriors = new Float64Array(arcScores.length);
  for (let arc = 0, kept = 0; arc < posteriors.length; arc++) {
    if (arcScores[arc] === -Infinity) continue;
    const inTree = heads[arcs.modifier[arc]] === arcs.head[arc] ? 1 : 0;
    posteriors[arc] = outcome === undefined ? inTree : outcome.posteriors[kept];
    kept++;
  }
  return posteriors;
}

/**
 * Returns the posteriors of parts in AD3's solution, or 1 and 0 by the tree, in the tables of the problem.
 */
function partPosteriorsOf(
  problem: ParsingProblem,
  heads: Int32Array,
  outcome: Ad3Outcome | undefined,
): readonly Float64Array[] {
  const found = outcome?.partPosteriors;
  if (found === undefined) return treeParts(problem, heads);
  return problem.arcScores.includes(-Infinity) ? withPrunedParts(problem, found) : found;
}
