import { universal } from "../relations.ts";
import { requireSentence } from "../sentence-check.ts";
import type { ConlluSentence } from "../types.ts";
import { viewSentence } from "./sentence-view.ts";
import type { Span, WordView } from "./words.ts";

/** Relations of the modifiers that belong to the noun phrase of their head, without subtypes. */
const INNER: ReadonlySet<string> = new Set([
  ..."det amod nummod compound flat fixed goeswith clf".split(" "),
  "nmod:poss",
  "nmod:desc",
]);
/** Subtypes of `INNER` that belong to verbs. */
const VERBAL: ReadonlySet<string> = new Set("compound:prt compound:lvc compound:svc".split(" "));
/** Relations of words between a modifier and its noun that do not end a noun phrase. */
const BETWEEN: ReadonlySet<string> = new Set("punct discourse advmod reparandum cc conj".split(" "));
/** Parts of speech that make noun phrases by themselves. */
const NOUNS: ReadonlySet<string> = new Set(["NOUN", "PROPN", "PRON"]);
/** Relations in which a word of another part of speech is used as a noun. */
const NOMINAL: ReadonlySet<string> = new Set(
  "nsubj obj iobj obl nmod appos vocative dislocated conj root".split(" "),
);
/** Relations of nouns that refer to nothing, or are a part of another expression. */
const EMPTY: ReadonlySet<string> = new Set(
  "fixed flat goeswith expl case mark cc cop aux advmod discourse reparandum punct".split(" "),
);

/**
 * Returns the base noun phrases of a sentence, in their order: nouns, names and pronouns with their determiners,
 * adjectives, numbers, compounds and possessors, as in "an old boat". Prepositional phrases, relative clauses,
 * appositions and conjuncts are not part of the phrase; the nouns in them are phrases of their own. Phrases do not
 * overlap. Relative pronouns and expletives ("it rains") are left out. For trees of Universal Dependencies in any
 * language; words without a head make phrases of one word. O(n d) for n words and trees of depth d.
 *
 * @throws ArcwiseError `invalid-argument` when the argument is not a sentence
 *
 * @example
 * const [sentence] = nlp.run("The storm damaged two houses and an old boat.");
 * nounChunks(sentence!).map(({ text }) => text); // ["The storm", "two houses", "an old boat"]
 */
export function nounChunks(sentence: ConlluSentence): Span[] {
  requireSentence(sentence, "nounChunks");
  const view = viewSentence(sentence);
  const { words } = view;
  const isInside = new Uint8Array(words.length + 1);
  const spans: Span[] = [];
  // A head comes before the words of its phrase, which are not phrases of their own.
  for (const word of byDepth(words)) {
    if (isInside[word.id] === 1 || !isPhrase(word)) continue;
    const [first, last] = extent(word, words, isInside);
    isInside.fill(1, first, last + 1);
    spans.push(view.span(first, last));
  }
  return spans.sort((a, b) => a.words[0]!.id - b.words[0]!.id);
}

/** Returns words with heads before their modifiers. */
function byDepth(words: readonly WordView[]): WordView[] {
  const ordered = new Set(words.filter(({ head }) => head === undefined));
  // The iteration reaches words that it adds.
  for (const word of ordered) for (const child of word.children) ordered.add(child);
  // Words of a cycle come last.
  return [...ordered, ...words.filter((word) => !ordered.has(word))];
}

function relation({ deprel = "" }: WordView): string {
  return universal(deprel);
}

function isPhrase(word: WordView): boolean {
  if (EMPTY.has(relation(word))) return false;
  if (!NOUNS.has(word.upos ?? "")) return isUsedAsNoun(word);
  return !isRelativePronoun(word);
}

/** Whether a word that is not a noun stands for one: "the poor", "those", "20 %". */
function isUsedAsNoun(word: WordView): boolean {
  if (!NOMINAL.has(relation(word)) || word.children.some((child) => relation(child) === "cop")) return false;
  if (word.upos === "DET") return true;
  const has = (...names: string[]) => word.left.some((child) => names.includes(relation(child)));
  if (word.upos === "SYM") return word.children.some((child) => relation(child) === "nummod");
  return (word.upos === "ADJ" || word.upos === "NUM" || word.upos === "X") && has("det");
}

/** Whether a pronoun introduces a relative clause; the pronoun of a free relative ("what I saw") has its clause below. */
function isRelativePronoun(word: WordView): boolean {
  const isRelative = word.upos === "PRON" && word.feats.PronType?.split(",").includes("Rel") === true;
  return isRelative && !word.children.some((child) => relation(child) === "acl");
}

/** Returns the first and the last word of the phrase of a noun. */
function extent(noun: WordView, words: readonly WordView[], isInside: Uint8Array): [number, number] {
  const parts = new Set<WordView>([noun]);
  for (const child of noun.children) if (isPart(child, noun)) addPart(child, noun, parts);
  const isFree = (id: number) => id >= 1 && id <= words.length && isInside[id] === 0;
  const end = (step: -1 | 1): number => {
    let last = noun.id;
    for (let id = last + step; isFree(id); id += step) {
      const word = words[id - 1]!;
      if (parts.has(word)) last = id;
      else if (!isBetween(word, parts)) break;
    }
    return last;
  };
  return [end(-1), end(1)];
}

/** Whether a word may stand between parts of a phrase without being one. */
function isBetween(word: WordView, parts: ReadonlySet<WordView>): boolean {
  return word.head !== undefined && parts.has(word.head) && BETWEEN.has(relation(word));
}

/** Whether a modifier belongs to the phrase of its head. */
function isPart(word: WordView, head: WordView): boolean {
  const { deprel = "" } = word;
  if (deprel === "nmod:poss" && word.id > head.id) return word.upos === "PRON" && !hasCase(word);
  if (deprel === "nmod:desc" && hasCase(word)) return false;
  if (VERBAL.has(deprel)) return false;
  // "a girl proud of her work": what follows the adjective does not belong to a base phrase.
  if (relation(word) === "amod" && word.id > head.id) return !word.right.some(isComplement);
  return INNER.has(deprel) || INNER.has(relation(word));
}

const hasCase = (word: WordView) => word.children.some((child) => relation(child) === "case");

const COMPLEMENTS: ReadonlySet<string> = new Set("obl obj xcomp ccomp advcl nmod acl csubj".split(" "));
const isComplement = (word: WordView) => COMPLEMENTS.has(relation(word));

/** Adds a modifier: all of it before the noun, and after the noun what belongs to the modifier's own phrase. */
function addPart(word: WordView, noun: WordView, parts: Set<WordView>): void {
  if (word.id < noun.id) {
    for (const below of word.subtree) parts.add(below);
    return;
  }
  const added = [word];
  for (const part of added) {
    parts.add(part);
    for (const child of part.children) if (isPart(child, part) || isAround(child, part)) added.push(child);
  }
}

/** Whether a child of a modifier after the noun belongs to it: "une maison très grande et blanche". */
function isAround(child: WordView, { upos }: WordView): boolean {
  const name = relation(child);
  if (name === "conj") return upos === "ADJ" && child.upos === "ADJ" && !child.children.some(isComplement);
  return name === "advmod" || (name === "cc" && upos === "ADJ") || (name === "punct" && upos === "PROPN");
}
