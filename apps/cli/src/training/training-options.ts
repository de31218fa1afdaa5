import { PARSER_SETTINGS, type TrainOptions } from "@arcwise/parser";
import { Option } from "commander";
import { integer } from "../command/options.ts";
import { settingValue } from "../settings/flags.ts";

/** The order of a model, for `--order`. */
export type Order = NonNullable<TrainOptions["order"]>;
/** The name of a way to label trees, for `--labeller`. */
export type Labeller = NonNullable<TrainOptions["labeller"]>;

/**
 * Returns an option for a setting of a parser, with its help and check, without its default.
 *
 * @param flags such as `--order <n>`; `--order <n...>` takes several values
 */
export function parserOption(flags: string): Option {
  const option = new Option(flags);
  const fact = PARSER_SETTINGS.find(({ name }) => name === option.attributeName())!;
  option.description = fact.help;
  return option.argParser<unknown>((text, before) => {
    const value = settingValue(fact, text);
    if (!option.variadic) return value;
    return Array.isArray(before) && before !== option.defaultValue ? [...before, value] : [value];
  });
}

/** `--epochs`: epochs over the training data. */
export function epochsOption(standard: number, what = "epochs over the training split"): Option {
  return new Option("--epochs <n>", what).argParser(integer(1)).default(standard);
}

/** `--seed`: the only source of randomness. */
export function seedOption(what: string): Option {
  return new Option("--seed <n>", what).argParser(integer(0)).default(1);
}
