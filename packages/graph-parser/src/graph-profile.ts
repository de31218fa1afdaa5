import type { InputProfile } from "@arcwise/parser";
import { profileOf } from "@arcwise/parser/shared";
import type { GraphModel } from "./graph-model.ts";

/** Returns the input that a graph model expects. */
export function graphInputProfile({ encoder, description }: GraphModel): InputProfile {
  return profileOf(encoder, description.columns);
}

/** Returns whether graphs are found from trees: by features, or for the senses of predicates. */
export function takesTrees({ features, senses }: GraphModel): boolean {
  return features.syntax !== undefined || senses?.configuration.syntax !== undefined;
}
