import { ArcwiseError, type ArcwiseErrorOptions } from "@arcwise/core/errors";

/** A module of a decoder or a learner cannot be loaded, or exports no factory. The message names it and gives the cause. */
export class ModuleError extends ArcwiseError {
  override readonly name = "ModuleError";

  constructor(message: string, options?: ArcwiseErrorOptions) {
    super("invalid-module", message, options);
  }
}

/** Returns the default export of the module `source`, a factory of decoders or learners. */
export function factoryOf<Factory>(value: unknown, source: string, made: "decoder" | "learner"): Factory {
  if (typeof value === "function") return value as Factory;
  const found = value === undefined ? "none" : `one of type ${typeof value}`;
  throw new ModuleError(
    `${source}: expected a default export that is a function which makes a ${made}, found ${found}`,
  );
}
