/** A built-in decoder: what help, checks and settings need to know of it without loading it. */
export interface BuiltInDecoder {
  /** What it finds, as a phrase. */
  readonly help: string;
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
    mst: { help: "any tree, by arcs", training: true, options: [] },
    eisner: { help: "projective trees, by arcs", training: true, options: [] },
    projective: { help: "projective trees, by parts", training: true, options: [] },
    hillclimb: { help: "any tree, by search", training: true, options: CLIMB },
    ad3: { help: "any tree, by dual decomposition", training: true, options: DUAL },
    mbr: { help: "any tree, by minimum Bayes risk", training: false, options: [] },
    "mbr-projective": { help: "projective trees, by minimum Bayes risk", training: false, options: [] },
  },
  graphs: {
    basic: { help: "edge by edge", training: true, options: [] },
    ad3: { help: "by dual decomposition", training: true, options: DUAL },
    hillclimb: { help: "by search", training: true, options: CLIMB },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, BuiltInDecoder>>>>;

/** What a decoder finds. */
export type DecoderFamily = keyof typeof BUILT_IN_DECODERS;

/** Returns the names of the built-in decoders of a family for a purpose, in the order of the table. */
export function decoderNames(family: DecoderFamily, purpose: DecoderPurpose): string[] {
  const rows: [string, BuiltInDecoder][] = Object.entries(BUILT_IN_DECODERS[family]);
  return rows.filter(([, { training }]) => training || purpose === "parsing").map(([name]) => name);
}

/** Returns the built-in decoders of a family for a purpose as text: `any tree, by arcs (mst); ...`. */
export function decoderHelp(family: DecoderFamily, purpose: DecoderPurpose): string {
  const rows: Readonly<Record<string, BuiltInDecoder>> = BUILT_IN_DECODERS[family];
  return decoderNames(family, purpose)
    .map((name) => `${rows[name]!.help} (${name})`)
    .join("; ");
}
