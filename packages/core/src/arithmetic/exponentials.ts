/*
 * Algorithms and coefficients of fdlibm:
 *
 * Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
 *
 * Developed at SunSoft, a Sun Microsystems, Inc. business. Permission to use, copy, modify, and distribute this
 * software is freely granted, provided that this notice is preserved.
 */
import { powerOfTwo } from "./powers.ts";

/** ln 2 as a sum of two numbers; the product of the first and an exponent is exact. */
export const LN2_HIGH = 0.6931471803691238;
export const LN2_LOW = 1.9082149292705877e-10;

/** The exponential is infinite above the first and 0 below the second. */
const OVERFLOW = 709.782712893384;
const UNDERFLOW = -745.1332191019411;
/** 0.5 ln 2 and 1.5 ln 2, to the 20 bits that fdlibm compares. */
const HALF_LN2 = 0.3465735912322998;
const ONE_AND_HALF_LN2 = 1.0397205352783203;

/**
 * Returns e^x, with an error below 1 unit in the last place: the same bits in every engine, which `Math.exp`
 * does not promise. O(1).
 */
export function exp(x: number): number {
  if (!(x <= OVERFLOW)) return x > OVERFLOW ? Infinity : Number.NaN;
  if (x < UNDERFLOW) return 0;
  const size = x < 0 ? -x : x;
  if (size < HALF_LN2) {
    if (size < 2 ** -28) return 1 + x;
    const c = expRemainder(x);
    return 1 - ((x * c) / (c - 2) - x);
  }
  if (x === 1) return Math.E;
  const k = multipleOfLn2(x, size);
  const high = x - k * LN2_HIGH;
  const low = k * LN2_LOW;
  const y = high - low;
  const c = expRemainder(y);
  return scaled(1 - (low - (y * c) / (2 - c) - high), k);
}

/** The approximation of x - x (e^x + 1) / (e^x - 1) + 2 for |x| up to 0.5 ln 2. */
function expRemainder(x: number): number {
  const t = x * x;
  return (
    x -
    t *
      (0.16666666666666602 +
        t *
          (-0.0027777777777015593 +
            t * (6.613756321437934e-5 + t * (-1.6533902205465252e-6 + t * 4.1381367970572385e-8))))
  );
}

/** Returns the number of times that ln 2 is subtracted from x. */
function multipleOfLn2(x: number, size: number): number {
  if (size < ONE_AND_HALF_LN2) return x < 0 ? -1 : 1;
  return (Math.LOG2E * x + (x < 0 ? -0.5 : 0.5)) | 0;
}

/** Returns y · 2^k, in two steps if 2^k or the result is outside of the normal numbers. */
function scaled(y: number, k: number): number {
  if (k > 1023) return y * 2 * 2 ** 1023;
  return k < -1021 ? y * powerOfTwo(k + 1000) * 2 ** -1000 : y * powerOfTwo(k);
}

/**
 * Returns e^x - 1, exact to the last place for small x as well: the same bits in every engine, which
 * `Math.expm1` does not promise. O(1).
 */
export function expm1(x: number): number {
  if (!(x <= OVERFLOW)) return x > OVERFLOW ? Infinity : Number.NaN;
  const size = x < 0 ? -x : x;
  if (x <= MINUS_ONE) return -1;
  if (size < 2 ** -54) return x;
  if (size < HALF_LN2) {
    const square = 0.5 * x * x;
    return x - (x * expm1Remainder(x, square) - square);
  }
  const k = multipleOfLn2(x, size);
  const high = x - k * LN2_HIGH;
  const low = k * LN2_LOW;
  const y = high - low;
  const c = high - y - low;
  const square = 0.5 * y * y;
  return expm1Scaled(y, y * (expm1Remainder(y, square) - c) - c - square, k);
}

/** -56 ln 2, to the 20 bits that fdlibm compares: e^x - 1 is rounded to -1 from here on. */
const MINUS_ONE = -38.81622314453125;

function expm1Remainder(x: number, halfSquare: number): number {
  const r =
    1 +
    halfSquare *
      (-0.03333333333333313 +
        halfSquare *
          (0.0015873015872548146 +
            halfSquare *
              (-7.93650757867488e-5 +
                halfSquare * (4.008217827329362e-6 + halfSquare * -2.0109921818362437e-7))));
  const t = 3 - r * (0.5 * x);
  return halfSquare * ((r - t) / (6 - x * t));
}

/** Returns 2^k (1 + y - e) - 1. */
function expm1Scaled(y: number, e: number, k: number): number {
  if (k === -1) return 0.5 * (y - e) - 0.5;
  if (k === 1) return y < -0.25 ? -2 * (e - (y + 0.5)) : 1 + 2 * (y - e);
  if (k <= -2 || k > 56) return scaled(1 - (e - y), k) - 1;
  const inverse = powerOfTwo(-k);
  return scaled(k < 20 ? 1 - inverse - (e - y) : y - (e + inverse) + 1, k);
}
