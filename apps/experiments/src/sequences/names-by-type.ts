import { chunksOf, type Gazetteer, type LabelledSentence } from "@arcwise/sequence";

/** Names in fewer sentences are left out, so that not every name of the training set is in a list. */
const MIN_SENTENCES = 2;

/** Returns a list of the names of each type that are in two sentences or more, in order of the types. */
export function namesByType(examples: readonly LabelledSentence[]): Gazetteer[] {
  const counts = new Map<string, Map<string, number>>();
  for (const { sentence, labels } of examples) {
    const seen = new Set<string>();
    for (const { type, from, end } of chunksOf(labels)) {
      const name = sentence
        .slice(from, end)
        .map(({ form }) => form)
        .join(" ");
      if (seen.has(`${type} ${name}`)) continue;
      seen.add(`${type} ${name}`);
      const sentences = counts.get(type) ?? new Map<string, number>();
      sentences.set(name, (sentences.get(name) ?? 0) + 1);
      counts.set(type, sentences);
    }
  }
  return [...counts.keys()].sort().flatMap((type) => {
    const names = [...counts.get(type)!].filter(([, count]) => count >= MIN_SENTENCES).map(([name]) => name);
    return names.length === 0 ? [] : [{ names }];
  });
}
