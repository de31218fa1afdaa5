import { ArcwiseError, type ArcwiseErrorOptions } from "../errors/arcwise-error.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/** Escapes control characters, so that a message that quotes a file stays one line. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A model or checkpoint file cannot be read: what was expected, and what was found, in one line. */
export class ModelError extends ArcwiseError {
  override readonly name = "ModelError";

  constructor(message: string, options?: ArcwiseErrorOptions) {
    super("invalid-model", escapeControls(message), options);
  }
}
