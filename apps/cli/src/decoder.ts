import { hasCode } from "@arcwise/core/errors";
import {
  DECODER_NAMES,
  type DecoderChoice,
  GRAPH_DECODER_NAMES,
  type GraphDecoderChoice,
  TRAINING_DECODER_NAMES,
} from "@arcwise/parser";
import { loadDecoder, loadGraphDecoder } from "@arcwise/parser/node";
import { UsageError } from "./errors.ts";

/** Names of the built-in decoders for each purpose. */
const NAMES = { training: TRAINING_DECODER_NAMES, parsing: DECODER_NAMES } as const;

/**
 * Returns the decoder of `--decoder`: a built-in one by its name; otherwise a module, by its path from the
 * working directory or as the name of an installed package.
 *
 * @throws UsageError when there is no such module, or its default export makes no decoders
 */
export async function decoderChoice(given: string, purpose: keyof typeof NAMES): Promise<DecoderChoice> {
  return NAMES[purpose].includes(given) ? given : moduleOf(given, loadDecoder, NAMES[purpose]);
}

/** What `--decoder` stands for in commands of graphs. Throws as `decoderChoice`. */
export async function graphDecoderChoice(given: string): Promise<GraphDecoderChoice> {
  if (GRAPH_DECODER_NAMES.includes(given)) return given;
  return moduleOf(given, loadGraphDecoder, GRAPH_DECODER_NAMES);
}

async function moduleOf<Module>(
  given: string,
  load: (specifier: string) => Promise<Module>,
  known: readonly string[],
): Promise<Module> {
  try {
    return await load(given);
  } catch (error) {
    if (!hasCode(error, "invalid-module")) throw error;
    const names = known.join(", ");
    throw new UsageError(`--decoder ${error.message} (built in: ${names})`, { cause: error });
  }
}
