import {
  type Arcs,
  arcIndex,
  checkTree,
  type DecoderWith,
  type Decoding,
  endSteps,
  NoTree,
  PART_KINDS,
  type ParsingProblem,
  ProblemScorer,
  ProblemValidator,
  type ReportedDecoding,
  random,
  requireHandled,
  type Scored,
} from "@arcwise/core";
import { createArborescenceSolver } from "@arcwise/decode-mst";
import { Climb } from "./climb.ts";
import { grownInt32 } from "./memory.ts";
import { searchScores } from "./search-scores.ts";
import { Starts } from "./starts.ts";

/** Options of the hill-climbing decoder. */
export interface HillclimbOptions {
  /** Whether exactly one word hangs off the root. Default: true. */
  readonly singleRoot?: boolean | undefined;
  /**
   * Where the first climb starts: at the best tree by arc scores (`mst`, the default), at one drawn like
   * the other starts (`scores`), or at a given tree, for sentences of its length. Other climbs start
   * at trees drawn in proportion to exp(arc scores / temperature). With `uniform`, all starts are drawn from
   * all trees alike.
   */
  readonly start?: "mst" | "scores" | "uniform" | { readonly heads: Int32Array } | undefined;
  /**
   * Divisor of the arc scores when a start is drawn. `auto`, the default, is half of the average difference
   * between the candidates of a word and its best one, so that the scale of the scores does not matter.
   */
  readonly temperature?: number | "auto" | undefined;
  /** Maximum number of climbs per sentence. Default: 100. */
  readonly restarts?: number | undefined;
  /** The search ends after that many climbs in a row without a better tree. Default: Infinity. */
  readonly patience?: number | undefined;
  /**
   * No climb begins after this many milliseconds. Default: Infinity. Finite values make results depend on the
   * clock.
   */
  readonly milliseconds?: number | undefined;
  /** Seed of the starts. The same seed gives the same tree. Default: 1. */
  readonly seed?: number | undefined;
  /**
   * Called with the heads of each tree that a climb starts from, moves to or returns to, in this order. With
   * a single root some of them have two root words. The array is memory of the decoder, valid during the
   * call.
   */
  readonly onTree?: ((heads: Int32Array) => void) | undefined;
}

/** A tree found by climbing, with counts of the search. */
export interface Climbing extends ReportedDecoding {
  /** Number of climbs begun. */
  readonly restarts: number;
  /** Number of climbs that ended early, at a tree where another climb had begun a round or ended. */
  readonly repeats: number;
  /** Number of the climb that found the tree, from 0. */
  readonly best: number;
  /** Rounds over all words, and changes of heads with those that were undone; all climbs together. */
  readonly rounds: number;
  readonly moves: number;
}

/** A decoder that also reports counts of its search. */
export interface HillclimbDecoder extends DecoderWith<"decodeWithReport" | "decodeWithSteps"> {
  /** `decode`, with the counts of the search. */
  decodeWithReport(problem: ParsingProblem): Climbing;
}

/**
 * Makes a decoder that searches for the best tree under any score, parts of all kinds and scores of whole
 * trees, by randomised hill climbing.
 *
 * Each climb starts at a tree, gives one word after another the head that makes the best tree, deepest words
 * first, and ends at a local optimum: no change of one head is better, and with a single root no exchange of
 * the root word. The best of all climbs is the result, without a certificate: `bound` is Infinity.
 * docs/explanation/hill-climbing.md states under which scores every climb reaches the gold tree.
 *
 * A tree with fewer parts of -Infinity counts as better, whatever its other parts score.
 *
 * A round costs O(parts touched by n words with all their candidate heads). A climb takes some three rounds,
 * of which the last ones visit few words. A global scorer without `incremental` scores every tree that is
 * considered.
 *
 * Climb number i draws its start from a random stream of its own, forked off the seed, so that it depends
 * neither on the other climbs nor on the problems decoded before.
 *
 * Zhang, Lei, Barzilay and Jaakkola 2014, "Greed is Good if Randomized".
 *
 * The decoder throws NoTree if the arcs that are not pruned contain no tree, or if every tree found has a
 * part or a global score of -Infinity; RangeError if a score is NaN or +Infinity or array lengths do not
 * match.
 *
 * @throws RangeError on an option out of range
 */
export function hillclimbDecoder(options: HillclimbOptions = {}): HillclimbDecoder {
  const name = "hillclimb";
  const handles: ReadonlySet<Scored> = new Set([...PART_KINDS, "global"]);
  const settings = checkOptions(options);
  const { singleRoot } = settings;
  const validator = new ProblemValidator();
  const scorer = new ProblemScorer();
  const starts = new Starts(singleRoot, settings.start === "uniform" ? Infinity : settings.temperature);
  const search = new Climb(singleRoot, settings.onTree);
  const solver = createArborescenceSolver();
  const stream = random(settings.seed);
  let start: Int32Array = new Int32Array(0);
  let bestArcs: Int32Array = new Int32Array(0);

  function decodeWithReport(problem: ParsingProblem): Climbing {
    requireHandled(problem, name, handles);
    const byHead = validator.validate(problem);
    const { arcs } = problem;
    const scores = searchScores(problem, byHead);
    start = grownInt32(start, arcs.n + 1);
    bestArcs = grownInt32(bestArcs, arcs.n + 1);
    placeFirst(problem, scores.arcScores);
    search.prepare(scores);
    const counts = climbAll(arcs, scores.arcScores);
    const heads = new Int32Array(arcs.n + 1).fill(-1);
    for (let m = 1; m <= arcs.n; m++) heads[m] = arcs.head[bestArcs[m]];
    const score = scorer.score(problem, heads);
    if (score === -Infinity) {
      throw new NoTree(name, "every tree that was found has a part or a global score of -Infinity");
    }
    const { rounds, moves } = search;
    return {
      heads,
      score,
      bound: Infinity,
      status: "unsolved",
      counts: { climbs: counts.restarts, rounds, moves },
      ...counts,
      rounds,
      moves,
    };
  }

  /** Climbs until a limit is reached, and leaves the arcs of the best tree in `bestArcs`. */
  function climbAll(arcs: Arcs, arcScores: Float64Array): Pick<Climbing, "restarts" | "repeats" | "best"> {
    const { milliseconds, patience } = settings;
    const deadline = milliseconds === Infinity ? Infinity : performance.now() + milliseconds;
    const isFirstGiven = settings.start !== "scores" && settings.start !== "uniform";
    let bestScore = -Infinity;
    let best = 0;
    let repeats = 0;
    let restarts = 0;
    for (; restarts < settings.restarts; restarts++) {
      if (restarts > 0 && (restarts - best > patience || isPast(deadline))) break;
      if (restarts === (isFirstGiven ? 1 : 0)) starts.prepare(arcs, arcScores);
      if (restarts > 0 || !isFirstGiven) starts.draw(stream.fork(restarts), start);
      const isNew = search.run(start);
      if (!isNew) repeats++;
      if (!isNew && restarts > 0) continue;
      const score = search.gains.total();
      if (restarts > 0 && !(score > bestScore)) continue;
      bestScore = score;
      best = restarts;
      bestArcs.set(search.gains.tree.arcOf.subarray(0, arcs.n + 1));
    }
    return { restarts, repeats, best };
  }

  /** Writes the arcs of the best tree by arc scores, or of the given tree, to `start`. */
  function placeFirst(problem: ParsingProblem, arcScores: Float64Array): void {
    const { arcs } = problem;
    let heads: Int32Array = new Int32Array(arcs.n + 1);
    if (!solver.arcs(arcs, arcScores, heads, singleRoot))
      throw new NoTree(name, describe(problem, singleRoot));
    if (typeof settings.start === "object") {
      heads = settings.start.heads;
      checkStart(problem, heads, singleRoot);
    }
    for (let m = 1; m <= arcs.n; m++) start[m] = arcIndex(arcs, heads[m], m);
  }

  function decode(problem: ParsingProblem): Decoding {
    const { heads, score, bound } = decodeWithReport(problem);
    return { heads, score, bound };
  }

  const decodeWithSteps = watched(options, singleRoot);
  return { name, trees: "any", singleRoot, handles, decode, decodeWithReport, decodeWithSteps };
}

/**
 * Returns a function that decodes and reports each tree of the search; trees of -Infinity, or with two roots on the
 * way to trees with one, are not reported.
 */
function watched(options: HillclimbOptions, singleRoot: boolean): HillclimbDecoder["decodeWithSteps"] {
  const scorer = new ProblemScorer();
  return (problem, onStep) => {
    let best = -Infinity;
    const onTree = (heads: Int32Array): void => {
      options.onTree?.(heads);
      if (singleRoot && heads.indexOf(0) !== heads.lastIndexOf(0)) return;
      const score = scorer.score(problem, heads);
      if (score === -Infinity) return;
      onStep({ kind: "tree", heads: heads.slice(), score, isBest: score > best });
      best = Math.max(best, score);
    };
    return endSteps(hillclimbDecoder({ ...options, onTree }).decode(problem), onStep);
  };
}

function isPast(deadline: number): boolean {
  return deadline < Infinity && performance.now() >= deadline;
}

/** Returns the options with their defaults. */
function checkOptions({ onTree, ...options }: HillclimbOptions) {
  const settings = {
    singleRoot: options.singleRoot ?? true,
    start: options.start ?? "mst",
    temperature: options.temperature ?? "auto",
    restarts: options.restarts ?? 100,
    patience: options.patience ?? Infinity,
    milliseconds: options.milliseconds ?? Infinity,
    seed: options.seed ?? 1,
    onTree,
  } as const;
  const { start, temperature, restarts, patience, milliseconds } = settings;
  if (typeof start !== "object" && !["mst", "scores", "uniform"].includes(start)) {
    throw new RangeError(`start must be "mst", "scores", "uniform" or { heads }, got "${start}"`);
  }
  if (temperature !== "auto" && !(temperature > 0)) {
    throw new RangeError(`temperature must be "auto" or above 0, got ${temperature}`);
  }
  if (!Number.isInteger(restarts) || restarts < 1) {
    throw new RangeError(`restarts must be an integer of at least 1, got ${restarts}`);
  }
  if (!(patience >= 1)) throw new RangeError(`patience must be at least 1, got ${patience}`);
  if (!(milliseconds >= 0)) throw new RangeError(`milliseconds must be at least 0, got ${milliseconds}`);
  return settings;
}

function checkStart({ arcs, arcScores }: ParsingProblem, heads: Int32Array, singleRoot: boolean): void {
  if (heads.length !== arcs.n + 1) {
    throw new RangeError(`start: expected ${arcs.n + 1} heads, got ${heads.length}`);
  }
  const fault = checkTree(heads, { singleRoot });
  if (fault !== undefined) throw new RangeError(`start: expected a tree, got ${fault}`);
  for (let m = 1; m <= arcs.n; m++) {
    const arc = arcIndex(arcs, heads[m], m);
    if (arc >= 0 && arcScores[arc] !== -Infinity) continue;
    throw new RangeError(`start: expected candidate arcs, got ${heads[m]} -> ${m}`);
  }
}

function describe({ arcs, arcScores }: ParsingProblem, singleRoot: boolean): string {
  const kept = arcScores.reduce((count, score) => (score > -Infinity ? count + 1 : count), 0);
  return `${kept} arcs over ${arcs.n} words contain no tree${singleRoot ? " with a single root" : ""}`;
}
