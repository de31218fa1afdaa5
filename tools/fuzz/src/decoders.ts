import { DECODERS } from "@arcwise/bench/measures";
import type { Decoder } from "@arcwise/core";
import { ad3Decoder, ad3GraphDecoder } from "@arcwise/decode-ad3";
import { hillclimbDecoder } from "@arcwise/decode-hillclimb";
import { eisnerDecoder, mbrDecoder, mstDecoder, projectiveDecoder } from "@arcwise/decode-mst";
import { graphLaws, laws } from "@arcwise/decoder-laws";
import fc from "fast-check";
import type { Area } from "./area.ts";

/** Problems per law and trial. */
const RUNS = 5;

type LawsOf = (size: { readonly seed: number; readonly runs: number }) => ReturnType<typeof laws>;

/** Relations of the scores of related problems: a search finds another local optimum, or breaks a tie otherwise. */
const RELATIONS = new Set(["shift", "scale", "relabel", "raise"]);

function lawsOf(name: string, make: () => Decoder, exact: boolean): [string, LawsOf] {
  return [name, (size) => laws(make, { exact, ...size }).filter((law) => exact || !RELATIONS.has(law.name))];
}

const SEVERAL = { singleRoot: false };

/** The laws by decoders: all of the registry, those with several roots, and those of graphs. */
const SUBJECTS: readonly (readonly [name: string, LawsOf])[] = [
  ...DECODERS.map(({ name, exact, make }) => lawsOf(name, make, exact)),
  ...[mstDecoder, eisnerDecoder, projectiveDecoder].map((make) =>
    lawsOf(`${make().name}, several roots`, () => make(SEVERAL), true),
  ),
  ...[ad3Decoder, hillclimbDecoder, mbrDecoder].map((make) =>
    lawsOf(`${make().name}, several roots`, () => make(SEVERAL), false),
  ),
  lawsOf("mbr", () => mbrDecoder(), false),
  ["graphs", (size) => graphLaws(() => ad3GraphDecoder({ exact: true }), { exact: true, ...size })],
];

/** Checks the laws of decoders on random problems: against all trees of short sentences, and each other. */
export const decoders: Area<{ readonly subject: number; readonly law: number; readonly seed: number }> = {
  name: "decoders",
  description: "random problems through all decoders: the laws of decoder-laws, one root and several",
  share: 4,
  prepare: async () => ({
    inputs: fc.record({
      subject: fc.nat(SUBJECTS.length - 1),
      law: fc.noShrink(fc.nat(1000)),
      // A failing law shrinks its problem itself.
      seed: fc.noShrink(fc.nat()),
    }),
    try({ subject, law, seed }) {
      const [name, of] = SUBJECTS[subject]!;
      const all = of({ seed, runs: RUNS });
      const { name: says, check } = all[law % all.length]!;
      try {
        check();
      } catch (error) {
        throw new Error(`${name}, ${says}: ${String(error)}`, { cause: error });
      }
      return "survived";
    },
  }),
};
