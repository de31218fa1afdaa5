/**
 * The universal features, and features that many treebanks have: a name, a colon and a sentence, then each value
 * with its meaning, after semicolons.
 */
export const FEATURE_TERMS: Readonly<Record<string, string>> = {
  Abbr: "abbreviation: whether the word is an abbreviation; Yes an abbreviation",
  AdpType:
    "type of adposition: which kind of adposition the word is; Prep a preposition; Post a postposition; " +
    "Circ a circumposition; Voc a vocalised preposition",
  AdvType:
    "type of adverb: what kind of circumstance an adverb states; Man manner; Loc place; Tim time; Deg " +
    "degree; Cau cause; Mod modality; Sta state; Ex existence; Adadj a modifier of an adjective",
  Animacy:
    "animacy: whether the word refers to a living being; Anim animate; Inan inanimate; Hum human; Nhum not " +
    "human",
  Aspect:
    "aspect: how an event extends in time; Imp imperfect; Perf perfect; Prog progressive; Hab habitual; " +
    "Iter iterative; Prosp prospective",
  Case:
    "case: which part a noun has in the clause, as its form shows; Nom nominative, the case of the " +
    "subject; Acc accusative, the case of the object; Abs absolutive; Erg ergative; Dat dative, the case " +
    "of the receiver; Gen genitive, the case of the possessor; Voc vocative, the case of address; Ins " +
    "instrumental, with; Par partitive; Dis distributive, each; Ess essive, as; Tra translative, into a " +
    "state; Com comitative, together with; Abe abessive, without; Cau causative, because of or for; Ben " +
    "benefactive, for somebody; Cns considerative; Cmp comparative, than; Equ equative, as much as; Loc " +
    "locative, at a place; Lat lative, towards; Ter terminative, as far as; Ine inessive, inside; Ill " +
    "illative, into; Ela elative, out of; Add additive; Ade adessive, at; All allative, to; Abl ablative, " +
    "from; Sup superessive, on; Sub sublative, onto; Sbl sublative, onto; Del delative, down from or " +
    "about; Per perlative, along; Tem temporal, at a time; Spl superlative, towards the top of; Spe " +
    "superelative",
  Clusivity: "clusivity: whether 'we' has the listener in it; In with the listener; Ex without the listener",
  ConjType:
    "type of conjunction: which kind of conjunction the word is; Comp a comparing conjunction; Oper a " +
    "mathematical operator; Pred a predicative conjunction",
  Definite:
    "definiteness: whether a noun is known; 2 definite twice; Ind indefinite, as in 'a cat'; Spec specific " +
    "indefinite; Def definite, as in 'the cat'; Cons construct state; Com complex",
  Degree:
    "degree of comparison: the degree of an adjective or adverb; Pos positive, as in 'old'; Equ equative, " +
    "as much as; Cmp comparative, as in 'older'; Sup superlative, as in 'oldest'; Abs absolute " +
    "superlative, very; Dim diminutive; Aug augmentative",
  Deixis:
    "deixis: how near the thing is to which the word points; Prox near, as in 'this'; Med at a middle " +
    "distance; Remt far, as in 'that'; Nvis not visible; Abv above; Even at the same level; Bel below",
  DeixisRef:
    "point of reference of deixis: from whom the distance of deixis counts; 1 the speaker; 2 the listener",
  Echo: "echo: whether the word repeats another word or its sound; Rdp reduplicative; Ech an echo",
  Emph: "emphasis: whether the form is emphatic; Yes emphatic; No not emphatic",
  Evident: "evidentiality: how the speaker knows of an event; Fh seen; Nfh not seen, reported or inferred",
  ExtPos:
    "external part of speech: the part of speech of a whole fixed expression, which stands at its first word",
  Foreign: "foreign word: whether the word is of another language; Yes a foreign word",
  Gender:
    "gender: the gender of the word; Masc masculine; Fem feminine; Neut neuter; Com common, masculine or " +
    "feminine",
  Hyph: "hyphenated word: whether the word is a part of a hyphenated word; Yes a part of a hyphenated word",
  Mood:
    "mood: how the speaker presents an event; Ind indicative, a statement; Imp imperative, a command; Cnd " +
    "conditional, would; Pot potential, may; Sub subjunctive; Jus jussive, let; Prp purposive, in order " +
    "to; Qot quotative, reported; Opt optative, a wish; Des desiderative, wants to; Nec necessitative, " +
    "must; Int interrogative; Irr irrealis; Adm admirative, surprise",
  Mutation:
    "mutation: how the first consonant of the word has changed; SM soft mutation; AM aspirate mutation; NM " +
    "nasal mutation",
  NameType:
    "type of name: what a name is the name of; Geo a place; Prs a person; Giv a given name; Sur a surname; " +
    "Nat a nationality; Com a company or organisation; Pro a product; Oth something else",
  NounClass: "noun class: the class of a noun in languages that have more classes than genders",
  NounType: "type of noun: which kind of noun the word is; Class a classifier; Clf a classifier",
  NumForm:
    "form of a number: how a number is written; Word in letters; Digit in digits; Roman in Roman numerals; " +
    "Combi in digits with a suffix",
  NumType:
    "type of number: which kind of number the word is; Card cardinal, as in 'two'; Ord ordinal, as in " +
    "'second'; Mult multiplicative, as in 'twice'; Frac a fraction, as in 'half'; Sets a number of sets; " +
    "Dist distributive, each; Range a range, as in '2-5'",
  NumValue:
    "value of a number: the value of a number where it decides its grammar; 1 one; 2 two; 3 three or four",
  Number:
    "number: how many things the word refers to; Sing singular, one; Plur plural, more than one; Dual " +
    "dual, two; Tri trial, three; Pauc paucal, a few; Grpa greater paucal; Grpl greater plural; Inv " +
    "inverse; Count count plural; Ptan a plural with the meaning of a singular, as in 'scissors'; Coll a " +
    "singular with the meaning of a plural, as in 'furniture'",
  PartType:
    "type of particle: which kind of particle the word is; Mod modal; Emp emphatic; Res a response; Inf an " +
    "infinitive marker; Vbp a verb particle",
  Person:
    "person: who is meant: the speaker, the listener or somebody else; 0 zero person, anybody; 1 first " +
    "person, the speaker; 2 second person, the listener; 3 third person, others; 4 fourth person, another " +
    "third person",
  Polarity: "polarity: whether the word affirms or negates; Pos affirmative; Neg negative",
  Polite:
    "politeness: how polite or formal the form is; Infm informal; Form formal; Elev raises the other; Humb " +
    "humbles the speaker",
  Poss: "possessive: whether the word is possessive, as 'my'; Yes possessive, as in 'my'",
  PrepCase:
    "case after a preposition: whether the form stands after prepositions; Npr not after prepositions; Pre " +
    "after prepositions",
  PronType:
    "type of pronoun: which kind of pronoun, determiner or adverb the word is; Prs personal or possessive, " +
    "as in 'she'; Rcp reciprocal, as in 'each other'; Art an article, as in 'the'; Int interrogative, as " +
    "in 'who?'; Rel relative, as in 'which'; Exc exclamative, as in 'what a day'; Dem demonstrative, as in " +
    "'this'; Emp emphatic, as in 'himself'; Tot total, as in 'every'; Neg negative, as in 'nobody'; Ind " +
    "indefinite, as in 'some'",
  PunctSide: "side of punctuation: whether a paired mark opens or closes; Ini opening; Fin closing",
  PunctType:
    "type of punctuation: which mark of punctuation it is; Peri a full stop; Qest a question mark; Excl an " +
    "exclamation mark; Quot a quotation mark; Brck a bracket; Comm a comma; Colo a colon; Semi a " +
    "semicolon; Dash a dash; Symb a symbol",
  Reflex: "reflexive: whether the word refers to the subject; Yes reflexive, as in 'herself'",
  Strength: "strength: which of two inflections an adjective or pronoun has; Strong strong; Weak weak",
  Style:
    "style: the style to which the word belongs; Arch archaic; Rare rare; Form formal; Poet poetic; Norm " +
    "neutral; Coll colloquial; Vrnc vernacular; Slng slang; Expr expressive; Derg derogatory; Vulg vulgar",
  Subcat:
    "subcategorisation: which objects a verb takes; Intr intransitive, no object; Tran transitive, an " +
    "object; Ditr ditransitive, two objects; Indir an indirect object",
  Tense:
    "tense: when an event takes place; Past past; Pres present; Fut future; Imp imperfect, a past that " +
    "lasts; Pqp pluperfect, before another past",
  Typo: "misspelt word: whether the word is misspelt; Yes misspelt",
  VerbForm:
    "form of a verb: which form of a verb the word is; Fin finite, with a subject and a tense; Inf " +
    "infinitive, as in 'to run'; Sup supine; Part participle, as in 'taken'; Conv converb, a verb as an " +
    "adverb; Gdv gerundive; Ger gerund, as in 'running'; Vnoun verbal noun",
  VerbType:
    "type of verb: which kind of verb the word is; Aux an auxiliary; Cop a copula; Mod a modal verb; Light " +
    "a light verb; Quasi a quasi-verb",
  Voice:
    "voice: which part the subject has in the event; Act active, the subject acts; Mid middle; Rcp " +
    "reciprocal, each other; Pass passive, something is done to the subject; Antip antipassive; Dir " +
    "direct; Inv inverse; Cau causative, the subject makes somebody do it; Lfoc location focus; Bfoc " +
    "beneficiary focus",
};

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
