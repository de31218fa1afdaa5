import { parseConllu } from "@arcwise/conllu";
import { expect, test } from "vitest";
import { createTokenizer } from "../src/index.ts";
import { trainedTokenizer } from "./trained.ts";

const HAND = "\u{1f44d}\u{1f3fd}";
const FLAG = "\u{1f1ed}\u{1f1fa}";
const row = (id: number, form: string) => [id, form, ..."________"].join("\t");

/** Sentences that are one emoji, or end with one of several code points. */
const treebank = [HAND, FLAG].flatMap((emoji) => [row(1, emoji), `${row(1, "Thanks")}\n${row(2, emoji)}`]);
const sentences = parseConllu(`${treebank.join("\n\n")}\n\n`.repeat(12));

test("no sentence ends within a run of emoji without spaces", async () => {
  const { tokenize } = createTokenizer(await trainedTokenizer(sentences, { epochs: 8 }));
  expect(tokenize(`${HAND} ${HAND}`)).toHaveLength(2);
  for (const run of [HAND + HAND, FLAG + FLAG + HAND, `${HAND}\u2764\ufe0f`])
    expect(tokenize(`Thanks ${run}`).length, run).toBeLessThanOrEqual(2);
  for (const run of [HAND + HAND, FLAG + FLAG + HAND]) expect(tokenize(run), run).toHaveLength(1);
});
