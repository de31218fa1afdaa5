import { hasCode } from "@arcwise/core/errors";
import type { DecoderChoice, GraphDecoderChoice } from "@arcwise/parser";
import { type DecoderPurpose, decoderNames } from "@arcwise/parser/decoding";
import { loadDecoder, loadGraphDecoder } from "@arcwise/parser/node";
import { UsageError } from "./errors.ts";

/**
 * Returns the decoder of `--decoder`: a built-in one by its name; otherwise a module, by its path from the
 * working directory or as the name of an installed package.
 *
 * @throws UsageError when there is no such module, or its default export makes no decoders
 */
export async function decoderChoice(given: string, purpose: DecoderPurpose): Promise<DecoderChoice> {
  const names = decoderNames("trees", purpose);
  return names.includes(given) ? given : moduleOf(given, loadDecoder, names);
}

/** What `--decoder` stands for in commands of graphs. Throws as `decoderChoice`. */
export async function graphDecoderChoice(given: string): Promise<GraphDecoderChoice> {
  const names = decoderNames("graphs", "parsing");
  return names.includes(given) ? given : moduleOf(given, loadGraphDecoder, names);
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
