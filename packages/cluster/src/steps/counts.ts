/**
 * Maximum of the numbers of an order: epochs, rounds, shards, parts. The names of all rounds before a round are
 * computed, and there is an entry for each shard.
 */
export const MAX_COUNT = 2 ** 20;
