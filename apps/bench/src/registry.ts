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

/** A decoder as the benchmark and the tests that compare decoders know it. */
export interface DecoderEntry {
  /** The decoder's own name. */
  readonly name: string;
  /** What people call it. */
  readonly label: string;
  /** The kind of algorithm: entries of one family are shown together. */
  readonly family: string;
  /** The kinds of parts that it scores besides arcs: its `handles`. */
  readonly kinds: readonly PartKind[];
  /** Only trees without crossing arcs are looked at. */
  readonly projective: boolean;
  /** It always finds a tree of highest score. */
  readonly exact: boolean;
  make(): Decoder;
}

/** What is claimed of a decoder; the rest it says of itself. */
type Claims = Omit<DecoderEntry, "name" | "kinds" | "projective">;

/** An entry: what is claimed of a decoder, and what it says of itself. */
export function decoderEntry(claims: Claims): DecoderEntry {
  const { name, handles, trees } = claims.make();
  const kinds = PART_KINDS.filter((kind) => handles.has(kind));
  return { name, kinds, projective: trees === "projective", ...claims };
}

const anyTree = { family: "spanning trees", exact: true };
const projectiveTree = { family: "projective dynamic programmes", exact: true };

/** All decoders. The benchmark, the conformance tests and the tests of agreement iterate over this list. */
export const DECODERS: readonly DecoderEntry[] = [
  decoderEntry({ ...anyTree, label: "maximum spanning arborescence", make: () => mstDecoder() }),
  decoderEntry({ ...projectiveTree, label: "Eisner", make: () => eisnerDecoder() }),
  decoderEntry({ ...projectiveTree, label: "projective, siblings", make: () => projectiveSiblingDecoder() }),
  decoderEntry({
    ...projectiveTree,
    label: "projective, grand-siblings",
    make: () => projectiveGrandSiblingDecoder(),
  }),
  decoderEntry({
    ...projectiveTree,
    label: "projective, tri-siblings",
    make: () => projectiveTriSiblingDecoder(),
  }),
  decoderEntry({
    family: "dual decomposition",
    label: "AD3",
    exact: false,
    make: () => ad3Decoder(),
  }),
  decoderEntry({
    family: "searches",
    exact: false,
    label: "hill climbing",
    make: () => hillclimbDecoder(),
  }),
];

/**
 * Entries by name, in the order of the registry; all of them without names. @throws RangeError on an unknown
 * one
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
