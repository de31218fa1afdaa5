import type { Preset } from "./presets.ts";
import type { ParserSettings } from "./train-options.ts";

/** The settings of each preset, where they differ from the defaults of `PARSER_SETTINGS`. */
export const PARSER_PRESETS: Readonly<Record<Preset, ParserSettings>> = {
  fast: {},
  balanced: { epochs: 5, network: { units: 64, minEpochs: 12 } },
  accurate: {
    decoder: "hillclimb",
    order: 2,
    parts: ["headBigram"],
    epochs: 5,
    network: { units: 128, minEpochs: 20 },
  },
};
