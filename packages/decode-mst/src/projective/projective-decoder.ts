import {
  type Decoder,
  type Decoding,
  NoTree,
  type ParsingProblem,
  type PartKind,
  scoreTree,
} from "@arcwise/core";
import { ProjectiveChart } from "./projective-chart.ts";
import { fillBest } from "./projective-max.ts";
import { projectiveScores, withinRange } from "./projective-scores.ts";
import { TreeReader } from "./projective-tree.ts";

/** Options of everything projective. */
export interface ProjectiveOptions {
  /** Whether the root has exactly one modifier (default), or one or more. */
  readonly singleRoot?: boolean;
}

/** All the kinds of parts that projective dynamic programmes score. */
export const PROJECTIVE_KINDS: readonly PartKind[] = [
  "grandparent",
  "nextSibling",
  "lastSibling",
  "grandSibling",
  "triSibling",
];

/**
 * Best projective tree, exactly, for any mixture of arcs, grandparents, neighbouring, outermost, grand- and
 * tri-siblings: the cheapest of the programmes below for the kinds of parts that a problem has.
 *
 * | kinds present | cost, all n² arcs | cost, c candidate heads a word |
 * |---|---|---|
 * | arcs, `nextSibling`, `lastSibling` | O(n³) | O(c² n²) |
 * | and `grandparent`, `grandSibling` | O(n⁴) | O(c² n²) |
 * | arcs, siblings, and `triSibling` | O(n⁴) | O(c² n²), and one step a tri-sibling |
 * | all | O(n⁵) | O(c² n²), and c steps a tri-sibling |
 *
 * Memory: O(n · arcs), and one number for each grand-sibling when there are tri-siblings. It belongs to the
 * decoder and is used again; so one decoder serves one sentence at a time.
 *
 * Eisner (1996); McDonald and Pereira (2006); Carreras (2007); Koo and Collins (2010).
 *
 * @throws UnsupportedPart for `sibling` and `headBigram` parts and global scorers, which do not decompose
 * @throws NoTree when the candidate arcs that are not pruned contain no projective tree
 * @throws RangeError when a score is NaN or +Infinity, or arrays do not fit each other
 */
export function projectiveDecoder(options: ProjectiveOptions = {}): Decoder {
  return decoder("projective", PROJECTIVE_KINDS, options);
}

/**
 * Best projective tree with scores of neighbouring modifiers (`nextSibling`) and outermost ones
 * (`lastSibling`): second order. O(n³) over all arcs, O(c² n²) with c candidate heads a word. McDonald and
 * Pereira (2006). Throws what `projectiveDecoder` throws.
 */
export function projectiveSiblingDecoder(options: ProjectiveOptions = {}): Decoder {
  return decoder("projective-sibling", ["nextSibling", "lastSibling"], options);
}

/**
 * Best projective tree with grandparents, neighbouring siblings and both at once (`grandSibling`): second
 * order of Carreras (2007), third-order model 1 of Koo and Collins (2010). O(n⁴) over all arcs, O(c² n²) with
 * c candidate heads a word. Throws what `projectiveDecoder` throws.
 */
export function projectiveGrandSiblingDecoder(options: ProjectiveOptions = {}): Decoder {
  const kinds: PartKind[] = ["grandparent", "nextSibling", "lastSibling", "grandSibling"];
  return decoder("projective-grand-sibling", kinds, options);
}

/**
 * Best projective tree with grandparents, siblings, grand-siblings and three neighbouring siblings
 * (`triSibling`): third order, at least what model 2 of Koo and Collins (2010) scores, since here every
 * grand-sibling has its part and not only the outermost. O(n⁵) over all arcs, O(n⁴) without parts that look
 * at grandparents; with c candidate heads a word O(c² n²) and c steps for each tri-sibling. Throws what
 * `projectiveDecoder` throws.
 */
export function projectiveTriSiblingDecoder(options: ProjectiveOptions = {}): Decoder {
  return decoder("projective-tri-sibling", PROJECTIVE_KINDS, options);
}

function decoder(name: string, kinds: readonly PartKind[], options: ProjectiveOptions): Decoder {
  const handles: ReadonlySet<PartKind> = new Set(kinds);
  const singleRoot = options.singleRoot ?? true;
  const chart = new ProjectiveChart();
  const reader = new TreeReader();

  function decode(problem: ParsingProblem): Decoding {
    chart.prepare(withinRange(projectiveScores(problem, name, handles)), singleRoot);
    if (fillBest(chart) === -Infinity) {
      throw new NoTree(name, `the candidate arcs of ${chart.n} words contain no projective tree`);
    }
    const heads = new Int32Array(chart.n + 1);
    reader.read(chart, heads);
    const score = scoreTree(problem, heads);
    return { heads, score, bound: score };
  }

  return { name, handles, decode };
}
