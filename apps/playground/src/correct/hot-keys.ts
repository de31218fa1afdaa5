/* Keys that choose relations and tags: a letter, or a letter with Shift. */

/** Keys by their values. */
export type ValueKeys = Readonly<Record<string, string>>;

/** Returns the values of a text, which have white space between them. */
export function valuesOf(text: string): string[] {
  return text.split(/\s+/).filter((value) => value !== "");
}

/** Returns keys that are written as `nsubj=s NOUN=n`. */
export function keysOf(text: string): ValueKeys {
  const pairs = valuesOf(text).map((item) => [item.slice(0, -2), item.slice(-1)] as const);
  return Object.fromEntries(pairs.filter(([value]) => value !== ""));
}

/** Usual keys; other values get a free letter of their name. */
const USUAL = keysOf(`
  nsubj=s nsubj:pass=S obj=o iobj=i obl=b obl:agent=B nmod=n nmod:poss=N amod=a advmod=v det=d case=c conj=j cc=k mark=m aux=x
  aux:pass=X cop=e punct=p root=r xcomp=q ccomp=Q advcl=l acl=g acl:relcl=G compound=u compound:prt=U nummod=y appos=z flat=f
  fixed=F parataxis=t expl=h discourse=w dep=D
  NOUN=n VERB=v ADJ=j ADV=r PRON=p PROPN=m DET=d ADP=a AUX=x CCONJ=c SCONJ=s PART=t NUM=u PUNCT=k SYM=y INTJ=i X=o
`);

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const KEYS = [...LETTERS, ...LETTERS.toUpperCase()];

/**
 * Returns the key of each value, as far as there are letters: keys of one's own, usual keys, or the first free letter
 * of the name. A key has one value; the first value that claims it gets it. O(values).
 */
export function hotKeysOf(values: readonly string[], own: ValueKeys = {}): Map<string, string> {
  const keys = new Map<string, string>();
  const taken = new Set<string>();
  const give = (value: string, key: string | undefined) => {
    if (key === undefined || keys.has(value) || taken.has(key) || !KEYS.includes(key)) return;
    keys.set(value, key);
    taken.add(key);
  };
  for (const record of [own, USUAL])
    for (const value of values) if (Object.hasOwn(record, value)) give(value, record[value]);
  for (const value of values) {
    const name = value.toLowerCase();
    const letters = [...name, ...name.toUpperCase(), ...KEYS];
    give(
      value,
      letters.find((letter) => KEYS.includes(letter) && !taken.has(letter)),
    );
  }
  return keys;
}

/** Returns the letter of each word in which heads are chosen; undefined for words after the 52nd. */
export function wordLetter(position: number): string | undefined {
  return KEYS[position - 1];
}

/** Returns the position of the word with a letter; undefined for other keys. */
export function wordOfLetter(letter: string): number | undefined {
  return KEYS.indexOf(letter) + 1 || undefined;
}
