import { DECODERS } from "@arcwise/bench/measures";
import { ad3Decoder, ad3GraphDecoder } from "@arcwise/decode-ad3";
import { hillclimbDecoder } from "@arcwise/decode-hillclimb";
import { eisnerDecoder, mbrDecoder, mstDecoder, projectiveDecoder } from "@arcwise/decode-mst";
import { graphLaws, laws } from "@arcwise/decoder-laws";
import fc from "fast-check";
import type { Area } from "./area.ts";

/** Problems per law and trial. */
const RUNS = 5;

type LawsOf = (size: { readonly seed: number; readonly runs: number }) => ReturnType<typeof laws>;

/** The laws by decoders: all of the registry, those with several roots, and those of graphs. */
const SUBJECTS: readonly (readonly [name: string, LawsOf])[] = [
  ...DECODERS.map(({ name, exact, make }): [string, LawsOf] => [
    name,
    (size) => laws(make, { exact, ...size }),
  ]),
  ...[mstDecoder, eisnerDecoder, projectiveDecoder].map((make): [string, LawsOf] => {
    const several = () => make({ singleRoot: false });
    return [`${several().name}, several roots`, (size) => laws(several, { exact: true, ...size })];
  }),
  ...[ad3Decoder, hillclimbDecoder].map((make): [string, LawsOf] => {
    const several = () => make({ singleRoot: false });
    return [`${several().name}, several roots`, (size) => laws(several, { exact: false, ...size })];
  }),
  ...[true, false].map((singleRoot): [string, LawsOf] => [
    `mbr, single root ${singleRoot}`,
    // Scores times a constant are another distribution, with other marginals.
    (size) =>
      laws(() => mbrDecoder({ singleRoot }), { exact: false, ...size }).filter(
        ({ name }) => name !== "scale",
      ),
  ]),
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
      const [name, lawsOf] = SUBJECTS[subject]!;
      const all = lawsOf({ seed, runs: RUNS });
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
