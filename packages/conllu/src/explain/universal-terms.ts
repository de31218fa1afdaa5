import { checkArgument, oneOf } from "@arcwise/core/options";
import { RELATIONS, TAGS } from "../inventory.ts";
import { FEATURE_TERMS } from "./features.ts";

const COLUMNS = oneOf("upos", "deprel", "feats");

/**
 * Returns the values of a column that Universal Dependencies define for all languages: the 17 tags of `upos`, the 37
 * relations of `deprel` without subtypes, or the features of `feats` as `Name=Value`. `explain` has their meanings.
 *
 * @throws ArcwiseError `invalid-argument` for another column
 *
 * @example
 * universalTerms("upos").length; // 17
 */
export function universalTerms(column: "upos" | "deprel" | "feats"): string[] {
  checkArgument(COLUMNS, column, "universalTerms: column");
  if (column === "upos") return [...TAGS];
  if (column === "deprel") return [...RELATIONS];
  return Object.entries(FEATURE_TERMS).flatMap(([name, term]) => {
    // Where values are not listed, they are parts of speech, or differ between languages.
    const values = name === "ExtPos" ? TAGS : term.split("; ").slice(1);
    return Array.from(values, (value) => `${name}=${value.split(" ", 1)[0]}`);
  });
}
