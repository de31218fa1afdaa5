/** A built-in decoder: what checks and settings need to know of it without loading it. */
export interface BuiltInDecoder {
  /** Whether models can be trained with it; all decoders can parse. */
  readonly training: boolean;
  /** The search options that it takes. */
  readonly options: readonly SearchOption[];
}

/** Limits of decoders that search. */
export interface SearchOptions {
  /** Number of climbs per sentence of "hillclimb". Default: until several in a row find nothing better. */
  readonly restarts?: number | undefined;
  /** Whether "ad3" continues by branch and bound until the answer is proved optimal. */
  readonly exact?: boolean | undefined;
  /** Maximum number of seconds per sentence for that proof; without a proof the bound is above the score. */
  readonly seconds?: number | undefined;
}

/** The name of a limit of decoders that search. */
export type SearchOption = keyof SearchOptions;

/** The use that a decoder is made for. */
export type DecoderPurpose = "training" | "parsing";

const CLIMB = ["restarts"] as const;
const DUAL = ["exact", "seconds"] as const;

/** The built-in decoders of trees and of graphs, by the name that options and model files give them. */
export const BUILT_IN_DECODERS = {
  trees: {
    /** Any tree, by arcs. */
    mst: { training: true, options: [] },
    /** Projective trees, by arcs. */
    eisner: { training: true, options: [] },
    /** Projective trees, by parts. */
    projective: { training: true, options: [] },
    /** Any tree, by search. */
    hillclimb: { training: true, options: CLIMB },
    /** Any tree, by dual decomposition. */
    ad3: { training: true, options: DUAL },
    /** Any tree, by minimum Bayes risk. */
    mbr: { training: false, options: [] },
    /** Projective trees, by minimum Bayes risk. */
    "mbr-projective": { training: false, options: [] },
  },
  graphs: {
    /** Edge by edge. */
    basic: { training: true, options: [] },
    /** By dual decomposition. */
    ad3: { training: true, options: DUAL },
    /** By search. */
    hillclimb: { training: true, options: CLIMB },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, BuiltInDecoder>>>>;

/** What a decoder finds. */
export type DecoderFamily = keyof typeof BUILT_IN_DECODERS;

/** Returns the names of the built-in decoders of a family for a purpose, in the order of the table. */
export function decoderNames(family: DecoderFamily, purpose: DecoderPurpose): string[] {
  const rows: [string, BuiltInDecoder][] = Object.entries(BUILT_IN_DECODERS[family]);
  return rows.filter(([, { training }]) => training || purpose === "parsing").map(([name]) => name);
}
