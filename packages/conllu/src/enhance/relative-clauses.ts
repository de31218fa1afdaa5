import { predicateSubjects } from "./conjuncts.ts";
import type { EnhancedDraft } from "./enhanced-draft.ts";

/**
 * Makes the head of a relative clause a dependent inside the clause, with the relation of the relative
 * pronoun, which becomes its `ref`. Without a pronoun, the head fills the gap of the clause.
 */
export function relativeClauses(draft: EnhancedDraft): void {
  for (let clause = 1; clause <= draft.n; clause++) {
    const relation = draft.relation(clause);
    if (relation !== "acl:relcl" && relation !== "advcl:relcl") continue;
    const head = draft.headOf(clause);
    const pronoun = relativePronoun(draft, clause, head);
    if (pronoun !== undefined) resolvePronoun(draft, pronoun, head);
    else if (relation === "acl:relcl") fillGap(draft, clause, head);
  }
}

/** Returns the first relative pronoun in a clause that follows its head. */
function relativePronoun(draft: EnhancedDraft, clause: number, head: number): number | undefined {
  for (let m = head + 1; m <= draft.n; m++) {
    if (draft.word(m).feats?.includes("PronType=Rel") && draft.isBelow(m, clause)) return m;
  }
  return undefined;
}

function resolvePronoun(draft: EnhancedDraft, pronoun: number, referent: number): void {
  for (const { head, label } of [...draft.heads(pronoun)]) {
    draft.remove(head, pronoun);
    draft.add(head, referent, label === "advmod" ? "obl" : label);
  }
  draft.add(referent, pronoun, "ref");
}

/**
 * Attaches the noun as the missing object ("the man I saw"), subject ("what irritates me") or adjunct ("the
 * day we met").
 */
function fillGap(draft: EnhancedDraft, clause: number, noun: number): void {
  if (predicateSubjects(draft, clause).length === 0) draft.add(clause, noun, "nsubj");
  else {
    let predicate = clause;
    for (let next = complement(draft, predicate); next !== undefined; next = complement(draft, predicate)) {
      predicate = next;
    }
    if (ADJUNCTS.has(draft.word(noun).lemma ?? "")) draft.add(predicate, noun, "obl");
    else if (draft.children(predicate, "obj").length === 0) draft.add(predicate, noun, "obj");
  }
}

/** Nouns of time, place, manner and reason, which fill the gap of an adjunct. */
const ADJUNCTS: ReadonlySet<string> = new Set(
  "time day year month week night moment minute hour way reason place".split(" "),
);

function complement(draft: EnhancedDraft, predicate: number): number | undefined {
  return draft
    .children(predicate, "xcomp", "ccomp")
    .find((m) => m > predicate && draft.word(m).upos === "VERB");
}
