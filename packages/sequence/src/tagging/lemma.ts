/**
 * Returns the rule that derives a lemma from a form, as a label: `-2+y` cuts two letters off the end and adds
 * "y", `l-2+y` does so to the form in lower case, `=be` replaces it. Chooses the rule that cuts least; a form
 * that shares no prefix with its lemma is replaced.
 */
export function lemmaRule(form: string, lemma: string): string {
  const lower = form.toLowerCase();
  const plain = sharedPrefix(form, lemma);
  const lowered = sharedPrefix(lower, lemma);
  const isLower = lower.length === form.length && lowered > plain;
  const shared = Math.max(plain, isLower ? lowered : 0);
  if (shared === 0) return `=${lemma}`;
  return `${isLower ? "l" : ""}-${form.length - shared}+${lemma.slice(shared)}`;
}

/** Applies a lemma rule to a form; returns the form itself when it is too short for the rule. */
export function applyLemmaRule(form: string, rule: string): string {
  if (rule.startsWith("=")) return rule.slice(1);
  const match = /^(l?)-(\d+)\+(.*)$/su.exec(rule);
  if (match === null) return form;
  const base = match[1] === "l" ? form.toLowerCase() : form;
  const kept = base.length - Number(match[2]);
  return kept <= 0 ? base : base.slice(0, kept) + match[3];
}

function sharedPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}
