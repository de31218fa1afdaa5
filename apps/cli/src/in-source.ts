import { ConlluError } from "@arcwise/conllu";

/**
 * A ConlluError with the name of the file and with its line counted from the beginning of the file, `before`
 * lines of which came before what was read; any other error as it is.
 */
export function inSource(error: unknown, file: string, before = 0): unknown {
  if (!(error instanceof ConlluError)) return error;
  const { line, rule, sentence, expected, found } = error;
  return new ConlluError({ file, line: line + before, sentence, rule, expected, found });
}
