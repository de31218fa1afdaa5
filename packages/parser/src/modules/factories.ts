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

/** Returns the default export of the module of a decoder. */
export function decoderFactory<Factory>(value: unknown, source: string): Factory {
  return factoryOf(
    value,
    `${source}: expected a default export that is a function which makes a decoder`,
    DecoderModuleError,
  );
}

/** Returns the default export of the module of a learner. */
export function learnerFactory<Factory>(value: unknown, source: string): Factory {
  return factoryOf(
    value,
    `${source}: expected a default export that is a function which makes a learner`,
    LearnerModuleError,
  );
}

function factoryOf<Factory>(
  value: unknown,
  expected: string,
  Failure: new (message: string) => ArcwiseError,
): Factory {
  if (typeof value === "function") return value as Factory;
  throw new Failure(`${expected}, found ${value === undefined ? "none" : `one of type ${typeof value}`}`);
}
