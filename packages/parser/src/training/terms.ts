import { ArcwiseError } from "@arcwise/core/errors";
import { mergeOptions, type Option, type OptionTable } from "@arcwise/core/options";
import { TERMS, type Term } from "./train-options.ts";

interface WithTerms {
  readonly terms?: readonly Term[] | undefined;
  readonly network?: object | undefined;
}

/** Returns what scores arcs and labels by settings, in the order of `TERMS`. */
export function termsOf({ terms, network }: WithTerms): readonly Term[] {
  const found: readonly Term[] = terms ?? (network === undefined ? ["features"] : TERMS);
  return TERMS.filter((term) => found.includes(term));
}

/** The part that features have in a preset and in the settings that are given. */
interface FeaturesOfPreset {
  /** Whether features are one of the terms if terms are not given. */
  readonly asksForFeatures: boolean;
  /** Settings of presets that a network alone does not take. */
  readonly featureSettings: readonly string[];
}

/**
 * Returns settings with the settings of a preset where they are not given. A preset of a network alone has features as well
 * where these are asked for; a network alone does not get the settings of features from a preset.
 */
export function joinPreset<Settings extends WithTerms>(
  table: OptionTable<object>,
  preset: Settings,
  given: Settings,
  { asksForFeatures, featureSettings }: FeaturesOfPreset,
): Settings {
  const hasBoth = asksForFeatures && given.terms === undefined && preset.terms !== undefined;
  const merged = mergeOptions(table, hasBoth ? { ...preset, terms: TERMS } : preset, given);
  if (termsOf(merged).includes("features")) return merged;
  const left = Object.entries(preset).filter(([name]) => !featureSettings.includes(name));
  return mergeOptions(table, Object.fromEntries(left) as Settings, given);
}

/** Returns the options of a training that are settings. */
export function ownSettings(table: readonly Option[], options: object): object {
  const values = options as Readonly<Record<string, unknown>>;
  return Object.fromEntries(table.map(({ name }) => [name, values[name]]));
}

/**
 * An option that does not go with the others.
 *
 * @param trainer name of the function that trains
 */
export function incompatible(trainer: string, at: string, message: string): ArcwiseError {
  return new ArcwiseError("invalid-option", `${trainer}: ${message}`, { at });
}

/**
 * Refuses settings of features, or of scores next to features, for a network alone.
 *
 * @param found whether each is given
 */
export function refuseFeatures(trainer: string, found: Readonly<Record<string, boolean>>): void {
  const at = Object.keys(found).find((name) => found[name]);
  if (at !== undefined)
    throw incompatible(
      trainer,
      at,
      `${at} is a setting of features, which are not one of the terms (network)`,
    );
}
