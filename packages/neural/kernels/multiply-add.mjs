/**
 * Returns the text of `sum + x · y` for vectors. Exact: the product is rounded, then the sum, alike on every
 * machine. Fused: at once, where the machine can, so that last bits differ between machines.
 */
export function multiplyAdd(fused) {
  return fused
    ? (sum, x, y) => `(f32x4.relaxed_madd ${x} ${y} ${sum})`
    : (sum, x, y) => `(f32x4.add ${sum} (f32x4.mul ${x} ${y}))`;
}
