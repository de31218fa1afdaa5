/** The best projective tree: the recurrences of `projective-chart.ts` with sums and maxima. */
import {
  grandStart,
  halfSpan,
  innerScore,
  lastScore,
  localScore,
  type ProjectiveChart,
  triStart,
} from "./projective-chart.ts";

/**
 * Fills a prepared chart with best scores. Returns the best score of a tree, -Infinity when there is none.
 * Allocates only the table of shared cells, once.
 */
export function fillBest(chart: ProjectiveChart): number {
  const { n } = chart;
  const { start, head } = chart.scores.arcs;
  if (n === 0) return 0;
  if (chart.shared) {
    const cells = chart.prepareBetween();
    chart.between.fill(Number.NaN, 0, cells);
  }
  for (let i = n; i >= 1; i--) {
    clearLeft(chart, i);
    attachSide(chart, 2 * i + 1, true);
    fillRight(chart, i);
    let next = start[i];
    const end = start[i + 1];
    while (next < end && head[next] < i) next++;
    for (let j = i + 1; j <= n; j++) {
      if (next < end && head[next] === j) attach(chart, next++, true);
      if (chart.leftReach[j] <= i) fillLeft(chart, j, i);
    }
  }
  attachSide(chart, 1, !chart.singleRoot);
  return rootScore(chart);
}

/** Fills attached() and history() for the arcs of one group of `ArcsByHead`, nearest first. */
function attachSide(chart: ProjectiveChart, group: number, siblings: boolean): void {
  const { start, arcs } = chart.scores.byHead;
  for (let i = start[group]; i < start[group + 1]; i++) attach(chart, arcs[i], siblings);
}

function attach(chart: ProjectiveChart, a: number, siblings: boolean): void {
  const { arcs, byHead, arcScores } = chart.scores;
  const { attached, history, tri } = chart;
  const h = arcs.head[a];
  const m = arcs.modifier[a];
  const width = chart.width[h];
  const options = byHead.rank[a] + 1;
  const base = chart.attachedOf[a];
  const past = chart.historyOf[a];
  for (let p = 0; p < width; p++) attached[base + p] = -Infinity;
  if (tri) for (let x = past; x < past + width * options; x++) history[x] = -Infinity;
  if (arcScores[a] === -Infinity) return;
  const inner = halfSpan(chart, a, m > h ? h + 1 : h - 1);
  if (inner !== -Infinity) {
    for (let p = 0; p < width; p++) {
      const value = inner + localScore(chart, a, p, 0);
      attached[base + p] = value;
      if (tri) history[past + p * options] = value;
    }
  }
  if (!siblings) return;
  const nearest = byHead.start[2 * h + (m > h ? 1 : 0)];
  if (!chart.grand && !tri) {
    attachPairs(chart, a, nearest, m > h);
    return;
  }
  for (let k = 1; k < options; k++) {
    const s = byHead.arcs[nearest + k - 1];
    if (arcScores[s] === -Infinity) continue;
    const middle = m > h ? between(chart, s, a) : between(chart, a, s);
    if (middle === -Infinity) continue;
    if (tri) attachTriple(chart, a, s, k, middle);
    else attachPair(chart, a, s, k, middle);
  }
}

/**
 * Fills attached(a) with any inner neighbour, when there is only one q: the innermost loop of the sibling
 * model.
 */
function attachPairs(chart: ProjectiveChart, a: number, nearest: number, isRight: boolean): void {
  const { attached, attachedOf } = chart;
  const { byHead, arcScores, nextSibling } = chart.scores;
  const siblings = nextSibling.scores;
  const pair = nextSibling.start.length > 0 ? nextSibling.start[a] : -1;
  const options = byHead.rank[a] + 1;
  const score = arcScores[a];
  let best = attached[attachedOf[a]];
  for (let k = 1; k < options; k++) {
    const s = byHead.arcs[nearest + k - 1];
    let value = attached[attachedOf[s]] + score;
    if (value === -Infinity) continue;
    if (pair >= 0) value += siblings[pair + k];
    value += isRight ? between(chart, s, a) : between(chart, a, s);
    if (value > best) best = value;
  }
  attached[attachedOf[a]] = best;
}

/** Updates attached(q, a) with s as the inner neighbour of a, for all q. */
function attachPair(chart: ProjectiveChart, a: number, s: number, k: number, middle: number): void {
  const { attached, attachedOf, scores } = chart;
  const grandparents = scores.grandparent.scores;
  const grandSiblings = scores.grandSibling.scores;
  const grand = grandStart(chart, scores.grandparent, a);
  const both = grandStart(chart, scores.grandSibling, a);
  const width = chart.width[scores.arcs.head[a]];
  const options = scores.byHead.rank[a] + 1;
  const common = middle + innerScore(chart, a, k);
  const base = attachedOf[a];
  const inner = attachedOf[s];
  for (let p = 0; p < width; p++) {
    let value = attached[inner + p] + common;
    if (grand >= 0) value += grandparents[grand + p];
    if (both >= 0) value += grandSiblings[both + p * options + k];
    if (value > attached[base + p]) attached[base + p] = value;
  }
}

/** Fills history(q, a, s) for all q, and updates attached(q, a) with it. */
function attachTriple(chart: ProjectiveChart, a: number, s: number, k: number, middle: number): void {
  const { attached, history, historyOf, scores } = chart;
  const triSiblings = scores.triSibling.scores;
  const grandparents = scores.grandparent.scores;
  const grandSiblings = scores.grandSibling.scores;
  const tri = triStart(scores.triSibling, a, k);
  const grand = grandStart(chart, scores.grandparent, a);
  const both = grandStart(chart, scores.grandSibling, a);
  const width = chart.width[scores.arcs.head[a]];
  const options = scores.byHead.rank[a] + 1;
  const common = middle + innerScore(chart, a, k);
  const base = chart.attachedOf[a];
  const past = historyOf[a] + k;
  let inner = historyOf[s];
  for (let p = 0; p < width; p++, inner += k) {
    let value = -Infinity;
    for (let t = 0; t < k; t++) {
      const sum = history[inner + t] + triSiblings[tri + t];
      if (sum > value) value = sum;
    }
    value += common;
    if (grand >= 0) value += grandparents[grand + p];
    if (both >= 0) value += grandSiblings[both + p * options + k];
    history[past + p * options] = value;
    if (value > attached[base + p]) attached[base + p] = value;
  }
}

/** Returns between(x, y) of two arcs of one head, the modifier of x before the modifier of y. */
function between(chart: ProjectiveChart, x: number, y: number): number {
  if (!chart.shared) return bestSplit(chart, x, y);
  const { modifier } = chart.scores.arcs;
  const cell = modifier[x] * (chart.n + 1) + modifier[y];
  const known = chart.between[cell];
  if (!Number.isNaN(known)) return known;
  const found = bestSplit(chart, x, y);
  chart.between[cell] = found;
  return found;
}

/** Returns between(s, a) of two arcs of one head and side, s the nearer one. */
export function betweenSiblings(chart: ProjectiveChart, s: number, a: number): number {
  const { modifier } = chart.scores.arcs;
  return modifier[s] < modifier[a] ? between(chart, s, a) : between(chart, a, s);
}

/** Computes between(x, y) from the half-spans. */
export function bestSplit(chart: ProjectiveChart, x: number, y: number): number {
  const { right, left } = chart;
  const { modifier } = chart.scores.arcs;
  const u = modifier[x];
  const v = modifier[y];
  const stepRight = chart.width[u];
  const stepLeft = chart.width[v];
  const from = Math.max(u, chart.leftReach[v] - 1);
  const to = Math.min(v - 1, chart.rightReach[u]);
  let i = chart.rightOf[x] + (from - u) * stepRight;
  let j = chart.leftOf[y] + (v - from - 1) * stepLeft;
  let best = -Infinity;
  for (let e = from; e <= to; e++) {
    const value = right[i] + left[j];
    if (value > best) best = value;
    i += stepRight;
    j -= stepLeft;
  }
  return best;
}

/** Fills right(q, e) of word h for all e and q, once the right arcs of h are attached. */
function fillRight(chart: ProjectiveChart, h: number): void {
  const { right, attached, rightOf } = chart;
  const { arcs, byHead, arcScores } = chart.scores;
  const width = chart.width[h];
  if (arcs.start[h] === arcs.start[h + 1]) return;
  const row = rightOf[arcs.start[h]];
  const end = row + (chart.rightReach[h] - h + 1) * width;
  for (let cell = row; cell < end; cell++) right[cell] = cell < row + width ? 0 : -Infinity;
  for (let i = byHead.start[2 * h + 1]; i < byHead.start[2 * h + 2]; i++) {
    const a = byHead.arcs[i];
    if (arcScores[a] === -Infinity) continue;
    const m = arcs.modifier[a];
    const base = chart.attachedOf[a];
    const last = lastScore(chart, a);
    const step = chart.width[m];
    let outer = rightOf[a];
    let cell = row + (m - h) * width;
    for (let e = m; e <= chart.rightReach[m]; e++, outer += step, cell += width) {
      const rest = right[outer] + last;
      if (rest === -Infinity) continue;
      for (let p = 0; p < width; p++) {
        const value = attached[base + p] + rest;
        if (value > right[cell + p]) right[cell + p] = value;
      }
    }
  }
}

/** Sets left(q, h) = 0 for all q. */
function clearLeft(chart: ProjectiveChart, h: number): void {
  const { start } = chart.scores.arcs;
  if (start[h] === start[h + 1]) return;
  const cell = chart.leftOf[start[h]];
  chart.left.fill(0, cell, cell + chart.width[h]);
}

/** Fills left(q, b) of word h for all q, once the left arcs of h to b and after are attached. */
function fillLeft(chart: ProjectiveChart, h: number, b: number): void {
  const { left, attached, leftOf } = chart;
  const { arcs, byHead, arcScores } = chart.scores;
  const width = chart.width[h];
  if (arcs.start[h] === arcs.start[h + 1]) return;
  const cell = leftOf[arcs.start[h]] + (h - b) * width;
  for (let p = 0; p < width; p++) left[cell + p] = -Infinity;
  for (let i = byHead.start[2 * h]; i < byHead.start[2 * h + 1]; i++) {
    const a = byHead.arcs[i];
    const m = arcs.modifier[a];
    if (m < b) break;
    if (arcScores[a] === -Infinity || b < chart.leftReach[m]) continue;
    const rest = (m === b ? 0 : left[leftOf[a] + (m - b) * chart.width[m]]) + lastScore(chart, a);
    if (rest === -Infinity) continue;
    const base = chart.attachedOf[a];
    for (let p = 0; p < width; p++) {
      const value = attached[base + p] + rest;
      if (value > left[cell + p]) left[cell + p] = value;
    }
  }
}

function rootScore(chart: ProjectiveChart): number {
  const { byHead } = chart.scores;
  let best = -Infinity;
  for (let i = byHead.start[1]; i < byHead.start[2]; i++) {
    best = Math.max(best, closedScore(chart, byHead.arcs[i], 0, chart.n));
  }
  return best;
}

/**
 * Returns the best score of a half-span that ends at `end` and whose outermost modifier is the modifier of a; `slot`
 * is the slot of q.
 */
export function closedScore(chart: ProjectiveChart, a: number, slot: number, end: number): number {
  return chart.attached[chart.attachedOf[a] + slot] + lastScore(chart, a) + halfSpan(chart, a, end);
}
