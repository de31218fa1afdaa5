import { kept } from "../../../tools/kept-models.ts";
import * as library from "../src/index.ts";

/** `trainGraphParser` with the preset "linear" where none is given: without a network, which takes longer. */
export const trainGraphParser: typeof library.trainGraphParser = (examples, options) =>
  library.trainGraphParser(examples, { preset: "linear", ...options });

type Training = Parameters<typeof trainGraphParser>;

/** The bytes of the model of a training of graphs with plain options, which is done once for all tests. */
export function graphParserFile(examples: Training[0], options: Training[1] = {}): Promise<Uint8Array> {
  const all = { preset: "linear", ...options } as const;
  return kept(["graphs", examples, all], async () =>
    library.saveGraphParser(await library.trainGraphParser(examples, all)),
  );
}

/** The model of `graphParserFile`. */
export async function trainedGraphParser(...training: Training): Promise<library.GraphModel> {
  return library.loadGraphParser(await graphParserFile(...training));
}
