import { arcIndex } from "./arcs.ts";
import { type Arcs, MEMBERS, type ParsingProblem, type PartTable } from "./problem.ts";

/**
 * The score of a tree: the sum over its arcs, over the parts that are on in it, and the global score.
 * This is what every decoder is measured by. `-Infinity` when the tree uses an arc that is pruned or is no
 * candidate. Whether the heads form a tree is not looked at (see `checkTree`).
 *
 * Cost: O(n log n) and the parts owned by the n arcs of the tree.
 *
 * @throws RangeError when `heads` has not n + 1 entries
 */
export function scoreTree(problem: ParsingProblem, heads: Int32Array): number {
  const { arcs, arcScores, parts, global } = problem;
  const { n } = arcs;
  if (heads.length !== n + 1) throw new RangeError(`heads must have ${n + 1} entries, got ${heads.length}`);
  const arcOf = new Int32Array(n + 1).fill(-1);
  let score = 0;
  for (let m = 1; m <= n; m++) {
    const arc = arcIndex(arcs, heads[m]!, m);
    if (arc < 0) return -Infinity;
    arcOf[m] = arc;
    score += arcScores[arc]!;
  }
  if (parts.length > 0) {
    const inner = innerSiblings(heads);
    const outermost = outermostModifiers(heads);
    for (const table of parts) score += scoreParts(table, arcs, heads, arcOf, inner, outermost);
  }
  if (global !== undefined) score += global.score(heads);
  return score;
}

/**
 * For each word m, the modifier of its head that is next to it on the side of the head, or -1 when m is the
 * innermost on its side. O(n).
 */
export function innerSiblings(heads: Int32Array): Int32Array {
  const length = heads.length;
  const inner = new Int32Array(length).fill(-1);
  const last = new Int32Array(length).fill(-1);
  for (let m = 1; m < length; m++) {
    const h = heads[m]!;
    if (h < m) {
      inner[m] = last[h]!;
      last[h] = m;
    }
  }
  last.fill(-1);
  for (let m = length - 1; m >= 1; m--) {
    const h = heads[m]!;
    if (h > m) {
      inner[m] = last[h]!;
      last[h] = m;
    }
  }
  return inner;
}

/** 1 for each word that is the outermost modifier of its head on its side. O(n). */
function outermostModifiers(heads: Int32Array): Uint8Array {
  const length = heads.length;
  const outermost = new Uint8Array(length);
  const left = new Int32Array(length).fill(-1);
  const right = new Int32Array(length).fill(-1);
  for (let m = 1; m < length; m++) {
    const h = heads[m]!;
    if (h < m) right[h] = m;
    else if (left[h]! < 0) left[h] = m;
  }
  for (let h = 0; h < length; h++) {
    if (left[h]! >= 0) outermost[left[h]!] = 1;
    if (right[h]! >= 0) outermost[right[h]!] = 1;
  }
  return outermost;
}

function scoreParts(
  table: PartTable,
  arcs: Arcs,
  heads: Int32Array,
  arcOf: Int32Array,
  inner: Int32Array,
  outermost: Uint8Array,
): number {
  const { kind, start, members, scores } = table;
  const width = MEMBERS[kind];
  const arcAt = (word: number) => (word < 0 ? -1 : arcOf[word]!);
  let sum = 0;
  for (let m = 1; m < heads.length; m++) {
    const owner = arcOf[m]!;
    const end = start[owner + 1]!;
    const h = heads[m]!;
    for (let part = start[owner]!; part < end; part++) {
      const first = width > 0 ? members[part * width]! : -1;
      const second = width > 1 ? members[part * width + 1]! : -1;
      let on: boolean;
      switch (kind) {
        case "grandparent":
          on = h > 0 && first === arcOf[h]!;
          break;
        case "nextSibling":
          on = first === arcAt(inner[m]!);
          break;
        case "lastSibling":
          on = outermost[m] === 1;
          break;
        case "sibling": {
          const s = arcs.modifier[first]!;
          on = heads[s] === h && s < h === m < h;
          break;
        }
        case "grandSibling":
          on = h > 0 && first === arcOf[h]! && second === arcAt(inner[m]!);
          break;
        case "triSibling": {
          const s = inner[m]!;
          on = s >= 0 && first === arcOf[s]! && second === arcAt(inner[s]!);
          break;
        }
        case "headBigram":
          on = m > 1 && first === arcOf[m - 1]!;
          break;
        default:
          throw new RangeError(`unknown part kind ${kind satisfies never}`);
      }
      if (on) sum += scores[part]!;
    }
  }
  return sum;
}
