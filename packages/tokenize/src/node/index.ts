import { readFileAs, writeWhole } from "@arcwise/core/node";
import type { TokenizerModel } from "../model.ts";
import { loadTokenizer, saveTokenizer } from "../model-file.ts";

/** Reads a file of a tokeniser. @throws ModelError that names the file when it is not a valid model */
export function readTokenizerFile(path: string): Promise<TokenizerModel> {
  return readFileAs(path, loadTokenizer);
}

/** Writes a file of a tokeniser completely or not at all, as `writeWhole`. */
export async function writeTokenizerFile(path: string, model: TokenizerModel): Promise<void> {
  await writeWhole(path, saveTokenizer(model));
}
