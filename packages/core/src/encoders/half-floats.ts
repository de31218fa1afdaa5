/* 16-bit floats (binary16 of IEEE 754), in which vectors are kept and sent: engines from before 2025 lack Float16Array. */

import { checkArgument, satisfying } from "../options/index.ts";

const singles = satisfying<Float32Array>("a Float32Array", (value) => value instanceof Float32Array);
const halvesOf = satisfying<Uint16Array>("a Uint16Array", (value) => value instanceof Uint16Array);

/** Largest finite value. */
const MAX_HALF = 65504;
/** Smallest normal value. */
const MIN_NORMAL = 2 ** -14;
/** Distance of the values below it. */
const SUBNORMAL = 2 ** -24;

const bits = new Uint32Array(1);
const single = new Float32Array(bits.buffer);

/** Returns the bits of the 16-bit float nearest to a finite number, of two equally near ones the even one. */
function halfOf(value: number): number {
  const sign = value < 0 ? 0x8000 : 0;
  const size = Math.min(Math.abs(value), MAX_HALF);
  if (size < MIN_NORMAL) return sign | roundedToEven(size / SUBNORMAL);
  single[0] = size;
  // 13 bits of the mantissa are rounded away, and the bias of exponents falls from 127 to 15.
  const rounded = bits[0] + 0xfff + ((bits[0] >> 13) & 1);
  return sign | Math.min((rounded - (112 << 23)) >>> 13, 0x7bff);
}

function roundedToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
}

/** Rounds finite 32-bit floats to 16-bit ones; beyond ±65504 to ±65504. O(numbers). */
export function toHalves(values: Float32Array, into?: Uint16Array): Uint16Array {
  checkArgument(singles, values, "toHalves: values");
  into ??= new Uint16Array(values.length);
  checkArgument(halvesOf, into, "toHalves: into");
  for (let i = 0; i < values.length; i++) into[i] = halfOf(values[i]);
  return into;
}

/** The values of all 16-bit floats, by their bits. */
let table: Float32Array | undefined;

/** Returns the values of all 16-bit floats, by their bits: 256 KB, computed once. */
export function halfValues(): Float32Array {
  table ??= Float32Array.from({ length: 2 ** 16 }, (_, half) => valueOfHalf(half));
  return table;
}

/** Returns the values of 16-bit floats. O(numbers). */
export function fromHalves(halves: Uint16Array): Float32Array {
  checkArgument(halvesOf, halves, "fromHalves: halves");
  const values = halfValues();
  return Float32Array.from(halves, (half) => values[half]);
}

function valueOfHalf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 31;
  const mantissa = half & 0x3ff;
  if (exponent === 0) return sign * mantissa * SUBNORMAL;
  if (exponent === 31) return mantissa === 0 ? sign * Infinity : Number.NaN;
  bits[0] = ((exponent + 112) << 23) | (mantissa << 13);
  return sign * single[0];
}
