/** A change of one end of a form: what is cut there, and what takes its place. */
export interface EndEdit {
  readonly cut: string;
  readonly add: string;
}

/** How a form becomes its lemma. */
export interface LemmaEdit {
  /** Whether the form is changed to lower case first. */
  readonly lower: boolean;
  readonly begin: EndEdit;
  readonly end: EndEdit;
}

/**
 * Returns the edit that derives a lemma from a form: the one that keeps most letters, at the beginning of the
 * form if several do. Undefined when form and lemma share too little to tell one. O(form · lemma).
 */
export function lemmaEdit(form: string, lemma: string): LemmaEdit | undefined {
  const plain = shared(form, lemma);
  const lower = form.toLowerCase();
  const lowered = lower.length === form.length ? shared(lower, lemma) : plain;
  const isLower = lowered.length > plain.length;
  const { inForm, inLemma, length } = isLower ? lowered : plain;
  if (length === 0) return undefined;
  const base = isLower ? lower : form;
  return {
    lower: isLower,
    begin: { cut: base.slice(0, inForm), add: lemma.slice(0, inLemma) },
    end: { cut: base.slice(inForm + length), add: lemma.slice(inLemma + length) },
  };
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
