import { type InputProfile, profileOf } from "../model/input-profile.ts";
import type { GraphModel } from "./graph-model.ts";

/** Returns what a model of graphs expects of its input. */
export function graphInputProfile({ encoder, description }: GraphModel): InputProfile {
  return profileOf(encoder, description.columns);
}
