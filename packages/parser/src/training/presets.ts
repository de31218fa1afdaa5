import { integer, oneOf } from "@arcwise/core/options";

/** Names of the presets: sparse features alone, then networks, from the fastest to the most accurate. */
export const PRESETS = ["linear", "fast", "balanced", "accurate"] as const;
/** The name of a preset. */
export type Preset = (typeof PRESETS)[number];

/** The preset of a training that names none. */
export const DEFAULT_PRESET: Preset = "balanced";

/** The facts of the option `preset` of all trainings. */
export const PRESET = {
  check: oneOf(...PRESETS),
  help: "the settings that are not given: linear, fast, balanced or accurate",
  default: DEFAULT_PRESET,
  flag: "--preset <name>",
} as const;

/** The facts of the option `seed` of all trainings. */
export const SEED = {
  check: integer(0),
  help: "random seed; training is deterministic for a given seed",
  default: 1,
  flag: "--seed <n>",
} as const;
