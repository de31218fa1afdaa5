import { type Decoder, PART_KINDS, type PartKind } from "@arcwise/core";
import { counted } from "@arcwise/core/errors";
import { ad3Decoder, mplp, subgradient } from "@arcwise/decode-ad3";
import { hillclimbDecoder } from "@arcwise/decode-hillclimb";
import { eisnerDecoder, mstDecoder, projectiveDecoder } from "@arcwise/decode-mst";
import { dualDecoder } from "./dual-decoders.ts";

/** An entry of the registry of decoders. */
export interface DecoderEntry {
  /** The decoder's own name. */
  readonly name: string;
  /** Display name. */
  readonly label: string;
  /** The kind of algorithm: entries of one family are shown together. */
  readonly family: string;
  /** The kinds of parts that it scores besides arcs: its `handles`. */
  readonly kinds: readonly PartKind[];
  /** Whether it searches projective trees only. */
  readonly projective: boolean;
  /** Whether it always finds a tree of highest score. */
  readonly exact: boolean;
  /** The rows of a comparison on common scores; by default one row, the decoder of `make`. */
  readonly variants?: ((settings: VariantSettings) => readonly Variant[]) | undefined;
  make(): Decoder;
}

/** Settings of a comparison on common scores that rows depend on. */
export interface VariantSettings {
  /** Numbers of climbs per sentence, one row each. */
  readonly restarts: readonly number[];
  readonly seed: number;
}

/** A row of a comparison: a decoder with some settings. */
export interface Variant {
  readonly label: string;
  make(): Decoder;
}

/** Properties that the members of a decoder do not give. */
type Claims = Pick<DecoderEntry, "label" | "family" | "exact" | "variants">;

/**
 * Makes an entry of a decoder from its members and some claims. Without claims it is labelled
 * with its name, belongs to the family "others" and may miss the best tree.
 */
export function decoderEntry(make: () => Decoder, claims: Partial<Claims> = {}): DecoderEntry {
  const { name, handles, trees } = make();
  const kinds = PART_KINDS.filter((kind) => handles.has(kind));
  const own = { name, kinds, projective: trees === "projective", make };
  return { label: name, family: "others", exact: false, ...own, ...claims };
}

const anyTree = { family: "spanning trees", exact: true };
const projectiveTree = { family: "projective dynamic programmes", exact: true };

/** Returns a factory of projective decoders for some kinds of parts; default: all. */
const projectiveMaker = (name: string, kinds?: readonly PartKind[]) => () =>
  projectiveDecoder({ name: `projective-${name}`, kinds });

/**
 * Returns a row for each number of climbs from the maximum arborescence, and rows from other starts: drawn in
 * proportion to the exponential of arc scores (Q), and uniformly.
 */
const climbs: Claims["variants"] = ({ restarts, seed }) => {
  const named = (count: number): string => `hill climbing, ${counted(count, "climb")}`;
  const middle = restarts[Math.floor(restarts.length / 2)]!;
  return [
    ...restarts.map((count) => ({
      label: named(count),
      make: () => hillclimbDecoder({ restarts: count, seed }),
    })),
    ...(
      [
        ["Q", "scores"],
        ["uniform", "uniform"],
      ] as const
    ).map(([says, start]) => ({
      label: `${named(middle)} from ${says}`,
      make: () => hillclimbDecoder({ restarts: middle, seed, start }),
    })),
  ];
};

/** Iterations of the methods that only lower the dual bound. One of MPLP takes a maximum for every arc. */
const DUAL_ITERATIONS = { mplp: 10, subgradient: 100 };

/** Returns AD3 as it parses (a dual ascent before AD3), its stages alone, and other methods. */
const relaxations: Claims["variants"] = () => [
  { label: "AD3", make: () => ad3Decoder() },
  { label: "dual ascent alone", make: () => ad3Decoder({ maxIterations: 0 }) },
  { label: "AD3 alone", make: () => ad3Decoder({ ascent: 0, maxIterations: 200 }) },
  {
    label: "AD3, pairwise decomposition",
    make: () =>
      ad3Decoder({ decomposition: { grandparent: "pairwise", sides: "apart", triSibling: "apart" } }),
  },
  {
    label: "MPLP",
    make: () => dualDecoder("mplp", (graph) => mplp(graph, { maxIterations: DUAL_ITERATIONS.mplp })),
  },
  {
    label: "subgradient",
    make: () =>
      dualDecoder("subgradient", (graph) =>
        subgradient(graph, { maxIterations: DUAL_ITERATIONS.subgradient }),
      ),
  },
];

/** All decoders. Every comparison of the benchmark and the tests of agreement iterate over this list. */
export const DECODERS: readonly DecoderEntry[] = [
  decoderEntry(mstDecoder, { ...anyTree, label: "maximum spanning arborescence" }),
  decoderEntry(eisnerDecoder, { ...projectiveTree, label: "Eisner" }),
  decoderEntry(projectiveMaker("sibling", ["nextSibling", "lastSibling"]), {
    ...projectiveTree,
    label: "projective, siblings",
  }),
  decoderEntry(
    projectiveMaker("grand-sibling", ["grandparent", "nextSibling", "lastSibling", "grandSibling"]),
    {
      ...projectiveTree,
      label: "projective, grand-siblings",
    },
  ),
  decoderEntry(projectiveMaker("tri-sibling"), { ...projectiveTree, label: "projective, tri-siblings" }),
  decoderEntry(ad3Decoder, { family: "dual decomposition", label: "AD3", variants: relaxations }),
  decoderEntry(hillclimbDecoder, { family: "searches", label: "hill climbing", variants: climbs }),
];

/**
 * Returns entries by name, in the order of the registry; all of them without names. @throws RangeError on an
 * unknown name
 */
export function decodersNamed(names: readonly string[] = []): readonly DecoderEntry[] {
  const known = DECODERS.map(({ name }) => name);
  for (const name of names) {
    if (!known.includes(name)) {
      throw new RangeError(`no decoder is named "${name}"; there are ${known.join(", ")}`);
    }
  }
  return names.length === 0 ? DECODERS : DECODERS.filter(({ name }) => names.includes(name));
}
