/**
 * Weighting of the shards in a mixture.
 *
 * - "uniform": all equally.
 * - "error": in proportion to the examples that it made a mistake on (all alike where there was none).
 * - "changed": for each weight, those shards alike whose updates changed it; the others do not count. With
 *   rare features, "uniform" divides what one shard learned of them by the number of shards. Défossez and
 *   Bach 2017 (AdaBatch) aggregate the gradients of a batch in this way.
 */
export type Mixing = "uniform" | "error" | "changed";

/** The names of the ways to mix the weights of shards. */
export const MIXINGS: readonly Mixing[] = ["uniform", "error", "changed"];

export function checkMixing(mixing: Mixing): void {
  if (!MIXINGS.includes(mixing)) {
    throw new RangeError(`unknown mixing "${mixing}"; expected one of ${MIXINGS.join(", ")}`);
  }
}
