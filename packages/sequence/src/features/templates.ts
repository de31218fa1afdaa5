/**
 * A feature template as text: the pieces of context that it joins, separated by spaces.
 *
 * | piece | meaning |
 * |---|---|
 * | `word`, `word-1`, `xpos+2` | an attribute (`SEQUENCE_ATTRIBUTES`) of a word up to three positions away |
 * | `label-1` | the previous label |
 * | `label-1 label-2` | the two previous labels |
 * | `rare` | only words that are seen fewer than five times in training have the feature |
 * | `frequent` | only the others have it |
 *
 * Every template is joined with the label of the word. With pieces of labels only, it is a feature of label
 * bigrams or trigrams; without pieces ("bias"), of the label alone.
 */
export type SequenceTemplate = string;

/**
 * The attributes of a word that templates can name.
 *
 * | name | attribute |
 * |---|---|
 * | `form`, `word` | the form as it stands; in lower case |
 * | `lemma`, `upos`, `xpos`, `feats` | annotation that the input brings along |
 * | `prefix1` .. `prefix5`, `suffix1` .. `suffix6` | affixes of the lower-cased form, or all of it |
 * | `shape`, `pattern` | capitals, digits and punctuation, runs cut at two; at one |
 * | `capital`, `digit`, `hyphen` | capitals (none, one letter, initial, all); a digit; a hyphen |
 * | `list1` .. `list8` | position of the word in a name of a gazetteer: first word, another word, outside |
 * | `first1` .. `first8` | whether the word begins a name of several words of a gazetteer, such as a first name |
 */
export const SEQUENCE_ATTRIBUTES: readonly string[] = [
  ..."form word lemma upos xpos feats".split(" "),
  ...numbered("prefix", 5),
  ...numbered("suffix", 6),
  ..."shape pattern capital digit hyphen".split(" "),
  ...numbered("list", 8),
  ...numbered("first", 8),
];

/** Returns a name with the numbers from 1 on. */
export function numbered(name: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, k) => `${name}${k + 1}`);
}

/** Maximum distance of words in templates beyond the ends of a sequence. */
export const WINDOW = 3;

/** A parsed template. */
export interface ParsedSequenceTemplate {
  readonly text: SequenceTemplate;
  /** Number of labels that its features join: 1, 2 or 3. */
  readonly arity: 1 | 2 | 3;
  readonly pieces: readonly { readonly attribute: number; readonly offset: number }[];
  /** 0 for all words, 1 for rare, 2 for frequent ones. */
  readonly words: 0 | 1 | 2;
}

const PIECE = /^([a-z]+\d?)([+-][1-3])?$/;

/** Reads a template. */
export function parseSequenceTemplate(text: SequenceTemplate): ParsedSequenceTemplate {
  const pieces: { attribute: number; offset: number }[] = [];
  const names = text.split(" ");
  if (new Set(names).size !== names.length) throw new RangeError(`template "${text}" has a piece twice`);
  let words: 0 | 1 | 2 = 0;
  for (const name of names) {
    if (name === "label-1" || name === "label-2") continue;
    if (name === "bias" && names.length === 1) continue;
    if (name === "rare") words = 1;
    else if (name === "frequent") words = 2;
    else pieces.push(parsePiece(name, text));
  }
  if (names.includes("rare") && names.includes("frequent")) {
    throw new RangeError(`template "${text}": rare and frequent exclude each other`);
  }
  const labels = names.filter((name) => name.startsWith("label")).length;
  if (labels === 1 && !names.includes("label-1")) {
    throw new RangeError(`template "${text}": label-2 requires label-1`);
  }
  return { text, arity: (1 + labels) as 1 | 2 | 3, pieces, words };
}

function parsePiece(name: string, text: string): { attribute: number; offset: number } {
  const match = PIECE.exec(name);
  const attribute = match === null ? -1 : SEQUENCE_ATTRIBUTES.indexOf(match[1]);
  if (match === null || attribute < 0) {
    throw new RangeError(
      `template "${text}": "${name}" is not a piece; expected label-1, label-2, rare, frequent or one of ` +
        `${SEQUENCE_ATTRIBUTES.join(", ")}, optionally with an offset from -3 to +3`,
    );
  }
  return { attribute, offset: Number(match[2] ?? 0) };
}
