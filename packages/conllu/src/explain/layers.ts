/** The nodes that features in brackets are about: `Number[psor]` is the number of the possessor. */
export const LAYERS: Readonly<Record<string, string>> = {
  psor: "of the possessor",
  psed: "of what is possessed",
  abs: "of the absolutive argument",
  erg: "of the ergative argument",
  dat: "of the dative argument",
  subj: "of the subject",
  obj: "of the object",
  gram: "in grammar",
  sem: "in meaning",
};

/** Features that have a page of the universal guidelines, brackets included. */
export const FEATURE_PAGES: ReadonlySet<string> = new Set(
  (
    "Abbr AdpType AdvType Animacy Aspect Case Clusivity Clusivity[obj] Clusivity[psor] Clusivity[subj] ConjType Definite " +
    "Degree Deixis DeixisRef Echo Evident ExtPos Foreign Gender Gender[dat] Gender[erg] Gender[obj] Gender[psor] " +
    "Gender[subj] Hyph Mood NameType NounClass NounType NumForm NumType NumValue Number Number[abs] Number[dat] " +
    "Number[erg] Number[obj] Number[psed] Number[psor] Number[subj] PartType Person Person[abs] Person[dat] Person[erg] " +
    "Person[obj] Person[psor] Person[subj] Polarity Polite Polite[abs] Polite[dat] Polite[erg] Poss PrepCase PronType " +
    "PunctSide PunctType Reflex Style Subcat Tense Typo VerbForm VerbType Voice"
  ).split(" "),
);
