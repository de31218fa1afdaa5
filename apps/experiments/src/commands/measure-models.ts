import {
  type Content,
  checkSources,
  type Io,
  type Keep,
  type OutputOptions,
  Run,
  status,
} from "@arcwise/bench/command";
import { fileStamp, type Split, treebankName, treebanksStamp } from "@arcwise/bench/data";
import { type ScoredSentence, scoredBy } from "@arcwise/bench/measures";

/** Models, the treebank of each, and the sentences to score. */
export interface ModelsArguments extends OutputOptions {
  readonly model: readonly string[];
  readonly treebank: readonly string[];
  readonly split: Split;
  readonly sentences?: number | undefined;
}

/** The sentences of a treebank with the scores of its model. */
export interface ScoredTreebank {
  readonly name: string;
  readonly sentences: readonly ScoredSentence[];
  /** Called with the name of each pass over the sentences. */
  readonly onPass: (pass: string) => void;
  readonly keep: Keep;
}

/** Measures the scores of each model on its treebank, and publishes what `contentOf` makes of the results. */
export async function measureModels<Result>(
  io: Io,
  options: ModelsArguments,
  measure: (treebank: ScoredTreebank) => Promise<Result>,
  contentOf: (results: readonly Result[]) => Content,
): Promise<void> {
  const { model, treebank, split } = options;
  checkSources(model, treebank, split);
  const run = new Run(io, options, [...treebanksStamp(treebank), ...model.map(fileStamp)]);
  const results: Result[] = [];
  for (const [i, folder] of treebank.entries()) {
    const name = treebankName(folder);
    const keep = run.under(`${i} ${folder}`);
    const onPass = (pass: string) => status(io, `${name}: ${pass}`);
    const measured = await keep("all", async () => {
      onPass("scoring");
      const sentences = await scoredBy(model[i]!, folder, split, options.sentences);
      return measure({ name, sentences, onPass, keep });
    });
    results.push(measured);
  }
  await run.publish(contentOf(results));
}
