import type { EnhancedDraft } from "./enhanced-draft.ts";
import { lemmaOf, MARKED_RELATIONS, withMarker } from "./markers.ts";

/** Adds the lemmas of case and mark to the labels of nominals and clauses: `obl:in`, `advcl:because`. */
export function lexicalLabels(draft: EnhancedDraft): void {
  for (let m = 1; m <= draft.n; m++) draft.relabel(m, markedLabel(draft, m, draft.relation(m)));
}

/** Returns a label with the lemma of the word's own marker, if it has one. */
export function markedLabel(draft: EnhancedDraft, position: number, relation: string): string {
  const kinds = relation === "conj" ? undefined : MARKED_RELATIONS.get(relation);
  if (kinds === undefined || isQuantity(draft, position)) return relation;
  const marker =
    chosenMarker(draft, draft.children(position, ...kinds)) ?? clauseAdverb(draft, position, relation);
  return marker === undefined ? relation : withMarker(relation, expression(draft, marker));
}

/**
 * Returns whether a word is the superlative of a quantifier ("at least", "at most"), whose label takes no
 * lemma.
 */
function isQuantity(draft: EnhancedDraft, position: number): boolean {
  return /^(?:JJS|RBS)$/.test(draft.word(position).xpos ?? "");
}

/**
 * Returns the marker whose lemma labels take: the last of several ("out of", "for ... to"), unless one is
 * "with" or "than" that marks a clause.
 */
function chosenMarker(draft: EnhancedDraft, markers: readonly number[]): number | undefined {
  const outer = markers.find((m) => draft.universal(m) === "mark" && /^(?:with|than)$/.test(lemma(draft, m)));
  return outer ?? markers.at(-1);
}

/** Returns the adverb "when" or "where" that introduces an adverbial clause, if there is one. */
function clauseAdverb(draft: EnhancedDraft, position: number, relation: string): number | undefined {
  if (relation !== "advcl") return undefined;
  return draft.children(position, "advmod").find((m) => /^(?:when|where)$/.test(lemma(draft, m)));
}

/**
 * Adds the lemma of the coordinating conjunction to the labels of conjuncts: `conj:and` for all of "A, B and
 * C".
 */
export function conjunctionLabels(draft: EnhancedDraft): void {
  for (let first = 1; first <= draft.n; first++) {
    let label = "conj";
    for (const conjunct of [...draft.children(first, "conj")].reverse()) {
      const cc = draft.children(conjunct, "cc").find((m) => draft.relation(m) === "cc");
      if (cc !== undefined) label = withMarker("conj", expression(draft, cc));
      draft.relabel(conjunct, label);
    }
  }
}

/**
 * Returns the lemmas of a word and of the rest of its fixed expression or coordination ("and/or"), with
 * underscores.
 */
function expression(draft: EnhancedDraft, position: number): string {
  const parts = [position, ...draft.children(position, "fixed", "conj")];
  return parts.map((part) => lemma(draft, part)).join("_");
}

function lemma(draft: EnhancedDraft, position: number): string {
  return lemmaOf(draft.word(position));
}
