/** A tree whose words depend on the word before. */
export function chainTree(length: number) {
  const heads = Int32Array.from({ length: length + 1 }, (_, m) => m - 1);
  return { heads, labels: Array.from(heads, (head) => ["", "root"][head + 1] ?? "dep"), score: 0, bound: 0 };
}
