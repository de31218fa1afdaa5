import { ArcwiseError, describeValue } from "@arcwise/core/errors";
import { Tokenizer } from "@huggingface/tokenizers";
import type { EncoderContents, JsonFile } from "./files.ts";
import { slowPart } from "./slow-patterns.ts";

/** Cuts words into pieces: the numbers of rows of a table of embeddings. */
export interface WordTokeniser {
  /** Pieces before and after the words of each window, and their types. */
  readonly before: readonly SpecialPiece[];
  readonly after: readonly SpecialPiece[];
  /** The type of the pieces of words. */
  readonly type: number;
  /** The piece of places without a word. */
  readonly padding: number;
  /** Size of the vocabulary, and its largest number. */
  readonly size: number;
  readonly lastId: number;
  /** Returns the pieces of a word: at least one. O(length of the word). */
  pieces(word: string): readonly number[];
}

interface SpecialPiece {
  readonly id: number;
  readonly type: number;
}

/** A tokeniser of the library, whose declarations are not found under the resolution of Node. */
interface LoadedTokenizer {
  readonly normalizer: Normalizer | null;
  encode(
    text: string,
    options: { readonly add_special_tokens?: boolean; readonly return_token_type_ids?: boolean },
  ): { readonly ids: readonly number[]; readonly token_type_ids?: readonly number[] };
  token_to_id(token: string): number | undefined;
  get_vocab(): ReadonlyMap<string, number>;
}

/** A normaliser of the library; one of type `Sequence` has others. */
interface Normalizer {
  normalize(text: string): string;
  readonly normalizers?: readonly Normalizer[];
}

/** Maximum length of a word before and after each normaliser, in UTF-16 units: what follows does not matter to its vector. */
const MAX_WORD = 256;
/** Maximum product of the lengths of texts that normalisers insert: words of a file itself are normalised when it is loaded. */
const MAX_GROWTH = 64;
/** Bound of the numbers of pieces: the library makes a list of as many. The largest published vocabularies have a million. */
const MAX_ID = 2 ** 24;
/** Words whose pieces are remembered. */
const MAX_REMEMBERED = 2 ** 16;

type Json = Readonly<Record<string, unknown>>;

/**
 * Makes the tokeniser of an encoder. The text of a special piece, such as `[SEP]`, is an unknown word, as is a word of
 * which the normaliser leaves nothing.
 *
 * A file of a tokeniser is from outside: its numbers and regular expressions are checked before they are used, and no
 * normaliser makes a word longer than `MAX_WORD`.
 */
export function wordTokeniser({ tokenizer: file, tokenizerConfig, config }: EncoderContents): WordTokeniser {
  const settings = tokenizerConfig?.json ?? {};
  const lastId = checkIds(file, config?.json ?? {});
  checkPatterns(file);
  const tokenizer = readTokenizer(file, settings);
  if (tokenizer.normalizer) bound(tokenizer.normalizer);
  // A byte-level tokeniser without a prefix distinguishes words after a space: all words are such words.
  const prefix = needsSpace(file.json.pre_tokenizer) ? " " : "";
  const cut = (text: string): readonly number[] =>
    tokenizer.encode(prefix + text, { add_special_tokens: false }).ids;
  const unknown = unknownPieces(file, settings, tokenizer, cut);
  const special = new Set(specialPieces(file.json).filter((id) => !unknown.includes(id)));
  const remembered = new Map<string, readonly number[]>();
  const fresh = (word: string): readonly number[] => {
    const ids = cut(shortened(word)).flatMap((id) => (special.has(id) ? unknown : [id]));
    return ids.length === 0 ? unknown : ids;
  };
  return {
    ...templateOf(file, tokenizer, prefix),
    padding: paddingPiece(config?.json ?? {}, settings, tokenizer),
    size: tokenizer.get_vocab().size,
    lastId,
    pieces: (word) => {
      const old = remembered.get(word);
      if (old !== undefined) return old;
      if (remembered.size === MAX_REMEMBERED) remembered.clear();
      const ids = fresh(word);
      remembered.set(word, ids);
      return ids;
    },
  };
}

function readTokenizer(file: JsonFile, settings: Json): LoadedTokenizer {
  const json = {
    pre_tokenizer: null,
    post_processor: null,
    added_tokens: [],
    ...file.json,
    normalizer: withoutNmt(file.json.normalizer ?? null),
    // Pieces are never joined again: a decoder that the library does not know is not needed.
    decoder: null,
  };
  try {
    return new Tokenizer(json, settings);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw refused(file, `@huggingface/tokenizers cannot read it: ${why}`, cause);
  }
}

function refused({ source }: JsonFile, why: string, cause?: unknown): ArcwiseError {
  return new ArcwiseError("invalid-data", `${source}: ${why}`, { file: source, cause });
}

/** Checks the numbers of pieces; returns the largest. */
function checkIds(file: JsonFile, { pad_token_id: padding }: Json): number {
  const model = isJson(file.json.model) ? file.json.model : {};
  const added = Array.isArray(file.json.added_tokens) ? file.json.added_tokens.filter(isJson) : [];
  const vocabulary = isJson(model.vocab) && !Array.isArray(model.vocab) ? Object.entries(model.vocab) : [];
  let last = Array.isArray(model.vocab) ? model.vocab.length - 1 : 0;
  const others = [
    ["unk_id", model.unk_id ?? 0, false],
    ["pad_token_id", padding ?? 0, false],
  ] as const;
  const named = added.map(({ content, id, special }) => [content, id, special] as const);
  for (const [piece, id, isSpecial] of [...vocabulary, ...named, ...others]) {
    if (!(Number.isInteger(id) && (id as number) >= 0 && (id as number) < MAX_ID))
      throw refused(
        file,
        `${describeValue(piece)}: expected an integer from 0 to ${MAX_ID - 1}, found ${describeValue(id)}`,
      );
    // Special pieces stand around words, if anywhere: a table need not have all of them.
    if (isSpecial !== true) last = Math.max(last, id as number);
  }
  return last;
}

/** Refuses regular expressions that may take very long, and normalisers that make texts much longer. */
function checkPatterns(file: JsonFile): void {
  let growth = 1;
  const waiting: unknown[] = [file.json.normalizer, file.json.pre_tokenizer];
  for (let part = waiting.pop(); part !== undefined || waiting.length > 0; part = waiting.pop()) {
    if (!isJson(part)) continue;
    waiting.push(...Object.values(part));
    const { Regex: source, content } = part;
    const slow = typeof source === "string" ? slowPart(source) : undefined;
    if (slow !== undefined)
      throw refused(file, `the regular expression ${describeValue(source)} may take very long: ${slow}`);
    if (typeof content === "string") growth *= Math.max(1, content.length);
    if (growth > MAX_GROWTH)
      throw refused(file, `its normalisers may make a text more than ${MAX_GROWTH} times as long`);
  }
}

/** Cuts what a normaliser, and each step of one of several, makes longer than `MAX_WORD`. */
function bound(normalizer: Normalizer): void {
  normalizer.normalizers?.forEach(bound);
  const { normalize } = normalizer;
  normalizer.normalize = (text) => shortened(normalize.call(normalizer, text));
}

/** Characters that the normaliser `Nmt` removes, and those that it replaces by spaces. */
const NMT = [
  ["[\\u0001-\\u0008\\u000b\\u000e-\\u001f\\u007f\\u008f\\u009f]", ""],
  ["[\\t\\n\\u000c\\r\\u1680\\u200b-\\u200f\\u2028\\u2029\\u2581\\ufeff\\ufffd]", " "],
] as const;

/** Replaces the normaliser `Nmt`, which the library does not know, by normalisers with its effect. */
function withoutNmt(normalizer: unknown): unknown {
  if (!isJson(normalizer)) return normalizer;
  if (Array.isArray(normalizer.normalizers))
    return { ...normalizer, normalizers: normalizer.normalizers.map(withoutNmt) };
  if (normalizer.type !== "Nmt") return normalizer;
  const normalizers = NMT.map(([Regex, content]) => ({ type: "Replace", pattern: { Regex }, content }));
  return { type: "Sequence", normalizers };
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null;
}

function needsSpace(preTokenizer: unknown): boolean {
  if (!isJson(preTokenizer)) return false;
  if (Array.isArray(preTokenizer.pretokenizers)) return preTokenizer.pretokenizers.some(needsSpace);
  return preTokenizer.type === "ByteLevel" && preTokenizer.add_prefix_space !== true;
}

/** Returns a word without what is too long to matter, which never ends within a character. */
function shortened(word: string): string {
  if (word.length <= MAX_WORD) return word;
  const last = word.charCodeAt(MAX_WORD - 1);
  return word.slice(0, last >= 0xd800 && last < 0xdc00 ? MAX_WORD - 1 : MAX_WORD);
}

function specialPieces({ added_tokens: added }: Json): number[] {
  const tokens: readonly unknown[] = Array.isArray(added) ? added : [];
  return tokens.filter(isJson).flatMap(({ id, special }) => (special === true ? [id as number] : []));
}

/** Returns the text of a piece that a file of settings names: by its text, or by an object that has it. */
function pieceText(value: unknown): string | undefined {
  const text = isJson(value) ? value.content : value;
  return typeof text === "string" ? text : undefined;
}

/** Returns the pieces of a word that is unknown as a whole. */
function unknownPieces(
  file: JsonFile,
  settings: Json,
  tokenizer: LoadedTokenizer,
  cut: (text: string) => readonly number[],
): readonly number[] {
  const model = isJson(file.json.model) ? file.json.model : {};
  if (Number.isInteger(model.unk_id)) return [model.unk_id as number];
  for (const text of [pieceText(model.unk_token), pieceText(settings.unk_token)]) {
    const id = text === undefined ? undefined : tokenizer.token_to_id(text);
    if (id !== undefined) return [id];
  }
  // Tokenisers of bytes know all words: the replacement character stands for a word without characters.
  const ids = cut("\ufffd");
  if (ids.length > 0) return ids;
  throw refused(file, "it has no piece for unknown words (model.unk_token or unk_id)");
}

function paddingPiece(config: Json, settings: Json, tokenizer: LoadedTokenizer): number {
  if (Number.isInteger(config.pad_token_id)) return config.pad_token_id as number;
  const text = pieceText(settings.pad_token);
  return (text === undefined ? undefined : tokenizer.token_to_id(text)) ?? 0;
}

/** Returns the special pieces that the template of the tokeniser puts around words. */
function templateOf(
  file: JsonFile,
  tokenizer: LoadedTokenizer,
  prefix: string,
): Pick<WordTokeniser, "before" | "after" | "type"> {
  const word = `${prefix}a`;
  const alone = tokenizer.encode(word, { add_special_tokens: false }).ids;
  const { ids, token_type_ids: types } = tokenizer.encode(word, { return_token_type_ids: true });
  const at = ids.findIndex((_, i) => alone.every((id, k) => ids[i + k] === id));
  if (at < 0 || alone.length === 0)
    throw refused(file, "its template (post_processor) does not contain the words");
  const all = ids.map((id, i): SpecialPiece => ({ id, type: types?.[i] ?? 0 }));
  return { before: all.slice(0, at), after: all.slice(at + alone.length), type: all[at]!.type };
}
