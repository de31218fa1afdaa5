import { type Decoder, PART_KINDS, type PartKind } from "@arcwise/core";
import { ad3Decoder } from "@arcwise/decode-ad3";
import { hillclimbDecoder } from "@arcwise/decode-hillclimb";
import {
  eisnerDecoder,
  mstDecoder,
  projectiveGrandSiblingDecoder,
  projectiveSiblingDecoder,
  projectiveTriSiblingDecoder,
} from "@arcwise/decode-mst";

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
  readonly variants?: (settings: VariantSettings) => readonly Variant[];
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

/** Returns a row for each number of climbs. */
const climbs: Claims["variants"] = ({ restarts, seed }) =>
  restarts.map((count) => ({
    label: `hill climbing, ${count} ${count === 1 ? "climb" : "climbs"}`,
    make: () => hillclimbDecoder({ restarts: count, seed }),
  }));

/** All decoders. Every comparison of the benchmark and the tests of agreement iterate over this list. */
export const DECODERS: readonly DecoderEntry[] = [
  decoderEntry(mstDecoder, { ...anyTree, label: "maximum spanning arborescence" }),
  decoderEntry(eisnerDecoder, { ...projectiveTree, label: "Eisner" }),
  decoderEntry(projectiveSiblingDecoder, { ...projectiveTree, label: "projective, siblings" }),
  decoderEntry(projectiveGrandSiblingDecoder, { ...projectiveTree, label: "projective, grand-siblings" }),
  decoderEntry(projectiveTriSiblingDecoder, { ...projectiveTree, label: "projective, tri-siblings" }),
  decoderEntry(ad3Decoder, { family: "dual decomposition", label: "AD3" }),
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
