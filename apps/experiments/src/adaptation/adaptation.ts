import { type ConlluSentence, sentenceTree } from "@arcwise/conllu";
import { createPipeline, type PipelineModel, trainPipeline } from "@arcwise/pipeline";
import type { Genre } from "./genres.ts";

/** How a model is continued. */
export interface Recipe {
  readonly rate: number;
  readonly epochs: number;
  /** Number of sentences of the old treebank that are learned as well. */
  readonly old: number;
}

/** The accuracy of a model that learned from corrected sentences. */
export interface AdaptationPoint extends Recipe {
  readonly genre: string;
  /** Number of corrected sentences; 0: the model as it was. */
  readonly corrected: number;
  /** Labelled attachment score on the rest of the genre, by gold tokens, in percent. */
  readonly las: number;
  /** The same on the development split of the old treebank. */
  readonly oldLas: number;
}

/** The treebanks of an adaptation. */
export interface AdaptationData {
  readonly model: PipelineModel;
  /** Training sentences of the treebank that the model was trained on. */
  readonly old: readonly ConlluSentence[];
  /** Sentences of this treebank that the model was not trained on. */
  readonly oldDev: readonly ConlluSentence[];
}

/** Continues a model with the first sentences of a genre, and measures it on the rest. */
export async function adapt(
  { model, old, oldDev }: AdaptationData,
  { name, corrected, rest }: Genre,
  count: number,
  { recipe, seed }: { readonly recipe: Recipe; readonly seed: number },
): Promise<AdaptationPoint> {
  const { rate, epochs } = recipe;
  const sentences = corrected.slice(0, count);
  const mixed = spread(old, recipe.old);
  const treebanks = [...(mixed.length > 0 ? [{ sentences: mixed }] : []), { sentences }];
  const settings = { parser: { network: { rate, epochs } } };
  const better = count === 0 ? model : await trainPipeline(treebanks, { continue: model, seed, settings });
  return {
    genre: name,
    corrected: count,
    ...recipe,
    las: labelledScore(better, rest),
    oldLas: labelledScore(better, oldDev),
  };
}

/** Returns sentences from the whole of a list. */
export function spread<Item>(items: readonly Item[], count: number): Item[] {
  const most = Math.min(count, items.length);
  return Array.from({ length: most }, (_, i) => items[Math.floor((i * items.length) / most)]!);
}

/** Returns the labelled attachment score of a model on the words of sentences, in percent. */
export function labelledScore(model: PipelineModel, sentences: readonly ConlluSentence[]): number {
  const forms = sentences.map(({ rows }) => rows.flatMap((row) => (row.kind === "word" ? [row.form] : [])));
  const found = createPipeline(model, { valid: false }).annotate(forms);
  let right = 0;
  let words = 0;
  for (const [s, sentence] of sentences.entries()) {
    const gold = sentenceTree(sentence);
    const { heads, labels } = sentenceTree(found[s]!);
    for (let m = 1; m < heads.length; m++) {
      words++;
      if (heads[m] === gold.heads[m] && labels[m] === gold.labels[m]) right++;
    }
  }
  return (100 * right) / Math.max(1, words);
}
