import { universal } from "../relations.ts";
import type { EnhancedDraft } from "./enhanced-draft.ts";
import { markedLabel } from "./labels.ts";

/**
 * Gives each conjunct the heads of the first one, by the label of its own marker if it has one: "to A and
 * from B".
 */
export function shareHeads(draft: EnhancedDraft): void {
  for (const { first, conjunct } of conjuncts(draft)) {
    const relation = draft.relation(first);
    const own = markedLabel(draft, conjunct, relation);
    for (const { head, label } of draft.heads(first)) {
      if (head === 0) continue;
      const marked = head === draft.headOf(first) && own !== relation;
      draft.add(head, conjunct, marked ? own : label);
    }
  }
}

/** Gives the subjects of the first conjunct to predicates without a subject: "they came and left". */
export function shareSubjects(draft: EnhancedDraft): void {
  for (const { first, conjunct } of conjuncts(draft)) {
    if (!isPredicate(draft, conjunct)) continue;
    if (draft.children(conjunct, "nsubj", "csubj", "expl").length > 0) continue;
    for (const { position, label } of predicateSubjects(draft, first)) {
      if (position < conjunct) draft.add(conjunct, position, voiced(draft, conjunct, label));
    }
  }
}

/**
 * Gives the object that follows the last conjunct to conjuncts without one: "they bought and sold houses".
 */
export function shareObjects(draft: EnhancedDraft): void {
  for (const { first, conjunct } of conjuncts(draft)) {
    if (draft.children(conjunct, "obj", "ccomp", "xcomp").length > 0) continue;
    for (const object of draft.children(first, "obj")) {
      if (object > conjunct) draft.add(conjunct, object, draft.relation(object));
    }
  }
}

/** A subject of a predicate in the enhanced graph. */
export interface Subject {
  readonly position: number;
  readonly label: string;
}

const SUBJECT = /^[nc]subj\b/;

/** Returns the subjects of a predicate in the enhanced graph, in the order of the sentence. */
export function predicateSubjects(draft: EnhancedDraft, predicate: number): Subject[] {
  return draft.modifiers(predicate).filter(({ label }) => SUBJECT.test(label));
}

/** Yields conjuncts with the first conjunct of their coordination, in the order of the sentence. */
function* conjuncts(draft: EnhancedDraft): Generator<{ readonly first: number; readonly conjunct: number }> {
  for (let conjunct = 1; conjunct <= draft.n; conjunct++) {
    const first = draft.headOf(conjunct);
    if (first !== 0 && draft.universal(conjunct) === "conj") yield { first, conjunct };
  }
}

/**
 * Returns the label of a shared subject by the voice of the predicate, passive or active: "it was found and
 * grew".
 */
function voiced(draft: EnhancedDraft, predicate: number, label: string): string {
  if (label.endsWith(":outer")) return label;
  return isPassive(draft, predicate) ? `${universal(label)}:pass` : universal(label);
}

function isPassive(draft: EnhancedDraft, predicate: number): boolean {
  if (draft.word(predicate).feats?.includes("Voice=Pass")) return true;
  return draft.children(predicate).some((child) => draft.relation(child) === "aux:pass");
}

function isPredicate(draft: EnhancedDraft, position: number): boolean {
  return (
    /^(?:VERB|AUX|ADJ)$/.test(draft.word(position).upos ?? "") || draft.children(position, "cop").length > 0
  );
}

/**
 * Gives an open complement its subject: the object of its predicate, or else its subject, as in "they want to
 * sleep".
 */
export function controlledSubjects(draft: EnhancedDraft): void {
  for (let complement = 1; complement <= draft.n; complement++) {
    if (draft.children(complement, "nsubj", "csubj").length > 0) continue;
    for (const { head, label } of draft.heads(complement)) {
      if (label !== "xcomp" || head === 0) continue;
      for (const controller of controllers(draft, head)) draft.add(complement, controller, "nsubj:xsubj");
    }
  }
}

function controllers(draft: EnhancedDraft, predicate: number): number[] {
  const objects = draft.modifiers(predicate).filter(({ label }) => label === "obj" || label === "iobj");
  const subjects = predicateSubjects(draft, predicate).filter(({ label }) => !label.endsWith(":outer"));
  return (objects.length > 0 ? objects : subjects).map(({ position }) => position);
}
