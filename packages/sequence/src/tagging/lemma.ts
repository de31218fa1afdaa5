/**
 * Returns the rule that derives a lemma from a form, as a label: `-2+y` cuts two letters off the end and adds
 * "y", `<2+ga->-3+n` also replaces the first two letters by "ga-", `l-2+y` changes the form to lower case
 * first, `=be` replaces it. Chooses the rule that cuts and adds least; a form that shares no letter with its
 * lemma is replaced. O(form · lemma).
 */
export function lemmaRule(form: string, lemma: string): string {
  const plain = shared(form, lemma);
  const lower = form.toLowerCase();
  const lowered = lower.length === form.length ? shared(lower, lemma) : plain;
  const isLower = lowered.length > plain.length;
  const { inForm, inLemma, length } = isLower ? lowered : plain;
  if (length === 0) return `=${lemma}`;
  const prefix = inForm === 0 && inLemma === 0 ? "" : `<${inForm}+${lemma.slice(0, inLemma)}>`;
  if (prefix !== "" && prefix.indexOf(">") < prefix.length - 1) return `=${lemma}`;
  const cut = form.length - inForm - length;
  return `${isLower ? "l" : ""}${prefix}-${cut}+${lemma.slice(inLemma + length)}`;
}

const RULE = /^(l?)(?:<(\d+)\+([^>]*)>)?-(\d+)\+(.*)$/su;

/** Applies a lemma rule to a form; returns the form itself when it is too short for the rule. */
export function applyLemmaRule(form: string, rule: string): string {
  if (rule.startsWith("=")) return rule.slice(1);
  const match = RULE.exec(rule);
  if (match === null) return form;
  const base = match[1] === "l" ? form.toLowerCase() : form;
  const from = Number(match[2] ?? 0);
  const end = base.length - Number(match[4]);
  return end <= from ? base : (match[3] ?? "") + base.slice(from, end) + match[5];
}

/**
 * Returns the parts of a lemma rule, for models that learn of rules by their parts: the change of case, that
 * of the beginning, that of the end, and what this one cuts and adds.
 */
export function lemmaRuleParts(rule: string): string[] {
  const match = RULE.exec(rule);
  if (match === null) return ["="];
  const [, lower, from, text, cut, added] = match;
  const prefix = from === undefined ? "" : `${from}+${text}`;
  return [`case ${lower}`, `begin ${prefix}`, `end ${cut}+${added}`, `cut ${cut}`, `add ${added}`];
}

/** A part that a form and a lemma share. */
interface SharedPart {
  readonly inForm: number;
  readonly inLemma: number;
  readonly length: number;
}

/** Minimum length of a part that is shared elsewhere than at the beginning. */
const MIN_INNER = 2;

/** Returns the longest part that two texts share: that at their beginning, unless another one is longer. */
function shared(form: string, lemma: string): SharedPart {
  let best: SharedPart = { inForm: 0, inLemma: 0, length: sharedFrom(form, 0, lemma, 0) };
  for (let inForm = 0; inForm + best.length < form.length; inForm++) {
    for (let inLemma = 0; inLemma + best.length < lemma.length; inLemma++) {
      const length = sharedFrom(form, inForm, lemma, inLemma);
      if (length > best.length && length >= MIN_INNER) best = { inForm, inLemma, length };
    }
  }
  return best;
}

function sharedFrom(a: string, i: number, b: string, j: number): number {
  let length = 0;
  while (i + length < a.length && j + length < b.length && a[i + length] === b[j + length]) length++;
  return length;
}
