import type { EnhancedDraft } from "./enhanced-draft.ts";
import { MARKED_RELATIONS, markerOf, withMarker } from "./markers.ts";

/** Adds the lemmas of case and mark to the labels of nominals and clauses: `obl:in`, `advcl:because`. */
export function lexicalLabels(draft: EnhancedDraft): void {
  for (let m = 1; m <= draft.n; m++) draft.relabel(m, markedLabel(draft, m, draft.relation(m)));
}

/** Returns a label with the lemma of the word's own marker, if it has one. */
export function markedLabel(draft: EnhancedDraft, position: number, relation: string): string {
  const isMarked = relation !== "conj" && MARKED_RELATIONS.has(relation);
  if (!isMarked || isQuantity(draft, position)) return relation;
  const marker = markerOf(draft, position, relation);
  return marker === undefined ? relation : withMarker(draft, relation, marker);
}

/**
 * Returns whether a word is the superlative of a quantifier ("at least", "at most"), whose label takes no
 * lemma.
 */
function isQuantity(draft: EnhancedDraft, position: number): boolean {
  return /^(?:JJS|RBS)$/.test(draft.word(position).xpos ?? "");
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
      if (cc !== undefined) label = withMarker(draft, "conj", cc);
      draft.relabel(conjunct, label);
    }
  }
}
