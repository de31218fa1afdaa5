/** Names of the presets, from the fastest to the most accurate. */
export const PRESETS = ["fast", "balanced", "accurate"] as const;
/** The name of a preset. */
export type Preset = (typeof PRESETS)[number];

/** The preset of a training that names none. */
export const DEFAULT_PRESET: Preset = "fast";
