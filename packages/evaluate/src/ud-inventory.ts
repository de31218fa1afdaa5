/**
 * The content words, function words and universal features of the CoNLL 2018 shared task (Zeman et al. 2018,
 * section 6). Punctuation is neither content nor function.
 */

/** Relations of content words, over which CLAS, MLAS and BLEX are computed. */
export const CONTENT_RELATIONS: ReadonlySet<string> = new Set(
  (
    "nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod appos " +
    "nummod acl amod conj fixed flat compound list parataxis orphan goeswith reparandum root dep"
  ).split(" "),
);

/** Relations of function words, which MLAS compares as dependents of content words. */
export const FUNCTION_RELATIONS: ReadonlySet<string> = new Set("aux cop mark det clf case cc".split(" "));

/** Features that UFeats, AllTags and MLAS compare; all others are ignored. */
export const UNIVERSAL_FEATURES: ReadonlySet<string> = new Set(
  (
    "PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm Mood " +
    "Tense Aspect Voice Evident Polarity Person Polite"
  ).split(" "),
);

/** Returns a relation without its subtype: `nmod` for `nmod:poss`. */
export function universalRelation(relation: string): string {
  const colon = relation.indexOf(":");
  return colon < 0 ? relation : relation.slice(0, colon);
}

/**
 * Returns an enhanced relation, which may be a path over collapsed nodes, without subtypes: `conj>obl` for
 * `conj:and>obl:in`.
 */
export function universalPath(path: string): string {
  return path.includes(">") ? path.split(">").map(universalRelation).join(">") : universalRelation(path);
}

/** Returns the universal features of a FEATS column in order, joined with `|`; empty without features. */
export function universalFeatures(feats: string): string {
  return feats
    .split("|")
    .filter((feature) => UNIVERSAL_FEATURES.has(feature.split("=", 1)[0]!))
    .sort()
    .join("|");
}
