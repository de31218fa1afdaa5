import { describeValue, invalidArgument } from "@arcwise/core/errors";
import { checkArgument, list, string } from "@arcwise/core/options";
import { RELATIONS, SEARCHED_TAGS } from "./inventory.ts";
import type { RuleName } from "./rules.ts";

/** The columns of a word that rules on relations read. Absent columns are the same as the empty string. */
export interface RelationWord {
  readonly deprel: string;
  readonly upos?: string | undefined;
  /** Features as CoNLL-U writes them. */
  readonly feats?: string | undefined;
}

/** The rules of the guidelines on words with a relation. */
interface RelationRule {
  /** The tags that the word has or, if `isExcluded`, does not have. */
  readonly tags?: {
    readonly rule: RuleName;
    readonly names: ReadonlySet<string>;
    readonly isExcluded: boolean;
  };
  /** The relations of its children. */
  readonly children?: { readonly rule: RuleName; readonly names: ReadonlySet<string> };
  /** The rule that its head is to the left. */
  readonly direction?: RuleName;
}

const set = (names: string): ReadonlySet<string> => new Set(names.split(" ").filter((name) => name !== ""));
const only = (rule: RuleName, names: string) => ({ tags: { rule, names: set(names), isExcluded: false } });
const none = (rule: RuleName, names: string) => ({ tags: { rule, names: set(names), isExcluded: true } });
const children = (rule: RuleName, names: string) => ({ children: { rule, names: set(names) } });

const OF_MARKERS = "advmod obl goeswith fixed reparandum conj cc punct";
const OF_AUXILIARIES = "goeswith fixed reparandum conj cc punct";
const OF_DETERMINERS = `det case clf flat compound discourse parataxis ${OF_MARKERS}`;
const NOMINALS = "PROPN ADJ PRON DET NUM AUX";

/** The rules on single words, by relation without subtype: tests of level 3 of the validator of Universal Dependencies. */
const RELATION_RULES: Readonly<Record<string, RelationRule>> = {
  advmod: only("rel-upos-advmod", "ADV ADJ CCONJ DET PART SYM"),
  appos: { direction: "right-to-left-appos" },
  aux: { ...only("rel-upos-aux", "AUX"), ...children("leaf-aux-cop", OF_AUXILIARIES) },
  case: { ...none("rel-upos-case", NOMINALS), ...children("leaf-mark-case", OF_MARKERS) },
  cc: {
    ...none("rel-upos-cc", `NOUN VERB INTJ ${NOMINALS}`),
    ...children("leaf-cc", "goeswith fixed reparandum conj punct"),
  },
  clf: children("leaf-clf", OF_MARKERS),
  conj: { direction: "right-to-left-conj" },
  cop: { ...only("rel-upos-cop", "AUX PRON DET SYM"), ...children("leaf-aux-cop", OF_AUXILIARIES) },
  det: { ...only("rel-upos-det", "DET PRON"), ...children("leaf-det", OF_DETERMINERS) },
  expl: only("rel-upos-expl", "PRON DET PART"),
  fixed: {
    ...none("rel-upos-fixed", "PROPN"),
    ...children("leaf-fixed", "goeswith reparandum conj punct"),
    direction: "right-to-left-fixed",
  },
  flat: { direction: "right-to-left-flat" },
  goeswith: {
    ...only("goeswith-upos", "X"),
    ...children("leaf-goeswith", ""),
    direction: "right-to-left-goeswith",
  },
  mark: { ...none("rel-upos-mark", `NOUN INTJ ${NOMINALS}`), ...children("leaf-mark-case", OF_MARKERS) },
  nummod: only("rel-upos-nummod", "NUM NOUN SYM"),
  punct: { ...only("rel-upos-punct", "PUNCT"), ...children("leaf-punct", "punct") },
};
const OF_POSSESSIVES = set("appos acl nmod");
/** Relations of nominals, which are not predicates unless they have children of clauses. */
const OF_NOMINALS = set("nsubj obj iobj obl vocative dislocated expl nmod");
const OF_CLAUSES = set("cop nsubj csubj");
const NOMINAL_TAGS = set("NOUN PROPN PRON");

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

/** Returns the rules of the guidelines on words with a relation; undefined: none. */
export function relationRule(relation: string): RelationRule | undefined {
  const name = universal(relation);
  return Object.hasOwn(RELATION_RULES, name) ? RELATION_RULES[name] : undefined;
}

/** Returns whether the search for valid trees keeps the rule on the tags of words with a relation. */
export function searchesTags(relation: string): boolean {
  return SEARCHED_TAGS.has(universal(relation));
}

/** Returns the tag by which a word is used: the feature ExtPos if it has it, otherwise UPOS. */
export function usedTag(word: Omit<RelationWord, "deprel">): string {
  const { upos = "", feats = "" } = requireWord(word);
  return (feats.includes("ExtPos=") ? /(?:^|\|)ExtPos=([^|]*)/.exec(feats)?.[1] : undefined) ?? upos;
}

/**
 * Returns the rules `rel-upos-*` and `upos-rel-punct` that a word breaks by its relation and `usedTag`, whatever its
 * children. Children that are `fixed` forbid PROPN; children that are `goeswith` allow any tag for `advmod`.
 */
export function tagRules(relation: string, tag: string): RuleName[] {
  const name = universal(relation);
  const tags = relationRule(name)?.tags;
  const broken: RuleName[] = tags !== undefined && tags.names.has(tag) === tags.isExcluded ? [tags.rule] : [];
  if (tag === "PUNCT" && name !== "punct" && name !== "root") broken.push("upos-rel-punct");
  return broken;
}

/**
 * Returns whether a word may have a child, as the validator of Universal Dependencies decides: function words
 * and punctuation have few kinds of children. Any word but punctuation may be negated, and possessive
 * determiners may have appositions, clauses and nominals.
 */
export function mayHaveChild(parent: RelationWord, child: RelationWord): boolean {
  requireWord(parent);
  requireWord(child);
  const allowed = relationRule(parent.deprel)?.children?.names;
  const relation = universal(child.deprel);
  if (allowed === undefined || allowed.has(relation)) return true;
  const parentRelation = universal(parent.deprel);
  if (parentRelation === "det" && OF_POSSESSIVES.has(relation) && hasFeature(parent, "Poss=Yes")) return true;
  return parentRelation !== "punct" && relation === "advmod" && isNegation(child);
}

/** Returns whether a word that has `obl` as a child is a nominal by its tag and relation: it is a predicate only if a child `marksClause`. */
export function isNominal(word: RelationWord): boolean {
  const { deprel, upos = "" } = requireWord(word);
  return NOMINAL_TAGS.has(upos) && OF_NOMINALS.has(universal(deprel));
}

/** Returns whether a child with a relation shows that its head is the predicate of a clause. */
export function marksClause(relation: string): boolean {
  return OF_CLAUSES.has(universal(relation));
}

function requireWord<Word extends Omit<RelationWord, "deprel">>(word: Word): Word {
  if (typeof word !== "object" || word === null)
    throw invalidArgument("word", "a word with its columns", describeValue(word));
  for (const column of [word.upos, word.feats])
    if (column !== undefined && typeof column !== "string")
      throw invalidArgument("word", "columns that are texts", describeValue(column));
  return word;
}

function isNegation(word: RelationWord): boolean {
  return (word.upos === "PART" || word.upos === "ADV") && hasFeature(word, "Polarity=Neg");
}

/** Returns whether a word has a feature, given as Name=Value. */
export function hasFeature({ feats = "" }: Omit<RelationWord, "deprel">, feature: string): boolean {
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
