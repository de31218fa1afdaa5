import { type Arcs, type Decoder, random } from "@arcwise/core";
import { type EncodedSentence, TENSOR_TEMPLATES, WordFeatures } from "@arcwise/core/features";
import { trainOnline } from "@arcwise/learn";
import { buildTensorAlphabet, TensorAlphabet } from "../scoring/tensor/tensor-alphabet.ts";
import { sparseEntries } from "../scoring/tensor/tensor-entries.ts";
import { ARC_ROWS, type TensorSettings, tensorDimension, wordRows } from "../scoring/tensor/tensor-rows.ts";
import { decompose, type RankOne } from "../scoring/tensor/tensor-svd.ts";
import type { QuantizedVectors } from "../scoring/tensor/word-vectors.ts";
import { createParsingWork, type ParsingWork } from "./parsing-work.ts";
import type { TensorPlan } from "./settings.ts";

/** Features of words seen fewer times have no rows. */
const MIN_COUNT = 5;
/** Factor of the scores of a tensor. */
const SCALE = 1;
/** Standard deviation of random initial weights. */
const DEVIATION = 0.05;

/** A tensor for the words of the sentences. */
export function tensorSettings(
  sentences: readonly EncodedSentence[],
  { rank }: TensorPlan,
  vectors: QuantizedVectors | undefined,
): TensorSettings {
  const configuration = { rank, templates: TENSOR_TEMPLATES, scale: SCALE };
  const features = new WordFeatures(configuration.templates);
  const { codes } = buildTensorAlphabet(sentences, features, MIN_COUNT);
  return { configuration, codes, vectors };
}

/**
 * Returns the initial weights of a tensor: random, or the decomposition of the weights that sparse features
 * alone have after one epoch. They cannot all be 0, since their gradients would be 0 too.
 *
 * Cost of the latter: an epoch of a first-order model, and that of `sparseEntries` and `decompose`.
 *
 * @param trees the trees that the model's decoder chooses from
 * @throws the reason of the signal once that is aborted
 */
export async function startTensor(
  work: ParsingWork,
  trees: Decoder["trees"],
  start: TensorPlan["start"],
  seed: number,
  signal?: AbortSignal,
): Promise<Float32Array> {
  const { configuration, codes, vectors: ofWords } = work.tensor!;
  const { rank, templates } = configuration;
  const alphabet = new TensorAlphabet(codes);
  const rows = wordRows(codes.length, ofWords?.dimension ?? 0);
  if (start === "random") {
    const stream = random(seed).fork(START);
    const { normal } = stream;
    return Float32Array.from({ length: tensorDimension(rank, rows) }, () => DEVIATION * normal());
  }
  const weights = await sparseWeights(work, trees, seed, signal);
  const { arcTemplates, arcBits } = work.configuration;
  const sparse = {
    templates: arcTemplates,
    bits: arcBits,
    length: work.dimensions.arcs / 2 ** arcBits,
    weights,
  };
  const sentences = work.examples.map(({ sentence }) => sentence);
  const arcs: Arcs[] = work.examples.map((example) => example.arcs);
  const entries = sparseEntries(sentences, arcs, sparse, templates, alphabet);
  signal?.throwIfAborted();
  return weightsOf(decompose(entries, rank, seed), rank, rows);
}

/** Identifies the stream of random numbers for weights. */
const START = 0x7e4507;

/** Returns the weights of single arcs after one epoch, without a tensor. */
async function sparseWeights(
  work: ParsingWork,
  trees: Decoder["trees"],
  seed: number,
  signal?: AbortSignal,
): Promise<Float32Array> {
  const { task, learner } = createParsingWork({
    ...work,
    tensor: undefined,
    fractional: false,
    learner: { name: "mira" },
    isBatch: false,
    decoder: {
      name: trees === "projective" ? "eisner" : "mst",
      request: { purpose: "training", order: 1 },
    },
    configuration: { ...work.configuration, partTemplates: {}, global: undefined },
    dimensions: { arcs: work.dimensions.arcs, parts: 0, tensor: 0, global: 0 },
  });
  await trainOnline(task, learner, { epochs: 1, seed, signal });
  return learner.result();
}

/**
 * Converts a sum of rank-one tensors to the weights of a tensor with `words` rows of features of words: the
 * weight of each term is distributed over its three vectors. Rows of word vectors are 0, and learn from the
 * other two factors.
 */
function weightsOf(terms: readonly RankOne[], rank: number, words: number): Float32Array {
  const weights = new Float32Array(tensorDimension(rank, words));
  for (const [r, { weight, head, modifier, arc }] of terms.entries()) {
    const share = Math.cbrt(weight);
    for (let i = 0; i < head.length; i++) {
      weights[i * rank + r] = share * head[i]!;
      weights[(words + i) * rank + r] = share * modifier[i]!;
    }
    for (let i = 0; i < ARC_ROWS; i++) weights[(2 * words + i) * rank + r] = share * arc[i]!;
  }
  return weights;
}
