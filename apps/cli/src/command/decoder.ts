import { hasCode } from "@arcwise/core/errors";
import {
  type DecoderChoice,
  type GraphDecoderChoice,
  LEARNER_NAMES,
  type LearnerChoice,
} from "@arcwise/parser";
import { type DecoderPurpose, decoderNames } from "@arcwise/parser/decoding";
import { loadDecoder, loadGraphDecoder, loadLearner } from "@arcwise/parser/node";
import { UsageError } from "./errors.ts";

/**
 * Returns the decoder of `--decoder`: a built-in one by its name; otherwise a module, by its path from the
 * working directory or as the name of an installed package.
 *
 * @throws UsageError when there is no such module, or its default export makes no decoders
 */
export async function decoderChoice(given: string, purpose: DecoderPurpose): Promise<DecoderChoice> {
  const names = decoderNames("trees", purpose);
  return names.includes(given) ? given : moduleOf("--decoder", given, loadDecoder, names);
}

/** What `--decoder` stands for in commands of graphs. Throws as `decoderChoice`. */
export async function graphDecoderChoice(given: string): Promise<GraphDecoderChoice> {
  const names = decoderNames("graphs", "parsing");
  return names.includes(given) ? given : moduleOf("--decoder", given, loadGraphDecoder, names);
}

/**
 * Returns the learner of `--learner` or of the setting `learner`: a built-in one by its name, or a module.
 *
 * @param where the flag or setting, for messages
 * @throws UsageError as `decoderChoice`
 */
export async function learnerChoice(given: string, where = "--learner"): Promise<LearnerChoice> {
  return LEARNER_NAMES.includes(given) ? given : moduleOf(where, given, loadLearner, LEARNER_NAMES);
}

async function moduleOf<Module>(
  flag: string,
  given: string,
  load: (specifier: string) => Promise<Module>,
  known: readonly string[],
): Promise<Module> {
  try {
    return await load(given);
  } catch (error) {
    if (!hasCode(error, "invalid-module")) throw error;
    const names = known.join(", ");
    throw new UsageError(`${flag} ${error.message} (built in: ${names})`, { cause: error });
  }
}
