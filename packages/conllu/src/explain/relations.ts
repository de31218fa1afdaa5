/** The universal relations and common subtypes: a name, a colon and a description. */
export const RELATION_TERMS: Readonly<Record<string, string>> = {
  acl: "clausal modifier of noun: a clause that modifies a noun, such as 'seen' in 'the man seen yesterday'",
  "acl:relcl":
    "relative clause: a clause that modifies a noun and refers back to it, as in 'the man who left'",
  "acl:cleft": "cleft clause: the clause of a cleft sentence, as in 'it was Anna who called'",
  advcl:
    "adverbial clause: a clause that modifies a verb or another predicate, as in 'she left when it rained'",
  "advcl:cleft": "cleft clause: the clause of a cleft sentence, as in 'it was there that we met'",
  "advcl:relcl":
    "adverbial relative clause: a relative clause that modifies a whole clause, as in 'he left, which is sad'",
  advmod:
    "adverbial modifier: an adverb that modifies a verb, an adjective or another adverb, as in 'very old'",
  "advmod:emph": "emphasising word: a word that emphasises or focuses another word, such as 'only' or 'even'",
  "advmod:lmod": "locative adverb: an adverb of place",
  "advmod:neg": "negation: an adverb that negates, such as 'not'",
  "advmod:tmod": "temporal adverb: an adverb of time",
  amod: "adjectival modifier: an adjective that modifies a noun, as in 'an old boat'",
  appos: "apposition: a noun that names the noun before it once more, as in 'Anna, my sister'",
  aux: "auxiliary: an auxiliary verb of tense, mood, aspect or voice, as in 'has left'",
  "aux:caus": "causative auxiliary: an auxiliary that makes a causative, as French 'faire'",
  "aux:pass": "passive auxiliary: the auxiliary verb of a passive, as in 'was damaged'",
  "aux:tense": "auxiliary of tense: an auxiliary verb of a compound tense",
  case: "case marking: a preposition, a postposition or a case particle of a noun, as in 'on the sofa'",
  cc: "coordinating conjunction: the conjunction before a conjunct, such as 'and' or 'or'",
  "cc:preconj":
    "preconjunct: the first part of a conjunction in two parts, such as 'both' in 'both cats and dogs'",
  ccomp:
    "clausal complement: a clause with its own subject that is the object of a verb, as in 'she says that it rains'",
  clf: "classifier: a word that classifies a counted noun, in languages such as Chinese",
  compound: "compound: a part of a compound word, as in 'phone book'",
  "compound:lvc":
    "light verb construction: the noun or adjective that has the meaning of a light verb, as in 'take a walk'",
  "compound:prt": "particle of a phrasal verb: the particle of a verb, as in 'shut down'",
  "compound:redup": "reduplication: the repetition of a word as a part of its form",
  "compound:svc": "serial verb: a further verb of a serial verb construction",
  conj: "conjunct: a member of a coordination, which depends on its first member, as in 'cats and dogs'",
  cop: "copula: the verb between a subject and a predicate that is not a verb, as in 'she is happy'",
  csubj: "clausal subject: a clause that is the subject, as in 'what she said makes sense'",
  "csubj:outer":
    "outer clausal subject: a clausal subject of a copular clause whose predicate is a clause itself",
  "csubj:pass": "passive clausal subject: a clause that is the subject of a passive",
  dep: "unspecified dependency: a relation that could not be determined more exactly",
  det: "determiner: an article, a demonstrative or another determiner of a noun, as in 'the cat'",
  "det:numgov": "governing pronominal quantifier: a quantifier that decides the case of the noun",
  "det:nummod": "agreeing pronominal quantifier: a quantifier that agrees with the noun in case",
  "det:poss": "possessive determiner: a determiner that says whose the noun is",
  "det:predet": "predeterminer: a word before the determiner, such as 'all' in 'all the boys'",
  discourse: "discourse element: an interjection, filler or emoji, which is not a part of the clause",
  "discourse:emo": "emoji: an emoji or emoticon",
  "discourse:filler": "filler: a filler such as 'uh'",
  dislocated:
    "dislocated element: a phrase before or after the clause that repeats one of its parts, as in 'him, I know'",
  expl: "expletive: a pronoun without meaning of its own, such as 'there' in 'there is a cat'",
  "expl:comp": "expletive of a complement: an expletive that stands for a complement of the verb",
  "expl:impers": "impersonal expletive: a reflexive pronoun that makes a clause impersonal",
  "expl:pass": "reflexive pronoun of a passive: a reflexive pronoun that makes a passive",
  "expl:pv": "reflexive clitic of a verb: a reflexive pronoun that is a part of the verb",
  "expl:subj":
    "expletive subject: a pronoun without meaning in the place of the subject, such as 'it' in 'it rains'",
  fixed: "fixed expression: a further word of a fixed expression, as in 'because of'",
  flat: "flat expression: a further word of a name or another expression without a head, as in 'Anna Brown'",
  "flat:date": "part of a date: a further word of a date",
  "flat:foreign": "foreign words: a further word of a foreign expression",
  "flat:name": "part of a name: a further word of a name",
  "flat:number": "part of a number: a further word of a number",
  "flat:range": "part of a range: the end of a range such as '5-7'",
  goeswith: "goes with: a further part of a word that was written apart by mistake",
  iobj: "indirect object: the second object of a verb, often the receiver, as in 'give me a book'",
  "iobj:agent": "agent as indirect object: the one who acts in a causative, as an indirect object",
  list: "list: a further item of a list without conjunctions, such as a phone number in an address",
  mark: "marker: the word that introduces a subordinate clause, such as 'that', 'if' or 'to'",
  nmod: "nominal modifier: a noun that modifies another noun, as in 'the roof of the house'",
  "nmod:agent": "agent of a noun: the one who acts, as a modifier of a noun",
  "nmod:appos": "apposition in another case: a noun that names another one without agreeing with it",
  "nmod:att": "attributive noun: a noun that is an attribute of another noun",
  "nmod:desc": "descriptive nominal: a noun that describes a name next to it, as in 'Professor Brown'",
  "nmod:lmod": "locative nominal: a noun of place that modifies another noun",
  "nmod:npmod":
    "noun phrase as adverb: a noun phrase without a preposition that modifies a noun, an adjective or an adverb",
  "nmod:poss":
    "possessor: the noun or pronoun that says whose another noun is, as in 'my book' or 'Anna's book'",
  "nmod:tmod": "temporal nominal: a noun of time that modifies another noun, as in 'the meeting Monday'",
  "nmod:unmarked":
    "unmarked nominal: a noun phrase without a preposition that modifies a noun, as in '10 dollars a day'",
  nsubj: "nominal subject: the noun or pronoun that is the subject of a clause, as in 'dogs bark'",
  "nsubj:caus": "causer: the subject of a causative verb",
  "nsubj:outer":
    "outer subject: the subject of a copular clause whose predicate is a clause itself, as in 'the problem is that it rains'",
  "nsubj:pass": "passive subject: the subject of a passive, as in 'the house was damaged'",
  "nsubj:xsubj":
    "subject of an open complement: the subject that a clause without a subject takes from another clause",
  nummod: "numeric modifier: a number that modifies a noun, as in 'two houses'",
  "nummod:gov": "governing number: a number that decides the case of the noun",
  obj: "object: the direct object of a verb, as in 'she saw me'",
  "obj:agent": "agent as object: the one who acts in a causative, as an object",
  "obj:lvc": "object of a light verb: the noun that has the meaning of a light verb, as an object",
  obl: "oblique nominal: a noun phrase that modifies a verb, an adjective or an adverb, as in 'sleeps on the sofa'",
  "obl:agent": "agent of a passive: the one who acts in a passive, as in 'damaged by the storm'",
  "obl:arg": "oblique argument: an oblique nominal that the verb requires, as in 'depends on it'",
  "obl:lmod": "locative oblique: an oblique nominal of place",
  "obl:mod": "oblique modifier: an oblique nominal that the verb does not require",
  "obl:npmod":
    "noun phrase as adverb: a noun phrase without a preposition that modifies a predicate, as in 'five years old'",
  "obl:tmod": "temporal oblique: an oblique nominal of time, as in 'he left last night'",
  "obl:unmarked":
    "unmarked oblique: a noun phrase without a preposition that modifies a predicate, as in 'he left last night'",
  orphan: "orphan: a part of a clause whose verb is left out, as in 'Anna likes tea and Ben coffee'",
  parataxis:
    "parataxis: a clause next to another one without a conjunction, such as 'he said' in a quotation",
  "parataxis:insert": "inserted clause: a clause inserted into another one",
  punct: "punctuation: a punctuation mark",
  ref: "referent: in enhanced graphs, the relative pronoun of the noun to which it refers",
  reparandum: "overridden disfluency: a word that the speaker corrects, as in 'to the le- right'",
  root: "root: the word on which the whole sentence depends, usually its main verb",
  vocative: "vocative: the one who is spoken to, as in 'Anna, come here'",
  xcomp:
    "open clausal complement: a clause without its own subject that is a complement of a verb, as in 'she wants to leave'",
};

/** Subtypes that have a page of the universal guidelines. */
export const SUBTYPE_PAGES: ReadonlySet<string> = new Set(
  (
    "acl:relcl advcl:relcl advmod:emph advmod:lmod aux:pass cc:preconj compound:lvc compound:prt compound:redup " +
    "compound:svc csubj:outer csubj:pass det:numgov det:nummod det:poss expl:impers expl:pass expl:pv " +
    "flat:foreign flat:name nmod:poss nmod:tmod nsubj:outer nsubj:pass nummod:gov obl:agent obl:arg obl:lmod obl:tmod"
  ).split(" "),
);
