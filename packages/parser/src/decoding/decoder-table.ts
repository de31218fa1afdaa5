import { flag, integer, type OptionsOf, type OptionTable, positive } from "@arcwise/core/options";

/** A built-in decoder: what checks and settings need to know of it without loading it. */
export interface BuiltInDecoder {
  /** The structures that it finds, and its method, in a few words. */
  readonly finds: string;
  /** Whether models can be trained with it; all decoders can parse. */
  readonly training: boolean;
  /** The search options that it takes. */
  readonly options: readonly SearchOption[];
}

/** Limits of decoders that search. */
export interface SearchOptions extends OptionsOf<OptionTable<typeof SEARCH_OPTIONS>> {}

/** The name of a limit of decoders that search. */
export type SearchOption = keyof SearchOptions;

/** The use that a decoder is made for. */
export type DecoderPurpose = "training" | "parsing";

const DUAL = ["exact", "seconds"] as const;

/** The built-in decoders of trees and of graphs, by the name that options and model files give them. */
export const BUILT_IN_DECODERS = {
  trees: {
    mst: { finds: "any tree, by arcs", training: true, options: [] },
    eisner: { finds: "projective trees, by arcs", training: true, options: [] },
    projective: { finds: "projective trees, by parts", training: true, options: [] },
    hillclimb: { finds: "any tree, by local search", training: true, options: ["restarts"] },
    ad3: { finds: "any tree, by dual decomposition", training: true, options: DUAL },
    mbr: { finds: "any tree, by minimum Bayes risk", training: false, options: [] },
    "mbr-projective": { finds: "projective trees, by minimum Bayes risk", training: false, options: [] },
  },
  graphs: {
    basic: { finds: "each edge by itself", training: true, options: [] },
    ad3: { finds: "edges with parts, by dual decomposition", training: true, options: DUAL },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, BuiltInDecoder>>>>;

/** The kind of structure that a decoder finds. */
export type DecoderFamily = keyof typeof BUILT_IN_DECODERS;

/** Returns the names of the built-in decoders of a family for a purpose, in the order of the table. */
export function decoderNames(family: DecoderFamily, purpose: DecoderPurpose): string[] {
  const rows: [string, BuiltInDecoder][] = Object.entries(BUILT_IN_DECODERS[family]);
  return rows.filter(([, { training }]) => training || purpose === "parsing").map(([name]) => name);
}

/** Describes the built-in decoders of a family for a purpose, for help: `mst (any tree, by arcs), ...`. */
export function describeDecoders(family: DecoderFamily, purpose: DecoderPurpose): string {
  const rows: Readonly<Record<string, BuiltInDecoder>> = BUILT_IN_DECODERS[family];
  return decoderNames(family, purpose)
    .map((name) => `${name} (${rows[name].finds})`)
    .join(", ");
}

/** The facts of `SearchOptions`. */
export const SEARCH_OPTIONS = {
  restarts: {
    check: integer(1),
    help: "climbs per sentence with the decoder hillclimb",
    defaultHelp: "until several in a row find nothing better",
  },
  exact: {
    check: flag,
    help: "with the decoder ad3, search on until each answer is proved optimal",
    defaultHelp: "false",
  },
  seconds: {
    check: positive,
    help: "maximum seconds per sentence for that proof; without a proof the answer may not be optimal",
    defaultHelp: "no limit",
  },
} as const;
