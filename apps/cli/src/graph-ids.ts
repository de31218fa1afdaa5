import { sentenceId } from "@arcwise/conllu";
import { type Block, cutBlock, sentenceStarts } from "./blocks.ts";

/**
 * Returns the ID of each sentence of a block, without parsing it: `# sent_id = s1` of CoNLL-U, or the last
 * comment of SDP, `#20001001`. O(bytes).
 */
export function sentenceIds(block: Block): (string | undefined)[] {
  const decoder = new TextDecoder();
  const starts = sentenceStarts(block);
  if (starts.length === 0) return [];
  const pieces = cutBlock(block, starts.slice(1));
  return pieces.map(({ bytes }) => idIn(decoder.decode(bytes)));
}

function idIn(text: string): string | undefined {
  const comments = text
    .trim()
    .split("\n")
    .filter((line) => line.startsWith("#"));
  const id = sentenceId({ comments, rows: [], line: 0 }) || comments.at(-1)?.slice(1).trim();
  return id === undefined || id.startsWith("SDP ") ? undefined : id;
}
