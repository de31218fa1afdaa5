import { type Decoder, requireHandled } from "@arcwise/core";
import { NO_PARTS } from "../options.ts";

/** Makes a decoder without capabilities from a function that finds the best tree by arc scores. */
export function plainDecoder(
  { name, trees, singleRoot }: Pick<Decoder, "name" | "trees" | "singleRoot">,
  best: Decoder["decode"],
): Decoder {
  return {
    name,
    trees,
    singleRoot,
    handles: NO_PARTS,
    decode(problem) {
      requireHandled(problem, name, NO_PARTS);
      return best(problem);
    },
  };
}
