import { fileURLToPath } from "node:url";
import { hasCode } from "@arcwise/core/errors";
import type { GraphDecoderChoice } from "@arcwise/graph-parser";
import { loadGraphDecoder } from "@arcwise/graph-parser/node";
import { type DecoderChoice, LEARNER_NAMES, type LearnerChoice } from "@arcwise/parser";
import { type DecoderPurpose, decoderNames } from "@arcwise/parser/decoding";
import { loadDecoder, loadLearner } from "@arcwise/parser/node";
import { UsageError } from "../errors.ts";
import { given, type PlannedFile } from "../files/file-plan.ts";

/**
 * Returns the decoder of `--decoder`: a built-in one by its name; otherwise a module, by its path from the
 * working directory or as the name of an installed package.
 */
export async function decoderChoice(given: string, purpose: DecoderPurpose): Promise<DecoderChoice> {
  const names = decoderNames("trees", purpose);
  return names.includes(given) ? given : moduleOf("--decoder", given, loadDecoder, names);
}

/** Returns the decoder of graphs of `--decoder`. Throws as `decoderChoice`. */
export async function graphDecoderChoice(given: string): Promise<GraphDecoderChoice> {
  const names = decoderNames("graphs", "parsing");
  return names.includes(given) ? given : moduleOf("--decoder", given, loadGraphDecoder, names);
}

/**
 * Returns the learner of `--learner` or of the setting `learner`: a built-in one by its name, or a module.
 *
 * @param where the flag or setting, for messages
 */
export async function learnerChoice(given: string, where = "--learner"): Promise<LearnerChoice> {
  return LEARNER_NAMES.includes(given) ? given : moduleOf(where, given, loadLearner, LEARNER_NAMES);
}

/** The files of decoders and learners that are modules; modules of installed packages have other names. */
export function moduleFiles({ decoder, learner }: ModuleNames): PlannedFile[] {
  const families = ["trees", "graphs"] as const;
  const decoders = families.flatMap((family) => decoderNames(family, "parsing"));
  return given({
    "--decoder": moduleFile(decoder, decoders),
    "--learner": moduleFile(learner, LEARNER_NAMES),
  });
}

/** Names of built-in parts of a parser, or of modules. */
interface ModuleNames {
  readonly decoder?: string | undefined;
  readonly learner?: string | undefined;
}

function moduleFile(name: string | undefined, builtIn: readonly string[]): string | undefined {
  if (name === undefined || builtIn.includes(name)) return undefined;
  return name.startsWith("file:") ? fileURLToPath(name) : name;
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
