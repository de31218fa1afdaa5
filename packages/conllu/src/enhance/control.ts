import { predicateSubjects } from "./conjuncts.ts";
import type { EnhancedDraft } from "./enhanced-draft.ts";

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
