import { counted } from "@arcwise/core/errors";
import type { InputCounts, PipelineFacts } from "@arcwise/pipeline";

/** How DEPS are treated: see `AnalysisSettings` of @arcwise/pipeline. */
export type DepsSetting = "drop" | "keep" | "enhance";

/**
 * Returns a note on the graphs of the input that were left out or replaced; undefined if none was.
 *
 * @param deps as the command line has it
 * @param graphs the graph parser of the model, which makes DEPS unless the command line says otherwise
 */
export function graphNote(
  { replacedDeps: words, replacedNodes: nodes }: InputCounts,
  deps: DepsSetting | undefined,
  graphs?: PipelineFacts["graphs"],
): string | undefined {
  const parts = [
    ...(words > 0 ? [`DEPS of ${counted(words, "word")}`] : []),
    ...(nodes > 0 ? [counted(nodes, "empty node")] : []),
  ];
  if (parts.length === 0) return undefined;
  const text = parts.join(" and ");
  const isFilled = deps === undefined && graphs !== undefined && graphs.kind !== "semantic";
  if (deps === "enhance" || isFilled) return `${text} of the input replaced by new DEPS`;
  const advice =
    deps === "drop" ? "" : ": --deps keep keeps them, --deps enhance makes DEPS anew by rules of English";
  return `${text} of the input left out, which belong to other trees${advice}`;
}
