/** A box in pixels; y grows downwards. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A point with the size of its label, in pixels. */
export interface LabelledPoint {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A straight line between two positions. */
export interface Segment {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/** The box of a label, and a line to its point where it is not next to it. */
export interface PlacedLabel {
  readonly box: Box;
  readonly leader?: Segment | undefined;
}

/** Where labels may be, and what they should not cover. */
export interface PlacementFrame {
  readonly frame: Box;
  /** Radius of the marks of points, which no label covers. */
  readonly radius: number;
  /** Lines that labels avoid where there is other space. */
  readonly lines?: readonly Segment[] | undefined;
}

/** Space between a mark and its label, and between two labels, in pixels. */
const GAP = 4;
const APART = 2;
/** Distances of labels from their points beyond the gap, in pixels. */
const DISTANCES = [0, 8, 16, 26, 38, 52, 68, 86, 106, 130, 160];
/** Directions from a point, the preferred ones first: right, left, above, below, then diagonals. */
const DIRECTIONS = [
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
  [1, -1],
  [1, 1],
  [-1, -1],
  [-1, 1],
] as const;
/** Distance beyond which a label has a leader. */
const NEAR = 8;
/** Costs in pixels of distance: of a step in the order of directions, of covering a line, of crossing. */
const COST = { direction: 0.8, line: 30, crossing: 60 };
/** Rounds in which each label may move to a better place. */
const ROUNDS = 4;
/** Step of the search of the whole frame, in pixels. */
const STEP = 6;

interface Candidate extends PlacedLabel {
  readonly cost: number;
}

/**
 * Places the labels of points: no label covers another one or the mark of a point, and none leaves the frame.
 * Labels are next to their points where there is space, otherwise further away, with a leader. A label for
 * which the frame has no space is `undefined`. Deterministic; greedy in the order of crowding, then moved
 * while costs fall. O(n² · candidates).
 */
export function placeLabels(
  points: readonly LabelledPoint[],
  where: PlacementFrame,
): (PlacedLabel | undefined)[] {
  const { radius } = where;
  const marks = points.map(({ x, y }) => ({
    x: x - radius,
    y: y - radius,
    width: 2 * radius,
    height: 2 * radius,
  }));
  const placed: (Candidate | undefined)[] = points.map(() => undefined);
  const place = (i: number): Candidate | undefined => {
    const others = placed.filter((label, j): label is Candidate => label !== undefined && j !== i);
    return (
      best(nearby(points[i]!, where), others, marks, where) ?? anywhere(points[i]!, others, marks, where)
    );
  };
  const crowding = points.map((a) =>
    points.reduce((sum, b) => sum + 1 / (20 + Math.hypot(a.x - b.x, a.y - b.y)), 0),
  );
  const order = points.map((_, i) => i).sort((i, j) => crowding[j]! - crowding[i]! || i - j);
  for (const i of order) placed[i] = place(i);
  for (let round = 0; round < ROUNDS; round++) {
    for (const i of order) placed[i] = place(i) ?? placed[i];
  }
  return placed.map((label) => label && { box: label.box, leader: label.leader });
}

/** Returns the best of some places of a label, of those that are free. */
function best(
  candidates: Iterable<Candidate>,
  others: readonly PlacedLabel[],
  marks: readonly Box[],
  { frame, lines = [] }: PlacementFrame,
): Candidate | undefined {
  let found: Candidate | undefined;
  for (const candidate of candidates) {
    if (found !== undefined && candidate.cost >= found.cost) continue;
    const { box, leader } = candidate;
    if (!contains(frame, box)) continue;
    if (marks.some((mark) => overlap(mark, box, 0))) continue;
    if (others.some((other) => overlap(other.box, box, APART))) continue;
    const covered = lines.filter((line) => crosses(line, box)).length;
    const crossings =
      others.filter((other) => other.leader !== undefined && crosses(other.leader, box)).length +
      (leader === undefined ? 0 : others.filter((other) => crosses(leader, other.box)).length) +
      // A leader begins within the mark of its own point.
      (leader === undefined ? 0 : marks.filter((mark) => crosses(leader, mark)).length - 1);
    const cost = candidate.cost + COST.line * Math.min(1, covered) + COST.crossing * crossings;
    if (found === undefined || cost < found.cost) found = { ...candidate, cost };
  }
  return found;
}

/** Yields places around a point, the nearest first. */
function* nearby(point: LabelledPoint, { radius }: PlacementFrame): Generator<Candidate> {
  for (const distance of DISTANCES) {
    for (const [rank, [across, down]] of DIRECTIONS.entries()) {
      // Diagonal labels come closer, so that their corners are as far as the edges of the others.
      const away = (radius + GAP + distance) * (across !== 0 && down !== 0 ? Math.SQRT1_2 : 1);
      const box = {
        x: point.x + across * away + (across === 0 ? -point.width / 2 : across < 0 ? -point.width : 0),
        y: point.y + down * away + (down === 0 ? -point.height / 2 : down < 0 ? -point.height : 0),
        width: point.width,
        height: point.height,
      };
      const cost = distance + COST.direction * rank;
      yield { box, cost, leader: distance > NEAR ? leaderOf(point, box) : undefined };
    }
  }
}

/** Returns the free place in the whole frame that is nearest to a point. */
function anywhere(
  point: LabelledPoint,
  others: readonly PlacedLabel[],
  marks: readonly Box[],
  where: PlacementFrame,
): Candidate | undefined {
  const { frame } = where;
  const places: Candidate[] = [];
  for (let y = frame.y; y + point.height <= frame.y + frame.height; y += STEP) {
    for (let x = frame.x; x + point.width <= frame.x + frame.width; x += STEP) {
      const box = { x, y, width: point.width, height: point.height };
      const leader = leaderOf(point, box);
      places.push({ box, leader, cost: Math.hypot(leader.x1 - leader.x2, leader.y1 - leader.y2) });
    }
  }
  return best(places, others, marks, where);
}

/** Returns the line from a point to the nearest position of a box. */
function leaderOf({ x, y }: LabelledPoint, box: Box): Segment {
  const clamp = (value: number, low: number, size: number): number =>
    Math.max(low, Math.min(low + size, value));
  return { x1: x, y1: y, x2: clamp(x, box.x, box.width), y2: clamp(y, box.y, box.height) };
}

/** Returns whether two boxes are less than `apart` pixels from each other, both across and down. */
export function overlap(a: Box, b: Box, apart = 0): boolean {
  return (
    a.x < b.x + b.width + apart &&
    b.x < a.x + a.width + apart &&
    a.y < b.y + b.height + apart &&
    b.y < a.y + a.height + apart
  );
}

/** Returns whether a box lies within another one. */
export function contains(outer: Box, inner: Box): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

/** Returns whether a line meets a box, by clipping it at the box's four sides (Liang and Barsky 1984). */
function crosses({ x1, y1, x2, y2 }: Segment, { x, y, width, height }: Box): boolean {
  const [dx, dy] = [x2 - x1, y2 - y1];
  let [from, to] = [0, 1];
  for (const [step, room] of [
    [-dx, x1 - x],
    [dx, x + width - x1],
    [-dy, y1 - y],
    [dy, y + height - y1],
  ] as const) {
    if (step === 0 && room < 0) return false;
    if (step < 0) from = Math.max(from, room / step);
    if (step > 0) to = Math.min(to, room / step);
  }
  return from < to;
}
