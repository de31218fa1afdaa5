import { checkTree, type DependencyTree } from "@arcwise/core";
import { ArcwiseError, counted, invalidArgument } from "@arcwise/core/errors";
import { anything, type Check, checkArgument, checkReceived, list } from "@arcwise/core/options";

const LIST = list(anything);

/** How the examples of a family of trainings are checked. */
interface ExampleRules<Example> {
  /** Checks the shape of an example. */
  readonly check: Check<Example>;
  /** Describes what is wrong with an example of the right shape; undefined when it can be learned from. */
  faultOf(example: Example): string | undefined;
}

/** Checks the examples of a training, and of its development set. */
export function checkExamples<Example>(
  { check, faultOf }: ExampleRules<Example>,
  where: string,
  examples: readonly Example[],
  dev: readonly Example[] = [],
): void {
  checkArgument(LIST, examples, `${where}: examples`);
  if (examples.length === 0) throw invalidArgument(`${where}: examples`, "sentences to learn from", "none");
  for (const [kind, list] of Object.entries({ training: examples, development: dev })) {
    for (const [index, example] of list.entries()) {
      const at = `${kind} example ${index + 1}`;
      checkReceived(check, example, at);
      const fault = faultOf(example);
      if (fault !== undefined) throw new ArcwiseError("invalid-data", `${at} ${fault}`, { at });
    }
  }
}

/** Describes why a value is not a tree over a number of words; undefined when it is a tree. */
export function treeFault({ heads, labels }: DependencyTree, words: number): string | undefined {
  const wrong =
    heads.length !== words + 1 || labels.length !== words + 1
      ? `expected ${counted(words + 1, "head")} and labels for ${counted(words, "word")}, found ${heads.length} and ${labels.length}`
      : checkTree(heads, { singleRoot: false });
  return wrong && `has no tree: ${wrong}`;
}
