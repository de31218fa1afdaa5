import type { Option } from "@arcwise/core/options";
import type { PlainSettings } from "./settings.ts";
import { PARSER_SETTINGS } from "./train-options.ts";

/** Settings that every description of a model has. */
const ALWAYS: readonly string[] = ["decoder", "order", "learner", "epochs", "seed"];

/**
 * Returns settings as the description of a model lists them: those that differ from the defaults.
 *
 * @param epochsOfNetwork epochs that the network was trained for, if there is one
 */
export function describeSettings(
  { decoderModule, network, ...settings }: PlainSettings,
  epochsOfNetwork: number | undefined,
): Pick<PlainSettings, "decoder" | "order" | "learner" | "epochs" | "seed"> & {
  readonly [more: string]: unknown;
} {
  const { decoder, order, learner, epochs, seed } = settings;
  const trained = { ...settings, network: network && { ...network, epochs: epochsOfNetwork } };
  return { decoder, order, learner, epochs, seed, decoderModule, ...differences(PARSER_SETTINGS, trained) };
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
