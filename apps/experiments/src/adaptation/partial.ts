import { type ConlluSentence, sentenceWords } from "@arcwise/conllu";
import { random } from "@arcwise/core";
import { trainPipeline } from "@arcwise/pipeline";
import { labelledScore } from "./adaptation.ts";

/** How a treebank is annotated: in full; a share of its words; a share of its sentences, with the same share of words. */
export const ANNOTATIONS = ["full", "words", "sentences"] as const;
/** The name of a kind of annotation. */
export type Annotation = (typeof ANNOTATIONS)[number];

/** Returns a treebank of which a share of the heads is annotated. */
export function annotated(
  sentences: readonly ConlluSentence[],
  annotation: Annotation,
  share: number,
  seed: number,
): ConlluSentence[] {
  const stream = random(seed);
  if (annotation === "full") return [...sentences];
  if (annotation === "sentences") {
    const sizes = sentences.map((sentence) => sentenceWords(sentence).length);
    const order = stream.shuffle([...sentences.keys()]);
    let left = share * sizes.reduce((sum, size) => sum + size, 0);
    const taken: ConlluSentence[] = [];
    for (let k = 0; left > 0; left -= sizes[order[k++]!]!) taken.push(sentences[order[k]!]!);
    return taken;
  }
  return sentences.map((sentence) => ({
    ...sentence,
    rows: sentence.rows.map((row) =>
      row.kind === "word" && stream.next() >= share ? { ...row, head: -1, deprel: "_" } : row,
    ),
  }));
}

/** The accuracy of a network alone that was trained on an annotation. */
export interface PartialPoint {
  readonly annotation: Annotation;
  readonly heads: number;
  /** Labelled attachment score on the development split, by gold tokens, in percent. */
  readonly las: number;
}

/** Trains a network alone on an annotation, and measures it. */
export async function learnAnnotation(
  annotation: Annotation,
  { train, dev }: { readonly train: readonly ConlluSentence[]; readonly dev: readonly ConlluSentence[] },
  { share, epochs, seed }: { readonly share: number; readonly epochs: number; readonly seed: number },
): Promise<PartialPoint> {
  const sentences = annotated(train, annotation, share, seed);
  const settings = { tokenizer: false, parser: { network: { epochs } } } as const;
  const model = await trainPipeline(sentences, { preset: "fast", partial: true, seed, settings });
  const heads = sentences.flatMap(({ rows }) => rows.filter((row) => row.kind === "word" && row.head >= 0));
  return { annotation, heads: heads.length, las: labelledScore(model, dev) };
}
