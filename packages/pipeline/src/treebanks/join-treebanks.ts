import type { ConlluSentence } from "@arcwise/conllu";
import { type Random, random } from "@arcwise/core";
import { checkArgument, integer, number, shaped } from "@arcwise/core/options";
import { corrected } from "./corrections.ts";
import { type Treebank, treebanksOf } from "./treebank.ts";
import { VARIATIONS } from "./variations.ts";

const JOINING = shaped<JoinOptions>("options", { seed: integer(0), variation: number(0, 1) });

/** How the sentences of treebanks are prepared. */
export interface JoinOptions {
  readonly seed: number;
  /** Share of the sentences that are learned in each other way of writing as well. */
  readonly variation: number;
}

/** Maximum number of sentences that stay together. */
const MAX_BLOCK = 20;
/** Forks of the seed. */
const STREAM = { weights: 1, variation: 2 } as const;

/**
 * Returns the sentences that a training learns from. Paragraphs of several treebanks alternate in proportion to
 * their sizes, so that each part of the list is a mixture; a treebank with weight 2 is there twice. Sentences
 * with corrected typing errors follow their paragraphs, and so do `variation` of the paragraphs in capitals and
 * in lower case, and of the sentences as headlines and without their full stops. O(rows).
 */
export function joinTreebanks(treebanks: readonly Treebank[], options: JoinOptions): ConlluSentence[] {
  checkArgument(JOINING, options, "joinTreebanks: options");
  const { seed, variation } = options;
  const placed = treebanksOf(treebanks, "joinTreebanks: treebanks").flatMap(({ sentences, weight }, t) => {
    const stream = random(seed).fork(t + 1);
    const [weights, variations] = [stream.fork(STREAM.weights), stream.fork(STREAM.variation)];
    let done = 0;
    return blocksOf(sentences).map((block) => {
      done += block.length;
      const varied = [...block, ...correctedOf(block), ...variedOf(block, variation, variations)];
      const times = timesOf(weight, weights);
      const learned = Array.from({ length: times }, () => varied).flat();
      return { at: (done - block.length / 2) / sentences.length, learned };
    });
  });
  if (treebanks.length > 1) placed.sort((a, b) => a.at - b.at);
  return placed.flatMap(({ learned }) => learned);
}

function timesOf(weight: number, stream: Random): number {
  const whole = Math.floor(weight);
  return whole === weight ? whole : whole + (stream.next() < weight - whole ? 1 : 0);
}

/** Returns the paragraphs of a treebank, long ones in parts. */
function blocksOf(sentences: readonly ConlluSentence[]): ConlluSentence[][] {
  const blocks: ConlluSentence[][] = [];
  for (const sentence of sentences) {
    const isNew = sentence.comments.some((comment) => /^#\s*new(?:par|doc)\b/.test(comment));
    const last = blocks.at(-1);
    if (last === undefined || isNew || last.length >= MAX_BLOCK) blocks.push([sentence]);
    else last.push(sentence);
  }
  return blocks;
}

function correctedOf(block: readonly ConlluSentence[]): ConlluSentence[] {
  return block.map(corrected).filter((sentence) => sentence !== undefined);
}

/** Returns a block in the other ways of writing that are drawn for it. */
function variedOf(block: readonly ConlluSentence[], share: number, stream: Random): ConlluSentence[] {
  if (share === 0) return [];
  return Object.values(VARIATIONS).flatMap((vary) =>
    stream.next() < share ? block.map(vary).filter((sentence) => sentence !== undefined) : [],
  );
}
