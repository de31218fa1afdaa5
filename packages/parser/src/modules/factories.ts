import { ArcwiseError, type ArcwiseErrorOptions } from "@arcwise/core/errors";

/**
 * A module of a decoder cannot be loaded, or exports no factory. The message names it and gives the cause.
 */
export class DecoderModuleError extends ArcwiseError {
  override readonly name = "DecoderModuleError";

  constructor(message: string, options?: ArcwiseErrorOptions) {
    super("invalid-module", message, options);
  }
}

/** A module of a learner cannot be loaded, or exports no factory. The message names it and gives the cause. */
export class LearnerModuleError extends ArcwiseError {
  override readonly name = "LearnerModuleError";

  constructor(message: string, options?: ArcwiseErrorOptions) {
    super("invalid-module", message, options);
  }
}

/** Returns the default export of the module `source`, a factory of decoders or learners. */
export function factoryOf<Factory>(value: unknown, source: string, made: "decoder" | "learner"): Factory {
  if (typeof value === "function") return value as Factory;
  const Failure = made === "decoder" ? DecoderModuleError : LearnerModuleError;
  const found = value === undefined ? "none" : `one of type ${typeof value}`;
  throw new Failure(
    `${source}: expected a default export that is a function which makes a ${made}, found ${found}`,
  );
}
