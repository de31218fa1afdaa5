/*
 * Algorithms and coefficients of fdlibm:
 *
 * Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
 *
 * Developed at SunSoft, a Sun Microsystems, Inc. business. Permission to use, copy, modify, and distribute this
 * software is freely granted, provided that this notice is preserved.
 */
import { LN2_HIGH, LN2_LOW } from "./exponentials.ts";
import { highBits, powerOfTwo } from "./powers.ts";

/** The bits of the significand among the upper 32 of a number. */
const SIGNIFICAND = 0x000fffff;

/**
 * Returns the natural logarithm of x, with an error below 1 unit in the last place: the same bits in every
 * engine, which `Math.log` does not promise. -Infinity for 0, NaN below. O(1).
 */
export function log(x: number): number {
  if (!(x > 0 && x < Infinity)) return x === 0 ? -Infinity : x > 0 ? x : Number.NaN;
  if (x < 2 ** -1000) return logReduced(x * 2 ** 54, -54);
  return logReduced(x, 0);
}

/** Returns ln x + scale ln 2, for a normal number x. */
function logReduced(x: number, scale: number): number {
  const high = highBits(x);
  const upper = high & SIGNIFICAND;
  const exponent = (high >> 20) - 1023 + ((upper + 0x95f64) >> 20);
  const f = x * powerOfTwo(-exponent) - 1;
  const k = exponent + scale;
  if ((SIGNIFICAND & (2 + upper)) < 3) return nearOne(f, k);
  const s = f / (2 + f);
  const r = logRemainder(s);
  if (((upper - 0x6147a) | (0x6b851 - upper)) > 0) {
    const square = 0.5 * f * f;
    if (k === 0) return f - (square - s * (square + r));
    return k * LN2_HIGH - (square - (s * (square + r) + k * LN2_LOW) - f);
  }
  if (k === 0) return f - s * (f - r);
  return k * LN2_HIGH - (s * (f - r) - k * LN2_LOW - f);
}

/** Returns k ln 2 + ln(1 + f), for |f| below 2^-20. */
function nearOne(f: number, k: number): number {
  if (f === 0) return k === 0 ? 0 : k * LN2_HIGH + k * LN2_LOW;
  const r = f * f * (0.5 - 0.3333333333333333 * f);
  return k === 0 ? f - r : k * LN2_HIGH - (r - k * LN2_LOW - f);
}

/** The approximation of (ln(1 + s) - ln(1 - s)) / s - 2, for |s| up to 0.1716. */
function logRemainder(s: number): number {
  const z = s * s;
  const w = z * z;
  const even = w * (0.3999999999940942 + w * (0.22222198432149784 + w * 0.15313837699209373));
  const odd =
    z * (0.6666666666666735 + w * (0.2857142874366239 + w * (0.1818357216161805 + w * 0.14798198605116586)));
  return odd + even;
}

/** The least 1 + x, about sqrt(0.5), and the greatest, about sqrt(2), whose logarithm needs no exponent. */
const LOW = -0.2928934097290039;
const HIGH = 0.4142136573791504;

/**
 * Returns ln(1 + x), exact to the last place for small x as well: the same bits in every engine, which
 * `Math.log1p` does not promise. -Infinity for -1, NaN below. O(1).
 */
export function log1p(x: number): number {
  if (!(x > -1 && x < Infinity)) return x === -1 ? -Infinity : x > 0 ? x : Number.NaN;
  const size = x < 0 ? -x : x;
  if (size < 2 ** -29) return size < 2 ** -54 ? x : x - x * x * 0.5;
  if (x > LOW && x < HIGH) return log1pReduced(x, 0, 0, false);
  // 1 + x is rounded: the relative error is added to the logarithm.
  const isLarge = x >= 2 ** 53;
  const u = isLarge ? x : 1 + x;
  const high = highBits(u);
  const k = (high >> 20) - 1023;
  const error = isLarge ? 0 : (k > 0 ? 1 - (u - x) : x - (u - 1)) / u;
  const upper = high & SIGNIFICAND;
  if (upper < 0x6a09e) return log1pReduced(u * powerOfTwo(-k) - 1, k, error, upper === 0);
  return log1pReduced(0.5 * u * powerOfTwo(-k) - 1, k + 1, error, (0x100000 - upper) >> 2 === 0);
}

/** Returns k ln 2 + ln(1 + f) + error. @param isSmall whether |f| is below 2^-20 */
function log1pReduced(f: number, k: number, error: number, isSmall: boolean): number {
  const square = 0.5 * f * f;
  if (isSmall) {
    if (f === 0) return k === 0 ? 0 : k * LN2_HIGH + (error + k * LN2_LOW);
    const r = square * (1 - 0.6666666666666666 * f);
    return k === 0 ? f - r : k * LN2_HIGH - (r - (k * LN2_LOW + error) - f);
  }
  const s = f / (2 + f);
  const r = log1pRemainder(s * s);
  if (k === 0) return f - (square - s * (square + r));
  return k * LN2_HIGH - (square - (s * (square + r) + (k * LN2_LOW + error)) - f);
}

/** The polynomial of `logRemainder`, evaluated in the order of fdlibm's log1p. */
function log1pRemainder(z: number): number {
  return (
    z *
    (0.6666666666666735 +
      z *
        (0.3999999999940942 +
          z *
            (0.2857142874366239 +
              z *
                (0.22222198432149784 +
                  z * (0.1818357216161805 + z * (0.15313837699209373 + z * 0.14798198605116586))))))
  );
}
