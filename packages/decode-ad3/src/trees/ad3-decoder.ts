import {
  type DecoderWith,
  type Decoding,
  NoTree,
  type ParsingProblem,
  type PartKind,
  type RelaxedDecoding,
  type ReportedDecoding,
  requireHandled,
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
  readonly decomposition?: Decomposition;
  /** Rules that the trees of a problem have to keep. They must name arcs of its sentence. */
  readonly constraints?: (problem: ParsingProblem) => Iterable<TreeConstraint>;
  /** Iterations of the dual ascent that AD3 starts from, at most; 100 by default, 0 for none. */
  readonly ascent?: number;
  /**
   * Iterations of AD3, at most; 50 by default, with `exact` none: a search from the ascent is
   * faster.
   */
  readonly maxIterations?: number;
  /** Both residuals, per link, below which AD3 ends without a certificate; 1e-3 by default. */
  readonly residualThreshold?: number;
  /**
   * Go on with branch and bound until the best tree is found, or until these limits; false unless said
   * otherwise.
   */
  readonly exact?: boolean | SearchLimits;
}

/**
 * A tree and how it was found. `status` is `fractional` where the relaxation is solved, to the residuals
 * asked for, and no tree is its solution; `unsolved` where iterations ran out, or a search its limits.
 * `counts` has `iterations`, those of the dual ascent and of AD3 together, and `nodes`.
 */
export interface Ad3Report extends ReportedDecoding {
  /** What proved it, or what came last. */
  readonly stage: "ascent" | "ad3" | "search";
  /** Iterations of the dual ascent before any search, and of AD3. */
  readonly ascentIterations: number;
  readonly iterations: number;
  /** Parts of the search space that branch and bound looked at. */
  readonly nodes: number;
  /** For each arc, how far it is in AD3's solution; of the tree, where that is optimal or AD3 did not run. */
  readonly posteriors: Float64Array;
  /**
   * The same for the parts, one array for each table of the problem, in its layout. AD3 stops when residuals
   * are small or iterations run out: what factors say of a part, and words of an arc, agrees as far as that.
   */
  readonly partPosteriors?: readonly Float64Array[];
}

/** Options of a report. */
export interface Ad3ReportOptions {
  /**
   * Posteriors of parts, too. That takes O(parts), and memory for a number each. False by default.
   */
  readonly parts?: boolean;
}

/** A decoder that takes logical constraints and reports how each tree was found. */
export interface Ad3Decoder extends DecoderWith<"decodeConstrained" | "decodeWithReport" | "decodeRelaxed"> {
  /** `decode`, with all that is known of how it went. */
  decodeWithReport(problem: ParsingProblem, options?: Ad3ReportOptions): Ad3Report;
}

/**
 * Of scores that are brought to at most 8, and for each word and one more: a bound no farther from the score
 * than this is equal to it but for rounding.
 */
const TOLERANCE = 1e-9;
/** A search for any tree that is allowed gives up here. */
const FIRST_TREE = { nodes: 10_000 };

/**
 * Trees, projective or not, by dual decomposition: a tree factor, head automata and pairs that agree on the
 * arcs. It returns the best tree that it sees, and an upper bound of the score of all trees; where the
 * relaxation is tight, as it mostly is for trained models, they are equal and prove the tree to be the best.
 * `exact` makes sure.
 *
 * A short dual ascent comes first, which solves most sentences; then AD3 from where that ended; or, if asked
 * for, branch and bound. With c candidate heads a word and k modifiers of a head, an iteration of the ascent
 * takes a maximum arborescence and O(c k²) for each head whose automaton disagrees with it, k times as much
 * with tri-siblings. One of AD3 takes some of both for each active set.
 *
 * Bound and score count as equal when they differ by less than 1e-9 (n + 1) times about the largest absolute
 * score.
 *
 * The decoder throws UnsupportedPart for parts that span more than two levels of the tree and for global
 * scorers, NoTree when the arcs that are not pruned contain no tree (or, unless `exact`, when none that parts
 * and constraints allow is found), RangeError when a score is NaN or +Infinity, arrays do not fit each other,
 * or a constraint names no arc.
 *
 * Martins, Figueiredo, Aguiar, Smith and Xing (2015); Martins, Almeida and Smith (2013); Koo, Rush, Collins,
 * Jaakkola and Sontag (2010).
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
  ): Ad3Report {
    requireHandled(problem, name, handles);
    validateProblem(problem);
    const work = scaled.of(problem);
    const { arcs } = work;
    const tolerance = TOLERANCE * (arcs.n + 1);
    const rules = cardinalities([...(settings.constraints?.(problem) ?? []), ...constraints], arcs);
    relaxation.reset(work, rules);
    progress.reset(arcs.n);
    let outcome: Ad3Outcome | undefined;
    let nodes = 0;
    // Without ascent, one look at the best tree by arcs alone: there may be none, or nothing more to score.
    let bound = ascent.run(relaxation, arcs, Math.max(1, settings.ascent), tolerance, progress);
    const isOpen = (): boolean => bound > progress.score + tolerance;
    const ascentIterations = progress.iterations;
    if (isOpen() && settings.maxIterations > 0) {
      outcome = improve(work, tolerance, withParts);
      bound = Math.min(bound, outcome.bound);
    }
    const isSearched = isOpen() && settings.limits !== undefined;
    if (isSearched || (isOpen() && progress.score === -Infinity)) {
      const limits = settings.limits ?? FIRST_TREE;
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
      bound: isOptimal ? score : Math.max(score, (bound + tolerance) / scaled.factor),
      status: isOptimal ? "optimal" : openStatus(outcome, isSearched),
      stage: nodes > 0 ? "search" : outcome !== undefined ? "ad3" : "ascent",
      counts: { iterations: ascentIterations + (outcome?.iterations ?? 0), nodes },
      ascentIterations,
      iterations: outcome?.iterations ?? 0,
      nodes,
      posteriors: posteriorsOf(problem, heads, solution),
      ...(withParts && { partPosteriors: partPosteriorsOf(problem, heads, solution) }),
    };
  }

  /** AD3, and the tree that its posteriors round to. */
  function improve(problem: ParsingProblem, tolerance: number, withParts: boolean): Ad3Outcome {
    const { arcs } = problem;
    const { tree } = relaxation;
    const on = new Uint8Array(arcs.head.length);
    const see = (): void => {
      for (let arc = 0; arc < on.length; arc++)
        on[arc] = tree.heads[arcs.modifier[arc]!] === arcs.head[arc] ? 1 : 0;
      progress.offer(tree.heads, relaxation.scoreOf(on));
    };
    tree.onTree = see;
    const { maxIterations, residualThreshold } = settings;
    const aim = () => progress.score + tolerance;
    const ofParts = withParts ? problem : undefined;
    const outcome = runAd3(relaxation, maxIterations, residualThreshold, aim, ofParts);
    if (outcome.status !== "infeasible") tree.round(outcome.posteriors);
    tree.onTree = undefined;
    return outcome;
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
    decodeRelaxed: (problem) => decodeWithReport(problem, { parts: true }) as RelaxedDecoding,
  };
}

/** How a decoding ended that proves nothing. */
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

/**
 * Returns the posteriors of AD3, or the tree, for the candidate arcs of the problem, pruned ones among them.
 */
function posteriorsOf(
  { arcs, arcScores }: ParsingProblem,
  heads: Int32Array,
  outcome: Ad3Outcome | undefined,
): Float64Array {
  const posteriors = new Float64Array(arcScores.length);
  for (let arc = 0, kept = 0; arc < posteriors.length; arc++) {
    if (arcScores[arc] === -Infinity) continue;
    const inTree = heads[arcs.modifier[arc]!] === arcs.head[arc] ? 1 : 0;
    posteriors[arc] = outcome === undefined ? inTree : outcome.posteriors[kept]!;
    kept++;
  }
  return posteriors;
}

/**
 * Returns the posteriors of parts in AD3's solution, or the parts of the tree, in the tables of the problem.
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
