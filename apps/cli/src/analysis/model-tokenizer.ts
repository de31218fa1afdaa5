import { loadAs, readModelBytes } from "@arcwise/core/node";
import { modelParts } from "@arcwise/pipeline";
import { createTokenizer, loadTokenizer, type Tokenizer, type TokenizerOptions } from "@arcwise/tokenize";

/**
 * Makes the tokeniser of a model file, of which it loads nothing else.
 *
 * @param bytes of the file, where they were read before
 * @throws ModelError that names the file when it is no model, or has no tokeniser
 */
export async function modelTokenizer(
  path: string,
  bytes?: Uint8Array,
  options?: TokenizerOptions,
): Promise<Tokenizer> {
  const model = loadAs(path, bytes ?? (await readModelBytes(path)), (file) =>
    loadTokenizer(modelParts(file, ["tokenizer"]).parts.tokenizer!),
  );
  return createTokenizer(model, options);
}
