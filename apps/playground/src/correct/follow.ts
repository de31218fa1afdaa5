import type { ConlluSentence } from "@arcwise/conllu";
import { report, reportError } from "../app/store.ts";
import { running } from "../model/model.ts";
import { plainSentence } from "../shared/sentences.ts";
import { constraintsOf, wordsOf } from "./constraints.ts";
import { contentOf, type EditSentence, type FixedWords } from "./document.ts";
import type { Edit } from "./edits.ts";
import { type EditHistory, mergeLast, perform } from "./history.ts";
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

function treeEdits(own: EditSentence, before: ConlluSentence, result: ConlluSentence): Edit[] {
  const sentence = own.key;
  const words = wordsOf(result);
  const tags = wordsOf(before).flatMap((word, i): Edit[] => {
    const { upos, xpos, feats, lemma } = words[i]!;
    if (word.upos !== "_" || upos === "_") return [];
    const columns = {
      upos,
      ...(word.xpos === "_" ? { xpos } : {}),
      ...(word.feats === "_" ? { feats } : {}),
      ...(word.lemma === "_" ? { lemma } : {}),
    };
    return [{ kind: "columns", sentence, row: `${word.id}`, columns }];
  });
  const heads = [-1, ...words.map(({ head }) => head)];
  return [...tags, { kind: "tree", sentence, heads, labels: ["", ...words.map(({ deprel }) => deprel)] }];
}

/**
 * Lets the words of a sentence that are not fixed take the heads and labels of the model, as a part of the last step.
 * Nothing happens if the sentence was edited meanwhile.
 */
export async function followTree(key: number): Promise<void> {
  await takeTree(key, mergeLast, "Tree");
}

/** Parses the words of a sentence that are not fixed, as a step of its own. */
export async function parseSentence(key: number): Promise<void> {
  await takeTree(key, (history) => history, "Parse");
}

async function takeTree(
  key: number,
  merge: (history: EditHistory) => EditHistory,
  name: string,
): Promise<void> {
  const own = state.sentenceOf(key)?.sentence;
  const before = own === undefined ? undefined : contentOf(own).sentence;
  if (own === undefined || before === undefined) return;
  try {
    const result = await parsed(before, own.fixed);
    const now = state.history.value;
    if (now === undefined || state.sentenceOf(key)?.sentence !== own) return;
    const after = perform(now, name, treeEdits(own, before, result));
    if (after !== now) update(merge(after));
    else if (merge !== mergeLast) report("The parser finds the same tree.");
  } catch (error) {
    reportError(error);
  }
}
