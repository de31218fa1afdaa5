import type { Preset } from "./presets.ts";
import type { ParserSettings } from "./train-options.ts";

/**
 * The settings of small networks, chosen alone on the development splits of English-GUM and Hungarian-Szeged (docs/notes,
 * *Networks alone*).
 */
const SMALL = { hiddenUnits: 64, firstLayerColumns: true, dropout: 0.2, rate: 0.003 };
const BALANCED = { ...SMALL, units: 96, minEpochs: 16 };

/** The settings of each preset, where they differ from the defaults of `PARSER_SETTINGS`. */
export const PARSER_PRESETS: Readonly<Record<Preset, ParserSettings>> = {
  linear: {},
  fast: { terms: ["network"], network: { ...SMALL, units: 64, embeddingUnits: 48, minEpochs: 12 } },
  balanced: { network: BALANCED },
  accurate: {
    decoder: "hillclimb",
    order: 2,
    parts: ["headBigram"],
    epochs: 5,
    network: { ...BALANCED, members: 3 },
  },
};
