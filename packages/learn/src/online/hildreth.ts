/** Maximum number of sweeps: dependent constraints may converge slowly. */
const MAX_SWEEPS = 1000;
/**
 * Sweeps continue while the best step along one multiplier moves the weights by at least this, squared and
 * relative to the loss.
 */
const PRECISION = 1e-10;

/**
 * Computes the update of k-best MIRA by Hildreth's algorithm (Hildreth 1957; Censor and Zenios 1997, section
 * 6.5). The smallest change d of the weights with `difference_j · d >= loss_j - slack_j` for j < count, each
 * slack at a cost of `most`, is d = Σ multiplier_j · difference_j, where the multipliers maximise
 *
 *     Σ loss_j m_j - ½ Σ Σ gram_ij m_i m_j    with 0 <= m_j <= most
 *
 * Coordinate ascent over that box: exact in the limit, and after one step when count is 1.
 *
 * @param gram inner products of the differences: i, j at `i * count + j`
 * @param losses how far each constraint is from being met; may be negative
 * @param most Infinity for a hard margin
 * @param multipliers receives `count` entries
 * @returns number of sweeps; O(count²) each
 */
export function hildreth(
  gram: Float64Array,
  losses: Float64Array,
  count: number,
  most: number,
  multipliers: Float64Array,
): number {
  let largest = 0;
  for (let j = 0; j < count; j++) {
    multipliers[j] = 0;
    if (losses[j] > largest) largest = losses[j];
  }
  let sweep = 0;
  while (sweep < MAX_SWEEPS) {
    sweep++;
    let gain = 0;
    for (let j = 0; j < count; j++) {
      const norm = gram[j * count + j];
      if (norm <= 0) continue;
      let left = losses[j];
      for (let i = 0; i < count; i++) left -= gram[j * count + i] * multipliers[i];
      const old = multipliers[j];
      const next = Math.min(most, Math.max(0, old + left / norm));
      multipliers[j] = next;
      gain = Math.max(gain, Math.abs(next - old) * norm);
    }
    if (gain <= PRECISION * largest) break;
  }
  return sweep;
}
