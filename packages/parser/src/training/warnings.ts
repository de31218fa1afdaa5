import { type Decoder, isProjective, rootWords } from "@arcwise/core";
import { counted } from "@arcwise/core/errors";
import { distinctValues, type TrainingWarning } from "@arcwise/core/training";
import type { TrainingExample } from "../types.ts";
import { settingsOf } from "./settings.ts";
import type { TrainOptions } from "./train-options.ts";

/**
 * Returns what `trainParser` would warn of: trees that the decoder of the options cannot find, and labels
 * that are nearly as many as words. O(words).
 *
 * @param examples sentences whose heads are trees
 * @throws as `checkTrainOptions`
 */
export function trainingWarnings(
  examples: readonly TrainingExample[],
  options: TrainOptions = {},
): TrainingWarning[] {
  const { decoder } = settingsOf(options);
  return exampleWarnings(examples, decoder);
}

/** `trainingWarnings` for a decoder. */
export function exampleWarnings(
  examples: readonly TrainingExample[],
  { name, trees, singleRoot }: Decoder,
): TrainingWarning[] {
  const total = examples.length;
  const several = singleRoot ? examples.filter(({ tree }) => rootWords(tree.heads).length > 1).length : 0;
  const crossing =
    trees === "projective" ? examples.filter(({ tree }) => !isProjective(tree.heads)).length : 0;
  const warnings: TrainingWarning[] = [
    {
      code: "several-roots",
      message:
        `${several} of ${counted(total, "tree")} have several root words, and the decoder "${name}" finds trees with ` +
        "one: set multipleRoots (--settings parser.multipleRoots=true) to learn and find such trees",
      ...{ count: several, total },
    },
    {
      code: "non-projective",
      message:
        `${crossing} of ${counted(total, "tree")} are not projective, and the decoder "${name}" finds projective trees ` +
        'only: "mst", "hillclimb" and "ad3" find all trees',
      ...{ count: crossing, total },
    },
  ];
  const labels = examples.flatMap(({ tree }) => tree.labels.slice(1));
  return [...warnings.filter(({ count }) => count > 0), ...distinctValues("DEPREL", labels)];
}
