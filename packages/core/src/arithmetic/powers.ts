/** Exponents of the least and of the greatest numbers. */
const MIN_EXPONENT = -1074;
const MAX_EXPONENT = 1023;

/** All powers of two: to read one takes less time than to write the bits of a number and read them as one. */
const POWERS = /* @__PURE__ */ powersOfTwo();

function powersOfTwo(): Float64Array {
  const powers = new Float64Array(MAX_EXPONENT - MIN_EXPONENT + 1);
  let power = Number.MIN_VALUE;
  for (let k = 0; k < powers.length; k++, power *= 2) powers[k] = power;
  return powers;
}

/** Returns 2 to the power of an integer, exactly; 0 below -1074, Infinity above 1023. O(1). */
export function powerOfTwo(exponent: number): number {
  if (exponent > MAX_EXPONENT) return Infinity;
  return exponent < MIN_EXPONENT ? 0 : POWERS[exponent - MIN_EXPONENT];
}

/** A number and the two halves of its binary representation. */
const NUMBER = /* @__PURE__ */ new Float64Array(1);
const HALVES = /* @__PURE__ */ new Int32Array(NUMBER.buffer);
/** Index of the half with the sign and the exponent. */
const HIGH = /* @__PURE__ */ (() => new Uint8Array(Uint32Array.of(1).buffer)[0])();

/** Returns the upper 32 bits of a number: sign, exponent and 20 bits of the significand. */
export function highBits(x: number): number {
  NUMBER[0] = x;
  return HALVES[HIGH];
}

/**
 * Returns the greatest integer k with 2^k <= |x|: the exponent of the binary representation. -Infinity for 0,
 * Infinity for numbers that are not finite. O(1).
 */
export function binaryExponent(x: number): number {
  const exponent = ((highBits(x) >>> 20) & 0x7ff) - MAX_EXPONENT;
  if (exponent > MAX_EXPONENT) return Infinity;
  if (exponent >= -MAX_EXPONENT + 1) return exponent;
  return x === 0 ? -Infinity : binaryExponent(x * 2 ** 64) - 64;
}

/** Returns the least integer k with x <= 2^k, for a finite number above 0: the bits that index x values. O(1). */
export function bitsFor(x: number): number {
  const exponent = binaryExponent(x);
  return powerOfTwo(exponent) === x ? exponent : exponent + 1;
}

/** Returns the power of a number to an integer exponent >= 0, by squaring. O(log exponent). */
export function power(base: number, exponent: number): number {
  let result = 1;
  let square = base;
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result *= square;
    square *= square;
  }
  return result;
}
