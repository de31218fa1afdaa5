import type { ConlluSentence } from "@arcwise/conllu";
import { report, reportError } from "../app/store.ts";
import { running } from "../model/model.ts";
import { plainSentence, wordsOf } from "../shared/sentences.ts";
import { constraintsOf, contentOf, type FixedWords, treeOf } from "./document.ts";
import type { Edit } from "./edits.ts";
import { mergeLast, perform } from "./history.ts";
import { update } from "./navigation.ts";
import * as state from "./state.ts";

/** Returns the tree of the model under constraints, and the tags that it used. */
async function parsed(sentence: ConlluSentence, fixed: FixedWords): Promise<ConlluSentence> {
  const model = running.value;
  if (model === undefined) throw new Error("No model is loaded.");
  const isTagged = wordsOf(sentence).every(({ upos }) => upos !== "_");
  const [result] = await model.nlp.annotate([plainSentence(sentence)], {
    tags: isTagged ? "given" : "predicted",
    deps: "keep",
    constraints: () => constraintsOf(sentence, fixed),
  });
  return result!;
}

/** Returns edits that give a sentence the tree of a result, and words without a tag its tags. */
function treeEdits(sentence: number, before: ConlluSentence, result: ConlluSentence): Edit[] {
  const words = wordsOf(result);
  const tags = wordsOf(before).flatMap((word, i): Edit[] => {
    const tagged = words[i]!;
    if (word.upos !== "_" || tagged.upos === "_") return [];
    const missing = (["upos", "xpos", "feats", "lemma"] as const).filter((column) => word[column] === "_");
    const columns = Object.fromEntries(missing.map((column) => [column, tagged[column]]));
    return [{ kind: "columns", sentence, row: `${word.id}`, columns }];
  });
  return [...tags, { kind: "tree", sentence, ...treeOf(result) }];
}

/**
 * Lets the words of a sentence that are not fixed take the heads and labels of the model. Nothing happens if the sentence
 * was edited meanwhile.
 *
 * @param isFollowing whether this belongs to the last step, the edit that the tree follows
 */
export async function parseSentence(key: number, isFollowing = false): Promise<void> {
  const own = state.sentenceOf(key)?.sentence;
  const before = own === undefined ? undefined : contentOf(own).sentence;
  if (own === undefined || before === undefined) return;
  const last = state.history.value?.past.at(-1);
  try {
    const result = await parsed(before, own.fixed);
    const now = state.history.value;
    if (now === undefined || state.sentenceOf(key)?.sentence !== own) return;
    const after = perform(now, "Parse", treeEdits(key, before, result));
    // Steps that were made meanwhile in other sentences stay steps of their own.
    if (after !== now) update(isFollowing && now.past.at(-1) === last ? mergeLast(after) : after);
    else if (!isFollowing) report("The parser finds the same tree.");
  } catch (error) {
    reportError(error);
  }
}
