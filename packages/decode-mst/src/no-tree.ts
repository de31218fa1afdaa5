import { NoTree } from "@arcwise/core";

/** Runs an action; a NoTree that it throws gets the name of the decoder that the action belongs to. */
export function underName<T>(decoder: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof NoTree) || error.decoder === decoder) throw error;
    throw new NoTree(decoder, error.message.replace(/^.*?: no tree exists: /, ""));
  }
}
