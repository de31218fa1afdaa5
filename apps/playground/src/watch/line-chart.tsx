import { fixed } from "../shared/fixed.ts";

/** A line of a chart: values by position. */
export interface Line {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

const WIDTH = 640;
const HEIGHT = 180;
const MARGIN = { left: 64, right: 16, top: 12, bottom: 28 };

/** Draws lines over the same axes. The axes are given by all points, so that they stay while points are added. */
export function LineChart(properties: {
  readonly lines: readonly Line[];
  readonly all: readonly Line[];
  readonly label: string;
  readonly xLabel: string;
}) {
  const { lines, all, label, xLabel } = properties;
  const points = all.flatMap(({ points }) => points).filter(([, y]) => Number.isFinite(y));
  if (points.length === 0) return null;
  const x = scale(
    points.map(([value]) => value),
    MARGIN.left,
    WIDTH - MARGIN.right,
  );
  const y = scale(
    points.map(([, value]) => value),
    HEIGHT - MARGIN.bottom,
    MARGIN.top,
  );
  const pathOf = ({ points: own }: Line) =>
    own
      .filter(([, value]) => Number.isFinite(value))
      .map(([px, py], i) => `${i === 0 ? "M" : "L"}${x.at(px).toFixed(1)},${y.at(py).toFixed(1)}`)
      .join("");
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        {[y.from, y.to].map((value) => (
          <g key={value}>
            <line class="grid" x1={MARGIN.left} x2={WIDTH - MARGIN.right} y1={y.at(value)} y2={y.at(value)} />
            <text x={MARGIN.left - 8} y={y.at(value) + 4} text-anchor="end">
              {fixed(value, 2)}
            </text>
          </g>
        ))}
        <text x={(MARGIN.left + WIDTH - MARGIN.right) / 2} y={HEIGHT - 6} text-anchor="middle">
          {xLabel}
        </text>
        {lines.map((line, i) => {
          const last = line.points.at(-1);
          return (
            <g key={line.name} class={`line-${i}`}>
              <path d={pathOf(line)} />
              {last !== undefined && Number.isFinite(last[1]) && (
                <circle cx={x.at(last[0])} cy={y.at(last[1])} r="4" />
              )}
            </g>
          );
        })}
      </svg>
      <figcaption>
        {lines.map(({ name, points: own }, i) => (
          <span key={name} class={`line-${i}`}>
            <i aria-hidden="true" /> {name} {own.length === 0 ? "" : fixed(own.at(-1)![1], 3)}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

/** Returns a linear scale of values to pixels. */
function scale(values: readonly number[], start: number, end: number) {
  const from = Math.min(...values);
  const to = Math.max(...values);
  const range = to - from || 1;
  return { from, to, at: (value: number) => start + ((value - from) / range) * (end - start) };
}
