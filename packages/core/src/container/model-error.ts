/** A model or checkpoint file cannot be read: what was expected, and what was found. */
export class ModelError extends Error {
  override readonly name = "ModelError";
}
