/** The universal part-of-speech tags of Universal Dependencies, version 2. */
export const TAGS: ReadonlySet<string> = new Set(
  "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split(" "),
);

/** Returns whether a tag is one of the 17 universal part-of-speech tags. */
export function isUniversalTag(tag: string): boolean {
  return TAGS.has(tag);
}

/** The universal dependency relations of Universal Dependencies, version 2. */
export const RELATIONS: ReadonlySet<string> = new Set(
  (
    "acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse " +
    "dislocated expl fixed flat goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis punct " +
    "reparandum " +
    "root vocative xcomp"
  ).split(" "),
);

/**
 * Relations whose rule on the tags of words the search for valid trees keeps. It leaves out the rules of advmod, aux, case,
 * cc, cop and mark, which cost accuracy: predicted tags are wrong more often than relations.
 */
export const SEARCHED_TAGS: ReadonlySet<string> = new Set("det expl fixed goeswith nummod punct".split(" "));
