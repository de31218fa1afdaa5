import { type EncodedSentence, PADDING } from "@arcwise/core/features";
import type { EncodedTree } from "../../scoring/arcs/label-filter.ts";
import type { ColumnTarget } from "../network-columns.ts";

/** A sentence that a network learns from, with its tree and the labels of its words in columns. */
export interface NetworkExample {
  readonly sentence: EncodedSentence;
  readonly tree: EncodedTree;
  readonly columns: readonly ColumnTarget[];
}

/** A word of an example, by its position. */
export interface Source {
  readonly example: NetworkExample;
  readonly position: number;
}

/**
 * Makes an example of words of others. Markers, which depend on the words before, remain those that the words
 * had: networks do not read them. O(words).
 *
 * @param sources where each position from 0 on comes from; position 0 comes from a root, whose example gives
 *   all that does not belong to single words
 * @param heads the head of each word in the new example
 */
export function composeExample(sources: readonly Source[], heads: Int32Array): NetworkExample {
  const n = sources.length - 1;
  const { sentence: base, columns: targets } = sources[0]!.example;
  /** A column of codes: those beyond the ends of the sentence are the same in all sentences. */
  const codes = (columnOf: (sentence: EncodedSentence) => Int32Array) => {
    const own = columnOf(base);
    const column = new Int32Array(n + 1 + 2 * PADDING);
    column.set(own.subarray(0, PADDING));
    column.set(own.subarray(own.length - PADDING), n + 1 + PADDING);
    for (const [i, { example, position }] of sources.entries())
      column[i + PADDING] = columnOf(example.sentence)[position + PADDING]!;
    return column;
  };
  const labels = Int32Array.from(sources, ({ example, position }) => example.tree.labels[position]!);
  return {
    sentence: {
      n,
      columns: base.columns.map((_, c) => codes(({ columns }) => columns[c]!)),
      ...featuresOf(sources),
      tag: Uint8Array.from(sources, ({ example, position }) => example.sentence.tag[position]!),
      counts: base.counts.map((_, kind) => countsOf(sources, kind)),
      morphology:
        base.morphology &&
        Object.fromEntries(
          Object.keys(base.morphology).map((name) => [name, codes(({ morphology }) => morphology![name]!)]),
        ),
      words:
        base.words && sources.slice(1).map(({ example, position }) => example.sentence.words![position - 1]!),
      vectors:
        base.vectors &&
        Int32Array.from(sources, ({ example, position }) => example.sentence.vectors![position]!),
    },
    tree: { heads, labels },
    columns: targets.map((target, c) => columnOf(sources, target, c)),
  };
}

/** The morphological features of the words. */
function featuresOf(sources: readonly Source[]): Pick<EncodedSentence, "feats" | "featStart"> {
  const featStart = new Int32Array(sources.length + 1);
  const own = sources.map(({ example: { sentence }, position }) =>
    sentence.feats.subarray(sentence.featStart[position], sentence.featStart[position + 1]),
  );
  for (const [i, { length }] of own.entries()) featStart[i + 1] = featStart[i]! + length;
  const feats = new Int32Array(featStart.at(-1)!);
  for (const [i, codes] of own.entries()) feats.set(codes, featStart[i]);
  return { feats, featStart };
}

/** The number of words of a kind up to each word. */
function countsOf(sources: readonly Source[], kind: number): Int32Array {
  const counts = new Int32Array(sources.length);
  for (let i = 1; i < sources.length; i++) {
    const { example, position } = sources[i]!;
    const own = example.sentence.counts[kind]!;
    counts[i] = counts[i - 1]! + own[position]! - own[position - 1]!;
  }
  return counts;
}

function columnOf(sources: readonly Source[], { given, trust }: ColumnTarget, column: number): ColumnTarget {
  const words = sources.slice(1);
  const of = (labelsOf: (target: ColumnTarget) => Int32Array) =>
    Int32Array.from(words, ({ example, position }) => labelsOf(example.columns[column]!)[position - 1]!);
  return {
    labels: of(({ labels }) => labels),
    given: given && of((target) => target.given!),
    trust,
  };
}
