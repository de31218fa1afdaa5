import { kept } from "../../../tools/kept-models.ts";
import { loadTokenizer, saveTokenizer, type TokenizerModel, trainTokenizer } from "../src/index.ts";

/** The model of a training with plain options, which is done once for all tests. */
export async function trainedTokenizer(
  sentences: Parameters<typeof trainTokenizer>[0],
  options: Parameters<typeof trainTokenizer>[1],
): Promise<TokenizerModel> {
  const key = ["tokenizer", sentences, options];
  return loadTokenizer(await kept(key, async () => saveTokenizer(await trainTokenizer(sentences, options))));
}
