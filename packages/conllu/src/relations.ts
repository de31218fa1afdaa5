import { describeValue, invalidArgument } from "@arcwise/core/errors";
import { checkArgument, list, string } from "@arcwise/core/options";
import { RELATIONS } from "./inventory.ts";

/** The columns of a word that rules on relations read. Absent columns are the same as the empty string. */
export interface RelationWord {
  readonly deprel: string;
  readonly upos?: string | undefined;
  /** Features as CoNLL-U writes them. */
  readonly feats?: string | undefined;
}

/** Relations whose heads are to the left. */
const RIGHTWARD: ReadonlySet<string> = new Set(["conj", "appos", "fixed", "flat", "goeswith"]);

const set = (relations: string): ReadonlySet<string> => new Set(relations.split(" "));

const OF_FUNCTION_WORDS = set("advmod obl goeswith fixed reparandum conj cc punct");
const OF_AUXILIARIES = set("goeswith fixed reparandum conj cc punct");
const OF_DETERMINERS = set(
  "det case advmod obl clf goeswith fixed flat compound reparandum discourse parataxis conj cc punct",
);

/**
 * Relations whose words have no children but those with the listed relations: the rules `leaf-*` of the
 * validator of Universal Dependencies.
 */
const CHILDREN: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["case", OF_FUNCTION_WORDS],
  ["mark", OF_FUNCTION_WORDS],
  ["clf", OF_FUNCTION_WORDS],
  ["aux", OF_AUXILIARIES],
  ["cop", OF_AUXILIARIES],
  ["det", OF_DETERMINERS],
  ["cc", set("goeswith fixed reparandum conj punct")],
  ["fixed", set("goeswith reparandum conj punct")],
  ["goeswith", new Set()],
  ["punct", set("punct")],
]);
const OF_POSSESSIVES = set("appos acl nmod");

/** Returns a relation without its subtype. */
export function universal(relation: string): string {
  if (typeof relation !== "string") throw invalidArgument("relation", "a text", describeValue(relation));
  const colon = relation.indexOf(":");
  return colon < 0 ? relation : relation.slice(0, colon);
}

/** Returns whether relations belong to Universal Dependencies: all are universal, and one is `root`. */
export function areUniversal(relations: readonly string[]): boolean {
  checkArgument(list(string), relations, "areUniversal: relations");
  return relations.includes("root") && relations.every((relation) => RELATIONS.has(universal(relation)));
}

/** Returns whether the head of a relation may be to the right of its word. */
export function mayPointLeft(relation: string): boolean {
  return !RIGHTWARD.has(universal(relation));
}

/**
 * Returns the relations that the children of a word with a relation may have, without subtypes; undefined:
 * any. `mayHaveChild` knows exceptions for certain words.
 */
export function childRelations(relation: string): ReadonlySet<string> | undefined {
  return CHILDREN.get(universal(relation));
}

/**
 * Returns whether a word may have a child, as the validator of Universal Dependencies decides: function words
 * and punctuation have few kinds of children. Any word but punctuation may be negated, and possessive
 * determiners may have appositions, clauses and nominals.
 */
export function mayHaveChild(parent: RelationWord, child: RelationWord): boolean {
  for (const word of [parent, child])
    if (typeof word !== "object" || word === null)
      throw invalidArgument("mayHaveChild", "a word with a relation", describeValue(word));
  const allowed = childRelations(parent.deprel);
  const relation = universal(child.deprel);
  if (allowed === undefined || allowed.has(relation)) return true;
  const parentRelation = universal(parent.deprel);
  if (parentRelation === "det" && OF_POSSESSIVES.has(relation) && hasFeature(parent, "Poss=Yes")) return true;
  return parentRelation !== "punct" && relation === "advmod" && isNegation(child);
}

function isNegation(word: RelationWord): boolean {
  return (word.upos === "PART" || word.upos === "ADV") && hasFeature(word, "Polarity=Neg");
}

function hasFeature({ feats = "" }: RelationWord, feature: string): boolean {
  return `|${feats}|`.includes(`|${feature}|`);
}

/**
 * Returns the function that one word has at most once: "subject" for `nsubj` and `csubj` except outer
 * subjects, "object" for `obj`; undefined for relations that may be repeated.
 */
export function uniqueFunction(relation: string): "subject" | "object" | undefined {
  const name = universal(relation);
  if (name === "obj") return "object";
  if (name !== "nsubj" && name !== "csubj") return undefined;
  return relation === `${name}:outer` ? undefined : "subject";
}
