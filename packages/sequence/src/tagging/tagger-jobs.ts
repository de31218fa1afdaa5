import type { Sentence } from "@arcwise/core";
import type { Job, Shared } from "@arcwise/jobs";
import { learnTagger, type TaggerLearning } from "./learn-tagger.ts";
import { createTagger, type TaggerModel } from "./tagger.ts";

interface TaggerWork {
  readonly sentences: Shared<readonly Sentence[]>;
  readonly learning: TaggerLearning;
}

/** Trains a tagger. */
export const taggerJob: Job<TaggerWork, TaggerModel> = {
  name: "tagger",
  module: import.meta.url,
  run: ({ sentences, learning }, context) => learnTagger(sentences, learning, context),
};

interface PartWork extends TaggerWork {
  /** From 1. */
  readonly part: number;
  readonly parts: number;
}

/** Tags a part of the sentences by a tagger of the others. */
export const tagPartJob: Job<PartWork, Sentence[]> = {
  name: "tag-part",
  module: import.meta.url,
  async run({ sentences, learning, part, parts }, context) {
    const from = Math.floor(((part - 1) * sentences.length) / parts);
    const end = Math.floor((part * sentences.length) / parts);
    const others = [...sentences.slice(0, from), ...sentences.slice(end)];
    const { tag } = createTagger(await learnTagger(others, learning, context));
    return sentences.slice(from, end).map((sentence) => tag(sentence));
  },
};

/** The jobs of the trainings of taggers. */
export const TAGGER_JOBS: readonly Job<never, unknown>[] = [taggerJob, tagPartJob];
