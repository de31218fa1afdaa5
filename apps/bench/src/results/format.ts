const UNITS = [
  { unit: "ns", scale: 1e6 },
  { unit: "µs", scale: 1e3 },
  { unit: "ms", scale: 1 },
  { unit: "s", scale: 1e-3 },
];

/** Formats a time in milliseconds with three digits and a unit: `4.21 µs`. */
export function formatTime(milliseconds: number): string {
  const { unit, scale } = unitOf(milliseconds);
  return `${threeDigits(milliseconds * scale)} ${unit}`;
}

/** Formats two times in the unit of a third: `4.1-5.03`. */
export function formatRange(low: number, high: number, near: number): string {
  const { scale } = unitOf(near);
  return `${threeDigits(low * scale)}–${threeDigits(high * scale)}`;
}

function unitOf(milliseconds: number): { readonly unit: string; readonly scale: number } {
  return UNITS.find(({ scale }) => milliseconds * scale < 999.5) ?? UNITS.at(-1)!;
}

/** Formats milliseconds as `40 s` or `3 min`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** Formats a number with three significant digits, or all digits before the point. */
export function threeDigits(value: number): string {
  const size = Math.abs(value);
  return value.toFixed(size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}

/** Formats a fraction as percent: 0.8744 as `87.44`. */
export function formatPercent(share: number, digits = 2): string {
  return (100 * share).toFixed(digits);
}

/** Formats an integer with separators of thousands. */
export function formatInteger(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** Formats bytes in units of 10^6. */
export function formatMegabytes(bytes: number): string {
  return threeDigits(bytes / 1e6);
}

/** Formats a p-value. */
export function formatP(p: number): string {
  return p < 0.001 ? "< 0.001" : p.toFixed(3);
}

/** Formats a signed number of percentage points. */
export function formatPoints(difference: number): string {
  const points = (100 * difference).toFixed(2);
  return difference > 0 ? `+${points}` : points.replace("-", "−");
}
