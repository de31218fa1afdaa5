import { DECODER_NAMES, type DecoderChoice, TRAINING_DECODER_NAMES } from "@arcwise/parser";
import { loadDecoder } from "@arcwise/parser/node";
import { UsageError } from "./errors.ts";

/** Names of the built-in decoders for each purpose. */
const NAMES = { training: TRAINING_DECODER_NAMES, parsing: DECODER_NAMES } as const;

/**
 * What `--decoder` stands for: a built-in decoder by its name; otherwise a module, by its path from the
 * working directory or as the name of an installed package.
 *
 * @throws UsageError when there is no such module, or its default export makes no decoders
 */
export async function decoderChoice(given: string, purpose: keyof typeof NAMES): Promise<DecoderChoice> {
  if (NAMES[purpose].includes(given)) return given;
  try {
    return await loadDecoder(given);
  } catch (error) {
    if (!(error instanceof Error && error.name === "DecoderModuleError")) throw error;
    const names = NAMES[purpose].join(", ");
    throw new UsageError(`--decoder ${error.message} (built in: ${names})`, { cause: error });
  }
}
