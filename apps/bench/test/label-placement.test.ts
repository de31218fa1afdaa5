import { array, assert, integer, property, record } from "fast-check";
import { expect, test } from "vitest";
import { contains, overlap, placeLabels } from "../src/report/label-placement.ts";
import { paretoFront } from "../src/report/pareto.ts";

const frame = { x: 50, y: 30, width: 500, height: 300 };
const RADIUS = 6;

const labelled = record({
  x: integer({ min: 60, max: 540 }),
  y: integer({ min: 40, max: 320 }),
  width: integer({ min: 10, max: 180 }),
  height: integer({ min: 12, max: 30 }),
});

test("labels do not overlap, leave the frame or cover marks", () => {
  assert(
    property(array(labelled, { maxLength: 25 }), (points) => {
      const labels = placeLabels(points, { frame, radius: RADIUS });
      expect(labels).toHaveLength(points.length);
      const boxes = labels.flatMap((label) => label?.box ?? []);
      boxes.forEach((box, i) => {
        expect(contains(frame, box)).toBe(true);
        for (const other of boxes.slice(i + 1)) expect(overlap(box, other)).toBe(false);
        for (const { x, y } of points) {
          const mark = { x: x - RADIUS, y: y - RADIUS, width: 2 * RADIUS, height: 2 * RADIUS };
          expect(overlap(box, mark)).toBe(false);
        }
      });
    }),
    { numRuns: 60 },
  );
});

test("every label of points at one position is placed, the far ones with leaders", () => {
  const points = Array.from({ length: 12 }, () => ({ x: 300, y: 180, width: 120, height: 15 }));
  const labels = placeLabels(points, { frame, radius: RADIUS });
  expect(labels).not.toContain(undefined);
  expect(labels.filter((label) => label!.leader !== undefined).length).toBeGreaterThan(4);
});

test("a label that has space is to the right of its point, at the edge to the left", () => {
  const [alone, edge] = placeLabels(
    [
      { x: 100, y: 100, width: 60, height: 15 },
      { x: 530, y: 200, width: 60, height: 15 },
    ],
    { frame, radius: RADIUS },
  );
  expect(alone).toEqual({ box: { x: 110, y: 92.5, width: 60, height: 15 } });
  expect(edge!.box.x + edge!.box.width).toBe(520);
});

test("a label without space is left out", () => {
  expect(placeLabels([{ x: 100, y: 100, width: 600, height: 15 }], { frame, radius: RADIUS })).toEqual([
    undefined,
  ]);
});

test("labels avoid lines", () => {
  const point = { x: 200, y: 150, width: 60, height: 15 };
  const line = { x1: 200, y1: 150, x2: 400, y2: 150 };
  const [label] = placeLabels([point], { frame, radius: RADIUS, lines: [line] });
  expect(label!.box.x).toBeLessThan(200);
});

test("nothing is better than a point of the Pareto front, and something than all others", () => {
  const scored = record({
    wordsPerSecond: integer({ min: 1, max: 9 }),
    las: integer({ min: 1, max: 9 }),
  });
  assert(
    property(array(scored), (points) => {
      const front = paretoFront(points);
      const isBetter = (a: (typeof points)[0], b: (typeof points)[0]): boolean =>
        a.wordsPerSecond >= b.wordsPerSecond &&
        a.las >= b.las &&
        (a.wordsPerSecond > b.wordsPerSecond || a.las > b.las);
      for (const point of points) {
        const isBeaten = points.some((other) => isBetter(other, point));
        const isOnFront = front.some(
          ({ wordsPerSecond, las }) => wordsPerSecond === point.wordsPerSecond && las === point.las,
        );
        expect(isOnFront).toBe(!isBeaten);
      }
    }),
  );
});
