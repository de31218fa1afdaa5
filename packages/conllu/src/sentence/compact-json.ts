import type { Row } from "../types.ts";
import { rowId } from "../write.ts";
import type { Attributes } from "./attributes.ts";
import type { ColumnsJson, EmptyNodeJson, SentenceJson, TokenJson, WordJson } from "./json.ts";
import { type SentenceText, tokenOffsets } from "./spans.ts";
import { tokenRows, tokenText } from "./tokens.ts";

/** A multiword token as compact JSON. */
export type CompactTokenJson = Omit<TokenJson, "words" | "spaceAfter">;

/**
 * A sentence as compact JSON: `SentenceJson` without what the other members give. `tokens` are the multiword tokens
 * alone, `comments` are absent if they are `sent_id` and `text`, and `misc` has no `TokenRange` and no
 * `SpaceAfter=No` if the text gives them.
 *
 * @example
 * const json = sentence.toJSON({ compact: true });
 * json.words[0]; // { id: 1, form: "Dogs", lemma: "dog", upos: "NOUN", head: 2, deprel: "nsubj", start: 0, end: 4 }
 */
export interface CompactSentenceJson {
  readonly id?: string | undefined;
  readonly text: string;
  /** Offset of the text of the sentence in the text that it was cut from; absent if it is 0 or unknown. */
  readonly start?: number | undefined;
  /** The unit of all offsets. Default: UTF-16 code units. */
  readonly offsets?: "code-points" | undefined;
  readonly comments?: readonly string[] | undefined;
  readonly tokens?: readonly CompactTokenJson[] | undefined;
  readonly words: readonly WordJson[];
  readonly emptyNodes?: readonly EmptyNodeJson[] | undefined;
}

/** Returns the compact form of a sentence as JSON. O(length). */
export function compactJson(json: SentenceJson, spans: SentenceText): CompactSentenceJson {
  const { id, text, offsets, comments, tokens, words, emptyNodes } = json;
  const start = json.start ?? (spans.start[0] ?? 0) - (spans.offsets[0] ?? 0);
  const hasOffsets = tokens.every((token, t) => token.start === start + spans.offsets[t]!);
  const withoutSpace = new Set<number>();
  const multiword: CompactTokenJson[] = [];
  for (const [t, { words, spaceAfter, ...token }] of tokens.entries()) {
    const isJoined = spans.offsets[t]! + spans.lengths[t]! === spans.offsets[t + 1];
    if (token.id.includes("-")) multiword.push(withoutMisc(token, hasOffsets, isJoined));
    else if (isJoined) withoutSpace.add(words[0]!);
  }
  const isGiven = comments.join("\n") === idAndText(json).join("\n");
  return {
    ...(id !== undefined && { id }),
    text,
    ...(start !== 0 && { start }),
    ...(offsets !== undefined && { offsets }),
    ...(!isGiven && { comments }),
    ...(multiword.length > 0 && { tokens: multiword }),
    words: words.map((word) => withoutMisc(word, hasOffsets, withoutSpace.has(word.id))),
    ...(emptyNodes !== undefined && { emptyNodes }),
  };
}

/** Returns the comments that the ID and the text of a sentence give. */
export function idAndText({
  id,
  text,
}: {
  readonly id?: string | undefined;
  readonly text?: string | undefined;
}) {
  return [
    ...(id === undefined ? [] : [`# sent_id = ${id}`]),
    ...(text === undefined ? [] : [`# text = ${text}`]),
  ];
}

/** Leaves out the attributes of MISC that offsets and text give. */
function withoutMisc<Json extends ColumnsJson>(json: Json, hasOffsets: boolean, isJoined: boolean): Json {
  const { misc, ...others } = json;
  if (misc === undefined || typeof misc === "string") return json;
  const { TokenRange, SpaceAfter, ...attributes } = misc;
  const kept: Attributes = Object.fromEntries(
    Object.entries(misc).filter(([name]) => {
      if (name === "TokenRange") return !hasOffsets;
      return (
        name !== "SpaceAfter" || SpaceAfter !== "No" || !isJoined || Object.keys(attributes).some(isSpace)
      );
    }),
  );
  return { ...others, ...(Object.keys(kept).length > 0 && { misc: kept }) } as Json;
}

const isSpace = (name: string) => name.startsWith("Space");

/**
 * Adds `SpaceAfter=No` to the tokens after which the text has no white space, if nothing else says what follows
 * them. O(length).
 *
 * @param known IDs of tokens that are left as they are
 */
export function addSpaceAfter(rows: readonly Row[], text: string, known: ReadonlySet<string>): void {
  const tokens = tokenRows(rows);
  const forms = tokens.map(({ row }) => tokenText(row));
  const offsets = tokenOffsets(text, forms);
  if (offsets === undefined) return;
  for (const [t, { row }] of tokens.entries()) {
    const isJoined = offsets[t]! + forms[t]!.length === offsets[t + 1];
    if (!isJoined || known.has(rowId(row))) continue;
    const items = row.misc === "_" ? [] : row.misc.split("|");
    if (items.some(isSpace)) continue;
    const at = items.findIndex((item) => item > "SpaceAfter");
    items.splice(at < 0 ? items.length : at, 0, "SpaceAfter=No");
    row.misc = items.join("|");
  }
}
