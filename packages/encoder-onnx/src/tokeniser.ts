import { ArcwiseError } from "@arcwise/core/errors";
import { Tokenizer } from "@huggingface/tokenizers";
import type { EncoderContents, JsonFile } from "./files.ts";

/** Cuts words into pieces: the numbers of rows of a table of embeddings. */
export interface WordTokeniser {
  /** Pieces before and after the words of each window, and their types. */
  readonly before: readonly SpecialPiece[];
  readonly after: readonly SpecialPiece[];
  /** The type of the pieces of words. */
  readonly type: number;
  /** The piece of places without a word. */
  readonly padding: number;
  /** Size of the vocabulary. */
  readonly size: number;
  /** Returns the pieces of a word: at least one. O(length of the word). */
  pieces(word: string): readonly number[];
}

interface SpecialPiece {
  readonly id: number;
  readonly type: number;
}

/** A tokeniser of the library, whose declarations are not found under the resolution of Node. */
interface LoadedTokenizer {
  encode(
    text: string,
    options: { readonly add_special_tokens?: boolean; readonly return_token_type_ids?: boolean },
  ): { readonly ids: readonly number[]; readonly token_type_ids?: readonly number[] };
  token_to_id(token: string): number | undefined;
  get_vocab(): ReadonlyMap<string, number>;
}

/** Maximum length of a word, in UTF-16 units: what follows does not matter to its vector. */
const MAX_WORD = 256;
/** Words whose pieces are remembered. */
const MAX_REMEMBERED = 2 ** 16;

type Json = Readonly<Record<string, unknown>>;

/**
 * Makes the tokeniser of an encoder. The text of a special piece, such as `[SEP]`, is an unknown word, as is a word of
 * which the normaliser leaves nothing.
 *
 * @throws ArcwiseError `invalid-data` if the library cannot read tokenizer.json, or it has no piece for unknown words
 */
export function wordTokeniser({ tokenizer: file, tokenizerConfig, config }: EncoderContents): WordTokeniser {
  const settings = tokenizerConfig?.json ?? {};
  const tokenizer = readTokenizer(file, settings);
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

/** What the normaliser `Nmt` removes, and what it replaces by spaces. */
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
