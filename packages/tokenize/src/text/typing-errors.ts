import type { ConlluSentence } from "@arcwise/conllu";

/**
 * Returns for each token of a sentence whether it has a typing error: `Typo=Yes` in FEATS, or `CorrectForm` in MISC,
 * of the token or one of its words. O(rows).
 */
export function misspeltTokens({ rows }: ConlluSentence): boolean[] {
  const errors: boolean[] = [];
  let covered = 0;
  for (const row of rows) {
    if (row.kind === "empty") continue;
    const isError = /(?:^|\|)Typo=Yes/.test(row.feats) || /(?:^|\|)CorrectForm=/.test(row.misc);
    if (row.kind === "range") {
      covered = row.last;
      errors.push(isError);
    } else if (row.id > covered) errors.push(isError);
    else errors[errors.length - 1] ||= isError;
  }
  return errors;
}
