import { ArcwiseError, type ArcwiseErrorOptions } from "../errors/arcwise-error.ts";
import { escapeInvisible } from "../errors/escape.ts";

/** A model or checkpoint file cannot be read: what was expected, and what was found, in one line. */
export class ModelError extends ArcwiseError {
  override readonly name = "ModelError";

  constructor(message: string, options?: ArcwiseErrorOptions) {
    super("invalid-model", escapeInvisible(message), options);
  }
}
