import { type Decoder, type PartKind, requireHandled, scoreTree } from "@arcwise/core";
import { type Ad3Decoder, ad3Decoder } from "@arcwise/decode-ad3";
import { hillclimbDecoder } from "@arcwise/decode-hillclimb";
import {
  createPartSums,
  eisnerDecoder,
  mbrDecoder,
  mstDecoder,
  PROJECTIVE_KINDS,
  projectiveDecoder,
} from "@arcwise/decode-mst";

/** How long decoders that search go on. */
export interface SearchOptions {
  /** Climbs a sentence of "hillclimb"; a few, and more in parsing than in training, unless said otherwise. */
  readonly restarts?: number | undefined;
  /** Whether "ad3" goes on by branch and bound until the tree is proven to be the best. */
  readonly exact?: boolean | undefined;
}

/** Climbs a sentence, and how many in a row without a better tree are enough. */
const CLIMBS = { training: { restarts: 5, patience: 3 }, parsing: { restarts: 30, patience: 10 } } as const;

/** The decoders that a model can be trained with, by name. */
const DECODERS = {
  mst: () => mstDecoder(),
  eisner: () => eisnerDecoder(),
  projective: () => projectiveDecoder(),
  hillclimb: (purpose: keyof typeof CLIMBS, { restarts }: SearchOptions) =>
    hillclimbDecoder(restarts === undefined ? CLIMBS[purpose] : { restarts }),
  ad3: (_: keyof typeof CLIMBS, { exact = false }: SearchOptions) => ad3Decoder({ exact }),
} as const;
export type DecoderName = keyof typeof DECODERS;

/** Names of the decoders that a model can be trained with. */
export const TRAINING_DECODERS = Object.keys(DECODERS) as readonly DecoderName[];

/** Decoders for parsing alone: the highest expected number of right heads, by the model's probabilities. */
const MBR_DECODERS = { mbr: mbrDecoder, "mbr-projective": projectiveMbrDecoder } as const;

/** Names of the decoders that a trained model can parse with, if they handle its parts. */
export const DECODER_NAMES: readonly string[] = [...TRAINING_DECODERS, ...Object.keys(MBR_DECODERS)];

/** Which trees a decoder chooses from. */
export type TreeFamily = "any" | "projective";

const FAMILIES: Readonly<Record<string, TreeFamily>> = {
  mst: "any",
  mbr: "any",
  eisner: "projective",
  projective: "projective",
  "mbr-projective": "projective",
};

/** The trees that a decoder chooses from, as far as its name is known. */
export function familyOf({ name }: Pick<Decoder, "name">): TreeFamily | undefined {
  return Object.hasOwn(FAMILIES, name) ? FAMILIES[name] : undefined;
}

/** Names of the decoders that can score whole trees. */
const GLOBAL_DECODERS: ReadonlySet<string> = new Set(["hillclimb"]);

/** Whether a decoder can score whole trees, as far as its name is known. */
export function takesGlobal({ name }: Pick<Decoder, "name">): boolean {
  return GLOBAL_DECODERS.has(name);
}

/** Whether a decoder tells how its answers were found. */
export function tellsMore(decoder: Decoder): decoder is Ad3Decoder {
  return decoder.name === "ad3" && "decodeWithReport" in decoder;
}

/** A decoder to train with, by name. @throws RangeError when there is none of that name */
export function decoderNamed(name: string, options: SearchOptions = {}): Decoder {
  if (!Object.hasOwn(DECODERS, name)) throw noDecoder(name, TRAINING_DECODERS);
  return DECODERS[name as DecoderName]("training", options);
}

/** A decoder to parse with, by name. @throws RangeError when there is none of that name */
export function parsingDecoderNamed(name: string, options: SearchOptions = {}): Decoder {
  if (Object.hasOwn(MBR_DECODERS, name)) return MBR_DECODERS[name as keyof typeof MBR_DECODERS]();
  if (!Object.hasOwn(DECODERS, name)) throw noDecoder(name, DECODER_NAMES);
  return DECODERS[name as DecoderName]("parsing", options);
}

/** @throws RangeError when options are for another decoder than the one to parse with */
export function checkSearchOptions(decoder: Decoder | string, { restarts, exact }: SearchOptions): void {
  if (restarts !== undefined) expectDecoder("restarts are", "hillclimb", decoder);
  if (exact !== undefined && exact) expectDecoder("exact is", "ad3", decoder);
}

function expectDecoder(what: string, name: string, decoder: Decoder | string): void {
  if (typeof decoder !== "string")
    throw new RangeError(`${what} for a decoder that is named, got one that is made: set it up there`);
  if (decoder !== name) throw new RangeError(`${what} for the decoder ${name}, which "${decoder}" is not`);
}

function noDecoder(name: string, names: readonly string[]): RangeError {
  return new RangeError(`no decoder is named "${name}"; there are ${names.join(", ")}`);
}

/**
 * Minimum-Bayes-risk decoding over projective trees with parts (Goodman 1996): the projective tree with the highest
 * expected number of right heads, when trees have probability proportional to exp(score). `bound` is the
 * log-partition, which no tree's score exceeds. The cost is that of the sums over trees, then O(n · arcs).
 *
 * Throws as `createPartSums` does.
 */
function projectiveMbrDecoder(): Decoder {
  const name = "mbr-projective";
  const handles: ReadonlySet<PartKind> = new Set(PROJECTIVE_KINDS);
  const sums = createPartSums();
  const search = eisnerDecoder();
  return {
    name,
    handles,
    decode(problem) {
      requireHandled(problem, name, handles);
      const { arcs, arcScores } = problem;
      const { logPartition, arcs: marginals } = sums.marginals(problem);
      // A pruned arc must not come back at probability 0.
      const gains = marginals.map((p, a) => (arcScores[a] === -Infinity ? -Infinity : p));
      const { heads } = search.decode({ arcs, arcScores: gains, parts: [] });
      const score = scoreTree(problem, heads);
      // The sum's own rounding must not push it below the best score.
      return { heads, score, bound: Math.max(score, logPartition + 1e-10 * (1 + Math.abs(logPartition))) };
    },
  };
}
