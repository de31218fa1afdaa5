/* Checks of what is drawn, where a program gives it. */
import { sentenceCheck } from "@arcwise/conllu";
import { type Check, checkArgument, refuse } from "@arcwise/core/options";

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null;
}

const COLUMNS = ["lemma", "upos", "xpos", "feats", "deprel"] as const;

/** Whether a value is a word of an object with words. */
function isWord(word: unknown): boolean {
  if (!isObject(word) || typeof word.form !== "string") return false;
  const { head } = word;
  const isHead = head === undefined || typeof head === "number" || typeof head === "object";
  return isHead && COLUMNS.every((name) => word[name] === undefined || typeof word[name] === "string");
}

function checkItems(value: Members, name: string, expected: string, test: (item: unknown) => boolean): void {
  const items = value[name];
  if (!Array.isArray(items)) refuse(name, "a list", items);
  for (let i = 0; i < items.length; i++) if (!test(items[i])) refuse(`${name}[${i}]`, expected, items[i]);
}

function checkTexts(value: Members, ...names: readonly string[]): void {
  for (const name of names)
    if (value[name] !== undefined && typeof value[name] !== "string") refuse(name, "a text", value[name]);
}

const SENTENCE: Check = (value, at) => {
  if (!isObject(value) || !("rows" in value || "words" in value))
    refuse(at, "a sentence with rows or words, or a diagram", value);
  if ("rows" in value) return sentenceCheck(value, at);
  checkItems(value, "words", "a word with a form, whose columns are texts", isWord);
  checkTexts(value, "id", "text");
};

const isDiagramWord = (word: unknown): boolean =>
  isObject(word) && Array.isArray(word.tags) && word.tags.every(isObject);
const isArc = (arc: unknown): boolean => isObject(arc) && typeof arc.label === "string";

/** Accepts lists of arcs. */
export const arcsCheck: Check = (value, at) => {
  if (!Array.isArray(value)) refuse(at, "a list of arcs", value);
  for (let i = 0; i < value.length; i++) if (!isArc(value[i])) refuse(`${at}[${i}]`, "an arc", value[i]);
};

/** Accepts values with the lists of a diagram; `checkDiagram` checks what is in them. */
const DIAGRAM: Check = (value, at) => {
  if (!isObject(value)) refuse(at, "a diagram", value);
  checkItems(value, "words", "a word with form and tags", isDiagramWord);
  checkItems(value, "arcs", "an arc with head, modifier and label", isObject);
  checkItems(value, "tokens", "a token with first, last and form", isObject);
  checkTexts(value, "id", "text");
};

/** @throws ArcwiseError `invalid-argument` when a value is not a sentence that can be drawn. O(words) */
export function requireDrawable(value: unknown, where: string): void {
  checkArgument(SENTENCE, value, `${where}: sentence`);
}

/** @throws ArcwiseError `invalid-argument` when a value lacks the lists of a diagram. O(words + arcs) */
export function requireDiagram(value: unknown): void {
  checkArgument(DIAGRAM, value, "diagram");
}

function isList(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && "length" in value);
}

/** Accepts arcs with a probability each. */
export const probabilitiesCheck: Check = (value, at) => {
  if (!isObject(value) || !isObject(value.arcs)) refuse(at, "arcs and their probabilities", value);
  const { head, modifier } = value.arcs;
  const lists = [head, modifier, value.arcProbabilities];
  for (const [i, name] of ["arcs.head", "arcs.modifier", "arcProbabilities"].entries()) {
    const list = lists[i];
    if (!isList(list) || Array.from(list).some((number) => typeof number !== "number"))
      refuse(name, "a list of numbers", list);
    if (list.length !== (head as ArrayLike<unknown>).length)
      refuse(name, `${(head as ArrayLike<unknown>).length} numbers`, list);
  }
};
