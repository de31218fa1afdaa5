import { kept } from "../../../tools/kept-models.ts";
import * as library from "../src/index.ts";

/** `trainParser` with the preset "linear" where none is given: without a network, which takes longer. */
export const trainParser: typeof library.trainParser = (examples, options) =>
  library.trainParser(examples, { preset: "linear", ...options });

type Training = Parameters<typeof trainParser>;

/** The bytes of the model of a training with plain options, which is done once for all tests. */
export function parserFile(examples: Training[0], options: Training[1] = {}): Promise<Uint8Array> {
  const all = { preset: "linear", ...options } as const;
  return kept(["parser", examples, all], async () =>
    library.saveParser(await library.trainParser(examples, all)),
  );
}

/** The model of `parserFile`. */
export async function trainedParser(...training: Training): Promise<library.ParserModel> {
  return library.loadParser(await parserFile(...training));
}
