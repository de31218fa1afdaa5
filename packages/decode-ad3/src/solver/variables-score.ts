import type { LocalMaximizer } from "./local-maximizer.ts";

/** Scratch memory: an entry for each variable, or for each additional potential (`ignored`). */
interface Scratch {
  readonly input: Float64Array;
  readonly direction: Float64Array;
  readonly ignored: Float64Array;
}

/**
 * Returns the score of a factor's configuration with exactly the variables of `on` on, without their own
 * potentials; -Infinity when such a configuration does not exist.
 *
 * The configuration is left in `slot`. It is found as the best one under potentials that reward agreement
 * with `on` more and more.
 */
export function scoreOfVariables(
  maximizer: LocalMaximizer,
  slot: number,
  on: Float64Array,
  additional: Float64Array,
  { input, direction, ignored }: Scratch,
): number {
  let largest = 1;
  for (let i = 0; i < additional.length; i++) largest = Math.max(largest, Math.abs(additional[i]));
  for (let reward = 64; reward <= 2 ** 32; reward *= 8192) {
    for (let i = 0; i < input.length; i++) input[i] = (on[i] - 0.5) * largest * reward;
    if (maximizer.maximize(input, additional, slot) === -Infinity) return -Infinity;
    direction.fill(0);
    maximizer.addPosteriors(slot, 1, direction, ignored);
    let equal = true;
    for (let i = 0; i < input.length && equal; i++) equal = direction[i] === on[i];
    if (!equal) continue;
    direction.fill(0);
    return maximizer.evaluate(direction, additional, slot);
  }
  return -Infinity;
}
