import { type Option, omitOptions } from "@arcwise/core/options";
import { type PlainSettings, SETTINGS_OF_FEATURES } from "./settings.ts";
import { PARSER_SETTINGS } from "./train-options.ts";

/** Settings that every description of a model has. */
const ALWAYS: readonly string[] = ["decoder", "order", "learner", "epochs", "seed"];
/** All settings but the network, which is described as a whole, and the terms, which follow from it. */
const OTHERS = omitOptions(PARSER_SETTINGS, "network", "terms");
/** The settings of a network alone. */
const ALONE = omitOptions(OTHERS, ...SETTINGS_OF_FEATURES);

/**
 * Returns settings as the description of a model lists them: those that differ from the defaults.
 *
 * @param epochsOfNetwork epochs that the network was trained for, if there is one
 */
export function describeSettings(
  { decoderModule, network: given, terms, ...settings }: PlainSettings,
  epochsOfNetwork: number | undefined,
): Pick<PlainSettings, "decoder" | "order" | "seed"> & { readonly [more: string]: unknown } {
  const { decoder, order, learner, epochs, seed } = settings;
  const network = given ? { ...given, epochs: epochsOfNetwork } : undefined;
  if (!terms.includes("features"))
    return { terms, decoder, order, seed, decoderModule, ...differences(ALONE, settings), network };
  return { decoder, order, learner, epochs, seed, decoderModule, ...differences(OTHERS, settings), network };
}

/** Returns the values that are not the defaults of a table; groups that can be off, as a whole. */
export function differences(table: readonly Option[], values: object): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const { name, options, default: standard } of table) {
    const value = (values as Readonly<Record<string, unknown>>)[name];
    if (options !== undefined && standard !== false && typeof value === "object" && value !== null) {
      const inner = differences(options, value);
      if (Object.keys(inner).length > 0) found[name] = inner;
    } else if (ALWAYS.includes(name) || JSON.stringify(value) !== JSON.stringify(standard)) {
      found[name] = value;
    }
  }
  return found;
}
